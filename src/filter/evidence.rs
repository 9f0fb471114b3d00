//! Verdicts and counterexamples as the files of a run have them.

use genmorph_jit::{Predicate, Value};

use super::{By, Filter, Pair, Verdict};
use crate::record::refuted::Refutation;
use crate::record::search::Evidence;
use crate::record::value::to_json;
use crate::subject::MachineFailure;
use crate::subject::kinds::Interface;

impl Verdict {
    /// What a report says for a relation that stands.
    pub fn evidence(&self) -> Evidence {
        Evidence {
            hunted: self.hunted,
            bound: self.bound(),
            exhausted: self.is_exhausted,
            domain: self.domain.clone(),
        }
    }
}

impl Filter<'_> {
    /// What a report says of a relation that is false on a pair, with a simplest counterexample; in which round that was is not filled in.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn refutation(
        &self,
        relation: &Predicate,
        pair: &Pair,
        by: By,
        stop: &dyn Fn() -> bool,
    ) -> Result<Refutation, MachineFailure> {
        let shrunk = self.shrink(relation, pair, stop)?;
        let is_shrunk = shrunk != *pair;
        let text = relation.display(&self.ground.schema).to_string();
        let found = shrunk.refutation(text, &self.ground.signature);
        Ok(Refutation { by: by.name().to_owned(), is_shrunk, ..found })
    }
}

impl Pair {
    /// What a report says of a relation that is false on this pair; who found the pair, and when, is not filled in.
    pub fn refutation(&self, relation: String, signature: &Interface) -> Refutation {
        let side = |inputs: &[Value<'_>], outputs: &[Value<'_>]| {
            let named = signature.inputs.iter().zip(inputs);
            let named = named.chain(signature.outputs.iter().zip(outputs));
            named.map(|(p, value)| (p.name.clone(), to_json(p, value))).collect()
        };
        Refutation {
            relation,
            source: side(&self.source, &self.source_outputs),
            follow_up: side(&self.follow_up, &self.follow_up_outputs),
            ..Refutation::default()
        }
    }
}
