//! Well-typed predicates: every operator, everywhere it may stand.

use crate::expr::{Expr, MAX_NODES, Node, Predicate, subtree};
use crate::op::{LookupOp, MeasureOp, Op, SequenceOp, TestOp, Type};
use crate::oracle::choices::Choices;
use crate::oracle::data::NASTY;
use crate::schema::{Schema, Var};

/// A predicate of about 1 to `max_nodes` nodes (one or two more where the types ask for it).
pub fn predicate(choices: &mut Choices<'_>, schema: &Schema, max_nodes: usize) -> Predicate {
    let expr = expression(choices, schema, Type::Bool, max_nodes);
    Predicate::new(expr, schema).expect("grown by the signatures")
}

/// An expression of a type with about 1 to `max_nodes` nodes.
pub(super) fn expression(
    choices: &mut Choices<'_>,
    schema: &Schema,
    ty: Type,
    max_nodes: usize,
) -> Expr {
    // Small ones are the ones that hold on some rows; large ones reach the corners.
    let budget = match choices.weighted(&[5, 4, 1]) {
        0 => 4 + choices.below(6),
        1 => 1 + choices.below(max_nodes.min(16)),
        _ => 1 + choices.below(max_nodes),
    };
    // One in eight of the paper's operators alone, which are all that native code runs.
    let papers = choices.below(8) == 0;
    let mut growth = Growth { choices, schema, papers, nodes: Vec::new() };
    growth.grow(ty, budget.min(max_nodes));
    Expr(growth.nodes)
}

/// Predicates as evolution has them: copies, and children that share most of their parents, so that
/// a batch meets the same comparisons again, also with their sides exchanged.
pub fn population(
    choices: &mut Choices<'_>,
    schema: &Schema,
    members: usize,
    max_nodes: usize,
) -> Vec<Predicate> {
    let mut all: Vec<Predicate> = Vec::with_capacity(members);
    while all.len() < members {
        if all.is_empty() || choices.below(3) == 0 {
            all.push(predicate(choices, schema, max_nodes));
            continue;
        }
        let mut nodes = all[choices.below(all.len())].nodes().to_vec();
        match choices.below(5) {
            0 => {}
            1 | 2 => exchange(choices, &mut nodes),
            3 => {
                nodes.extend_from_slice(all[choices.below(all.len())].nodes());
                nodes.push(Node::Op(choices.pick(&LOGIC)));
            }
            _ => {
                let i = choices.below(nodes.len());
                match &mut nodes[i] {
                    Node::Num(x) => *x = -*x,
                    Node::Bool(x) => *x = !*x,
                    Node::Var(_) | Node::Op(_) => nodes.push(Node::Op(Op::Not)),
                }
            }
        }
        if nodes.len() <= MAX_NODES {
            all.push(Predicate::new(Expr(nodes), schema).expect("types are kept"));
        }
    }
    all
}

/// Exchanges the operands of some operator whose operands are of one type; half the time in a way that
/// keeps the meaning, if there is one.
fn exchange(choices: &mut Choices<'_>, nodes: &mut [Node]) {
    let is_even = |node: &Node| match node {
        Node::Op(op) => matches!(op.signature().operands, [a, b] if a == b),
        Node::Var(_) | Node::Num(_) | Node::Bool(_) => false,
    };
    let even: Vec<usize> = (0..nodes.len()).filter(|&i| is_even(&nodes[i])).collect();
    if even.is_empty() {
        return;
    }
    let root = choices.pick(&even);
    let right = subtree(nodes, root - 1);
    let left = subtree(nodes, right.start - 1);
    nodes[left.start..right.end].rotate_left(left.len());
    if choices.bool() {
        let Node::Op(op) = nodes[root] else { unreachable!("an operator has even operands") };
        let Some(mirrored) = op.mirrored() else { return };
        nodes[root] = Node::Op(mirrored);
    }
}

const LOGIC: [Op; 5] = [Op::And, Op::Or, Op::Xor, Op::Iff, Op::Implies];

struct Growth<'g, 'c> {
    choices: &'g mut Choices<'c>,
    schema: &'g Schema,
    /// Only operators of the paper's.
    papers: bool,
    nodes: Vec<Node>,
}

impl Growth<'_, '_> {
    fn variable(&mut self, of: Type) -> Option<Node> {
        let fitting: Vec<Var> =
            self.schema.iter().filter(|(_, _, ty)| *ty == of).map(|(var, _, _)| var).collect();
        if fitting.is_empty() { None } else { Some(Node::Var(self.choices.pick(&fitting))) }
    }

