//! Relations with the transformations that they presuppose, as runs and people write them down.
//!
//! Four forms are read: the `report.json` of a run, the `relations.json` of a search, a reviewed set (those that were
//! accepted), and lines of text, `NumericAddition(-1) on e => out_f * k_s == out_s`. Knows no subject but its signature; what is claimed may be false.

pub mod relation;
mod reviewed;

use std::fmt;

use genmorph_jit::{Predicate, Tolerance};
use serde::Deserialize;

use self::relation::BadRelation;
pub use self::reviewed::{Accepted, Change, Counterexample, Rejected, Reviewed, ReviewedError};
use crate::subject::kinds::Signature;
use crate::transform::{Instance, Transform, TransformError};

/// The JSON schema of a [`Reviewed`] set.
pub const REVIEWED_SCHEMA: &str = include_str!("reviewed.schema.json");

/// All that a file claims of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct Claims {
    /// When two numbers are equal, if the file says so.
    pub tolerance: Option<Tolerance>,
    /// By transformation, in the order of the file.
    pub stated: Vec<Stated>,
}

/// Relations under one transformation.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// How follow-up inputs are made.
    pub transform: Transform,
    /// The relations.
    pub relations: Vec<Predicate>,
    /// Where each is written: a line of the text, or its number in the file, counted from 1.
    pub places: Vec<usize>,
}

/// The same as it is written: of whatever function, and unread.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The function, if the file says so.
    pub function: Option<String>,
    /// When two numbers are equal, if the file says so.
    pub tolerance: Option<Tolerance>,
    /// Where each relation is, its transformation, and itself.
    pub relations: Vec<(At, String, String)>,
}

/// A file that makes no claims of the function.
#[derive(Debug, thiserror::Error)]
pub enum ClaimsError {
    /// Neither form of JSON.
    #[error("{file}: neither a report.json nor a relations.json of genmorph: {source}")]
    Json {
        /// The file.
        file: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A reviewed set that is none.
    #[error(transparent)]
    Reviewed(#[from] ReviewedError),
    /// The claims are of another function.
    #[error("{file} is about `{claimed}`, and the subject is `{function}`")]
    Function {
        /// The file.
        file: String,
        /// Its function.
        claimed: String,
        /// That of the subject.
        function: String,
    },
    /// A line without an arrow.
    #[error(
        "{file}, line {line}: no transformation; write\n  NumericAddition(-1) on e => out_f * k_s == out_s"
    )]
    NoArrow {
        /// The file.
        file: String,
        /// The line.
        line: usize,
    },
    /// What is before the arrow is wrong.
    #[error("{file}, {at}: {source}")]
    Transform {
        /// The file.
        file: String,
        /// Where.
        at: At,
        /// What is wrong.
        source: TransformError,
    },
    /// What is after it is.
    #[error("{file}, {at}: {source}")]
    Relation {
        /// The file.
        file: String,
        /// Where.
        at: At,
        /// What is wrong.
        source: Box<BadRelation>,
    },
    /// A tolerance that is none.
    #[error("{file}: {abs} and {rel} are no tolerance")]
    Tolerance {
        /// The file.
        file: String,
        /// The absolute part.
        abs: f64,
        /// The relative part.
        rel: f64,
    },
    /// Nothing is claimed.
    #[error("{file} has no relation")]
    Nothing {
        /// The file.
        file: String,
    },
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A line.
    Line(usize),
    /// A relation, counted over all transformations.
    Number(usize),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Line(line) => write!(f, "line {line}"),
            At::Number(number) => write!(f, "relation {number}"),
        }
    }
}

/// What is needed of a report; the rest of it is for others.
#[derive(Deserialize)]
struct Report {
    function: String,
    tolerance: Parts,
    transformations: Vec<Searched>,
}

#[derive(Deserialize)]
struct Searched {
    transformation: String,
    results: Option<Relations>,
}

#[derive(Deserialize)]
struct Relations {
    relations: Vec<Found>,
}

/// The same of the results of one search.
#[derive(Deserialize)]
struct Results {
    function: String,
    transformation: String,
    tolerance: Parts,
    relations: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    relation: String,
}

#[derive(Deserialize)]
struct Parts {
    abs: f64,
    rel: f64,
}

/// Reads the claims that a text makes of a function; `file` is what messages call it.
///
/// # Errors
/// When it makes none, or others than relations of this function.
pub fn read(file: &str, text: &str, signature: &Signature) -> Result<Claims, ClaimsError> {
    written(file, text)?.bind(file, signature)
}

/// The same without knowing the function; nothing may be claimed.
///
/// # Errors
/// When it is none of the forms.
pub fn written(file: &str, text: &str) -> Result<Written, ClaimsError> {
    if text.trim_start().starts_with('{') { json(file, text) } else { lines(file, text) }
}

