//! Templates: what can be done with parameters, with a constant, an index or another parameter.

use crate::subject::kinds::Kind;
use crate::subject::together::Together;

/// A transformation template. The first six are the paper's, section "Input Transformations". Every one but
/// [`Template::PermuteParameters`] may change several parameters in the same way.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// Exchanges two parameters of the same kind, or several pairs of them.
    PermuteParameters,
    /// Turns a Boolean parameter into its opposite.
    BooleanFlip,
    /// Adds to a numeric parameter.
    NumericAddition(Operand),
    /// Multiplies a numeric parameter.
    NumericMultiplication(Operand),
    /// Removes the element at an index from a sequence; negative indices count from the end, and one
    /// that is out of bounds changes nothing.
    SequenceRemove(i64),
    /// Reverses the order of a sequence.
    SequenceFlip,
    /// Subtracts a numeric parameter from the operand: c - x.
    NumericComplement(Operand),
    /// Sorts a sequence in ascending order: -0 before 0, NaN last.
    SequenceSort,
    /// Moves the first elements to the end, or the last ones to the front if the number is negative.
    SequenceRotate(i64),
    /// Exchanges two elements; changes nothing if one of them does not exist.
    SequenceSwap(i64, i64),
    /// Adds an element, or another sequence, after the last element.
    SequenceAppend(Operand),
    /// Adds an element, or another sequence, before the first element.
    SequencePrepend(Operand),
    /// Adds to every element of a list of numbers.
    SequenceAdd(Operand),
    /// Multiplies every element of a list of numbers.
    SequenceMultiply(Operand),
    /// Joins a sequence with itself.
    SequenceDouble,
    /// Keeps the first elements; a negative number drops so many instead.
    SequenceTruncate(i64),
    /// Replaces the element at an index; a source without it has no follow-up.
    SequenceReplace(i64, Operand),
    /// Turns a text into upper case, character by character.
    TextUpper,
    /// Turns a text into lower case, character by character.
    TextLower,
    /// Turns each character into upper case or, if that is the character itself, into lower case.
    TextSwapCase,
    /// Changes nothing: several calls are made on the input together, and laws are about what they return.
    Together(Together),
}

/// What a template computes with. A source that does not have the element has no follow-up.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A constant that is a number.
    Number(f64),
    /// A constant that is a character: `'a'`.
    Letter(char),
    /// The source's value of a parameter.
    Parameter(String),
    /// An element of a sequence of the source: `s[0]`, `s[-1]`.
    Element(String, i64),
}

/// Which parameters a template changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Anything,
    Boolean,
    Number,
    Sequence,
    Numbers,
    Text,
}

impl Needed {
    pub(super) fn admits(self, kind: Kind) -> bool {
        match self {
            Needed::Anything => true,
            Needed::Boolean => kind == Kind::Boolean,
            Needed::Number => kind == Kind::Number,
            Needed::Sequence => matches!(kind, Kind::Text | Kind::Numbers),
            Needed::Numbers => kind == Kind::Numbers,
            Needed::Text => kind == Kind::Text,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Needed::Anything => "anything",
            Needed::Boolean => "a boolean",
            Needed::Number => "a number",
            Needed::Sequence => "a text or a list of numbers",
            Needed::Numbers => "a list of numbers",
            Needed::Text => "a text",
        }
    }
}