    /// Two operands and an operator on them; the operator takes one node of the budget.
    fn binary(&mut self, op: Op, budget: usize) {
        let room = budget.saturating_sub(1).max(2);
        let left = 1 + self.choices.below(room - 1);
        let operands = op.signature().operands;
        self.grow(operands[0], left);
        self.grow(operands[1], room - left);
        self.nodes.push(Node::Op(op));
    }

    fn unary(&mut self, op: Op, budget: usize) {
        self.grow(op.signature().operands[0], budget.saturating_sub(1).max(1));
        self.nodes.push(Node::Op(op));
    }

    fn op(&mut self, op: Op, budget: usize) {
        match op.signature().operands {
            [Type::Seq, Type::Num] => {
                let index = match self.choices.below(3) {
                    0 => 1,
                    _ => 1 + self.choices.below(budget.saturating_sub(2).max(1)),
                };
                self.seq(budget.saturating_sub(1 + index).max(1));
                self.index(index);
                self.nodes.push(Node::Op(op));
            }
            [_] => self.unary(op, budget),
            _ => self.binary(op, budget),
        }
    }

    fn grow(&mut self, ty: Type, budget: usize) {
        match ty {
            Type::Num => self.num(budget),
            Type::Bool => self.bool(budget),
            Type::Seq => self.seq(budget),
        }
    }

    fn bool(&mut self, budget: usize) {
        const NUMBERS: [Op; 6] = [Op::NumEq, Op::Lt, Op::Le, Op::NumNe, Op::Gt, Op::Ge];
        const SEQUENCES: [Op; 2] = [Op::SeqEq, Op::SeqNe];
        if budget < 3 {
            if budget == 2 && self.choices.bool() {
                return self.unary(Op::Not, budget);
            }
            let node = match self.variable(Type::Bool) {
                Some(variable) if !self.choices.one_in(8) => variable,
                _ => Node::Bool(self.choices.bool()),
            };
            self.nodes.push(node);
            return;
        }
        let has = |ty: Type| usize::from(self.schema.iter().any(|(_, _, found)| found == ty));
        let numbers = if self.papers { 2 } else { 10 } + 6 * has(Type::Num) + 2 * has(Type::Seq);
        let sequences = 1 + 5 * has(Type::Seq);
        let logic = if budget < 7 { has(Type::Bool) } else { budget };
        let tests = if self.papers { 0 } else { 10 + 14 * has(Type::Seq) };
        let op = match self.choices.weighted(&[numbers, sequences, logic, 1, tests]) {
            0 => self.choices.pick(&NUMBERS),
            1 => self.choices.pick(&SEQUENCES),
            2 => self.choices.pick(&LOGIC),
            3 => Op::Not,
            _ => self.choices.pick(TestOp::ALL).into(),
        };
        self.op(op, budget);
    }

