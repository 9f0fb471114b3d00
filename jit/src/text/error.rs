//! What is wrong with a text, and where: written for the person who typed it.

use super::{MAX_DEPTH, MAX_TEXT};
use crate::expr::MAX_NODES;
use crate::op::{Fixity, Op, Type};

/// A text that is not a relation, and the place that shows it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What can be wrong with a text. Pieces of the text are cut to a length that fits on a screen.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseErrorKind {
    /// A character that starts nothing in the language.
    #[error("unexpected character {0:?}{remedy}", remedy = remedy(*.0))]
    UnexpectedCharacter(char),
    /// A word that starts like a number and cannot be read as one.
    #[error("`{0}` is not a number; write it like `12`, `-0.5` or `1e-9`")]
    BadNumber(String),
    /// A number beyond the largest finite f64.
    #[error("`{0}` is too large for a 64-bit float; write inf")]
    NumberTooLarge(String),
    /// The constant `nan`, which no relation may have.
    #[error("a constant must be a number")]
    NotANumber,
    /// A name that the schema lacks.
    #[error("unknown variable `{name}`{}", suggestion(nearest.as_deref()))]
    UnknownVariable {
        /// The name as written.
        name: String,
        /// The declared name nearest to it, if any is near.
        nearest: Option<String>,
    },
    /// A name before a parenthesis that is no function.
    #[error("unknown function `{0}`; there are {all}", all = functions())]
    UnknownFunction(String),
    /// Something that cannot stand here.
    #[error("expected {expected}, found `{found}`")]
    Unexpected {
        /// What could stand here.
        expected: &'static str,
        /// The piece of text that stands here.
        found: String,
    },
    /// The text stops too early.
    #[error("the text ends where {expected} is expected")]
    UnexpectedEnd {
        /// What the text would have to go on with.
        expected: &'static str,
    },
    /// An opening parenthesis without its closing one; the place is that of the opening one.
    #[error("this parenthesis is never closed")]
    Unclosed,
    /// A closing parenthesis without its opening one.
    #[error("this parenthesis was never opened")]
    Unopened,
    /// A function with too many or too few arguments.
    #[error("`{}` takes {}, found {found}", function.spelling(), arguments(*function))]
    ArgumentCount {
        /// The function that is called.
        function: Op,
        /// How many arguments it was given.
        found: usize,
    },
    /// An operand of the wrong type; the place is that of the operand.
    #[error("operand {operand} of `{}` must be {expected}, found {found}", op.spelling())]
    Operand {
        /// The operator that the operand belongs to.
        op: Op,
        /// Which operand, counted from 1.
        operand: usize,
        /// The type it needs.
        expected: Type,
        /// The type it has.
        found: Type,
    },
    /// `==` or `!=` between different types; the place is that of the operator.
    #[error("`{}` compares values of one type, found {left} and {right}", op.spelling())]
    MixedTypes {
        /// [`Op::NumEq`] for `==`, [`Op::NumNe`] for `!=`.
        op: Op,
        /// The type of the first operand.
        left: Type,
        /// The type of the second operand.
        right: Type,
    },
    /// `a < b < c`.
    #[error("comparisons do not chain; write a < b and b < c")]
    ComparisonChain,
    /// The whole is not a truth value.
    #[error("a relation must be Bool, found {found}")]
    Root {
        /// The type of the whole text.
        found: Type,
    },
    /// More than [`MAX_NODES`] nodes.
    #[error("the relation has more than {MAX_NODES} operators, variables and constants")]
    TooLarge,
    /// More than [`MAX_DEPTH`] operators and parentheses wait for their end at once.
    #[error("nested too deeply: more than {MAX_DEPTH} operators and parentheses are open")]
    TooDeep,
    /// More than [`MAX_TEXT`] bytes; the place is where the bound is passed.
    #[error("the text has {bytes} bytes; at most {MAX_TEXT} are allowed")]
    TooLong {
        /// How many there are.
        bytes: usize,
    },
}

/// An error before its place is known as line and column.
#[derive(Debug)]
pub(super) struct Fault {
    /// The byte offset of the place.
    pub at: usize,
    pub kind: ParseErrorKind,
}

impl Fault {
    pub(super) fn locate(self, text: &str) -> ParseError {
        let before = &text[..self.at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
            kind: self.kind,
        }
    }
}

/// A piece of the text, cut to what an error message can show.
pub(super) fn excerpt(piece: &str) -> String {
    const SHOWN: usize = 64;
    match piece.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &piece[..end]),
        None => piece.to_owned(),
    }
}

fn remedy(character: char) -> &'static str {
    match character {
        '=' => "; did you mean `==`?",
        '&' => "; did you mean `and`?",
        '|' => "; did you mean `or`?",
        _ => "",
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn functions() -> String {
    let calls = Op::ALL.into_iter().filter(|op| op.fixity() == Fixity::Call);
    calls.map(Op::spelling).collect::<Vec<_>>().join(", ")
}

fn arguments(function: Op) -> String {
    match function.arity() {
        1 => "1 argument".to_owned(),
        many => format!("{many} arguments"),
    }
}
