//! Relations with the transformations that they presuppose, as runs and people write them down.
//!
//! Four forms are read: the `report.json` of a run, the `relations.json` of a search, a reviewed set (its accepted
//! relations), and lines of text, `NumericAddition(-1) on e => out_f * k_s == out_s`. [`list`] reads relations without
//! transformations. Knows the signature of a function and nothing else of it; a claim may be false.

pub mod list;
pub mod relation;

use std::fmt;

use genmorph_jit::{Predicate, Tolerance};
use serde::de::Error as _;

use self::relation::BadRelation;
use crate::record;
use crate::record::checksum::{self, WrongChecksum};
use crate::record::relations::RelationsFile;
use crate::record::report::Report;
use crate::record::reviewed::{ReviewedError, ReviewedSet};
use crate::subject::kinds::{Interface, Observed};
use crate::transform::{Instance, Transform, TransformError};

/// The relations that a file claims of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Claims {
    /// When two numbers are equal, if the file says so.
    pub tolerance: Option<Tolerance>,
    /// The relations by transformation, in the order of the file.
    pub groups: Vec<ClaimGroup>,
}

impl Claims {
    /// The relations of values, of one call or of calls made together, and those of outcomes.
    pub fn by_observed(self) -> (Claims, Claims) {
        let is_of_values = |group: &ClaimGroup| group.observed != Observed::Outcomes;
        let (values, outcomes) = self.groups.into_iter().partition(is_of_values);
        let of = |groups| Claims { tolerance: self.tolerance, groups };
        (of(values), of(outcomes))
    }
}

/// Relations under one transformation.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimGroup {
    /// How follow-up inputs are made.
    pub transform: Transform,
    /// Whether they speak of the values that calls return, or of whether calls throw.
    pub observed: Observed,
    /// The relations under this transformation.
    pub relations: Vec<Predicate>,
    /// Where each relation is written: a line of the text, or its number in the file, counted from 1.
    pub places: Vec<usize>,
}

/// The text of claims, before it is known which function they are about.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimTexts {
    /// The function, if the file says so.
    pub function: Option<String>,
    /// The type of the function, with the names of parameters that the relations were written with, if the file says so.
    pub signature: Option<String>,
    /// When two numbers are equal, if the file says so.
    pub tolerance: Option<Tolerance>,
    /// The claims, in the order of the file.
    pub claims: Vec<ClaimText>,
}

/// The text of one claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimText {
    /// Where in the file it is.
    pub place: Place,
    /// The transformation, as in `NumericAddition(1) on n`.
    pub transformation: String,
    /// The relation, as in `out_f >= out_s`.
    pub relation: String,
}

