//! Makes relations that are a step smaller or plainer than a given one. They are guesses: rows and a judge decide.

use genmorph_jit::{Node, Op, Type, Var, subtree};

use super::setting::Setting;
use crate::support::numbers::NOTABLE;

/// All expressions in which one subtree is replaced by a smaller one inside it.
pub(crate) fn reductions(nodes: &[Node], type_of: &dyn Fn(Node) -> Type) -> Vec<Vec<Node>> {
    let mut forms = Vec::new();
    for root in 0..nodes.len() {
        let whole = subtree(nodes, root);
        for inner in whole.start..root {
            if type_of(nodes[inner]) == type_of(nodes[root]) {
                let part = subtree(nodes, inner);
                forms.push([&nodes[..whole.start], &nodes[part], &nodes[root + 1..]].concat());
            }
        }
    }
    forms
}

/// All expressions in which one constant is replaced by a rounder or a well-known one.
pub(crate) fn rounder(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut forms = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let Node::Num(value) = *node else { continue };
        let digits = (0..4).map(|digits| {
            let unit = 10_f64.powi(digits);
            (value * unit).round() / unit + 0.0
        });
        // 15,170,932,662,687 may just as well be 2e13, or the next round number away from 0.
        let unit = 10_f64.powf(value.abs().log10().floor());
        let ceiling = (value.abs() / unit).ceil() * unit;
        let named = NOTABLE.into_iter().filter(|named| (named - value.abs()).abs() < 0.05);
        let signed = named.chain([ceiling, 10.0 * unit]).map(|new| new.copysign(value));
        for new in digits.chain(signed).chain([0.0, 1.0, 2.0, -value]) {
            let mut form = nodes.to_vec();
            form[at] = Node::Num(new);
            if new.is_finite() && !form[at].same(*node) {
                forms.push(form);
            }
        }
    }
    forms
}

/// All expressions in which one subtree is replaced by a variable or a plain constant.
pub(super) fn leaves(nodes: &[Node], setting: &Setting) -> Vec<Vec<Node>> {
    let mut forms = Vec::new();
    for root in 0..nodes.len() {
        let ty = type_of(nodes[root], setting);
        let vars = setting.schema.iter().filter(|(_, _, of)| *of == ty);
        let mut leaves: Vec<Node> = vars.map(|(var, _, _)| Node::Var(var)).collect();
        if ty == Type::Num {
            leaves.extend([0.0, 1.0, 2.0].map(Node::Num));
        }
        let whole = subtree(nodes, root);
        for leaf in leaves.into_iter().filter(|leaf| *leaf != nodes[root]) {
            forms.push([&nodes[..whole.start], &[leaf], &nodes[root + 1..]].concat());
        }
    }
    forms
}

/// All expressions in which one operator is replaced by another of the same types.
pub(super) fn operators(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut forms = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let Node::Op(op) = *node else { continue };
        let alike = |other: &Op| *other != op && other.signature() == op.signature();
        for other in Op::ALL.into_iter().filter(alike) {
            let mut form = nodes.to_vec();
            form[at] = Node::Op(other);
            forms.push(form);
        }
        // `not a < b` is `a >= b` unless something is NaN, and `a != b` hides which side is greater.
        if op == Op::Not {
            for comparison in [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::NumEq, Op::NumNe] {
                if matches!(nodes[at - 1], Node::Op(inner) if inner.signature() == comparison.signature())
                {
                    let new = Node::Op(comparison);
                    forms.push([&nodes[..at - 1], &[new], &nodes[at + 1..]].concat());
                }
            }
        }
    }
    forms
}

/// The type of the subtree that ends at a node.
pub(super) fn type_of(node: Node, setting: &Setting) -> Type {
    node.result(&setting.schema).expect("relations are over the schema")
}

/// Whether a variable always equals one that comes before it.
pub(super) fn is_tied(var: Var, setting: &Setting) -> bool {
    let other_name = |is: &[Node]| matches!(is, [Node::Var(other)] if *other < var);
    setting.ties.iter().any(|tie| tie.var == var && other_name(&tie.is))
}
