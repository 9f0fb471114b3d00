//! Relations that a user names: a file, the folder of a run, standard input, or the text itself.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use genmorph::claims::{self, ClaimTexts, Claims, ClaimsError};
use genmorph::subject::kinds::Interface;

use super::subject::SubjectArgs;
use super::whole::cannot;
use super::{Failure, OrFailure};

/// The text that an argument names, after its name in messages.
pub(super) fn text(argument: &str) -> Result<(String, String), Failure> {
    if argument == "-" {
        let mut text = String::new();
        let read = io::stdin().lock().read_to_string(&mut text);
        read.map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))?;
        return Ok(("standard input".to_owned(), text));
    }
    if argument.contains("=>") && !Path::new(argument).exists() {
        return Ok(("the relation".to_owned(), argument.to_owned()));
    }
    let path = file(Path::new(argument))?;
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Input(format!(
            "there is no file or folder {argument}; a relation itself has an arrow, as in \
             'NumericAddition(1) on n => out_f >= out_s'"
        )),
        _ => cannot("read", &path, &error),
    })?;
    Ok((path.display().to_string(), text))
}

/// The file that a path stands for: itself, or the report of a run in its folder.
pub(super) fn file(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let report = path.join("report.json");
    if report.is_file() {
        return Ok(report);
    }
    let folder = path.display();
    Err(Failure::Input(format!(
        "{folder} is no folder of a run that has ended: it has no report.json"
    )))
}

/// The claims that a text makes of a function.
pub(super) fn read(
    name: &str,
    text: &str,
    signature: &Interface,
    asked: &SubjectArgs,
) -> Result<Claims, Failure> {
    let texts = claims::read_texts(name, text);
    let texts = texts.or_input()?;
    bind(name, &texts, signature, asked)
}

/// Binds claims to a function.
pub(super) fn bind(
    name: &str,
    texts: &ClaimTexts,
    signature: &Interface,
    asked: &SubjectArgs,
) -> Result<Claims, Failure> {
    texts.bind(name, signature).map_err(|error| {
        // The usual slip: the folder of a run is named, and its subject is not.
        let hint = match &error {
            ClaimsError::Function { .. } if asked.is_demo() => {
                "; name the subject after the relations"
            }
            _ => "",
        };
        Failure::Input(format!("{error}{hint}"))
    })
}
