#![doc = include_str!("../README.md")]

pub mod engine;
pub mod expr;
mod hash;
mod interval;
mod logic;
pub mod mask;
pub mod op;
pub mod oracle;
pub mod program;
pub mod schema;
pub mod table;
pub mod text;
pub mod tolerance;

pub use engine::{
    Batch, Counters, DEFAULT_MEMORY, Evaluator, Isa, OneThread, Policy, Threads, Tier,
    UnknownPolicy,
};
pub use expr::{Expr, MAX_NODES, Node, Predicate, TypeError, subtree};
pub use mask::{Layout, Mask};
pub use op::{Op, Type, Value};
pub use program::Program;
pub use schema::{Schema, SchemaError, Var};
pub use table::{Column, Sequences, Table, TableError};
pub use text::{ParseError, parse};
pub use tolerance::{Tolerance, ToleranceError};
