//! Random relations and parts of relations.

use genmorph_jit::{Expr, Node, Op, Predicate, Type, Var};

use super::grammar::Grammar;
use crate::evolve::config::{Constants, Start};
use crate::support::numbers::NOTABLE;
use crate::support::seed::Rng;

/// How often a subtree ends although there is room for more. A guess.
const LEAF: f64 = 0.2;
/// How often a leaf that can be a constant is one. A guess.
const CONSTANT: f64 = 0.25;
/// How often a first relation is made to relate an output pair. A guess.
const RELATED: f64 = 0.9;

/// A random relation for the first generation.
pub(crate) fn first(rng: &mut Rng, grammar: &Grammar, max_size: usize, start: Start) -> Predicate {
    let least = grammar.least(Type::Bool);
    let mut nodes = Vec::with_capacity(max_size);
    match start {
        Start::Any => {
            let room = least + rng.below(max_size - least + 1);
            subtree(rng, grammar, Type::Bool, room, &mut nodes);
        }
        Start::Related => {
            // Small ones say as much, and leave crossover room to grow them.
            let room = (3 + rng.below(max_size - 2)).min(3 + rng.below(max_size - 2));
            let pair = rng.pick(grammar.pairs());
            for _ in 0..8 {
                nodes.clear();
                if grammar.type_of(Node::Var(pair.0)) == Type::Bool {
                    connection(rng, grammar, room, &mut nodes);
                } else {
                    comparison(rng, grammar, room, &mut nodes);
                }
                if !rng.chance(RELATED) || relate(rng, grammar, pair, &mut nodes) {
                    break;
                }
            }
        }
    }
    predicate(&nodes, grammar)
}

/// Appends a random subtree of a type, of at most `room` nodes, or the fewest that there can be.
pub(crate) fn subtree(
    rng: &mut Rng,
    grammar: &Grammar,
    ty: Type,
    room: usize,
    nodes: &mut Vec<Node>,
) {
    let can_end = grammar.least(ty) == 1;
    let is_small = room <= grammar.least(ty) && can_end;
    if is_small || can_end && rng.chance(LEAF) {
        return nodes.push(leaf(rng, grammar, ty));
    }
    let room = room.max(grammar.least(ty));
    let ops = grammar.ops(ty);
    // The operators that fit are most of them, unless there is room for hardly anything.
    let fits = |op: &Op| grammar.least_of(*op) <= room;
    let mut op = rng.pick(ops);
    if !fits(&op) {
        let fitting = ops.iter().filter(|op| fits(op)).count();
        if fitting == 0 {
            return nodes.push(leaf(rng, grammar, ty));
        }
        let chosen = rng.below(fitting);
        op = *ops.iter().filter(|op| fits(op)).nth(chosen).expect("one of those counted");
    }
    operands(rng, grammar, op, room, nodes);
}

/// Appends a comparison, with a condition before it when there is room and the dice say so.
fn comparison(rng: &mut Rng, grammar: &Grammar, room: usize, nodes: &mut Vec<Node>) {
    if room >= 7 && rng.chance(0.3) {
        return subtree(rng, grammar, Type::Bool, room, nodes);
    }
    let ops = grammar.ops(Type::Bool);
    let op = loop {
        let op = rng.pick(ops);
        if !op.signature().operands.contains(&Type::Bool) {
            break op;
        }
    };
    operands(rng, grammar, op, room.max(grammar.least_of(op)), nodes);
}

/// Appends an operator on two truth values.
fn connection(rng: &mut Rng, grammar: &Grammar, room: usize, nodes: &mut Vec<Node>) {
    let op = rng.pick(&[Op::Iff, Op::Implies, Op::Or, Op::And, Op::Xor]);
    operands(rng, grammar, op, room.max(grammar.least_of(op)), nodes);
}

/// Appends an operator after random operands; there is room for them.
fn operands(rng: &mut Rng, grammar: &Grammar, op: Op, room: usize, nodes: &mut Vec<Node>) {
    match *op.signature().operands {
        [a] => subtree(rng, grammar, a, room - 1, nodes),
        [a, b] => {
            let spare = room - grammar.least_of(op);
            let first = grammar.least(a) + rng.below(spare + 1);
            subtree(rng, grammar, a, first, nodes);
            subtree(rng, grammar, b, room - 1 - first, nodes);
        }
        _ => unreachable!("operators have one or two operands"),
    }
    nodes.push(Node::Op(op));
}

