//! What relations over a signature can be made of: variables and operators by type, and output pairs.

use genmorph_jit::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, Node, Op, Schema, SequenceOp, Type, Var,
};

use crate::evolve::config::{Config, Constants, Operators, Start};

/// The parts of relations over one schema.
#[derive(Clone, Debug)]
pub(crate) struct Grammar {
    schema: Schema,
    /// The type of every variable.
    types: Vec<Type>,
    /// The variables of each type.
    vars: [Vec<Var>; 3],
    /// The operators that give each type, some of them several times: that often they are chosen.
    ops: [Vec<Op>; 3],
    /// The fewest nodes that make a value of each type.
    least: [usize; 3],
    /// The source and the follow-up variable of every output.
    pairs: Vec<(Var, Var)>,
    /// Whether `true` and `false` are grown.
    truths: bool,
    pub(crate) constants: Constants,
    pub(crate) constant_range: f64,
}

impl Grammar {
    pub(crate) fn new(schema: &Schema, pairs: Vec<(Var, Var)>, config: &Config) -> Grammar {
        let types: Vec<Type> = schema.iter().map(|(_, _, ty)| ty).collect();
        let mut vars = [const { Vec::new() }; 3];
        for (var, _, ty) in schema.iter() {
            vars[ty as usize].push(var);
        }
        // Where nothing is a sequence, `toString` would only make detours between numbers.
        let sequences = !vars[Type::Seq as usize].is_empty();
        let is_apt = |op: Op| {
            let signature = op.signature();
            let is_allowed = op.is_papers() || config.operators == Operators::All;
            is_allowed
                && (sequences
                    || signature.result != Type::Seq && !signature.operands.contains(&Type::Seq))
        };
        let mut ops = [const { Vec::new() }; 3];
        for op in Op::ALL.into_iter().filter(|op| is_apt(*op)) {
            let times = if config.start == Start::Related { preference(op) } else { 1 };
            ops[op.result() as usize].extend(std::iter::repeat_n(op, times));
        }
        let truths = config.start == Start::Any;
        let bool_leaf = truths || !vars[Type::Bool as usize].is_empty();
        let mut least = [1; 3];
        least[Type::Bool as usize] = if bool_leaf { 1 } else { 3 };
        Grammar {
            schema: schema.clone(),
            types,
            vars,
            ops,
            least,
            pairs,
            truths,
            constants: config.constants,
            constant_range: config.constant_range,
        }
    }

    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    pub(crate) fn pairs(&self) -> &[(Var, Var)] {
        &self.pairs
    }

    pub(crate) fn vars(&self, ty: Type) -> &[Var] {
        &self.vars[ty as usize]
    }

    pub(crate) fn ops(&self, ty: Type) -> &[Op] {
        &self.ops[ty as usize]
    }

    pub(crate) fn has_truths(&self) -> bool {
        self.truths
    }

    /// The fewest nodes that make a value of a type.
    #[inline]
    pub(crate) fn least(&self, ty: Type) -> usize {
        self.least[ty as usize]
    }

    /// The fewest nodes of an application of an operator.
    #[inline]
    pub(crate) fn least_of(&self, op: Op) -> usize {
        1 + op.signature().operands.iter().map(|ty| self.least(*ty)).sum::<usize>()
    }

    /// The type of the subtree that ends in a node.
    #[inline]
    pub(crate) fn type_of(&self, node: Node) -> Type {
        match node {
            Node::Op(op) => op.result(),
            Node::Var(var) => self.types[var.index()],
            Node::Num(_) => Type::Num,
            Node::Bool(_) => Type::Bool,
        }
    }

    /// The soft constraint: whether both variables of some output occur.
    #[inline]
    pub(crate) fn relates_outputs(&self, nodes: &[Node]) -> bool {
        let has = |var| nodes.iter().any(|node| matches!(node, Node::Var(v) if *v == var));
        self.pairs.iter().any(|&(source, follow_up)| has(source) && has(follow_up))
    }
}

/// How often an operator is chosen. A guess from what good relations look like: equalities say most, and what is
/// not the paper's is rarely needed.
fn preference(op: Op) -> usize {
    match op.class() {
        _ if !op.is_papers() => 1,
        Class::Comparison(ComparisonOp::NumEq | ComparisonOp::SeqEq) => 18,
        Class::Comparison(ComparisonOp::NumNe | ComparisonOp::SeqNe) => 3,
        Class::Comparison(
            ComparisonOp::Lt | ComparisonOp::Gt | ComparisonOp::Le | ComparisonOp::Ge,
        ) => 6,
        Class::Arithmetic(ArithmeticOp::Abs) => 3,
        Class::Arithmetic(_) => 9,
        Class::Logic(LogicOp::And | LogicOp::Or | LogicOp::Implies) => 6,
        Class::Logic(LogicOp::Xor | LogicOp::Iff | LogicOp::Not) => 3,
        Class::Sequence(SequenceOp::ToString) => 3,
        Class::Measure(_) | Class::Sequence(_) | Class::Lookup(_) | Class::Test(_) => 6,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A function of a number and a text that gives a number and a text.
    pub(crate) fn mixed(config: &Config) -> Grammar {
        let names = [
            ("n_s", Type::Num),
            ("t_s", Type::Seq),
            ("out_s", Type::Num),
            ("text_s", Type::Seq),
            ("n_f", Type::Num),
            ("t_f", Type::Seq),
            ("out_f", Type::Num),
            ("text_f", Type::Seq),
        ];
        let schema = Schema::new(names).unwrap();
        Grammar::new(&schema, vec![(Var(2), Var(6)), (Var(3), Var(7))], config)
    }

    #[test]
    fn sequences_are_left_out_where_there_are_none() {
        let schema = Schema::new([("out_s", Type::Num), ("out_f", Type::Num)]).unwrap();
        let grammar = Grammar::new(&schema, vec![(Var(0), Var(1))], &Config::default());
        assert!(grammar.ops(Type::Seq).is_empty());
        assert!(!grammar.ops(Type::Num).contains(&Op::Length));
        assert_eq!(grammar.least(Type::Bool), 3);
    }

    #[test]
    fn both_variables_of_one_output_are_needed() {
        let grammar = mixed(&Config::paper());
        let relates = |vars: &[u16]| {
            grammar.relates_outputs(&vars.iter().map(|v| Node::Var(Var(*v))).collect::<Vec<_>>())
        };
        assert!(relates(&[0, 2, 6]));
        assert!(relates(&[7, 3]));
        assert!(!relates(&[2, 7]));
        assert!(!relates(&[]));
    }
}
