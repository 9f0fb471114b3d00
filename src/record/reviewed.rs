//! `genmorph.reviewed.json`: which relations of a function people have accepted and rejected; kept beside the code.
//!
//! A relation is in one of the two lists only, and once. It is recognised by its text and the text of its
//! transformation, so whoever adds one writes both in their canonical form.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::relations::Tolerance;

/// The relations of a function that people have accepted and rejected. A relation is in one list only, and once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewedSet {
    /// The version of the file.
    #[schemars(extend("const" = ReviewedSet::VERSION))]
    version: u32,
    /// The name of the function.
    pub function: String,
    /// The type of the function when its first relation was reviewed, with the names of its parameters; empty in older files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(with = "String")]
    pub signature: String,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// Relations that are to hold from now on.
    accepted: Vec<AcceptedRelation>,
    /// Relations that are not meant to hold.
    rejected: Vec<RejectedRelation>,
}

/// A relation that is to hold from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedRelation {
    /// The transformation, as in `NumericAddition(1) on n`.
    pub transformation: String,
    /// The relation, as in `out_f >= out_s`.
    pub relation: String,
    /// A note on why it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub note: Option<String>,
}

/// A relation that is not meant to hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectedRelation {
    /// The transformation, as in `NumericAddition(1) on n`.
    pub transformation: String,
    /// The relation, as in `out_f >= out_s`.
    pub relation: String,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub reason: Option<String>,
    /// Two executions on which it is false, if such are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Counterexample")]
    pub counterexample: Option<Counterexample>,
}

/// A pair of executions: inputs and outputs by their names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counterexample {
    /// Inputs and outputs of the source execution.
    pub source: Map<String, Value>,
    /// Inputs and outputs of the follow-up execution.
    pub follow_up: Map<String, Value>,
}

/// The accepted entries as pieces of the text, to find their lines.
#[derive(Deserialize)]
struct Entries<'t> {
    #[serde(borrow)]
    accepted: Vec<&'t RawValue>,
}

/// What accepting or rejecting a relation changed in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The relation is new in the set.
    Added,
    /// The relation was in the other list.
    Moved,
    /// The relation was in the list; its note, reason or counterexample is new.
    Amended,
    /// The relation was in the list already.
    None,
}

/// Why a text is not a reviewed set.
#[derive(Debug, thiserror::Error)]
pub enum ReviewedError {
    /// Not JSON, or JSON of another form.
    #[error("{file}: not a reviewed set of genmorph: {source}")]
    Json {
        /// The name of the file.
        file: String,
        /// What the JSON reader says.
        source: serde_json::Error,
    },
    /// A version that this genmorph does not know.
    #[error(
        "{file} has version {found}, and this genmorph knows version {}; a newer genmorph reads it",
        ReviewedSet::VERSION
    )]
    Version {
        /// The name of the file.
        file: String,
        /// The version of the file.
        found: u32,
    },
    /// A relation that the set has twice.
    #[error("{file}: `{relation}` is there twice; remove one of its entries")]
    Duplicate {
        /// The name of the file.
        file: String,
        /// The relation, with its transformation.
        relation: String,
    },
}

impl ReviewedSet {
    /// The version of the file that this genmorph reads and writes.
    pub const VERSION: u32 = 1;
    /// The name of the file, unless another is asked for.
    pub const FILE: &str = "genmorph.reviewed.json";

    /// A set of a function without relations.
    pub fn new(function: String, tolerance: Tolerance) -> ReviewedSet {
        let (accepted, rejected) = (Vec::new(), Vec::new());
        let (version, signature) = (ReviewedSet::VERSION, String::new());
        ReviewedSet { version, function, signature, tolerance, accepted, rejected }
    }

