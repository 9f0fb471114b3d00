//! Python functions as users define them in a `subject.toml`.
//!
//! ```toml
//! python = "textwrap:fill"        # or "package.module:Class.method"
//! path = ["src"]                  # folders that modules are imported from, from the folder of this file
//!
//! [with]                          # types, where the function says none
//! text = "str"
//! width = "int"
//!
//! [domain]                        # which inputs make sense; whatever is left out is not bounded
//! width = { range = [1, 100] }
//! text = { max_len = 40, alphabet = ["a-z", " "] }
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::PythonError;
use super::name::FunctionName;
use super::subject::{PythonSpec, PythonSubject, Runtime};
use crate::subject::Domain;
use crate::subject::definition::given::{DomainSection, GivenCondition};
use crate::subject::definition::limits::Limits;

/// A function, and where it is imported from.
#[derive(Clone, Debug, PartialEq)]
pub struct PythonDefinition {
    /// The text of the definition.
    pub text: String,
    /// The function.
    pub spec: PythonSpec,
    /// The condition on inputs, if it has one.
    pub condition: Option<GivenCondition>,
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", file.display())]
pub struct BadPythonDefinition {
    /// The file that the definition is in.
    pub file: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DefinitionFile {
    python: String,
    #[serde(default)]
    path: Vec<PathBuf>,
    #[serde(default)]
    with: toml::Table,
    #[serde(default)]
    domain: DomainSection<Limits>,
}

impl PythonDefinition {
    /// The definition of a function that flags name.
    pub fn of(spec: PythonSpec) -> PythonDefinition {
        PythonDefinition { text: spec.text(), spec, condition: None }
    }

    /// Reads a definition.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it makes no sense.
    pub fn read(path: impl AsRef<Path>) -> Result<PythonDefinition, BadPythonDefinition> {
        let path = path.as_ref();
        let failed = |message| BadPythonDefinition { file: path.to_owned(), message };
        let text = fs::read_to_string(path)
            .map_err(|error| failed(format!("cannot read the definition of a subject: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        PythonDefinition::parse(&text, folder).map_err(failed)
    }

    /// A definition in a file of that folder, which modules are imported from as well.
    fn parse(text: &str, folder: &Path) -> Result<PythonDefinition, String> {
        let file: DefinitionFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let name: FunctionName =
            file.python.parse().map_err(|error: super::name::BadName| error.to_string())?;
        let mut with = Vec::new();
        for (name, ty) in &file.with {
            let ty = ty.as_str().ok_or_else(|| {
                format!("`{name}` in [with] is a type in quotation marks, such as \"int\"")
            })?;
            with.push((name.clone(), ty.to_owned()));
        }
        let condition = file.domain.condition(text);
        let mut domains = BTreeMap::new();
        for (name, limits) in file.domain.limits {
            let name = name.into_inner();
            let domain = limits.domain(&name)?;
            domains.insert(name, domain);
        }
        let paths = file.path.iter().map(|path| folder.join(path)).chain([folder.to_owned()]);
        let spec = PythonSpec { name, paths: paths.collect(), with, domains };
        Ok(PythonDefinition { text: text.to_owned(), spec, condition })
    }

    /// Takes the domains that flags name in place of those of the file.
    pub fn narrow(&mut self, domains: BTreeMap<String, Domain>) {
        if !domains.is_empty() {
            self.text += &format!("\n# {domains:?}");
            self.spec.domains.extend(domains);
        }
    }

    /// The function, ready to be run.
    ///
    /// # Errors
    /// When [`PythonSubject::new`] fails.
    pub fn subject(&self, runtime: &Runtime) -> Result<PythonSubject, PythonError> {
        PythonSubject::defined(&self.spec, &self.text, runtime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_which_function_and_which_inputs() {
        let text = "python = \"a.b:f\"\npath = [\"src\"]\n[with]\ny = \"int\"\nx = \"list[float]\"\n\
                    [domain]\ny = { range = [-1, 5] }";
        let definition = PythonDefinition::parse(text, Path::new("here")).unwrap();
        let spec = definition.spec;
        assert_eq!(spec.name.to_string(), "a.b:f");
        assert_eq!(spec.paths, [Path::new("here/src"), Path::new("here")]);
        assert_eq!(spec.with.len(), 2);
        assert_eq!(spec.domains["y"].range, Some((-1.0, 5.0)));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("path = []", "missing field `python`"),
            ("python = \"f\"", "`f` names no Python function"),
            ("python = \"a:f\"\npyhton = 1", "unknown field `pyhton`"),
            ("python = \"a:f\"\n[with]\nx = 1", "a type in quotation marks"),
        ] {
            let error = PythonDefinition::parse(text, Path::new("")).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
