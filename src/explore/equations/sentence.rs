//! Writes an equation the way people do.

use genmorph_jit::{Node, Op, Var};

use super::monomials::Monomial;

/// A monomial with its coefficient, which is not 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'m> {
    pub(super) monomial: &'m Monomial,
    pub(super) coefficient: f64,
}

/// Both sides of the equation that says that the parts add up to 0; the first part has an output of the follow-up. Variables are the numbers of quantities.
///
/// If that output stands alone and to the first power, the equation is solved for it: `2 * out_f == 3 * out_s - k_s`. Else every
/// part stands on the side where it is positive: `out_f * out_f + out_s * out_s == 1`.
pub(super) fn sides(parts: &[Part<'_>]) -> [Vec<Node>; 2] {
    // A constant comes last.
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| part.monomial.degree() == 0);
    // Coefficients that nobody would write may have any sign, or be no numbers.
    if parts[0].coefficient < 0.0 {
        parts = moved(&parts);
    }
    let (positive, negative): (Vec<Part<'_>>, Vec<Part<'_>>) =
        parts.iter().copied().partition(|part| part.coefficient > 0.0);
    let alone = parts[0].monomial.degree() == 1 && !parts[1..].iter().any(|p| p.monomial.follow_up);
    if alone && !negative.is_empty() && !positive.is_empty() {
        // What was negative is positive on the right, and comes first.
        let right = [moved(&negative), moved(&positive[1..])].concat();
        return [sum(&positive[..1]), sum(&right)];
    }
    if !negative.is_empty() {
        return [sum(&positive), sum(&moved(&negative))];
    }
    let (constants, others): (Vec<Part<'_>>, Vec<Part<'_>>) =
        positive.into_iter().partition(|part| part.monomial.degree() == 0);
    [sum(&others), sum(&moved(&constants))]
}

/// The parts on the other side of their equation.
fn moved<'m>(parts: &[Part<'m>]) -> Vec<Part<'m>> {
    parts.iter().map(|part| Part { coefficient: -part.coefficient, ..*part }).collect()
}

/// The sum of parts; 0 if there are none.
fn sum(parts: &[Part<'_>]) -> Vec<Node> {
    let Some((first, others)) = parts.split_first() else { return vec![Node::Num(0.0)] };
    let mut nodes = product(first.coefficient, first.monomial);
    for part in others {
        nodes.extend(product(part.coefficient.abs(), part.monomial));
        nodes.push(Node::Op(if part.coefficient < 0.0 { Op::Sub } else { Op::Add }));
    }
    nodes
}

/// A coefficient times a monomial; a coefficient of 1 is not written.
fn product(coefficient: f64, monomial: &Monomial) -> Vec<Node> {
    let quantities = monomial.factors.iter().map(|&factor| Node::Var(Var(factor as u16)));
    let written = (coefficient != 1.0 || monomial.degree() == 0).then_some(Node::Num(coefficient));
    let mut nodes = Vec::new();
    for factor in written.into_iter().chain(quantities) {
        nodes.push(factor);
        if nodes.len() > 1 {
            nodes.push(Node::Op(Op::Mul));
        }
    }
    nodes
}

/// The same expression with quantities written out.
pub(super) fn spelled_out(nodes: &[Node], quantity: impl Fn(usize) -> Vec<Node>) -> Vec<Node> {
    let spell = |node: &Node| match node {
        Node::Var(var) => quantity(var.index()),
        Node::Op(_) | Node::Num(_) | Node::Bool(_) => vec![*node],
    };
    nodes.iter().flat_map(spell).collect()
}
