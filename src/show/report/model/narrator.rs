//! Puts recorded relations into sentences and examples, as far as the variables of the function are known.

use genmorph_jit::{Predicate, Tolerance, Value, Var};
use serde_json::Map;

use super::relation::RefutedRelation;
use crate::claims::relation;
use crate::record::refuted::ListedRefutation;
use crate::record::report::SecondFunction;
use crate::record::value::from_json;
use crate::show::report::example::{Example, ReadableRows};
use crate::show::report::folder::RunFolder;
use crate::show::report::functional::functional_form;
use crate::show::report::sentence::{change, sentence};
use crate::subject;
use crate::subject::kinds::{Interface, Observed};
use crate::subject::together::{Role, Second};
use crate::transform;

/// Knows the variables of the function, and when two numbers are equal.
pub(super) struct Narrator {
    pub(super) signature: Option<Interface>,
    tolerance: Tolerance,
}

impl Narrator {
    /// The variables are those of the executions, or else those that the report names.
    pub(super) fn new(folder: &RunFolder) -> Narrator {
        let report = &folder.report;
        let of_values =
            folder.searches.iter().filter(|((_, observed), _)| *observed == Observed::Values);
        let kept = of_values.filter_map(|(_, search)| search.executions.as_ref()).next();
        let parsed = |second: &SecondFunction| {
            let function = subject::Signature::parse(&second.function, &second.signature).ok()?;
            let role = Role::of(&second.role)?;
            let (name, function) = (second.name.clone(), function.of_executions());
            Some(Box::new(Second { role, name, function }))
        };
        let second = report.second.as_ref().and_then(parsed);
        let signature = match kept {
            Some(executions) => Some(executions.signature.clone()),
            None => subject::Signature::parse(&report.function, &report.signature)
                .ok()
                .map(|signature| signature.of_executions()),
        };
        let signature = signature.map(|signature| Interface { second, ..signature });
        let tolerance = Tolerance::new(report.tolerance.abs, report.tolerance.rel);
        Narrator { signature, tolerance: tolerance.unwrap_or_default() }
    }

    fn predicate(&self, text: &str, transformation: &str) -> Option<(Predicate, Interface)> {
        let signature = transform::interface(self.signature.as_ref()?, transformation, text);
        let schema = signature.schema().ok()?;
        Some((relation::read(text, &schema).ok()?, signature))
    }

    /// A relation as a sentence.
    pub(super) fn sentence(&self, text: &str, transformation: &str) -> Option<String> {
        let (predicate, signature) = self.predicate(text, transformation)?;
        Some(sentence(&predicate, transformation, &signature))
    }

    /// A relation in functional form.
    pub(super) fn functional(
        &self,
        text: &str,
        (transformation, input_relation): (&str, &str),
    ) -> Option<String> {
        let (predicate, signature) = self.predicate(text, transformation)?;
        Some(functional_form(&predicate, input_relation, &signature))
    }

    /// A relation on one of the executions.
    pub(super) fn example(
        &self,
        text: &str,
        transformation: &str,
        choice: Option<&ReadableRows<'_>>,
    ) -> Option<Example> {
        choice?.example(&self.predicate(text, transformation)?.0)
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
        let counterexample =
            self.predicate(&relation, &transformation).and_then(|(predicate, signature)| {
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
            functional: self.functional(&relation, (&transformation, &input_relation)),
            sentence: self.sentence(&relation, &transformation),
            transformation,
            relation,
            counterexample,
            by: Some(refutation.by).filter(|by| !by.is_empty()),
            is_shrunk: refutation.is_shrunk,
        }
    }
}