    fn num(&mut self, budget: usize) {
        match budget {
            0 | 1 if self.papers || budget == 0 || !self.choices.one_in(3) => {
                let node = match self.variable(Type::Num) {
                    Some(variable) if !self.choices.one_in(4) => variable,
                    _ => Node::Num(self.constant()),
                };
                self.nodes.push(node);
            }
            0..=2 => match self.choices.below(4) {
                0 => self.num(0),
                1 => {
                    let op = if self.papers {
                        Op::Abs
                    } else {
                        self.choices.pick(&[Op::Abs, Op::Floor])
                    };
                    self.unary(op, 2);
                }
                _ => self.measure(2),
            },
            _ => match self.choices.weighted(&[22, if self.papers { 8 } else { 28 }, 1, 1]) {
                0 => {
                    let op = if self.papers || self.choices.below(5) == 0 {
                        self.choices.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Abs])
                    } else {
                        self.choices.pick(&[Op::Min, Op::Max, Op::Mod])
                    };
                    self.op(op, budget);
                }
                1 if !self.papers && self.choices.below(7) < 5 => {
                    let op = self.choices.pick(LookupOp::ALL);
                    self.op(op.into(), budget);
                }
                1 => self.measure(budget),
                2 => self.not_a_number(),
                _ => self.num(0),
            },
        }
    }

    fn measure(&mut self, budget: usize) {
        let all = MeasureOp::ALL.iter().map(|&op| op.into());
        let fitting = all.filter(|op: &Op| !self.papers || op.is_papers());
        let op = self.choices.pick(&fitting.collect::<Vec<Op>>());
        self.op(op, budget);
    }

    /// NaN cannot be written, but it can be computed.
    fn not_a_number(&mut self) {
        let (a, b, op) = self.choices.pick(&[
            (f64::INFINITY, f64::INFINITY, Op::Sub),
            (0.0, f64::INFINITY, Op::Mul),
            (f64::INFINITY, f64::NEG_INFINITY, Op::Div),
        ]);
        self.nodes.extend([Node::Num(a), Node::Num(b), Node::Op(op)]);
    }

    fn seq(&mut self, budget: usize) {
        let variable = self.variable(Type::Seq);
        if budget < 2 {
            match variable {
                Some(variable) => self.nodes.push(variable),
                // There are no constant sequences, so this one takes two nodes.
                None => self.unary(Op::ToString, 2),
            }
            return;
        }
        let op = match (variable, budget) {
            (Some(variable), _) if self.choices.one_in(if self.papers { 6 } else { 3 }) => {
                self.nodes.push(variable);
                return;
            }
            (None, _) if budget == 2 || self.choices.bool() => Op::ToString,
            (Some(_), 2) if self.papers => self.choices.pick(&[Op::Flip, Op::ToString]),
            (Some(_), 2) => {
                self.choices.pick(&[Op::Flip, Op::ToString, Op::Sort, Op::Upper, Op::Lower])
            }
            (_, _) => {
                // These twice: of all of them they leave most kinds of sequences behind.
                let twice = [&SequenceOp::Remove, &SequenceOp::Join];
                let all = SequenceOp::ALL.iter().chain(twice).map(|&op| op.into());
                let fitting = all.filter(|op: &Op| !self.papers || op.is_papers());
                self.choices.pick(&fitting.collect::<Vec<Op>>())
            }
        };
        self.op(op, budget);
    }

    /// A number that is used as an index.
    fn index(&mut self, budget: usize) {
        if budget > 1 && self.choices.bool() {
            return self.num(budget);
        }
        let constant = match self.choices.weighted(&[8, 2, 1]) {
            0 => self.choices.within(-4, 5) as f64,
            1 => self.choices.pick(&[-0.5, 0.5, -1.5, 1.9, -0.0, 39.0, -40.0, 20.0]),
            _ => self.choices.pick(&[f64::INFINITY, f64::NEG_INFINITY, 1e19, -1e19, 4e9, -4e9]),
        };
        match self.variable(Type::Num) {
            Some(variable) if self.choices.one_in(3) => self.nodes.push(variable),
            _ => self.nodes.push(Node::Num(constant)),
        }
    }

    fn constant(&mut self) -> f64 {
        match self.choices.weighted(&[6, 2, 2, 1]) {
            0 => self.choices.within(-5, 5) as f64,
            1 => self.choices.within(-10_000, 10_000) as f64 / 100.0,
            2 => self.choices.pick(&NASTY),
            _ => self.choices.pick(&[f64::INFINITY, f64::NEG_INFINITY]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_reached_and_sizes_are_kept() {
        let mut choices = Choices::from_seed(5);
        let mut seen = [0_usize; Op::ALL.len()];
        let mut nodes = 0;
        for _ in 0..4000 {
            let schema = crate::oracle::schema(&mut choices);
            let predicate = predicate(&mut choices, &schema, 40);
            assert!(predicate.size() <= 80, "{}", predicate.display(&schema));
            nodes += predicate.size();
            for node in predicate.nodes() {
                if let Node::Op(op) = node {
                    seen[*op as usize] += 1;
                }
            }
        }
        for op in Op::ALL {
            let share = seen[op as usize] as f64 / nodes as f64;
            assert!(seen[op as usize] > 100, "{op:?}: {share:.4} of {nodes} nodes: {seen:?}");
            assert!(
                op.is_papers() || share >= 0.01,
                "{op:?}: {share:.4} of {nodes} nodes: {seen:?}"
            );
        }
    }

    #[test]
    fn populations_share_what_they_are_made_of() {
        let mut choices = Choices::from_seed(6);
        let schema = crate::oracle::schema(&mut choices);
        let all = population(&mut choices, &schema, 300, 16);
        assert_eq!(all.len(), 300);
        let distinct: std::collections::HashSet<String> =
            all.iter().map(|one| format!("{one:?}")).collect();
        assert!((100..280).contains(&distinct.len()), "{}", distinct.len());
        assert_eq!(population(&mut Choices::from_bytes(&[]), &schema, 3, 16).len(), 3);
    }

    #[test]
    fn used_up_bytes_still_make_a_predicate() {
        let mut choices = Choices::from_bytes(&[]);
        let schema = crate::oracle::schema(&mut choices);
        assert!(predicate(&mut choices, &schema, 40).size() <= 7);
    }
}
