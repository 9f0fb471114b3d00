//! Puts recorded relations into sentences and examples, as far as the variables of the function are known.

use genmorph_jit::{Predicate, Tolerance, Value, Var};
use serde_json::Map;

use super::relation::RefutedRelation;
use crate::claims::relation;
use crate::executions::Executions;
use crate::record::refuted::ListedRefutation;
use crate::record::value::from_json;
use crate::show::report::example::{Example, ReadableRows};
use crate::show::report::folder::RunFolder;
use crate::show::report::functional::functional_form;
use crate::show::report::sentence::{change, sentence};
use crate::subject;
use crate::subject::kinds::{Interface, Observed};

/// Knows the variables of the function, and when two numbers are equal.
pub(super) struct Narrator {
    pub(super) signature: Option<Interface>,
    tolerance: Tolerance,
}

impl Narrator {
    /// The variables are those of the executions, or else those that the report names.
    pub(super) fn new(folder: &RunFolder) -> Narrator {
        let report = &folder.report;
        let mut kept = folder.searches.values().filter_map(|search| search.executions.as_ref());
        let is_of_values = |kept: &&Executions| kept.signature.observed() == Observed::Values;
        let kept = kept.find(is_of_values);
        let signature = match kept {
            Some(executions) => Some(executions.signature.clone()),
            None => subject::Signature::parse(&report.function, &report.signature)
                .ok()
                .map(|signature| signature.of_executions()),
        };
        let tolerance = Tolerance::new(report.tolerance.abs, report.tolerance.rel);
        Narrator { signature, tolerance: tolerance.unwrap_or_default() }
    }

    fn predicate(&self, text: &str) -> Option<(Predicate, Interface)> {
        let signature = self.signature.as_ref()?.observing(Observed::of(text));
        let schema = signature.schema().ok()?;
        Some((relation::read(text, &schema).ok()?, signature))
    }

    /// A relation as a sentence.
    pub(super) fn sentence(&self, text: &str, transformation: &str) -> Option<String> {
        let (predicate, signature) = self.predicate(text)?;
        Some(sentence(&predicate, transformation, &signature))
    }

    /// A relation in functional form.
    pub(super) fn functional(&self, text: &str, input_relation: &str) -> Option<String> {
        let (predicate, signature) = self.predicate(text)?;
        Some(functional_form(&predicate, input_relation, &signature))
    }

    /// A relation on one of the executions.
    pub(super) fn example(&self, text: &str, choice: Option<&ReadableRows<'_>>) -> Option<Example> {
        choice?.example(&self.predicate(text)?.0)
    }

    /// A transformation in words, or its name.
    pub(super) fn change(&self, transformation: &str) -> String {
        match &self.signature {
            Some(signature) => change(transformation, signature),
            None => transformation.to_owned(),
        }
    }

    /// A refuted relation with its counterexample.
    pub(super) fn refuted(&self, listed: ListedRefutation) -> RefutedRelation {
        let ListedRefutation { transformation, input_relation, refutation } = listed;
        let relation = refutation.relation;
        let counterexample = self.predicate(&relation).and_then(|(predicate, signature)| {
            let side = |map: &Map<String, serde_json::Value>| {
                let parameters = signature.inputs.iter().chain(&signature.outputs);
                let values = parameters.map(|p| from_json(p.kind, map.get(&p.name)?));
                values.collect::<Option<Vec<Value<'static>>>>()
            };
            let values = [side(&refutation.source)?, side(&refutation.follow_up)?].concat();
            let variable = |var: Var| values[var.index()].clone();
            Some(Example::new(&predicate, &signature, &self.tolerance, &variable))
        });
        RefutedRelation {
            functional: self.functional(&relation, &input_relation),
            sentence: self.sentence(&relation, &transformation),
            transformation,
            relation,
            counterexample,
            by: Some(refutation.by).filter(|by| !by.is_empty()),
            is_shrunk: refutation.is_shrunk,
        }
    }
}