/// A random leaf of a type that has leaves.
pub(crate) fn leaf(rng: &mut Rng, grammar: &Grammar, ty: Type) -> Node {
    let vars = grammar.vars(ty);
    let constant = match ty {
        Type::Num => vars.is_empty() || rng.chance(CONSTANT),
        Type::Bool => vars.is_empty() || grammar.has_truths() && rng.chance(CONSTANT),
        Type::Seq => false,
    };
    match ty {
        Type::Num if constant => Node::Num(constant_value(rng, grammar)),
        Type::Bool if constant => Node::Bool(rng.chance(0.5)),
        Type::Num | Type::Bool | Type::Seq => Node::Var(rng.pick(vars)),
    }
}

/// A random leaf that can stand in the place of another.
pub(crate) fn leaf_like(rng: &mut Rng, grammar: &Grammar, node: Node) -> Node {
    leaf(rng, grammar, grammar.type_of(node))
}

/// A random constant, as the settings have them: real, or mostly small integers.
pub(crate) fn constant_value(rng: &mut Rng, grammar: &Grammar) -> f64 {
    let range = grammar.constant_range;
    let real = |rng: &mut Rng| (rng.unit() * 2.0 - 1.0) * range;
    match grammar.constants {
        Constants::Real => real(rng),
        Constants::Natural => match rng.below(10) {
            0..6 => rng.below(7) as f64 - 2.0,
            6 => (rng.below(21) as f64 - 10.0).clamp(-range, range),
            7 => real(rng).round(),
            8 => rng.pick(&NOTABLE),
            _ => (real(rng) * 10.0).round() / 10.0,
        },
    }
}

/// Puts the two variables of an output on leaves of its type; false if there are too few leaves.
fn relate(
    rng: &mut Rng,
    grammar: &Grammar,
    (source, follow_up): (Var, Var),
    nodes: &mut [Node],
) -> bool {
    if grammar.relates_outputs(nodes) {
        return true;
    }
    let ty = grammar.type_of(Node::Var(source));
    let is_place = |node: &Node| node.arity() == 0 && grammar.type_of(*node) == ty;
    let places = nodes.iter().filter(|node| is_place(node)).count();
    if places < 2 {
        return false;
    }
    let first = rng.below(places);
    let second = (first + 1 + rng.below(places - 1)) % places;
    for (place, node) in nodes.iter_mut().filter(|node| is_place(node)).enumerate() {
        if place == first {
            *node = Node::Var(source);
        } else if place == second {
            *node = Node::Var(follow_up);
        }
    }
    true
}

/// Nodes as a predicate, in memory of exactly their size.
#[inline]
pub(crate) fn predicate(nodes: &[Node], grammar: &Grammar) -> Predicate {
    Predicate::new(Expr(nodes.to_vec()), grammar.schema()).expect("grown and spliced by type")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::config::Config;
    use crate::evolve::grammar::tests::mixed;
    use crate::support::seed::Seed;
    use genmorph_jit::Schema;

    #[test]
    fn first_individuals_keep_the_bound() {
        for config in [Config::paper(), Config::default()] {
            let grammar = mixed(&config);
            for max_size in [3, 4, 7, 16, 60] {
                for slot in 0..2_000 {
                    let mut rng = Seed(1).stream("test").at(slot).rng();
                    let relation = first(&mut rng, &grammar, max_size, config.start);
                    assert!(relation.size() <= max_size, "{relation:?}");
                }
            }
        }
    }

    #[test]
    fn related_ones_mostly_relate_an_output_and_are_never_bare() {
        let grammar = mixed(&Config::default());
        let mut rng = Seed(1).stream("test").rng();
        let all: Vec<Predicate> =
            (0..2_000).map(|_| first(&mut rng, &grammar, 16, Start::Related)).collect();
        let related = all.iter().filter(|r| grammar.relates_outputs(r.nodes())).count();
        assert!(related > 1_600, "{related}");
        assert!(all.iter().all(|relation| relation.size() > 1));
    }

    #[test]
    fn outputs_that_are_truth_values_are_related_too() {
        let schema = Schema::new([("out_s", Type::Bool), ("out_f", Type::Bool)]).unwrap();
        let grammar = Grammar::new(&schema, vec![(Var(0), Var(1))], &Config::default());
        let mut rng = Seed(1).stream("test").rng();
        let related = (0..1_000)
            .map(|_| first(&mut rng, &grammar, 16, Start::Related))
            .filter(|relation| grammar.relates_outputs(relation.nodes()))
            .count();
        assert!(related > 850, "{related}");
    }

    #[test]
    fn constants_stay_in_their_range() {
        for config in [Config::paper(), Config::default()] {
            let grammar = mixed(&config);
            let mut rng = Seed(1).stream("test").rng();
            for _ in 0..10_000 {
                assert!(constant_value(&mut rng, &grammar).abs() <= config.constant_range);
            }
        }
    }
}