/// A constant, index or parameter of a template, in the order of its text.
pub(super) enum Argument<'t> {
    Index(i64),
    Operand(&'t Operand),
    /// The name of a function.
    Name(&'t str),
}

impl Template {
    /// The name, as in texts of transformations.
    pub fn name(&self) -> &'static str {
        match self {
            Template::PermuteParameters => "PermuteParameters",
            Template::BooleanFlip => "BooleanFlip",
            Template::NumericAddition(_) => "NumericAddition",
            Template::NumericMultiplication(_) => "NumericMultiplication",
            Template::SequenceRemove(_) => "SequenceRemove",
            Template::SequenceFlip => "SequenceFlip",
            Template::NumericComplement(_) => "NumericComplement",
            Template::SequenceSort => "SequenceSort",
            Template::SequenceRotate(_) => "SequenceRotate",
            Template::SequenceSwap(..) => "SequenceSwap",
            Template::SequenceAppend(_) => "SequenceAppend",
            Template::SequencePrepend(_) => "SequencePrepend",
            Template::SequenceAdd(_) => "SequenceAdd",
            Template::SequenceMultiply(_) => "SequenceMultiply",
            Template::SequenceDouble => "SequenceDouble",
            Template::SequenceTruncate(_) => "SequenceTruncate",
            Template::SequenceReplace(..) => "SequenceReplace",
            Template::TextUpper => "TextUpper",
            Template::TextLower => "TextLower",
            Template::TextSwapCase => "TextSwapCase",
            Template::Together(how) => how.name(),
        }
    }

    /// What it computes with, if it does.
    pub fn operand(&self) -> Option<&Operand> {
        self.arguments().into_iter().find_map(|argument| match argument {
            Argument::Operand(operand) => Some(operand),
            Argument::Index(_) | Argument::Name(_) => None,
        })
    }

    /// The values between the parentheses of its text.
    pub(super) fn arguments(&self) -> Vec<Argument<'_>> {
        match self {
            Template::NumericAddition(operand)
            | Template::NumericMultiplication(operand)
            | Template::NumericComplement(operand)
            | Template::SequenceAppend(operand)
            | Template::SequencePrepend(operand)
            | Template::SequenceAdd(operand)
            | Template::SequenceMultiply(operand) => vec![Argument::Operand(operand)],
            Template::SequenceRemove(index)
            | Template::SequenceRotate(index)
            | Template::SequenceTruncate(index) => vec![Argument::Index(*index)],
            Template::SequenceSwap(a, b) => vec![Argument::Index(*a), Argument::Index(*b)],
            Template::SequenceReplace(index, operand) => {
                vec![Argument::Index(*index), Argument::Operand(operand)]
            }
            Template::Together(Together::Second(_, name)) => vec![Argument::Name(name)],
            Template::PermuteParameters
            | Template::BooleanFlip
            | Template::SequenceFlip
            | Template::SequenceSort
            | Template::SequenceDouble
            | Template::TextUpper
            | Template::TextLower
            | Template::TextSwapCase
            | Template::Together(_) => Vec::new(),
        }
    }

    /// The kind of the parameters that it changes.
    pub(super) fn needs(&self) -> Needed {
        match self {
            Template::PermuteParameters | Template::Together(_) => Needed::Anything,
            Template::BooleanFlip => Needed::Boolean,
            Template::NumericAddition(_)
            | Template::NumericMultiplication(_)
            | Template::NumericComplement(_) => Needed::Number,
            Template::SequenceRemove(_)
            | Template::SequenceFlip
            | Template::SequenceSort
            | Template::SequenceRotate(_)
            | Template::SequenceSwap(..)
            | Template::SequenceAppend(_)
            | Template::SequencePrepend(_)
            | Template::SequenceDouble
            | Template::SequenceTruncate(_)
            | Template::SequenceReplace(..) => Needed::Sequence,
            Template::SequenceAdd(_) | Template::SequenceMultiply(_) => Needed::Numbers,
            Template::TextUpper | Template::TextLower | Template::TextSwapCase => Needed::Text,
        }
    }

    /// Whether a whole sequence may stand for its operand.
    pub(super) fn joins(&self) -> bool {
        matches!(self, Template::SequenceAppend(_) | Template::SequencePrepend(_))
    }
}

impl Operand {
    /// The constant as a number.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Operand::Number(number) => Some(*number),
            Operand::Letter(letter) => Some(f64::from(u32::from(*letter))),
            Operand::Parameter(_) | Operand::Element(..) => None,
        }
    }

    /// The parameter whose value or element it is.
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Operand::Number(_) | Operand::Letter(_) => None,
            Operand::Parameter(name) | Operand::Element(name, _) => Some(name),
        }
    }
}

/// A constant; templates with numbers are common.
impl From<f64> for Operand {
    fn from(number: f64) -> Operand {
        Operand::Number(number)
    }
}
