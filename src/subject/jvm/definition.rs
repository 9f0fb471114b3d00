//! Java methods as users define them in a `subject.toml`.
//!
//! ```toml
//! java = "com.google.common.base.Strings#padStart(String,int,char)"
//! maven = ["com.google.guava:guava:31.1-jre"]   # jars by their coordinates…
//! classpath = ["lib/other.jar", "classes"]       # …and by their path, from the folder of this file
//! parameters = ["s", "n", "c"]   # other names for the parameters
//! changed = []                   # arrays and lists that the method changes in place
//!
//! [domain]                       # which inputs make sense; whatever is left out is not bounded
//! n = { range = [-5, 20] }
//! s = { min_len = 0, max_len = 12, alphabet = ["a-z", "A-Z", " ,.é"] }
//! c = { alphabet = "*0 " }
//! ```
//!
//! Reads the file; looks for no jar and runs nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::JvmError;
use super::maven::{Coordinates, Repositories};
use super::method::MethodName;
use super::subject::JavaSpec;
use crate::subject::definition::limits::Limits;

/// A method, and where its classes are.
#[derive(Clone, Debug, PartialEq)]
pub struct JavaDefinition {
    /// Jars by their coordinates.
    pub maven: Vec<Coordinates>,
    /// The method, with the other jars.
    pub spec: JavaSpec,
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", file.display())]
pub struct BadDefinition {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    java: String,
    #[serde(default)]
    maven: Vec<String>,
    #[serde(default)]
    classpath: Vec<PathBuf>,
    parameters: Option<Vec<String>>,
    changed: Option<Vec<String>>,
    #[serde(default)]
    domain: BTreeMap<String, Limits>,
}

impl JavaDefinition {
    /// Reads a definition.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it makes no sense.
    pub fn read(path: impl AsRef<Path>) -> Result<JavaDefinition, BadDefinition> {
        let path = path.as_ref();
        let failed = |message| BadDefinition { file: path.to_owned(), message };
        let text = fs::read_to_string(path)
            .map_err(|error| failed(format!("cannot read the definition of a subject: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        JavaDefinition::parse(&text, folder).map_err(failed)
    }

    /// A definition in a file of that folder.
    fn parse(text: &str, folder: &Path) -> Result<JavaDefinition, String> {
        let written: Written = toml::from_str(text).map_err(|error| error.to_string())?;
        let maven = written.maven.iter().map(|text| text.parse());
        let maven = maven.collect::<Result<Vec<Coordinates>, _>>();
        let mut domains = BTreeMap::new();
        for (name, limits) in written.domain {
            let domain = limits.domain(&name)?;
            domains.insert(name, domain);
        }
        let method: MethodName =
            written.java.parse().map_err(|error: super::method::BadName| error.to_string())?;
        let spec = JavaSpec {
            method,
            classpath: written.classpath.iter().map(|path| folder.join(path)).collect(),
            names: written.parameters,
            changed: written.changed,
            domains,
        };
        Ok(JavaDefinition { maven: maven.map_err(|error| error.to_string())?, spec })
    }

    /// The method with all its jars.
    ///
    /// # Errors
    /// When a jar is nowhere.
    pub fn resolve(&self, repositories: &Repositories) -> Result<JavaSpec, JvmError> {
        let mut spec = self.spec.clone();
        for coordinates in &self.maven {
            spec.classpath.push(repositories.jar(coordinates)?);
        }
        Ok(spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_which_method_and_which_inputs() {
        let text = r#"
            java = "a.B#f(String,int)"
            maven = ["g:a:1"]
            classpath = ["lib/x.jar"]
            parameters = ["s", "n"]
            [domain]
            s = { max_len = 3, alphabet = ["a-c", "-x"] }
            n = { range = [-1, 5] }
        "#;
        let definition = JavaDefinition::parse(text, Path::new("here")).unwrap();
        assert_eq!(definition.maven[0].to_string(), "g:a:1");
        let spec = definition.spec;
        assert_eq!(spec.method.to_string(), "a.B#f(String, int)");
        assert_eq!(spec.classpath, [Path::new("here/lib/x.jar")]);
        assert_eq!(spec.domains["s"].alphabet, Some(vec!['-', 'a', 'b', 'c', 'x']));
        assert_eq!(spec.domains["n"].range, Some((-1.0, 5.0)));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("maven = []", "missing field `java`"),
            ("java = \"f\"", "`f` names no Java method"),
            ("java = \"A#f\"\njva = 1", "unknown field `jva`"),
            ("java = \"A#f\"\nmaven = [\"a:b\"]", "`a:b` are no Maven coordinates"),
            ("java = \"A#f\"\n[domain]\nx = { alphabet = [\"z-a\"] }", "the range `z-a` is empty"),
        ] {
            let error = JavaDefinition::parse(text, Path::new("")).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
