//! Relations without transformations, as `genmorph score` reads them: one per line, in a `relations.json`, or as
//! arguments.

use std::io::{self, BufRead, Read};

use genmorph_jit::text::MAX_TEXT;
use genmorph_jit::{Predicate, Schema, Threads};

use super::Place;
use super::relation::{self, BadRelation};
use crate::record::checksum::{self, WrongChecksum};
use crate::record::relations::RelationsFile;

/// The text of a relation, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationText {
    /// The relation as text.
    pub text: String,
    /// The file, or nothing for an argument.
    pub file: Option<String>,
    /// Where in the file it is.
    pub place: Place,
}

/// Why relations cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RelationsError {
    /// The file cannot be read.
    #[error("cannot read {file}: {source}")]
    Io {
        /// The name of the file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// A line that is not UTF-8.
    #[error("{file}, {place}: not UTF-8")]
    NotUtf8 {
        /// The name of the file.
        file: String,
        /// The line in question.
        place: Place,
    },
    /// A line that is longer than any relation.
    #[error("{file}, {place}: more than {MAX_TEXT} bytes; no relation is so long")]
    TooLong {
        /// The name of the file.
        file: String,
        /// The line in question.
        place: Place,
    },
    /// JSON that is not a results file.
    #[error(
        "{file}: not a results file: {source}\nit is an object with a list of relations: {{\"relations\": [{{\"relation\": \"out_f == out_s\"}}]}}"
    )]
    Results {
        /// The name of the file.
        file: String,
        /// What the JSON reader says.
        source: serde_json::Error,
    },
    /// A results file that is not what genmorph wrote.
    #[error("{file} cannot be trusted: {source}")]
    Checksum {
        /// The name of the file.
        file: String,
        /// What is wrong with it.
        source: WrongChecksum,
    },
    /// A text that is not a relation.
    #[error("{}", bad(text, error))]
    Bad {
        /// The text, and where it is.
        text: Box<RelationText>,
        /// Why it is not a relation.
        error: Box<BadRelation>,
    },
}

fn bad(text: &RelationText, error: &BadRelation) -> String {
    let Some(file) = &text.file else { return error.to_string() };
    let BadRelation { error, pointer, variables } = error;
    let (place, column, kind) = (text.place, error.column, &error.kind);
    format!(
        "{file}, {place}, column {column}: {kind}\n\n{pointer}\n\nvariables: {}",
        variables.join(", ")
    )
}

/// The relations of a text, one per line; what follows a `#` is a comment.
pub fn read_lines(
    file: &str,
    mut text: impl BufRead,
) -> impl Iterator<Item = Result<RelationText, RelationsError>> {
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
                return Some(Ok(RelationText { text: text.to_owned(), file: Some(file()), place }));
            }
        }
    })
}

/// The relations of a `relations.json`.
///
/// # Errors
/// When it has another form.
pub fn read_results(file: &str, text: impl Read) -> Result<Vec<RelationText>, RelationsError> {
    let text = io::read_to_string(text)
        .map_err(|source| RelationsError::Io { file: file.to_owned(), source })?;
    checksum::check(&text)
        .map_err(|source| RelationsError::Checksum { file: file.to_owned(), source })?;
    let results: RelationsFile = serde_json::from_str(&text)
        .map_err(|source| RelationsError::Results { file: file.to_owned(), source })?;
    let numbered = (1..).zip(results.relations);
    let texts = numbered.map(|(number, found)| RelationText {
        text: found.relation,
        file: Some(file.to_owned()),
        place: Place::Number(number),
    });
    Ok(texts.collect())
}

/// Reads relations over the variables of a schema.
///
/// # Errors
/// When a text is not a relation: the first such text, whatever the number of threads.
pub fn read_all(
    texts: &[RelationText],
    schema: &Schema,
    threads: &impl Threads,
) -> Result<Vec<Predicate>, RelationsError> {
    /// Far more than handing out a piece costs.
    const PIECE: usize = 64;
    type Piece<'t> = (&'t [RelationText], Vec<Result<Predicate, BadRelation>>);
    let mut pieces: Vec<Piece<'_>> = texts.chunks(PIECE).map(|texts| (texts, Vec::new())).collect();
    threads.for_each(&mut pieces, |(texts, read)| {
        read.extend(texts.iter().map(|text| relation::read(&text.text, schema)));
    });
    let read = pieces.into_iter().flat_map(|(_, read)| read);
    let relations = read.zip(texts).map(|(read, text)| {
        read.map_err(|error| RelationsError::Bad {
            text: Box::new(text.clone()),
            error: Box::new(error),
        })
    });
    relations.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_no_relations() {
        let text = "# all\n\na < b # why\n   # more\r\n  c\r\nlast";
        let read: Vec<(String, Place)> = read_lines("f", text.as_bytes())
            .map(|read| read.map(|relation| (relation.text, relation.place)).unwrap())
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
