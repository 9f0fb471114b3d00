//! A relation as one English sentence: "When e is decreased by 1, the new result times k equals the original result."
//!
//! The words follow the tree of the relation and nothing else, so equal relations have equal sentences. What
//! parentheses are to a formula, these are to a sentence: "the sum of … and …" where an operator would bind
//! otherwise, "either … or" and "both … and" where logic would, commas after what could be read on, and
//! parentheses where nothing else is left.

mod change;
mod clause;
mod noun;
mod words;

use genmorph_jit::{Node, Op, Predicate, Var};

use super::tree::Tree;
use crate::subject::kinds::{Interface, Observed};
use crate::transform::Instance;

/// The most nodes of a relation that there are words for. Nobody reads more, and words for words within words take
/// time.
const LONGEST: usize = 48;

/// How a sentence about single calls begins.
const ALWAYS: &str = "whatever the input";

/// The sentence of a relation over the variables of a function, under a transformation.
pub fn sentence(relation: &Predicate, transformation: &str, signature: &Interface) -> String {
    let instance = transformation.parse::<Instance>().ok();
    let speaker = Speaker { signature, changed: instance.as_ref() };
    let when = match &instance {
        _ if is_of_one_call(relation, signature) => ALWAYS.to_owned(),
        Some(instance) => speaker.when(instance),
        None => format!("under {transformation}"),
    };
    let text = match Tree::of(relation) {
        tree if relation.nodes().len() > LONGEST => {
            format!("{when}, this holds: {}", tree.text(&|tree| name(tree, signature)))
        }
        Tree::Op(Op::Implies, sides) => {
            let [if_, then] = [&sides[0], &sides[1]].map(|side| speaker.clause(side));
            if if_.is_compound {
                format!("{when}: if {}, then {}", if_.text, then.text)
            } else {
                let joined = if when == ALWAYS { ", when" } else { " and" };
                format!("{when}{joined} {}, {}", if_.text, then.text)
            }
        }
        tree => format!("{when}, {}", speaker.clause(&tree).text),
    };
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}{}.", first.collect::<String>(), letters.as_str())
}

/// Whether a relation is about an output of the source, and about nothing of the follow-up.
pub(crate) fn is_of_one_call(relation: &Predicate, signature: &Interface) -> bool {
    let (inputs, all) = (signature.inputs.len(), signature.inputs.len() + signature.outputs.len());
    let variables = relation.nodes().iter().filter_map(|node| match node {
        Node::Var(var) => Some(var.index()),
        Node::Op(_) | Node::Num(_) | Node::Bool(_) => None,
    });
    variables.clone().all(|var| var < all) && variables.clone().any(|var| var >= inputs)
}

/// The name of a variable as it stands in a relation; nothing for other trees.
pub(super) fn name(tree: &Tree, signature: &Interface) -> Option<String> {
    let Tree::Var(var) = tree else { return None };
    let Interface { inputs, outputs, .. } = signature;
    let all = inputs.len() + outputs.len();
    let parameter = inputs.iter().chain(outputs).nth(var.index() % all.max(1))?;
    Some(format!("{}_{}", parameter.name, if var.index() < all { "s" } else { "f" }))
}

/// A transformation in words, such as `e is decreased by 1`; its own text if it cannot be read as one.
pub fn change(transformation: &str, signature: &Interface) -> String {
    match transformation.parse::<Instance>() {
        Ok(instance) => Speaker { signature, changed: Some(&instance) }.changes(&instance),
        Err(_) => transformation.to_owned(),
    }
}

/// What is needed to name things.
struct Speaker<'a> {
    signature: &'a Interface,
    /// The transformation; without it, every input may be another.
    changed: Option<&'a Instance>,
}

impl Speaker<'_> {
    /// The name of a variable: its side is said only where the two differ.
    fn variable(&self, var: Var) -> String {
        let Interface { inputs, outputs, .. } = self.signature;
        let all = inputs.len() + outputs.len();
        let is_new = var.index() >= all;
        let at = var.index() % all.max(1);
        let side = if is_new { "new" } else { "original" };
        let calls = &self.signature.calls;
        if let Some(input) = inputs.get(at).filter(|_| !calls.is_empty()) {
            return input.name.clone();
        }
        if let Some(call) = at.checked_sub(inputs.len()).and_then(|at| calls.get(at)) {
            return call.clone();
        }
        if let Some(input) = inputs.get(at) {
            let is_changed =
                self.changed.is_none_or(|instance| instance.parameters.contains(&input.name));
            return if is_changed {
                format!("the {side} {}", input.name)
            } else {
                input.name.clone()
            };
        }
        format!("the {side} {}", self.output(at))
    }

    /// That a variable is true, or false.
    fn truth(&self, var: Var, is_true: bool) -> String {
        let Interface { inputs, outputs, .. } = self.signature;
        let all = inputs.len() + outputs.len();
        let output = (var.index() % all.max(1)).checked_sub(inputs.len());
        let is_outcome = |at: usize| outputs[at].name == Observed::Outcomes.output();
        if output.is_some_and(is_outcome) {
            let side = if var.index() < all { "original" } else { "new" };
            let verb = if is_true { "throws" } else { "returns" };
            return format!("the {side} call {verb}");
        }
        format!("{} is {is_true}", self.variable(var))
    }

    /// The name of an output, without its side.
    fn output(&self, at: usize) -> String {
        let name = &self.signature.outputs[at - self.signature.inputs.len()].name;
        match name.strip_suffix("_after") {
            _ if name == Observed::Values.output() => "result".to_owned(),
            _ if name == Observed::Outcomes.output() => "outcome".to_owned(),
            Some(changed) => format!("{changed} after the call"),
            None => name.clone(),
        }
    }

    /// The output whose two values these are, in any order.
    fn output_pair(&self, a: &Tree, b: &Tree) -> Option<String> {
        let (Tree::Var(a), Tree::Var(b)) = (a, b) else { return None };
        let pairs = self.signature.output_pairs();
        let (pair, _) = pairs.iter().find(|pair| [(*a, *b), (*b, *a)].contains(pair)).copied()?;
        Some(self.output(pair.index()))
    }
}

#[cfg(test)]
mod tests;
