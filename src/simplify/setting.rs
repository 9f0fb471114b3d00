//! What holds on all pairs of executions: variables, tolerance, outputs, and ties between inputs.

use genmorph_jit::{
    Columns, Evaluator, Leaf, Node, Op, Policy, Predicate, Schema, Term, Tolerance, Type, Var,
    parse, subtree,
};

use crate::executions::Executions;
use crate::subject::kinds::Interface;

/// What holds on every pair of executions under one transformation.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The variables of relations.
    pub schema: Schema,
    /// Tolerance up to which two numbers are equal.
    pub tolerance: Tolerance,
    /// The source and the follow-up variable of every output.
    pub outputs: Vec<(Var, Var)>,
    /// Number of source variables, which come first, as in
    /// [`Interface::schema`](crate::subject::kinds::Interface::schema).
    pub sources: usize,
    /// Variables that equal an expression on every pair, bit for bit.
    pub ties: Vec<Tie>,
    /// Variables that are never NaN and never infinite: integers.
    pub finite: Vec<Var>,
}

/// A variable and the expression that it equals.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// The variable that is determined by the others.
    pub var: Var,
    /// The expression, in postfix order.
    pub is: Vec<Node>,
}

impl Tie {
    /// That the variable equals the expression.
    pub(crate) fn relation(&self, schema: &Schema) -> Predicate {
        let equal = match schema.type_of(self.var).expect("a variable of the schema") {
            Type::Num => Op::NumEq,
            Type::Bool => Op::Iff,
            Type::Seq => Op::SeqEq,
        };
        let nodes = [&[Node::Var(self.var)], &self.is[..], &[Node::Op(equal)]].concat();
        Predicate::new(nodes.into(), schema).expect("both sides of a tie have one type")
    }
}

/// Rows on which ties are compared to the last bit.
const EXACT: usize = 1_024;

impl Setting {
    /// The setting of executions. An input is tied if the input relation says so, every row agrees, and a sample of them to the
    /// last bit, because recorded follow-ups may be rounded.
    pub fn of(executions: &Executions) -> Setting {
        let table = &executions.table;
        let schema = table.schema().clone();
        let relation = &executions.transformation.input_relation;
        let mut ties: Vec<Tie> = match parse(relation, &schema) {
            Ok(relation) => ties(&relation),
            // Where the language cannot say what becomes of one input, it says what becomes of the others.
            Err(_) => {
                let parts = relation.split(" and ");
                parts
                    .filter_map(|part| parse(part, &schema).ok())
                    .flat_map(|part| ties(&part))
                    .collect()
            }
        };
        let sample: Vec<usize> = (0..EXACT.min(table.rows()))
            .map(|i| i * table.rows() / EXACT.min(table.rows()))
            .collect();
        let mut columns = Columns::of_rows(table, &sample);
        let mut evaluator = Evaluator::new(Policy::Auto);
        ties.retain(|tie| {
            let term = Term::new(tie.is.clone().into(), &schema).expect("a part of the relation");
            columns.term(&term).is_same(&columns.leaf(Leaf::Var(tie.var)))
                && evaluator.mask(&tie.relation(&schema), table).count_ones() == table.rows()
        });
        Setting {
            sources: schema.len() / 2,
            tolerance: *table.tolerance(),
            outputs: executions.signature.output_pairs(),
            schema,
            ties,
            finite: Vec::new(),
        }
    }

    /// The setting of a function's relations when there are no executions.
    ///
    /// # Panics
    /// If names of the signature are not valid variables.
    pub fn plain(signature: &Interface, tolerance: Tolerance) -> Setting {
        let schema = signature.schema().expect("names are checked where signatures are made");
        Setting {
            sources: schema.len() / 2,
            tolerance,
            outputs: signature.output_pairs(),
            schema,
            ties: Vec::new(),
            finite: Vec::new(),
        }
    }

    /// The soft constraint: whether both variables of some output occur.
    pub fn relates_outputs(&self, nodes: &[Node]) -> bool {
        let has = |var: Var| nodes.contains(&Node::Var(var));
        self.outputs.iter().any(|&(source, follow_up)| has(source) && has(follow_up))
    }

    /// Whether a variable belongs to the follow-up.
    pub(super) fn is_follow_up(&self, var: Var) -> bool {
        var.index() >= self.sources
    }

    /// Whether a variable is an output.
    pub(super) fn is_output(&self, var: Var) -> bool {
        self.outputs.iter().any(|&(source, follow_up)| var == source || var == follow_up)
    }
}

/// The ties of an input relation: `x_f == …`, or `x_f != …` for truth values.
fn ties(relation: &Predicate) -> Vec<Tie> {
    let mut ties = Vec::new();
    let mut parts = vec![relation.nodes()];
    while let Some(nodes) = parts.pop() {
        let Some((Node::Op(op), operands)) = nodes.split_last() else { continue };
        if op.arity() < 2 {
            continue;
        }
        let (left, right) = operands.split_at(subtree(operands, operands.len() - 1).start);
        match (op, left) {
            (Op::And, _) => parts.extend([right, left]),
            (Op::NumEq | Op::SeqEq | Op::Iff, &[Node::Var(var)]) => {
                ties.push(Tie { var, is: right.to_vec() });
            }
            (Op::Xor, &[Node::Var(var)]) => {
                ties.push(Tie { var, is: [right, &[Node::Op(Op::Not)]].concat() });
            }
            _ => {}
        }
    }
    ties
}
