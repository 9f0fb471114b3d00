//! Other constants for good relations: rounded, named, or a step away.

use genmorph_jit::Node;

use super::vary::readable;
use crate::support::numbers::NOTABLE;
use crate::support::seed::Rng;

/// Changes one constant of a relation; false if it has none, or the change was none.
pub(crate) fn tune(rng: &mut Rng, nodes: &mut [Node]) -> bool {
    let constants = nodes.iter().filter(|node| matches!(node, Node::Num(_))).count();
    if constants == 0 {
        return false;
    }
    let chosen = rng.below(constants);
    let place = nodes.iter_mut().filter(|node| matches!(node, Node::Num(_))).nth(chosen);
    let Some(node) = place else { return false };
    let Node::Num(value) = *node else { return false };
    let new = Node::Num(proposal(rng, value));
    let changed = !new.same(*node);
    *node = new;
    changed
}

/// Whether a relation has a constant.
pub(crate) fn has_constant(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| matches!(node, Node::Num(_)))
}

fn proposal(rng: &mut Rng, value: f64) -> f64 {
    match rng.below(8) {
        0 => value.round() + 0.0,
        1 => rounded(value, rng.below(4) as i32),
        2 => nearest_named(value),
        // A step of a digit, from the tens to the thousandths.
        3..6 => {
            let unit = 10_f64.powi(1 - rng.below(5) as i32);
            let steps = (1 + rng.below(5)) as f64;
            let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
            readable(value + sign * steps * unit)
        }
        6 => readable(value * (0.5 + rng.unit())),
        _ => -value,
    }
}

/// The value rounded to this number of digits after the point.
fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    let rounded = (value * unit).round() / unit;
    if rounded.is_finite() { rounded + 0.0 } else { value }
}

/// The named constant, or its negation, that is nearest.
fn nearest_named(value: f64) -> f64 {
    let distance = |named: &f64| (named - value.abs()).abs();
    let nearest = NOTABLE.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.map_or(value, |named| named.copysign(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::seed::Seed;
    use genmorph_jit::{Op, Var};

    #[test]
    fn tuning_changes_constants_only() {
        let mut rng = Seed(1).stream("test").rng();
        let nodes = [Node::Var(Var(0)), Node::Num(3.2), Node::Op(Op::Lt)];
        let mut found = Vec::new();
        for _ in 0..300 {
            let mut tuned = nodes;
            tune(&mut rng, &mut tuned);
            assert_eq!((tuned[0], tuned[2]), (nodes[0], nodes[2]));
            if let Node::Num(value) = tuned[1] {
                found.push(value);
            }
        }
        for expected in [3.0, std::f64::consts::PI, 3.21, 4.2, -3.2] {
            assert!(found.contains(&expected), "{expected}");
        }
        assert!(!tune(&mut rng, &mut [Node::Var(Var(0))]));
    }
}