    /// Reads a set; `file` is its name in messages.
    ///
    /// # Errors
    /// When the text is not a reviewed set of this version, or has a relation twice.
    pub fn read(file: &str, text: &str) -> Result<ReviewedSet, ReviewedError> {
        let file = || file.to_owned();
        let reviewed: ReviewedSet = serde_json::from_str(text)
            .map_err(|source| ReviewedError::Json { file: file(), source })?;
        if reviewed.version != ReviewedSet::VERSION {
            return Err(ReviewedError::Version { file: file(), found: reviewed.version });
        }
        let accepted = reviewed.accepted.iter().map(|a| (&a.transformation, &a.relation));
        let rejected = reviewed.rejected.iter().map(|r| (&r.transformation, &r.relation));
        let mut all: Vec<_> = accepted.chain(rejected).collect();
        all.sort();
        if let Some(twice) = all.windows(2).find(|two| two[0] == two[1]) {
            let relation = format!("{} => {}", twice[0].0, twice[0].1);
            return Err(ReviewedError::Duplicate { file: file(), relation });
        }
        Ok(reviewed)
    }

    /// The lines of a text on which its accepted relations begin, in order; empty if the text is not a reviewed set.
    pub fn lines(text: &str) -> Vec<usize> {
        let Ok(Entries { accepted }) = serde_json::from_str(text) else { return Vec::new() };
        let (mut from, mut line) = (0, 1);
        let begins = accepted.into_iter().map_while(|entry| {
            // No entry is there twice, and none is part of another.
            let at = from + text[from..].find(entry.get())?;
            line += text[from..at].matches('\n').count();
            from = at;
            Some(line)
        });
        begins.collect()
    }

    /// The relations that are to hold, in the order in which they were accepted.
    pub fn accepted(&self) -> &[AcceptedRelation] {
        &self.accepted
    }

    /// The relations that are not meant to hold.
    pub fn rejected(&self) -> &[RejectedRelation] {
        &self.rejected
    }

