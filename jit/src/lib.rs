#![doc = include_str!("../README.md")]

pub mod engine;
pub mod expr;
mod hash;
mod interval;
pub mod mask;
pub mod op;
pub mod oracle;
pub mod program;
pub mod schema;
pub mod table;
pub mod term;
pub mod text;
pub mod tolerance;

pub use engine::{
    Batch, Columns, Comparator, Counters, DEFAULT_MEMORY, Evaluator, Isa, OneThread, Policy,
    Threads, Tier, UnknownPolicy, Values,
};
pub use expr::{Expr, Leaf, MAX_NODES, Node, Operands, Predicate, TypeError, fold, subtree};
pub use mask::{Layout, Mask};
pub use op::{
    ArithmeticOp, Class, ComparisonOp, LogicOp, LookupOp, MeasureOp, Op, SequenceOp, TestOp, Type,
    Value,
};
pub use program::Program;
pub use schema::{Schema, SchemaError, Var};
pub use table::{Column, Sequences, Table, TableError};
pub use term::Term;
pub use text::{ParseError, parse};
pub use tolerance::{Tolerance, ToleranceError};
