//! The ordinary ways to evaluate a relation: a boxed tree walk, and row-wise stack bytecode.

use genmorph_jit::{Column, Node, Op, Predicate, Tolerance, Type};

use super::tables::Data;

/// A relation as a tree of boxes, typed, evaluated row by row.
pub enum Tree {
    NumVar(usize),
    Num(f64),
    BoolVar(usize),
    Bool(bool),
    SeqVar(usize),
    Binary(Op, Box<(Tree, Tree)>),
    Unary(Op, Box<Tree>),
}

impl Tree {
    pub fn new(predicate: &Predicate, data: &Data) -> Tree {
        let mut stack: Vec<Tree> = Vec::new();
        for &node in predicate.nodes() {
            let tree = match node {
                Node::Num(value) => Tree::Num(value),
                Node::Bool(value) => Tree::Bool(value),
                Node::Var(var) => match data.schema.type_of(var).expect("known") {
                    Type::Num => Tree::NumVar(var.index()),
                    Type::Bool => Tree::BoolVar(var.index()),
                    Type::Seq => Tree::SeqVar(var.index()),
                },
                Node::Op(op) if op.arity() == 1 => {
                    Tree::Unary(op, Box::new(stack.pop().expect("typed")))
                }
                Node::Op(op) => {
                    let b = stack.pop().expect("typed");
                    let a = stack.pop().expect("typed");
                    Tree::Binary(op, Box::new((a, b)))
                }
            };
            stack.push(tree);
        }
        stack.pop().expect("a predicate has a root")
    }

    fn num(&self, columns: &[Column], row: usize, tolerance: &Tolerance) -> f64 {
        match self {
            Tree::NumVar(var) => match &columns[*var] {
                Column::Num(values) => values[row],
                Column::Bool(_) | Column::Seq(_) => unreachable!(),
            },
            Tree::Num(value) => *value,
            Tree::Binary(op, operands) => {
                let a = operands.0.num(columns, row, tolerance);
                let b = operands.1.num(columns, row, tolerance);
                match op {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div => tolerance.divide(a, b),
                    _ => unreachable!(),
                }
            }
            Tree::Unary(Op::Abs, a) => a.num(columns, row, tolerance).abs(),
            Tree::Unary(Op::Length, s) => s.seq(columns, row, tolerance).len() as f64,
            Tree::Unary(Op::Sum, s) => s.seq(columns, row, tolerance).iter().sum(),
            _ => unreachable!(),
        }
    }

    fn seq(&self, columns: &[Column], row: usize, tolerance: &Tolerance) -> Vec<f64> {
        match self {
            Tree::SeqVar(var) => match &columns[*var] {
                Column::Seq(values) => values.get(row).to_vec(),
                Column::Bool(_) | Column::Num(_) => unreachable!(),
            },
            Tree::Unary(Op::Flip, s) => {
                let mut s = s.seq(columns, row, tolerance);
                s.reverse();
                s
            }
            Tree::Unary(Op::ToString, n) => {
                let n = n.num(columns, row, tolerance) as i64;
                n.to_string().bytes().map(f64::from).collect()
            }
            Tree::Binary(Op::Remove, operands) => {
                let mut s = operands.0.seq(columns, row, tolerance);
                let n = operands.1.num(columns, row, tolerance) as i64;
                let i = if n < 0 { n + s.len() as i64 } else { n };
                if (0..s.len() as i64).contains(&i) {
                    s.remove(i as usize);
                }
                s
            }
            Tree::Binary(Op::Truncate, operands) => {
                let mut s = operands.0.seq(columns, row, tolerance);
                let n = operands.1.num(columns, row, tolerance) as i64;
                let k = (s.len() as u64).min(n.unsigned_abs()) as usize;
                if n < 0 {
                    s.drain(..k);
                } else {
                    s.truncate(k);
                }
                s
            }
            _ => unreachable!(),
        }
    }

