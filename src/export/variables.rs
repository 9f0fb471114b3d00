//! The variables of a relation.

use genmorph_jit::{Node, Predicate, Var};

/// The variables of a relation, each once, in the order of the schema.
pub(super) fn used(predicate: &Predicate) -> Vec<Var> {
    let mut used: Vec<Var> = Vec::new();
    for node in predicate.nodes() {
        if let Node::Var(var) = node
            && !used.contains(var)
        {
            used.push(*var);
        }
    }
    used.sort_unstable_by_key(|var| var.index());
    used
}
