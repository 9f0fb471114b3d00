//! Cuts a text into tokens.
//!
//! Knows the words of the language, but neither the variables nor the types.

use std::cmp::Reverse;

use super::error::{Fault, ParseErrorKind, excerpt};
use crate::op::{Fixity, Op};
use crate::schema::{continues_identifier, starts_identifier};

/// Spellings that are read and never printed.
const ALTERNATIVES: [(&str, Op); 4] =
    [("&&", Op::And), ("||", Op::Or), ("=>", Op::Implies), ("!", Op::Not)];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A constant without its sign; `inf` too.
    Number(f64),
    Bool(bool),
    /// The word `nan`, which the parser refuses.
    Nan,
    /// An identifier that is not a word of the language.
    Name(&'a str),
    /// An operator that is written as a call.
    Function(Op),
    /// An infix or prefix operator. `==` is [`Op::NumEq`] and `!=` is [`Op::NumNe`], whatever they
    /// compare: the types are not known yet.
    Operator(Op),
    Open,
    Close,
    Comma,
    End,
}

/// A token and the bytes of the text that it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'a> {
    pub token: Token<'a>,
    pub at: usize,
    pub text: &'a str,
}

/// A place in a text, moving forward token by token.
pub(super) struct Lexer<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        // Without the trailing space, so that what is missing at the end is missing after a word.
        Lexer { text: text.trim_end(), offset: 0 }
    }

    /// The next token, without moving.
    pub(super) fn peek(&self) -> Result<Lexeme<'a>, Fault> {
        Lexer { text: self.text, offset: self.offset }.advance()
    }

    /// The next token; [`Token::End`] for ever after the last.
    pub(super) fn advance(&mut self) -> Result<Lexeme<'a>, Fault> {
        let rest = self.text[self.offset..].trim_start();
        let at = self.text.len() - rest.len();
        let (length, token) = first_token(rest).map_err(|kind| Fault { at, kind })?;
        self.offset = at + length;
        Ok(Lexeme { token, at, text: &rest[..length] })
    }
}

/// The token at the start of `rest`, and its length in bytes.
fn first_token(rest: &str) -> Result<(usize, Token<'_>), ParseErrorKind> {
    let Some(first) = rest.chars().next() else {
        return Ok((0, Token::End));
    };
    Ok(match first {
        '(' => (1, Token::Open),
        ')' => (1, Token::Close),
        ',' => (1, Token::Comma),
        _ if starts_identifier(first) => {
            let end = rest.find(|c| !continues_identifier(c)).unwrap_or(rest.len());
            (end, word(&rest[..end], &rest[end..]))
        }
        _ if starts_number(rest) => {
            let end = number_end(rest);
            (end, Token::Number(number(&rest[..end])?))
        }
        _ => symbol(rest).ok_or(ParseErrorKind::UnexpectedCharacter(first))?,
    })
}

/// The token of a word, given what comes after it: the names of functions that are not the paper's are words of
/// the language only before a parenthesis, so that parameters may have them (`clamp(x, min, max)`).
fn word<'a>(word: &'a str, after: &str) -> Token<'a> {
    match word {
        "true" => Token::Bool(true),
        "false" => Token::Bool(false),
        "inf" => Token::Number(f64::INFINITY),
        "nan" => Token::Nan,
        _ => match Op::ALL.into_iter().find(|op| op.spelling() == word) {
            Some(op) if op.fixity() == Fixity::Call => {
                let is_called = op.is_papers() || after.trim_start().starts_with('(');
                if is_called { Token::Function(op) } else { Token::Name(word) }
            }
            Some(op) => Token::Operator(op),
            None => Token::Name(word),
        },
    }
}

/// The longest operator at the start of `rest`; of those spelled alike, the first declared.
fn symbol(rest: &str) -> Option<(usize, Token<'_>)> {
    let spellings = Op::ALL.into_iter().map(|op| (op.spelling(), op)).chain(ALTERNATIVES);
    spellings
        .filter(|(spelling, _)| rest.starts_with(spelling))
        .min_by_key(|(spelling, _)| Reverse(spelling.len()))
        .map(|(spelling, op)| (spelling.len(), Token::Operator(op)))
}

fn starts_number(rest: &str) -> bool {
    rest.strip_prefix('.').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
}

/// Where the number at the start of `rest` ends. Takes in what is glued to it, so that an error
/// names `12abc` and not `12`.
fn number_end(rest: &str) -> usize {
    let mut after_exponent = false;
    let ends = |c: char| {
        let belongs =
            continues_identifier(c) || c == '.' || (after_exponent && matches!(c, '+' | '-'));
        after_exponent = matches!(c, 'e' | 'E');
        !belongs
    };
    rest.find(ends).unwrap_or(rest.len())
}

/// A number as Rust reads it; the first character is already known to be a digit or a point.
fn number(text: &str) -> Result<f64, ParseErrorKind> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(ParseErrorKind::NumberTooLarge(excerpt(text))),
        Err(_) => Err(ParseErrorKind::BadNumber(excerpt(text))),
    }
}
