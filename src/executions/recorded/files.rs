//! The files of a recording and the records in them: one execution each, in the paper's format.
//!
//! ```text
//! {"systemId": "pow@original", "testId": "test100",
//!  "variables": {"inputs": {"k": -128.0, "e": 2.0}, "outputs": {"return": 16384.0}}}
//! ```
//! One record per line (`.ndjson`, `.jsonl`), or any number of records in a file, also as a list (`.json`).
//! NaN and infinities are written as Python writes them, or as strings.

use std::borrow::Cow;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{CollectError, Place, Problem};
use crate::support::numbers::NOT_IN_JSON;

/// A record as written in a file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    pub(super) system_id: String,
    pub(super) test_id: String,
    pub(super) variables: Variables,
    /// Present if the execution threw; its content is ignored.
    #[serde(default)]
    pub(super) exception: Option<serde_json::Value>,
    /// The kind of error that the execution ended with, instead of outputs.
    #[serde(default)]
    pub(super) threw: Option<String>,
}

/// Inputs and outputs of an execution.
#[derive(Debug, Deserialize)]
pub(super) struct Variables {
    pub(super) inputs: Fields,
    #[serde(default)]
    pub(super) outputs: Option<Fields>,
}

/// The members of an object in their order; a name that occurs twice is an error.
#[derive(Debug)]
pub(super) struct Fields(pub(super) Vec<(String, serde_json::Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a value for every variable")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
                let mut fields: Vec<(String, serde_json::Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, _>()? {
                    if fields.iter().any(|(other, _)| *other == name) {
                        return Err(M::Error::custom(format!("`{name}` occurs twice")));
                    }
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The files of a recording: the file itself, or all recordings in a folder and its subfolders, sorted.
pub(super) fn find(path: &Path) -> Result<Vec<PathBuf>, CollectError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| CollectError::Io { path, source }
    };
    if !fs::metadata(path).map_err(failed(path))?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(failed(&folder))? {
            let entry = entry.map_err(failed(&folder))?;
            let path = entry.path();
            // A link to a folder could lead in a circle.
            let kind = entry.file_type().map_err(failed(&path))?;
            if kind.is_dir() {
                folders.push(path);
            } else if is_recording(&path) {
                files.push(path);
            }
        }
    }
    if files.is_empty() {
        return Err(CollectError::NoFiles(path.to_owned()));
    }
    files.sort();
    Ok(files)
}

fn is_recording(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    !hidden && ["ndjson", "jsonl", "json"].contains(&extension)
}

/// Calls `each` with every record of a file and its line.
pub(super) fn read(
    path: &Path,
    mut each: impl FnMut(Record, Place) -> Result<(), CollectError>,
) -> Result<(), CollectError> {
    let failed = |source| CollectError::Io { path: path.to_owned(), source };
    let place = |line| Place { file: path.to_owned(), line };
    if path.extension().is_some_and(|extension| extension == "json") {
        let bytes = fs::read(path).map_err(failed)?;
        let text = utf8(&bytes, || place(1))?;
        return each_in_text(&quote_numbers(text), place, each);
    }
    let mut file = BufReader::new(File::open(path).map_err(failed)?);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if read_line(&mut file, &mut bytes).map_err(failed)? == 0 {
            break;
        }
        let text = utf8(&bytes, || place(line))?;
        if !text.trim().is_empty() {
            let record = record(&quote_numbers(text))
                .map_err(|(problem, _)| CollectError::Record { place: place(line), problem })?;
            each(record, place(line))?;
        }
    }
    Ok(())
}

fn read_line(file: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    file.read_until(b'\n', bytes)
}

fn utf8(bytes: &[u8], place: impl Fn() -> Place) -> Result<&str, CollectError> {
    // Some editors write a byte order mark first.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        let place = place();
        let place = Place { line: place.line + line, ..place };
        CollectError::Record { place, problem: Problem::NotUtf8 }
    })
}

/// Reads the records of a text: one after the other, or in a list.
fn each_in_text(
    text: &str,
    place: impl Fn(usize) -> Place,
    mut each: impl FnMut(Record, Place) -> Result<(), CollectError>,
) -> Result<(), CollectError> {
    let line_of = |offset: usize| 1 + text[..offset].matches('\n').count();
    let wrong = |line: usize, problem| CollectError::Record { place: place(line), problem };
    let mut one = |piece: &str, offset: usize| {
        // The record begins after the white space of the piece.
        let offset = offset + piece.len() - piece.trim_start().len();
        let line = line_of(offset);
        let record = record(piece.trim_start())
            .map_err(|(problem, further)| wrong(line + further - 1, problem))?;
        each(record, place(line))
    };
    if text.trim_start().starts_with('[') {
        let pieces: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| {
            let (problem, line) = json(&error);
            wrong(line, problem)
        })?;
        return pieces.iter().try_for_each(|piece| {
            // The piece is a slice of the text.
            let offset = piece.get().as_ptr().addr() - text.as_ptr().addr();
            one(piece.get(), offset)
        });
    }
    let stream = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    for piece in stream {
        let piece = piece.map_err(|error| {
            let (problem, line) = json(&error);
            wrong(line, problem)
        })?;
        one(piece.get(), piece.get().as_ptr().addr() - text.as_ptr().addr())?;
    }
    Ok(())
}

/// Reads one record; an error comes with the line of the problem within the record.
fn record(text: &str) -> Result<Record, (Problem, usize)> {
    serde_json::from_str(text).map_err(|error| json(&error))
}

fn json(error: &serde_json::Error) -> (Problem, usize) {
    let message = error.to_string();
    let message = message.rfind(" at line ").map_or(message.as_str(), |end| &message[..end]);
    (Problem::Json { column: error.column(), message: message.to_owned() }, error.line().max(1))
}

/// Puts bare `NaN`, `Infinity` and `-Infinity` into quotes.
fn quote_numbers(text: &str) -> Cow<'_, str> {
    if !text.contains("NaN") && !text.contains("Infinity") {
        return Cow::Borrowed(text);
    }
    let mut quoted = String::with_capacity(text.len() + 16);
    let (mut rest, mut inside) = (text, false);
    while let Some(c) = rest.chars().next() {
        let bare = NOT_IN_JSON.iter().find(|(name, _)| !inside && rest.starts_with(name));
        if let Some((name, _)) = bare {
            quoted.push('"');
            quoted.push_str(name);
            quoted.push('"');
            rest = &rest[name.len()..];
            continue;
        }
        let mut length = c.len_utf8();
        if inside && c == '\\' {
            length += rest[1..].chars().next().map_or(0, char::len_utf8);
        } else if c == '"' {
            inside = !inside;
        }
        quoted.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_names_of_numbers_are_quoted() {
        for (text, expected) in [
            (r#"{"x": NaN}"#, r#"{"x": "NaN"}"#),
            (r#"[-Infinity,Infinity]"#, r#"["-Infinity","Infinity"]"#),
            (r#"{"NaN": "a \" NaN", "y": "\\"}"#, r#"{"NaN": "a \" NaN", "y": "\\"}"#),
            (r#""NaN \é"#, r#""NaN \é"#),
            (r#""NaN\"#, r#""NaN\"#),
        ] {
            assert_eq!(quote_numbers(text), expected);
        }
    }
}
