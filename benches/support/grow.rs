//! Random relations as genetic programming makes them.

use genmorph_jit::{Expr, Node, Op, Predicate, Schema, Type, Var};
use rand::{Rng, RngExt};

/// Random relations over a schema, of some operators.
pub struct Grower<'a> {
    schema: &'a Schema,
    operators: &'a [Op],
}

impl<'a> Grower<'a> {
    pub fn new(schema: &'a Schema) -> Grower<'a> {
        Grower::of(schema, &Op::ALL)
    }

    /// Draws from these operators only, all equally often.
    pub fn of(schema: &'a Schema, operators: &'a [Op]) -> Grower<'a> {
        Grower { schema, operators }
    }

    /// A relation of exactly `size` nodes.
    pub fn relation(&self, size: usize, rng: &mut impl Rng) -> Predicate {
        loop {
            let mut nodes = Vec::with_capacity(size);
            if self.grow(Type::Bool, size, &mut nodes, rng) {
                return Predicate::new(Expr(nodes), self.schema).expect("grown by type");
            }
        }
    }

    /// As many relations of `size` nodes.
    pub fn relations(&self, count: usize, size: usize, rng: &mut impl Rng) -> Vec<Predicate> {
        (0..count).map(|_| self.relation(size, rng)).collect()
    }

    /// Appends a subtree; false if there is none of this type and size, with the nodes half done.
    pub fn grow(&self, ty: Type, size: usize, nodes: &mut Vec<Node>, rng: &mut impl Rng) -> bool {
        if size == 1 {
            return self.leaf(ty, nodes, rng);
        }
        let ops: Vec<Op> = self
            .operators
            .iter()
            .copied()
            .filter(|op| op.result() == ty && op.arity() < size && self.has_operands(*op))
            .collect();
        if ops.is_empty() {
            return false;
        }
        let start = nodes.len();
        for _ in 0..20 {
            let op = ops[rng.random_range(0..ops.len())];
            let operands = op.signature().operands;
            let first = if operands.len() == 2 { rng.random_range(1..size - 1) } else { size - 1 };
            let grown = self.grow(operands[0], first, nodes, rng)
                && (operands.len() == 1 || self.grow(operands[1], size - 1 - first, nodes, rng));
            if grown {
                nodes.push(Node::Op(op));
                return true;
            }
            nodes.truncate(start);
        }
        false
    }

    fn leaf(&self, ty: Type, nodes: &mut Vec<Node>, rng: &mut impl Rng) -> bool {
        let vars: Vec<Var> = self
            .schema
            .iter()
            .filter(|(_, _, found)| *found == ty)
            .map(|(var, _, _)| var)
            .collect();
        let constant = ty == Type::Num && rng.random_bool(0.25);
        if constant {
            nodes.push(Node::Num(f64::from(rng.random_range(-100..=100_i32))));
        } else if vars.is_empty() {
            return false;
        } else {
            nodes.push(Node::Var(vars[rng.random_range(0..vars.len())]));
        }
        true
    }

    /// Whether the schema can feed an operator at all.
    fn has_operands(&self, op: Op) -> bool {
        let has_seq = self.schema.iter().any(|(_, _, ty)| ty == Type::Seq);
        let needs_seq = op.signature().operands.contains(&Type::Seq) || op == Op::ToString;
        has_seq || !needs_seq
    }
}
