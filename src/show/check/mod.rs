//! Relations tried on today's code: a verdict on each, in the forms that people and build servers read; and which of them
//! people have accepted and rejected.
//!
//! Knows no files, no clock and no exit codes: texts in, texts out, and whoever has a clock says when a hunt ends.
//!
//! ```text
//!  reviewed, claims ─► trial ─► judged ─► junit │ sarif │ annotations
//! ```

mod annotations;
mod junit;
mod sarif;

use crate::filter::recheck::{Judged, Standing, sides};
use crate::subject::kinds::Signature;

/// What the places of relations in a file are.
#[derive(Clone, Copy, Debug)]
pub enum Places<'c> {
    /// Lines.
    Lines,
    /// Numbers, counted from 1; and the lines of these, as far as they are known.
    Numbers(&'c [usize]),
}

/// What became of all relations of a file, for those who write it down.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'c> {
    /// The function.
    pub signature: &'c Signature,
    /// The file with the relations; there is none for a relation on the command line.
    pub file: Option<&'c str>,
    /// What the places of relations in it are.
    pub places: Places<'c>,
    /// The relations, in the order of the file.
    pub judged: &'c [Judged],
}

impl Checked<'_> {
    /// How many have this standing.
    pub fn count(&self, standing: Standing) -> usize {
        self.judged.iter().filter(|judged| judged.standing() == standing).count()
    }

    /// The line of a relation, if it is in a file and its line is known.
    fn line(&self, judged: &Judged) -> Option<usize> {
        self.file?;
        match self.places {
            Places::Lines => Some(judged.place),
            Places::Numbers(lines) => lines.get(judged.place.checked_sub(1)?).copied(),
        }
    }

    /// What is told of a relation that does not stand: a title, and the evidence.
    fn told(&self, judged: &Judged) -> Option<(String, String)> {
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

/// Relations of the built-in function with every standing, for the tests of the forms.
#[cfg(test)]
fn examples() -> (Signature, Vec<Judged>) {
    use genmorph_jit::Value::Num;

    use crate::filter::{By, Pair, Verdict};

    let pair = Pair {
        source: vec![Num(1.0), Num(2.0)],
        source_outputs: vec![Num(1.0)],
        follow_up: vec![Num(1.0), Num(3.0)],
        follow_up_outputs: vec![Num(f64::NAN)],
    };
    let judged = |place, relation: &str, tried, pairs: &[Pair]| Judged {
        transformation: "NumericAddition(1) on e".to_owned(),
        input_relation: "e_f == e_s + 1".to_owned(),
        relation: relation.to_owned(),
        place,
        verdict: Verdict {
            tried,
            enough: 1_000,
            hunted: 0,
            is_exhausted: false,
            counterexamples: pairs.to_vec(),
            by: (!pairs.is_empty()).then_some(By::Fresh),
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
    fn only_what_does_not_stand_is_told() {
        let (signature, judged) = examples();
        let checked = Checked {
            signature: &signature,
            file: Some("f"),
            places: Places::Lines,
            judged: &judged,
        };
        let (title, evidence) = checked.told(&judged[0]).unwrap();
        assert_eq!(title, "a relation of `pow` is violated");
        assert!(evidence.ends_with("follow-up  k = 1, e = 3  ->  out = \"NaN\""), "{evidence}");
        assert_eq!(checked.told(&judged[1]), None);
        assert!(checked.told(&judged[2]).unwrap().1.ends_with("too few pairs of inputs: 12"));
        assert_eq!(Standing::ALL.map(|standing| checked.count(standing)), [1, 1, 1]);
    }
}