/// Why a file makes no claims about the function.
#[derive(Debug, thiserror::Error)]
pub enum ClaimsError {
    /// JSON of another form.
    #[error("{file}: neither a report.json nor a relations.json of genmorph: {source}")]
    Json {
        /// The name of the file.
        file: String,
        /// What the JSON reader says.
        source: serde_json::Error,
    },
    /// A reviewed set that cannot be used.
    #[error(transparent)]
    Reviewed(#[from] ReviewedError),
    /// The claims are about another function.
    #[error("{file} is about `{claimed}`, and the subject is `{function}`")]
    Function {
        /// The name of the file.
        file: String,
        /// The function that the file names.
        claimed: String,
        /// The function of the subject.
        function: String,
    },
    /// A line without an arrow.
    #[error(
        "{file}, line {line}: no transformation; write\n  NumericAddition(-1) on e => out_f * k_s == out_s"
    )]
    NoArrow {
        /// The name of the file.
        file: String,
        /// The line without an arrow.
        line: usize,
    },
    /// The file is not what genmorph wrote.
    #[error("{file} cannot be trusted: {source}")]
    Checksum {
        /// The name of the file.
        file: String,
        /// What is wrong with it.
        source: WrongChecksum,
    },
    /// The text before the arrow is not a transformation of the function.
    #[error("{file}, {place}: {source}")]
    Transform {
        /// The name of the file.
        file: String,
        /// Where in the file it is.
        place: Place,
        /// Why it is not a transformation.
        source: TransformError,
    },
    /// The text after the arrow is not a relation.
    #[error("{file}, {place}: {source}")]
    Relation {
        /// The name of the file.
        file: String,
        /// Where in the file it is.
        place: Place,
        /// Why it is not a relation.
        source: Box<BadRelation>,
    },
    /// The relation speaks of outcomes and of values.
    #[error(
        "{file}, {place}: the relation has `{variable}` and `throws_s` or `throws_f`: a call that throws returns no value, \
         so a relation speaks of one or of the other; write two relations"
    )]
    Mixed {
        /// The name of the file.
        file: String,
        /// Where in the file it is.
        place: Place,
        /// A variable that is a value.
        variable: String,
    },
    /// A relation of outcomes of a function that has no words for them.
    #[error(
        "{file}, {place}: a parameter of the function is called `throws`, so that relations cannot say whether it throws; \
         rename the parameter"
    )]
    Outcomes {
        /// The name of the file.
        file: String,
        /// Where in the file it is.
        place: Place,
    },
    /// A tolerance that is negative or not a number.
    #[error("{file}: {abs} and {rel} are no tolerance")]
    Tolerance {
        /// The name of the file.
        file: String,
        /// The absolute tolerance that the relations were found with.
        abs: f64,
        /// The relative tolerance that the relations were found with.
        rel: f64,
    },
    /// The file has no relation.
    #[error("{file} has no relation")]
    Nothing {
        /// The name of the file.
        file: String,
    },
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, counted from 1.
    Line(usize),
    /// A relation, counted from 1 over all transformations.
    Number(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Number(number) => write!(f, "relation {number}"),
        }
    }
}

/// Reads the claims that a text makes of a function; `file` is its name in messages.
///
/// # Errors
/// When it has no relation, or one that is not of this function.
pub fn read(file: &str, text: &str, signature: &Interface) -> Result<Claims, ClaimsError> {
    read_texts(file, text)?.bind(file, signature)
}

/// Reads claims about whatever function; there may be none.
///
/// # Errors
/// When the text has none of the four forms.
pub fn read_texts(file: &str, text: &str) -> Result<ClaimTexts, ClaimsError> {
    if text.trim_start().starts_with('{') { json(file, text) } else { lines(file, text) }
}

fn json(file: &str, text: &str) -> Result<ClaimTexts, ClaimsError> {
    let bad = |source| ClaimsError::Json { file: file.to_owned(), source };
    let whole: serde_json::Value = serde_json::from_str(text).map_err(bad)?;
    checksum::check_value(&whole)
        .map_err(|source| ClaimsError::Checksum { file: file.to_owned(), source })?;
    let (function, signature, tolerance, claims): (_, String, _, Vec<(String, String)>) =
        if whole.get("transformations").is_some() {
            let report: Report = serde_json::from_value(whole).map_err(bad)?;
            let claims = report.transformations.into_iter().flat_map(|search| {
                let transformation = search.transformation;
                let relations = search.results.into_iter().flat_map(|results| results.relations);
                relations.map(move |found| (transformation.clone(), found.relation))
            });
            (report.function, report.signature, report.tolerance, claims.collect())
        } else if whole.get("accepted").is_some() {
            let set = ReviewedSet::read(file, text)?;
            let accepted = set.accepted().iter().cloned();
            let claims = accepted.map(|accepted| (accepted.transformation, accepted.relation));
            (set.function.clone(), set.signature.clone(), set.tolerance.clone(), claims.collect())
        } else {
            // The same struct is a part of report.json, where older versions left these to the report.
            for field in ["function", "transformation", "tolerance"] {
                whole.get(field).ok_or_else(|| bad(serde_json::Error::missing_field(field)))?;
            }
            let results: RelationsFile = serde_json::from_value(whole).map_err(bad)?;
            let transformation = results.transformation;
            let relations = results.relations.into_iter();
            let claims = relations.map(|found| (transformation.clone(), found.relation));
            (results.function, String::new(), results.tolerance, claims.collect())
        };
    let record::relations::Tolerance { abs, rel } = tolerance;
    let tolerance = Tolerance::new(abs, rel);
    let tolerance =
        tolerance.map_err(|_| ClaimsError::Tolerance { file: file.to_owned(), abs, rel })?;
    let claims = (1..).zip(claims).map(|(number, (transformation, relation))| ClaimText {
        place: Place::Number(number),
        transformation,
        relation,
    });
    let claims = claims.collect();
    let signature = (!signature.is_empty()).then_some(signature);
    Ok(ClaimTexts { function: Some(function), signature, tolerance: Some(tolerance), claims })
}

