//! Evaluators from crates.io that take one row at a time.
//!
//! Both read their expressions once, outside of the time. Both evaluate left side minus right side
//! with plain division, in f64. Their cost per row does not depend on the number of rows, so they
//! get all the trees but only the first rows.

use std::hint::black_box;
use std::time::Duration;

use evalexpr::{Context, EvalexprError, EvalexprResult, Value};
use exmex::{Express, FlatEx};

use crate::infix;
use crate::turn::{self, Turn};
use crate::world::{COLUMNS, World};

/// An evaluator of one row at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rowwise {
    Exmex,
    Evalexpr,
}

/// A tree, read and ready.
enum Ready {
    Exmex { expression: Box<FlatEx<f64>>, columns: Vec<usize> },
    Evalexpr { expression: evalexpr::Node },
}

impl Rowwise {
    /// How many of the rows it evaluates: so few that a pass takes some 10 ms.
    pub(crate) fn rows(self) -> usize {
        match self {
            Rowwise::Exmex => 900,
            Rowwise::Evalexpr => 90,
        }
    }

    /// A turn of the trees of a size.
    pub(crate) fn turn(self, world: &World, size: usize, at_least: Duration) -> Turn {
        let trees = self.read(world, size);
        turn::run(at_least, || {
            for tree in &trees {
                tree.each_row(world, self.rows(), |value| {
                    black_box(value);
                });
            }
            (trees.len() * size * self.rows()) as u64
        })
    }

    /// The value of each tree on each of its rows, tree after tree. For the check, not for time.
    pub(crate) fn values(self, world: &World, size: usize) -> Vec<f64> {
        let mut values = Vec::new();
        for tree in self.read(world, size) {
            tree.each_row(world, self.rows(), |value| values.push(value));
        }
        values
    }

    fn read(self, world: &World, size: usize) -> Vec<Ready> {
        let trees = world.trees(size).into_iter();
        trees
            .map(|tree| match self {
                Rowwise::Exmex => {
                    let text = infix::difference(tree, "abs");
                    let expression = exmex::parse(&text).expect("arithmetic that exmex has");
                    let expression: Box<FlatEx<f64>> = Box::new(expression);
                    let columns = expression.var_names().iter().map(|name| column(name)).collect();
                    Ready::Exmex { expression, columns }
                }
                Rowwise::Evalexpr => {
                    let text = infix::difference(tree, "math::abs");
                    let expression =
                        evalexpr::build_operator_tree(&text).expect("arithmetic that evalexpr has");
                    Ready::Evalexpr { expression }
                }
            })
            .collect()
    }
}

impl Ready {
    fn each_row(&self, world: &World, rows: usize, mut take: impl FnMut(f64)) {
        match self {
            Ready::Exmex { expression, columns } => {
                let mut values = [0.0; COLUMNS];
                let values = &mut values[..columns.len()];
                for row in 0..rows {
                    for (value, &column) in values.iter_mut().zip(columns) {
                        *value = world.columns[column][row];
                    }
                    take(expression.eval(values).expect("a value for every variable"));
                }
            }
            Ready::Evalexpr { expression } => {
                let mut context = Row([const { Value::Float(0.0) }; COLUMNS]);
                for row in 0..rows {
                    for (value, column) in context.0.iter_mut().zip(&world.columns) {
                        *value = Value::Float(column[row]);
                    }
                    let value = expression.eval_float_with_context(&context);
                    take(value.expect("floats all the way up"));
                }
            }
        }
    }
}

/// The column that a name like `x3` means.
fn column(name: &str) -> usize {
    usize::from(name.as_bytes()[1] - b'0')
}

/// One row as evalexpr's context. Its own `HashMapContext` would hash every name at every use.
struct Row([Value; COLUMNS]);

impl Context for Row {
    fn get_value(&self, identifier: &str) -> Option<&Value> {
        self.0.get(column(identifier))
    }

    fn call_function(&self, identifier: &str, _: &Value) -> EvalexprResult<Value> {
        // The answer that makes evalexpr look among its own functions.
        Err(EvalexprError::FunctionIdentifierNotFound(identifier.to_owned()))
    }

    fn are_builtin_functions_disabled(&self) -> bool {
        false
    }

    fn set_builtin_functions_disabled(&mut self, _: bool) -> EvalexprResult<()> {
        Err(EvalexprError::BuiltinFunctionsCannotBeDisabled)
    }
}
