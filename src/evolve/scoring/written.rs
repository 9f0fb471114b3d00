//! Relations as they are written down: one per line, in a results file, or as arguments.

use std::fmt;
use std::io::{self, BufRead, Read};

use genmorph_jit::text::MAX_TEXT;
use genmorph_jit::{Predicate, Schema, Threads};
use serde::Deserialize;

use crate::claims::relation::{self, BadRelation};

/// A relation, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The relation.
    pub text: String,
    /// The file, or nothing for an argument.
    pub file: Option<String>,
    /// Its line in the file, or its number in a results file, counted from 1.
    pub place: Place,
}

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a line.
    Line(usize),
    /// At a place in a list.
    Number(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Number(number) => write!(f, "relation {number}"),
        }
    }
}

/// Relations that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RelationsError {
    /// The file cannot be read.
    #[error("cannot read {file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// A line that is no text.
    #[error("{file}, {place}: not UTF-8")]
    NotUtf8 {
        /// The file.
        file: String,
        /// The line.
        place: Place,
    },
    /// A line that no relation can be as long as.
    #[error("{file}, {place}: more than {MAX_TEXT} bytes; no relation is so long")]
    TooLong {
        /// The file.
        file: String,
        /// The line.
        place: Place,
    },
    /// A results file that is none.
    #[error(
        "{file}: not a results file: {source}\nit is an object with a list of relations: {{\"relations\": [{{\"relation\": \"out_f == out_s\"}}]}}"
    )]
    Results {
        /// The file.
        file: String,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// No relation.
    #[error("{}", bad(written, error))]
    Bad {
        /// Where it is.
        written: Box<Written>,
        /// What is wrong.
        error: Box<BadRelation>,
    },
}

fn bad(written: &Written, error: &BadRelation) -> String {
    let Some(file) = &written.file else { return error.to_string() };
    let BadRelation { error, pointer, variables } = error;
    let (place, column, kind) = (written.place, error.column, &error.kind);
    format!(
        "{file}, {place}, column {column}: {kind}\n\n{pointer}\n\nvariables: {}",
        variables.join(", ")
    )
}

/// The relations of a text, one per line; what follows a `#` is a comment.
pub fn read_lines(
    file: &str,
    mut text: impl BufRead,
) -> impl Iterator<Item = Result<Written, RelationsError>> {
    let file = file.to_owned();
    let mut line = 0;
    let mut bytes = Vec::new();
    std::iter::from_fn(move || {
        loop {
            line += 1;
            let place = Place::Line(line);
            bytes.clear();
            let read = (&mut text).take(MAX_TEXT as u64 + 1).read_until(b'\n', &mut bytes);
            let file = || file.clone();
            match read {
                Err(source) => return Some(Err(RelationsError::Io { file: file(), source })),
                Ok(0) => return None,
                Ok(read) if read > MAX_TEXT => {
                    return Some(Err(RelationsError::TooLong { file: file(), place }));
                }
                Ok(_) => {}
            }
            let Ok(text) = std::str::from_utf8(&bytes) else {
                return Some(Err(RelationsError::NotUtf8 { file: file(), place }));
            };
            // Only cut at the end, so that columns are those of the line.
            let text = text.split('#').next().unwrap_or_default().trim_end();
            if !text.is_empty() {
                return Some(Ok(Written { text: text.to_owned(), file: Some(file()), place }));
            }
        }
    })
}

/// What we need of a results file; the rest of it is for others.
#[derive(Deserialize)]
struct Results {
    relations: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    relation: String,
}

/// The relations of a results file.
///
/// # Errors
/// When it is none.
pub fn read_results(file: &str, text: impl Read) -> Result<Vec<Written>, RelationsError> {
    let results: Results = serde_json::from_reader(text)
        .map_err(|source| RelationsError::Results { file: file.to_owned(), source })?;
    let written = |(i, found): (usize, Found)| Written {
        text: found.relation,
        file: Some(file.to_owned()),
        place: Place::Number(i + 1),
    };
    Ok(results.relations.into_iter().enumerate().map(written).collect())
}

/// Reads relations over the variables of a schema.
///
/// # Errors
/// When one of them is none: the first, whatever the number of threads.
pub fn read_all(
    written: &[Written],
    schema: &Schema,
    threads: &impl Threads,
) -> Result<Vec<Predicate>, RelationsError> {
    /// Far more than handing out a piece costs.
    const PIECE: usize = 64;
    type Piece<'w> = (&'w [Written], Vec<Result<Predicate, BadRelation>>);
    let mut pieces: Vec<Piece<'_>> =
        written.chunks(PIECE).map(|written| (written, Vec::new())).collect();
    threads.for_each(&mut pieces, |(written, read)| {
        read.extend(written.iter().map(|written| relation::read(&written.text, schema)));
    });
    let read = pieces.into_iter().flat_map(|(_, read)| read);
    read.zip(written)
        .map(|(read, written)| {
            read.map_err(|error| RelationsError::Bad {
                written: Box::new(written.clone()),
                error: Box::new(error),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_no_relations() {
        let text = "# all\n\na < b # why\n   # more\r\n  c\r\nlast";
        let read: Vec<(String, Place)> = read_lines("f", text.as_bytes())
            .map(|written| written.map(|written| (written.text, written.place)).unwrap())
            .collect();
        let expected = [("a < b", 3), ("  c", 5), ("last", 6)];
        assert_eq!(read, expected.map(|(text, line)| (text.to_owned(), Place::Line(line))));
    }

    #[test]
    fn a_line_without_end_is_refused_and_not_kept() {
        let text = io::repeat(b'(').take(1 << 30);
        let mut lines = read_lines("f", io::BufReader::new(text));
        let error = lines.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("f, line 1: more than"), "{error}");
    }

    #[test]
    fn results_files_have_a_list_of_relations() {
        let text = r#"{"schema": 1, "relations": [{"relation": "a < b", "size": 3}]}"#;
        let read = read_results("f", text.as_bytes()).unwrap();
        assert_eq!(read[0].text, "a < b");
        for text in ["", "{}", r#"{"relations": [1]}"#, r#"{"relations": [{}]}"#, "[]"] {
            assert!(read_results("f", text.as_bytes()).is_err(), "{text}");
        }
    }
}