    /// The rejected relations of a transformation, which a search need not find again.
    pub fn rejected_for<'r>(
        &'r self,
        transformation: &str,
    ) -> impl Iterator<Item = &'r RejectedRelation> {
        self.rejected.iter().filter(move |rejected| rejected.transformation == transformation)
    }

    /// Accepts a relation. An earlier note stays, unless there is a new one.
    pub fn accept(&mut self, new: AcceptedRelation) -> Change {
        let is_it = |t: &str, r: &str| t == new.transformation && r == new.relation;
        if let Some(known) =
            self.accepted.iter_mut().find(|a| is_it(&a.transformation, &a.relation))
        {
            if new.note.is_none() || new.note == known.note {
                return Change::None;
            }
            known.note = new.note;
            return Change::Amended;
        }
        let before = self.rejected.len();
        self.rejected.retain(|rejected| !is_it(&rejected.transformation, &rejected.relation));
        self.accepted.push(new);
        if self.rejected.len() < before { Change::Moved } else { Change::Added }
    }

    /// Rejects a relation. An earlier reason or counterexample stays, unless there is a new one.
    pub fn reject(&mut self, new: RejectedRelation) -> Change {
        let is_it = |t: &str, r: &str| t == new.transformation && r == new.relation;
        if let Some(known) =
            self.rejected.iter_mut().find(|r| is_it(&r.transformation, &r.relation))
        {
            let before = known.clone();
            known.reason = new.reason.or(known.reason.take());
            known.counterexample = new.counterexample.or(known.counterexample.take());
            return if *known == before { Change::None } else { Change::Amended };
        }
        let before = self.accepted.len();
        self.accepted.retain(|accepted| !is_it(&accepted.transformation, &accepted.relation));
        self.rejected.push(new);
        if self.accepted.len() < before { Change::Moved } else { Change::Added }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: &str = "NumericAddition(1) on n";

    fn accepted(relation: &str, note: Option<&str>) -> AcceptedRelation {
        let (transformation, relation) = (STEP.to_owned(), relation.to_owned());
        AcceptedRelation { transformation, relation, note: note.map(str::to_owned) }
    }

    fn rejected(relation: &str, reason: Option<&str>) -> RejectedRelation {
        let (transformation, relation) = (STEP.to_owned(), relation.to_owned());
        let reason = reason.map(str::to_owned);
        RejectedRelation { transformation, relation, reason, counterexample: None }
    }

    fn set() -> ReviewedSet {
        ReviewedSet::new("f".to_owned(), Tolerance { abs: 1e-9, rel: 1e-12 })
    }

    #[test]
    fn a_relation_is_in_one_list_only() {
        let mut set = set();
        assert_eq!(set.accept(accepted("out_f > out_s", None)), Change::Added);
        assert_eq!(set.accept(accepted("out_f > 0", None)), Change::Added);
        assert_eq!(set.reject(rejected("out_f > out_s", Some("no"))), Change::Moved);
        assert_eq!((set.accepted().len(), set.rejected().len()), (1, 1));
        assert_eq!(set.accept(accepted("out_f > out_s", None)), Change::Moved);
        assert_eq!((set.accepted().len(), set.rejected().len()), (2, 0));
    }

    #[test]
    fn twice_is_once_and_what_is_known_stays() {
        let mut set = set();
        set.accept(accepted("out_f > 0", Some("doubtful at 0")));
        assert_eq!(set.accept(accepted("out_f > 0", None)), Change::None);
        assert_eq!(set.accepted()[0].note.as_deref(), Some("doubtful at 0"));
        assert_eq!(set.accept(accepted("out_f > 0", Some("fine"))), Change::Amended);
        set.reject(rejected("out_f < 0", Some("chance")));
        let pair = Counterexample { source: Map::new(), follow_up: Map::new() };
        let found = RejectedRelation { counterexample: Some(pair), ..rejected("out_f < 0", None) };
        assert_eq!(set.reject(found.clone()), Change::Amended);
        assert_eq!(set.reject(found), Change::None);
        assert_eq!(set.rejected()[0].reason.as_deref(), Some("chance"));
        assert!(set.rejected()[0].counterexample.is_some());
    }

    #[test]
    fn entries_are_found_on_their_lines() {
        let mut set = set();
        set.accept(accepted("out_f > 0", Some("{\"relation\"}")));
        set.accept(accepted("out_f > 1", None));
        set.reject(rejected("out_f > 2", None));
        let text = serde_json::to_string_pretty(&set).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let found = ReviewedSet::lines(&text);
        let second = |&line: &usize| lines[line + 1].trim();
        let relations: Vec<&str> = found.iter().map(second).collect();
        assert_eq!(relations, ["\"relation\": \"out_f > 0\",", "\"relation\": \"out_f > 1\""]);
        assert_eq!(ReviewedSet::lines(&serde_json::to_string(&set).unwrap()), [1, 1]);
        assert!(ReviewedSet::lines("{}").is_empty() && ReviewedSet::lines("a => b").is_empty());
    }

    #[test]
    fn rejected_relations_are_found_by_their_transformation() {
        let mut set = set();
        set.reject(rejected("out_f < 0", None));
        assert_eq!(set.rejected_for(STEP).count(), 1);
        assert_eq!(set.rejected_for("NumericAddition(2) on n").count(), 0);
    }

    #[test]
    fn a_set_is_read_as_it_was_written_and_no_other() {
        let mut written = set();
        written.accept(accepted("out_f > 0", Some("ü\n")));
        written.reject(rejected("out_f < 0", None));
        let text = serde_json::to_string(&written).unwrap();
        assert_eq!(ReviewedSet::read("r", &text).unwrap(), written);
        let entry = r#"{"transformation": "T", "relation": "R"}"#;
        let of = |version: u32, accepted: &str, more: &str| {
            format!(
                r#"{{"version": {version}, "function": "f", "tolerance": {{"abs": 0, "rel": 0}}, "accepted": [{accepted}],
                "rejected": [{entry}]{more}}}"#
            )
        };
        let cases = [
            (of(2, "", ""), "r has version 2, and this genmorph knows version 1"),
            (of(1, entry, ""), "r: `T => R` is there twice"),
            (
                of(1, "", ", \"acepted\": []"),
                "r: not a reviewed set of genmorph: unknown field `acepted`",
            ),
            ("{".to_owned(), "r: not a reviewed set of genmorph: EOF"),
        ];
        for (text, expected) in cases {
            let error = ReviewedSet::read("r", &text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(ReviewedSet::read("r", &of(1, "", "")).is_ok());
    }
}
