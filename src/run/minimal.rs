//! The relations of all transformations that it takes: together they kill every training mutant that all of them kill.

use std::fmt;

use genmorph_jit::Tolerance;
use serde::{Deserialize, Serialize};

use super::search::Searched;
use crate::simplify::{Candidate, Setting, fold, readability};
use crate::subject::kinds::Signature;

/// A relation that is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needed {
    /// The transformation.
    pub transformation: String,
    /// The relation.
    pub relation: String,
    /// The training mutants that it kills and no plainer needed relation does.
    pub unique: Vec<String>,
}

/// The relations that are needed, the most important first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Minimal {
    /// The relations.
    pub needed: Vec<Needed>,
    /// How many training mutants they kill; all relations together kill no others.
    pub killed: usize,
    /// How many relations there are.
    pub of: usize,
}

impl Minimal {
    /// Chooses among all relations that searches found.
    pub(super) fn of(
        searched: &[Searched],
        signature: &Signature,
        tolerance: Tolerance,
    ) -> Minimal {
        let setting = Setting::plain(signature, tolerance);
        let (mut mutants, mut found, mut candidates) = (Vec::new(), Vec::new(), Vec::new());
        for search in searched {
            let written = search.claimed.results.iter().flat_map(|results| &results.relations);
            let each = search.relations.iter().zip(written).zip(&search.claimed.tried);
            for ((relation, written), &tried) in each {
                let mut number = |name: &String| {
                    mutants.iter().position(|known| known == name).unwrap_or_else(|| {
                        mutants.push(name.clone());
                        mutants.len() - 1
                    })
                };
                candidates.push(Candidate {
                    killed: written.killed.iter().map(&mut number).collect(),
                    cost: readability(relation, &setting),
                    evidence: tried,
                });
                found.push((&search.claimed.transformation, &written.relation));
            }
        }
        let needed = fold(&candidates).kept.into_iter().map(|kept| {
            let (transformation, relation) = found[kept.candidate];
            Needed {
                transformation: transformation.clone(),
                relation: relation.clone(),
                unique: kept.unique.iter().map(|&mutant| mutants[mutant].clone()).collect(),
            }
        });
        Minimal { needed: needed.collect(), killed: mutants.len(), of: found.len() }
    }
}

/// For people.
impl fmt::Display for Minimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Minimal { needed, killed, of } = self;
        writeln!(
            f,
            "{} of {of} relations are enough to kill the {killed} training mutants that all of them kill:",
            needed.len()
        )?;
        writeln!(f, "{:>9}  relation", "adds")?;
        for Needed { transformation, relation, unique } in needed {
            writeln!(f, "{:>9}  {transformation} => {relation}", unique.len())?;
        }
        Ok(())
    }
}
