//! The results of a check in the formats that build servers read: JUnit XML, SARIF, and annotations of GitHub.
//!
//! Knows no files and no exit codes: verdicts in, texts out.

mod annotations;
mod junit;
mod sarif;

use crate::filter::recheck::calls::CallChanges;
use crate::filter::recheck::{CheckedRelation, Standing, sides};
use crate::subject::kinds::Interface;

/// What the place of a relation in its file counts.
#[derive(Clone, Copy, Debug)]
pub enum Places<'c> {
    /// Lines of a text.
    Lines,
    /// Relations, counted from 1; and the line of each, where it is known.
    Numbers(&'c [usize]),
}

/// The verdicts on all relations of a file.
#[derive(Clone, Copy, Debug)]
pub struct CheckReport<'c> {
    /// The function that was checked.
    pub signature: &'c Interface,
    /// The file with the relations; there is none for a relation on the command line.
    pub file: Option<&'c str>,
    /// What the places of its relations count.
    pub places: Places<'c>,
    /// The relations, in the order of the file.
    pub judged: &'c [CheckedRelation],
    /// What became of the calls of a run, if they were made again.
    pub changes: Option<&'c CallChanges>,
}

impl CheckReport<'_> {
    /// How many have this standing.
    pub fn count(&self, standing: Standing) -> usize {
        self.judged.iter().filter(|judged| judged.standing() == standing).count()
    }

    /// The messages about calls that do not end as they did: a title, and the evidence.
    fn changes(&self) -> Vec<(String, String)> {
        let sentences = self.changes.map(CallChanges::sentences).unwrap_or_default();
        let title = format!("calls of `{}` do not end as they did", self.signature.function);
        sentences.into_iter().map(|sentence| (title.clone(), sentence)).collect()
    }

    /// The line of a relation, if it is in a file and its line is known.
    fn line(&self, judged: &CheckedRelation) -> Option<usize> {
        self.file?;
        match self.places {
            Places::Lines => Some(judged.place),
            Places::Numbers(lines) => lines.get(judged.place.checked_sub(1)?).copied(),
        }
    }

    /// The message about a relation that does not stand: a title, and the evidence.
    fn message_of(&self, judged: &CheckedRelation) -> Option<(String, String)> {
        let function = &self.signature.function;
        let claim = format!("{} => {}", judged.transformation, judged.relation);
        match judged.standing() {
            Standing::Stands => None,
            Standing::Refuted => {
                let pair = judged.shrunk.as_ref()?;
                let [source, follow_up] = sides(pair, self.signature);
                let title = format!("a relation of `{function}` is violated");
                Some((title, format!("{claim}\nsource     {source}\nfollow-up  {follow_up}")))
            }
            Standing::Unknown => {
                let title = format!("a relation of `{function}` cannot be judged");
                let tried = judged.verdict.tried;
                let why = format!("the function returns on too few pairs of inputs: {tried}");
                Some((title, format!("{claim}\n{why}")))
            }
        }
    }
}

/// Relations that are each on a line of a file.
#[cfg(test)]
fn of_lines<'c>(signature: &'c Interface, judged: &'c [CheckedRelation]) -> CheckReport<'c> {
    CheckReport { signature, file: Some("r.txt"), places: Places::Lines, judged, changes: None }
}

/// Relations of the built-in function with every standing, for the tests of the forms.
#[cfg(test)]
fn examples() -> (Interface, Vec<CheckedRelation>) {
    use genmorph_jit::Value::Num;

    use crate::filter::{By, Pair, Verdict};

    let pair = Pair {
        source: vec![Num(1.0), Num(2.0)],
        source_outputs: vec![Num(1.0)],
        follow_up: vec![Num(1.0), Num(3.0)],
        follow_up_outputs: vec![Num(f64::NAN)],
    };
    let judged = |place, relation: &str, tried, pairs: &[Pair]| CheckedRelation {
        transformation: "NumericAddition(1) on e".to_owned(),
        input_relation: "e_f == e_s + 1".to_owned(),
        premise: String::new(),
        relation: relation.to_owned(),
        place,
        verdict: Verdict {
            tried,
            enough: 1_000,
            hunted: 0,
            is_exhausted: false,
            counterexamples: pairs.to_vec(),
            by: (!pairs.is_empty()).then_some(By::Fresh),
            domain: Vec::new(),
            is_cut: false,
            is_open: false,
        },
        branches: [0, 0],
        shrunk: pairs.first().cloned(),
    };
    let judged = vec![
        judged(2, "out_f < out_s and k_s > 0", 40, &[pair]),
        judged(3, "out_f >= out_s", 20_000, &[]),
        judged(7, "out_f != 100", 12, &[]),
    ];
    (crate::executions::power::executions().signature, judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_relations_that_do_not_stand_have_a_message() {
        let (signature, judged) = examples();
        let checked = CheckReport {
            signature: &signature,
            file: Some("f"),
            places: Places::Lines,
            judged: &judged,
            changes: None,
        };
        let (title, evidence) = checked.message_of(&judged[0]).unwrap();
        assert_eq!(title, "a relation of `pow` is violated");
        assert!(evidence.ends_with("follow-up  k = 1, e = 3  ->  out = \"NaN\""), "{evidence}");
        assert_eq!(checked.message_of(&judged[1]), None);
        assert!(checked.message_of(&judged[2]).unwrap().1.ends_with("too few pairs of inputs: 12"));
        assert_eq!(Standing::ALL.map(|standing| checked.count(standing)), [1, 1, 1]);
    }
}
