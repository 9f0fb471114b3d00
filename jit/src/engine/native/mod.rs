//! The native tier: a relation as machine code, through Cranelift.
//!
//! ```text
//! Program ── emit ──> Cranelift IR ── compiler ──> Code ── run ──> bits
//!                                        └─ cache: which relation has which code
//! ```
//! One function per relation, one loop in it, eight rows per turn: columns in, eight bits out.
//! It takes what bytecode takes except sequences that have to be made; those it declines.
//!
//! Knows nothing of how relations are found or scored. Cranelift is known here and nowhere else.
//!
//! Unsafe code: calling what was generated (`code.rs`), and giving its memory back
//! (`compiler.rs`). Generated code reads `words * 64` rows behind each column pointer and writes
//! `words` words: `emit.rs` makes it so, `Code::run` checks that they are there.

mod breakeven;
mod cache;
mod code;
mod compiler;
mod emit;
mod operand;
#[cfg(test)]
mod tests;

pub use self::code::Code;
pub use self::compiler::NoExecutableMemory;

pub(crate) use self::cache::Cache;

use self::breakeven::Breakeven;
use self::compiler::{Compiler, Failure};
use super::kernels::Isa;
use crate::program::Program;
use crate::table::Table;

/// Whether machine code can pay on this table at all, against kernels of this instruction set.
pub(crate) fn is_worthwhile(isa: Isa, table: &Table) -> bool {
    Breakeven::of(isa).is_worthwhile(table.rows())
}

/// The Cranelift IR of a program, as text; or why this tier declines it.
///
/// # Errors
/// The reason to decline.
pub fn ir(program: &Program, table: &Table) -> Result<String, &'static str> {
    Compiler::default().ir(program, table)
}

/// Compiles programs into one module. Each gives code, or the reason to decline it.
///
/// # Errors
/// When the system gives no executable memory.
pub fn compile_many(
    programs: &[Program],
    table: &Table,
) -> Result<Vec<Result<Code, &'static str>>, NoExecutableMemory> {
    let mut compiler = Compiler::default();
    let mut batch = compiler.module();
    let mut outcomes = Vec::with_capacity(programs.len());
    for program in programs {
        outcomes.push(match batch.define(program, table) {
            Ok(()) => Ok(()),
            Err(Failure::Declined(reason)) => Err(reason),
            Err(Failure::Refused) => return Err(NoExecutableMemory),
        });
    }
    let mut codes = batch.finish()?.into_iter();
    let code =
        |outcome: Result<(), _>| outcome.map(|()| codes.next().expect("a definition gives a code"));
    Ok(outcomes.into_iter().map(code).collect())
}
