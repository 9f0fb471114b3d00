//! The format of `subject.toml`, and places in it.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::error::Problem;
use crate::subject::definition::alphabet::Alphabet;
use crate::subject::definition::given::DomainSection;
use crate::support::pointer::Pointer;

/// The content of a definition file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DefinitionFile {
    pub(super) module: Spanned<String>,
    pub(super) export: Option<Spanned<String>>,
    pub(super) signature: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) changed: Vec<Spanned<String>>,
    pub(super) inverse: Option<String>,
    pub(super) same_as: Option<String>,
    pub(super) then: Option<String>,
    #[serde(default)]
    pub(super) scope: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) domain: DomainSection<Bounds>,
}

/// The domain of a parameter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bounds {
    pub(super) range: Option<Spanned<[f64; 2]>>,
    pub(super) also: Option<Spanned<Vec<f64>>>,
    pub(super) min_len: Option<Spanned<usize>>,
    pub(super) max_len: Option<Spanned<usize>>,
    pub(super) alphabet: Option<Spanned<Alphabet>>,
}

impl DefinitionFile {
    pub(super) fn parse(text: &str) -> Result<DefinitionFile, Problem> {
        toml::from_str(text).map_err(|error| {
            let message = error.message().trim_end().replace('\n', "; ");
            let message = match message.as_str() {
                "missing field `module`" => {
                    "`module = \"FILE\"` is missing: the module, from the folder of this file"
                        .into()
                }
                _ => message,
            };
            Place::of(text, error.span().unwrap_or(0..0)).problem(message)
        })
    }
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    column: usize,
    pointer: Pointer,
}

impl Place {
    /// The place where a span of bytes begins.
    pub(super) fn of(text: &str, span: Range<usize>) -> Place {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[start..].chars().count() + 1;
        Place { line, column, pointer: Pointer::at(text, line, column) }
    }

    /// A problem at this place.
    pub(super) fn problem(&self, message: String) -> Problem {
        let Place { line, column, pointer } = self.clone();
        Problem::Text { line, column, message, pointer }
    }
}
