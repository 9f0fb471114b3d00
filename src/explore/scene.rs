//! What an exploration looks at: a sample of the correct rows, and rows with made-up outputs.
//!
//! Rows with made-up outputs ("mixed" rows, garbage) tell what a relation means: real inputs with the outputs of other rows. A relation
//! that is true on all of them says nothing about the function.

use std::sync::Arc;

use genmorph_jit::engine::scalar;
use genmorph_jit::{Column, Node, Op, Predicate, Table, Value, Var};

use super::terms::Uses;
use super::words::Vocabulary;
use crate::executions::{CORRECT, Executions, INCORRECT};
use crate::simplify::{Setting, Tie};
use crate::subject::kinds::{Interface, Kind, Parameter};
use crate::support::seed::{Rng, Seed};

/// A row: a value for every variable of the schema.
pub(super) type Row = Vec<Value<'static>>;

/// The executions that are explored.
pub(super) struct Scene<'e> {
    pub(super) executions: &'e Executions,
    pub(super) setting: Setting,
    /// Of calls that are made together: what laws are about.
    pub(super) calls: Option<CallVars>,
    rng: Rng,
}

/// The variables of calls that are made together, all of them of the source.
pub(super) struct CallVars {
    pub(super) principal: Var,
    pub(super) others: Vec<Var>,
    /// All outputs.
    outputs: Vec<Var>,
    pub(super) has_inputs: bool,
    pub(super) is_fixed: bool,
}