fn json(file: &str, text: &str) -> Result<Written, ClaimsError> {
    let bad = |source| ClaimsError::Json { file: file.to_owned(), source };
    let whole: serde_json::Value = serde_json::from_str(text).map_err(bad)?;
    let (function, tolerance, searched) = if whole.get("transformations").is_some() {
        let report: Report = serde_json::from_value(whole).map_err(bad)?;
        (report.function, report.tolerance, report.transformations)
    } else if whole.get("accepted").is_some() {
        let reviewed = Reviewed::read(file, text)?;
        let searched = reviewed.accepted().iter().map(|accepted| {
            let relations = vec![Found { relation: accepted.relation.clone() }];
            let transformation = accepted.transformation.clone();
            Searched { transformation, results: Some(Relations { relations }) }
        });
        let tolerance = Parts { abs: reviewed.tolerance.abs, rel: reviewed.tolerance.rel };
        (reviewed.function.clone(), tolerance, searched.collect())
    } else {
        let results: Results = serde_json::from_value(whole).map_err(bad)?;
        let Results { function, transformation, tolerance, relations } = results;
        let results = Some(Relations { relations });
        (function, tolerance, vec![Searched { transformation, results }])
    };
    let Parts { abs, rel } = tolerance;
    let tolerance = Tolerance::new(abs, rel).map_err(|_| ClaimsError::Tolerance {
        file: file.to_owned(),
        abs,
        rel,
    })?;
    let found = searched.into_iter().flat_map(|Searched { transformation, results }| {
        let relations = results.into_iter().flat_map(|results| results.relations);
        relations.map(move |found| (transformation.clone(), found.relation))
    });
    let numbered = (1..).zip(found);
    let relations = numbered.map(|(number, (t, r))| (At::Number(number), t, r)).collect();
    Ok(Written { function: Some(function), tolerance: Some(tolerance), relations })
}

fn lines(file: &str, text: &str) -> Result<Written, ClaimsError> {
    let mut relations = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let Some((transformation, relation)) = line.split_once("=>") else {
            return Err(ClaimsError::NoArrow { file: file.to_owned(), line: number });
        };
        let (transformation, relation) = (transformation.trim(), relation.trim());
        relations.push((At::Line(number), transformation.to_owned(), relation.to_owned()));
    }
    Ok(Written { function: None, tolerance: None, relations })
}

impl Written {
    /// The claims that are made of a function; `file` is what messages call it.
    ///
    /// # Errors
    /// When there are none, or others than relations of this function.
    pub fn bind(&self, file: &str, signature: &Signature) -> Result<Claims, ClaimsError> {
        if let Some(claimed) = self.function.as_ref().filter(|f| **f != signature.function) {
            return Err(ClaimsError::Function {
                file: file.to_owned(),
                claimed: claimed.clone(),
                function: signature.function.clone(),
            });
        }
        if self.relations.is_empty() {
            return Err(ClaimsError::Nothing { file: file.to_owned() });
        }
        let mut claims = Claims { tolerance: self.tolerance, stated: Vec::new() };
        for (at, transformation, relation) in &self.relations {
            claims.add(file, *at, transformation, relation, signature)?;
        }
        Ok(claims)
    }
}

impl Claims {
    fn add(
        &mut self,
        file: &str,
        at: At,
        transformation: &str,
        text: &str,
        signature: &Signature,
    ) -> Result<(), ClaimsError> {
        let file = || file.to_owned();
        let instance = transformation.parse::<Instance>();
        let transform = instance.and_then(|instance| instance.bind(signature));
        let transform =
            transform.map_err(|source| ClaimsError::Transform { file: file(), at, source })?;
        let schema = signature.schema().expect("names were checked with the signature");
        let relation = relation::read(text, &schema).map_err(|source| ClaimsError::Relation {
            file: file(),
            at,
            source: Box::new(source),
        })?;
        let known = self.stated.iter().position(|stated| stated.transform == transform);
        let index = known.unwrap_or_else(|| {
            let blank = Stated { transform, relations: Vec::new(), places: Vec::new() };
            self.stated.push(blank);
            self.stated.len() - 1
        });
        let (At::Line(place) | At::Number(place)) = at;
        self.stated[index].relations.push(relation);
        self.stated[index].places.push(place);
        Ok(())
    }

    /// How many relations there are.
    pub fn count(&self) -> usize {
        self.stated.iter().map(|stated| stated.relations.len()).sum()
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
        assert_eq!(claims.stated[0].places, [2, 5]);
        assert_eq!(claims.stated[1].places, [4]);
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
        assert_eq!(claims.stated[0].places, [1]);
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