fn lines(file: &str, text: &str) -> Result<ClaimTexts, ClaimsError> {
    let mut claims = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let Some((transformation, relation)) = line.split_once("=>") else {
            return Err(ClaimsError::NoArrow { file: file.to_owned(), line: number });
        };
        claims.push(ClaimText {
            place: Place::Line(number),
            transformation: transformation.trim().to_owned(),
            relation: relation.trim().to_owned(),
        });
    }
    Ok(ClaimTexts { function: None, signature: None, tolerance: None, claims })
}

impl ClaimTexts {
    /// The claims that are made of a function; `file` is the name of the file in messages.
    ///
    /// # Errors
    /// When there are none, or one is not about this function.
    pub fn bind(&self, file: &str, signature: &Interface) -> Result<Claims, ClaimsError> {
        if let Some(claimed) = self.function.as_ref().filter(|f| **f != signature.function) {
            return Err(ClaimsError::Function {
                file: file.to_owned(),
                claimed: claimed.clone(),
                function: signature.function.clone(),
            });
        }
        if self.claims.is_empty() {
            return Err(ClaimsError::Nothing { file: file.to_owned() });
        }
        let mut claims = Claims { tolerance: self.tolerance, groups: Vec::new() };
        for claim in &self.claims {
            claims.add(file, claim, signature)?;
        }
        Ok(claims)
    }
}

impl Claims {
    fn add(
        &mut self,
        file: &str,
        claim: &ClaimText,
        signature: &Interface,
    ) -> Result<(), ClaimsError> {
        let file = || file.to_owned();
        let place = claim.place;
        let instance = claim.transformation.parse::<Instance>();
        let bound = instance.and_then(|instance| instance.bind_any(signature));
        let (transform, interface) =
            bound.map_err(|source| ClaimsError::Transform { file: file(), place, source })?;
        let observed = match transform.together() {
            Some(_) => Observed::Together,
            None => Observed::of(&claim.relation),
        };
        let schema = interface.observing(observed).schema();
        let Ok(schema) = schema else { return Err(ClaimsError::Outcomes { file: file(), place }) };
        let relation = relation::read(&claim.relation, &schema);
        let relation = relation.map_err(|source| {
            let of_values = signature.schema().expect("names were checked with the signature");
            let is_mixed = |name: &str| {
                observed == Observed::Outcomes
                    && schema.var(name).is_none()
                    && of_values.var(name).is_some()
            };
            match source.unknown_variable() {
                Some(name) if is_mixed(name) => {
                    let variable = name.to_owned();
                    ClaimsError::Mixed { file: file(), place, variable }
                }
                Some(_) | None => {
                    ClaimsError::Relation { file: file(), place, source: Box::new(source) }
                }
            }
        })?;
        let is_it = |group: &ClaimGroup| group.transform == transform && group.observed == observed;
        let known = self.groups.iter().position(is_it);
        let index = known.unwrap_or_else(|| {
            let (relations, places) = (Vec::new(), Vec::new());
            let blank = ClaimGroup { transform, observed, relations, places };
            self.groups.push(blank);
            self.groups.len() - 1
        });
        let (Place::Line(number) | Place::Number(number)) = place;
        self.groups[index].relations.push(relation);
        self.groups[index].places.push(number);
        Ok(())
    }