impl<'e> Scene<'e> {
    pub(super) fn new(executions: &'e Executions, words: &Vocabulary) -> Scene<'e> {
        let mut setting = Setting::of(executions);
        let calls = words.calls.as_ref().and_then(|calls| {
            let var = |name: &String| setting.schema.var(&format!("{name}_s"));
            Some(CallVars {
                principal: var(&calls.principal)?,
                others: calls.others.iter().filter_map(var).collect(),
                outputs: setting.outputs.iter().map(|&(source, _)| source).collect(),
                has_inputs: calls.has_inputs,
                is_fixed: calls.is_fixed,
            })
        });
        if let Some(calls) = &calls {
            // What the follow-up's output is elsewhere, the principal one is here.
            setting.outputs = calls.others.iter().map(|&other| (other, calls.principal)).collect();
        }
        Scene { executions, setting, calls, rng: Seed(executions.seed).stream("explore").rng() }
    }

    /// Which side of a law a variable may stand on; none if laws do not have it.
    pub(super) fn uses(&self, var: Var) -> Option<Uses> {
        let is_follow_up = var.index() >= self.setting.sources;
        let Some(calls) = &self.calls else {
            let is_tied = self.setting.ties.iter().any(|tie| tie.var == var);
            let is_output = self.setting.outputs.iter().any(|&(s, f)| s == var || f == var);
            return (!is_tied).then_some(Uses {
                source: is_output && !is_follow_up,
                follow_up: is_output && is_follow_up,
                input: !is_output && !is_follow_up,
                changed: !is_output && is_follow_up,
            });
        };
        let uses = Uses {
            source: calls.others.contains(&var),
            follow_up: calls.principal == var,
            input: !calls.outputs.contains(&var) && !calls.others.contains(&var),
            changed: false,
        };
        (!is_follow_up && uses != Uses::default()).then_some(uses)
    }

    /// Whether laws may have a body: of calls that are made together it may be about outputs alone.
    pub(super) fn admits(&self, body: &[Node]) -> bool {
        let is_input = |node: &Node| match node {
            Node::Var(var) => self.uses(*var).is_some_and(|uses| uses.input),
            Node::Op(_) | Node::Num(_) | Node::Bool(_) => false,
        };
        self.calls.as_ref().is_none_or(|calls| calls.has_inputs || !body.iter().any(is_input))
    }

    /// The values that a variable has.
    pub(super) fn kind(&self, var: Var) -> Kind {
        self.parameter(var).kind
    }

    /// The input or output that a variable is, without `_s` and `_f`.
    pub(super) fn name(&self, var: Var) -> &str {
        &self.parameter(var).name
    }

    fn parameter(&self, var: Var) -> &Parameter {
        let Interface { inputs, outputs, .. } = &self.executions.signature;
        let place = var.index() % self.setting.sources;
        inputs.iter().chain(outputs).nth(place).expect("every variable is of the signature")
    }

    /// For each input, that the transformation leaves it as it is.
    pub(super) fn unchanged(&self) -> impl Iterator<Item = Predicate> {
        let Setting { schema, sources, .. } = &self.setting;
        (0..self.executions.signature.inputs.len()).map(move |at| {
            let [source, follow_up] = [at, sources + at].map(|at| Var(at as u16));
            Tie { var: follow_up, is: vec![Node::Var(source)] }.relation(schema)
        })
    }

    /// Whether the transformation gives an input one value, whatever it was: `f(x, 0)` is worth a law of its own.
    pub(super) fn is_fixing(&self) -> bool {
        if let Some(calls) = &self.calls {
            return calls.is_fixed;
        }
        let table = &self.executions.table;
        let inputs = self.executions.signature.inputs.len();
        let is_constant = |at: usize| {
            let value = |row: usize| table.value(Var(at as u16), row);
            let first = value(0);
            (1..self.correct()).all(|row| value(row).is_same(&first))
        };
        self.correct() > 1
            && (0..inputs).any(|at| is_constant(self.setting.sources + at) && !is_constant(at))
    }

    /// How many correct rows there are.
    pub(super) fn correct(&self) -> usize {
        self.executions.count(CORRECT)
    }

    /// Rows of the original, spread over all of them; the last ones are always among them, because counterexamples stand there.
    pub(super) fn spread(&self, most: usize) -> Vec<usize> {
        let all = self.correct();
        if all <= most {
            return (0..all).collect();
        }
        let last = most / 4;
        let spread = most - last;
        (0..spread).map(|i| i * (all - last) / spread).chain(all - last..all).collect()
    }

    /// The values of a row of the executions.
    pub(super) fn row(&self, row: usize) -> Row {
        let table = &self.executions.table;
        table.schema().iter().map(|(var, _, _)| table.value(var, row)).collect()
    }

    /// A table of rows.
    pub(super) fn table(&self, rows: &[Row]) -> Arc<Table> {
        let schema = &self.setting.schema;
        let mut columns: Vec<Column> = schema.iter().map(|(_, _, ty)| Column::empty(ty)).collect();
        for row in rows {
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
        let table = Table::new(schema, columns, self.setting.tolerance);
        Arc::new(table.expect("rows of the schema make a table"))
    }

    /// Rows with real inputs and made-up outputs. None if there are no rows of the original.
    pub(super) fn mixed(&mut self, count: usize) -> Vec<Row> {
        match self.correct() {
            0 => Vec::new(),
            _ => (0..count).map(|i| self.mixed_row(i)).collect(),
        }
    }

    fn mixed_row(&mut self, i: usize) -> Row {
        let (correct, incorrect) = (self.correct(), self.executions.count(INCORRECT));
        let mut below = |n: usize| (self.rng.next() % n as u64) as usize;
        let [base, other, third] = [(); 3].map(|()| below(correct));
        let shift = below(8);
        let wrong = (incorrect > 0).then(|| correct + below(incorrect.max(1)));
        let far = if self.calls.is_some() { below(correct) } else { base };
        let mut row = self.row(base);
        let table = &self.executions.table;
        if let Some(calls) = &self.calls {
            for &output in &calls.outputs {
                let at = output.index();
                let is_principal = output == calls.principal;
                match i % 6 {
                    0 => row[at] = table.value(output, if is_principal { third } else { other }),
                    1 if is_principal => row[at] = table.value(output, other),
                    2 if !is_principal => row[at] = table.value(output, other),
                    3 if is_principal => {
                        let others = || calls.others.iter().copied();
                        let alike = others().filter(|var| self.kind(*var) == self.kind(output));
                        row[at] = match alike.clone().nth(i / 6 % alike.count().max(1)) {
                            Some(alike) => row[alike.index()].clone(),
                            None => table.value(output, other),
                        };
                    }
                    3 => row[at] = table.value(output, far),
                    4 if is_principal == (i % 4 < 2) => row[at] = shifted(&row[at], shift),
                    5 if is_principal => match wrong {
                        Some(wrong) => row = self.row(wrong),
                        None => row[at] = shifted(&row[at], shift),
                    },
                    _ => {}
                }
            }
            return row;
        }
        for &(source, follow_up) in &self.setting.outputs {
            let (s, f) = (source.index(), follow_up.index());
            match i % 6 {
                0 => {
                    row[s] = table.value(source, other);
                    row[f] = table.value(follow_up, third);
                }
                1 => row[f] = table.value(follow_up, other),
                2 => row[s] = table.value(source, other),
                3 => {
                    row[s] = table.value(source, other);
                    row[f] = row[s].clone();
                }
                4 if i % 4 < 2 => row[f] = shifted(&row[f], shift),
                4 => row[s] = shifted(&row[s], shift),
                _ => {
                    if let Some(wrong) = wrong {
                        row = self.row(wrong);
                    } else {
                        row[s] = shifted(&row[s], shift);
                    }
                    break;
                }
            }
        }
        row
    }

    /// The same row with an output so that both sides of a body are equal, or apart by a small difference; `None`
    /// if that takes more than turning the left side around.
    pub(super) fn solved(&self, row: &Row, sides: [&[Node]; 2], apart: f64) -> Option<Row> {
        let tolerance = &self.setting.tolerance;
        let value =
            |nodes: &[Node]| scalar::value(nodes, tolerance, |var| row[var.index()].clone());
        let [left, right] = sides;
        let target = match value(right) {
            Value::Num(target) => Value::Num(target + apart),
            target => target,
        };
        let (var, solution) = self.solve(left, target, row)?;
        let mut solved = row.clone();
        solved[var.index()] = solution;
        Some(solved)
    }

    /// The value of an output for which an expression has a value: of the follow-up's, or of the source's if it has no other.
    fn solve(
        &self,
        nodes: &[Node],
        target: Value<'static>,
        row: &Row,
    ) -> Option<(Var, Value<'static>)> {
        let is_output = |var: Var| self.setting.outputs.iter().any(|&(s, f)| s == var || f == var);
        let (last, operands) = nodes.split_last()?;
        let tolerance = &self.setting.tolerance;
        let number = |nodes: &[Node]| match scalar::value(nodes, tolerance, |var| {
            row[var.index()].clone()
        }) {
            Value::Num(number) => Some(number),
            Value::Bool(_) | Value::Seq(_) => None,
        };
        match (*last, target) {
            (Node::Var(var), target) if is_output(var) => Some((var, target)),
            (Node::Op(Op::Abs), Value::Num(target)) => {
                self.solve(operands, Value::Num(-target), row)
            }
            (Node::Op(Op::Length), Value::Num(target)) => {
                let [Node::Var(var)] = *operands else { return None };
                let Value::Seq(sequence) = &row[var.index()] else { return None };
                let length = (0.0..=5_000.0).contains(&target).then_some(target as usize)?;
                let filled = sequence.iter().copied().chain(std::iter::repeat(97.0));
                Some((var, Value::Seq(filled.take(length).collect())))
            }
            (Node::Op(op @ (Op::Add | Op::Mul)), Value::Num(target)) => {
                // The follow-up's output stands first.
                let split = genmorph_jit::subtree(operands, operands.len() - 1).start;
                let (left, right) = operands.split_at(split);
                let right = number(right)?;
                let rest = if op == Op::Add { target - right } else { target / right };
                rest.is_finite().then_some(())?;
                self.solve(left, Value::Num(rest), row)
            }
            _ => None,
        }
    }
}

/// A value that is a little different.
fn shifted(value: &Value<'static>, how: usize) -> Value<'static> {
    match value {
        Value::Num(x) => Value::Num(match how {
            0 => x + 1.0,
            1 => x - 1.0,
            2 => -x,
            3 => x * 2.0,
            4 => 0.0,
            5 => x + 2.0,
            6 => x / 2.0,
            _ => x * x,
        }),
        Value::Bool(p) => Value::Bool(!p),
        Value::Seq(s) => {
            let mut s = s.to_vec();
            match how {
                0 => s.reverse(),
                1 => drop(s.pop()),
                2 => s.push(97.0),
                3 => s.insert(0, 98.0),
                4 => s.clear(),
                5 => s.sort_by(f64::total_cmp),
                6 if !s.is_empty() => s.rotate_left(1),
                6 => s.push(99.0),
                _ => s.iter_mut().for_each(|x| *x += 1.0),
            }
            Value::Seq(s.into())
        }
    }
}
