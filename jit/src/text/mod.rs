//! The text form of relations: reads it and prints it.
//!
//! Spelling, precedence and associativity are [`Op::fixity`](crate::op::Op::fixity), loosest first:
//!
//! | level | operators | groups |
//! |---|---|---|
//! | 1 | `iff` | to the left |
//! | 2 | `implies`, also `=>` | to the right |
//! | 3 | `or`, also `\|\|` | to the left |
//! | 4 | `xor` | to the left |
//! | 5 | `and`, also `&&` | to the left |
//! | 6 | `not x`, also `!x` | prefix |
//! | 7 | `== != < > <= >=` | not at all: `a < b < c` is an error |
//! | 8 | `+ - ++` | to the left |
//! | 9 | `* / mod` | to the left |
//! | 10 | `-x` | prefix |
//! | 11 | `abs(x)` and all other functions | |
//!
//! `not` is looser than the comparisons: `!a == b` is `not (a == b)`. On Bool, `==` and `!=` read
//! as `iff` and `xor` but bind like comparisons. Printing uses the words, never the alternatives.
//!
//! The names of the functions that are not the paper's (`min`, `first`, `sort` …) are words only before a
//! parenthesis, and `mod` only between operands: elsewhere they may be variables.
//!
//! Numbers are decimal with an optional fraction and exponent, rounded to the nearest f64, or
//! `inf`. A minus before one, where an operand is expected, is its sign: `-0` is the constant -0. A
//! minus before anything else is short for `0 -`. That is exact negation but for the sign of zero,
//! and no operator can see that sign. White space, newlines included, only separates words.
//!
//! Every predicate reads back from its text as the same nodes, constants to the last bit.

mod error;
mod lex;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use crate::expr::MAX_NODES;

pub use error::{ParseError, ParseErrorKind};
pub use parse::{parse, parse_expr};
pub use print::{Text, print, tree};

/// The most bytes a text may have. Every predicate fits whose variables have names of at most
/// 2,000 bytes: it has at most 512 variables, and besides them at most 12 bytes per operator and 24
/// per constant.
pub const MAX_TEXT: usize = 1 << 20;

/// The most operators and parentheses that may be open at one place of a text. Printing opens at
/// most one parenthesis per operator.
pub const MAX_DEPTH: usize = 2 * MAX_NODES;