    /// Takes out the relations of calls that are made together; says how many these are.
    pub fn drop_together(&mut self) -> usize {
        let before = self.count();
        self.groups.retain(|group| group.transform.together().is_none());
        before - self.count()
    }

    /// How many relations there are.
    pub fn count(&self) -> usize {
        self.groups.iter().map(|group| group.relations.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executions::power;

    fn read_text(text: &str) -> Result<Claims, String> {
        let signature = power::executions().signature;
        read("f", text, &signature).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_have_an_arrow_between_transformation_and_relation() {
        let text = "# mine\nNumericAddition(-1) on e => out_f * k_s == out_s\n\n\
                    NumericAddition(1) on e => out_f == out_s * k_s # too\n\
                    NumericAddition(-1) on e=>e_f < e_s";
        let claims = read_text(text).unwrap();
        assert_eq!(claims.count(), 3);
        assert_eq!(claims.tolerance, None);
        assert_eq!(claims.groups[0].places, [2, 5]);
        assert_eq!(claims.groups[1].places, [4]);
    }

    #[test]
    fn both_files_of_a_run_are_read() {
        let results = r#"{"function": "pow", "transformation": "NumericAddition(-1) on e",
            "tolerance": {"abs": 1e-9, "rel": 1e-12}, "relations": [{"relation": "out_f * k_s == out_s", "fp": 0}]}"#;
        let claims = read_text(results).unwrap();
        assert_eq!((claims.count(), claims.tolerance), (1, Some(Tolerance::default())));
        let report = r#"{"function": "pow", "tolerance": {"abs": 0.5, "rel": 0}, "transformations": [
            {"transformation": "NumericAddition(-1) on e", "results": null},
            {"transformation": "NumericAddition(1) on e", "results": {"relations": [{"relation": "e_f > e_s"}]}}]}"#;
        let claims = read_text(report).unwrap();
        assert_eq!(claims.groups[0].places, [1]);
        assert_eq!(claims.tolerance, Tolerance::new(0.5, 0.0).ok());
    }

    #[test]
    fn a_reviewed_set_claims_what_was_accepted() {
        let entry = |relation: &str| {
            format!(r#"{{"transformation": "NumericAddition(1) on e", "relation": "{relation}"}}"#)
        };
        let (good, bad) = (entry("e_f > e_s"), entry("e_f < e_s"));
        let set = |accepted: &str| {
            format!(
                r#"{{"version": 1, "function": "pow", "tolerance": {{"abs": 0.5, "rel": 0}}, "accepted": [{accepted}],
                "rejected": [{bad}]}}"#
            )
        };
        let claims = read_text(&set(&good)).unwrap();
        assert_eq!((claims.count(), claims.tolerance), (1, Tolerance::new(0.5, 0.0).ok()));
        assert_eq!(read_text(&set("")).unwrap_err(), "f has no relation");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let cases = [
            ("", "f has no relation"),
            ("# nothing", "f has no relation"),
            ("\nout_f == out_s", "f, line 2: no transformation"),
            ("NumericAddition(-1) on z => out_f == out_s", "f, line 1: `pow` has no parameter `z`"),
            ("Add on e => out_f == out_s", "f, line 1: `Add on e` is not a transformation"),
            (
                "NumericAddition(-1) on e => out_f == out",
                "f, line 1: line 1, column 10: unknown variable",
            ),
            ("{}", "f: neither a report.json nor"),
            (
                r#"{"function": "gcd", "transformation": "", "tolerance": {"abs": 0, "rel": 0}, "relations": []}"#,
                "f is about `gcd`, and the subject is `pow`",
            ),
            (
                r#"{"function": "pow", "transformation": "", "tolerance": {"abs": -1, "rel": 0}, "relations": []}"#,
                "f: -1 and 0 are no tolerance",
            ),
        ];
        for (text, expected) in cases {
            let error = read_text(text).unwrap_err();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