    pub fn holds(&self, columns: &[Column], row: usize, tolerance: &Tolerance) -> bool {
        match self {
            Tree::Bool(value) => *value,
            Tree::BoolVar(var) => match &columns[*var] {
                Column::Bool(values) => values[row],
                Column::Num(_) | Column::Seq(_) => unreachable!(),
            },
            Tree::Unary(Op::Not, a) => !a.holds(columns, row, tolerance),
            Tree::Binary(op @ (Op::And | Op::Or | Op::Xor | Op::Iff | Op::Implies), operands) => {
                let a = operands.0.holds(columns, row, tolerance);
                let b = operands.1.holds(columns, row, tolerance);
                match op {
                    Op::And => a & b,
                    Op::Or => a | b,
                    Op::Xor => a ^ b,
                    Op::Iff => a == b,
                    _ => !a | b,
                }
            }
            Tree::Binary(op @ (Op::SeqEq | Op::SeqNe), operands) => {
                let a = operands.0.seq(columns, row, tolerance);
                let b = operands.1.seq(columns, row, tolerance);
                tolerance.seq_eq(&a, &b) == (*op == Op::SeqEq)
            }
            Tree::Binary(op, operands) => {
                let a = operands.0.num(columns, row, tolerance);
                let b = operands.1.num(columns, row, tolerance);
                match op {
                    Op::NumEq => tolerance.eq(a, b),
                    Op::NumNe => !tolerance.eq(a, b),
                    Op::Lt => tolerance.lt(a, b),
                    Op::Gt => tolerance.lt(b, a),
                    Op::Le => tolerance.le(a, b),
                    Op::Ge => tolerance.le(b, a),
                    _ => unreachable!(),
                }
            }
            _ => unreachable!(),
        }
    }

    /// On how many rows the relation holds.
    pub fn count(&self, data: &Data, tolerance: &Tolerance) -> usize {
        let rows = data.columns[0].len();
        (0..rows).filter(|&row| self.holds(&data.columns, row, tolerance)).count()
    }
}

/// A numeric relation as postfix code on a stack, run row by row. Truth values are 0 and 1.
pub struct RowStack(Vec<Node>);

impl RowStack {
    pub fn new(predicate: &Predicate) -> RowStack {
        RowStack(predicate.nodes().to_vec())
    }

    fn holds(&self, columns: &[&[f64]], row: usize, tolerance: &Tolerance) -> bool {
        let mut stack = [0.0_f64; 32];
        let mut top = 0;
        for &node in &self.0 {
            match node {
                Node::Num(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Node::Bool(value) => {
                    stack[top] = f64::from(u8::from(value));
                    top += 1;
                }
                Node::Var(var) => {
                    stack[top] = columns[var.index()][row];
                    top += 1;
                }
                Node::Op(Op::Abs) => stack[top - 1] = stack[top - 1].abs(),
                Node::Op(Op::Not) => stack[top - 1] = 1.0 - stack[top - 1],
                Node::Op(op) => {
                    top -= 1;
                    let (a, b) = (stack[top - 1], stack[top]);
                    let truth = |value: bool| f64::from(u8::from(value));
                    stack[top - 1] = match op {
                        Op::Add => a + b,
                        Op::Sub => a - b,
                        Op::Mul => a * b,
                        Op::Div => tolerance.divide(a, b),
                        Op::NumEq => truth(tolerance.eq(a, b)),
                        Op::NumNe => truth(!tolerance.eq(a, b)),
                        Op::Lt => truth(tolerance.lt(a, b)),
                        Op::Gt => truth(tolerance.lt(b, a)),
                        Op::Le => truth(tolerance.le(a, b)),
                        Op::Ge => truth(tolerance.le(b, a)),
                        Op::And => a * b,
                        Op::Or => a.max(b),
                        Op::Xor => truth(a != b),
                        Op::Iff => truth(a == b),
                        Op::Implies => (1.0 - a).max(b),
                        _ => unreachable!("numeric relations only"),
                    };
                }
            }
        }
        stack[0] == 1.0
    }

    /// On how many rows the relation holds.
    pub fn count(&self, columns: &[&[f64]], tolerance: &Tolerance) -> usize {
        (0..columns[0].len()).filter(|&row| self.holds(columns, row, tolerance)).count()
    }
}
