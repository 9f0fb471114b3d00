//! Java methods as users define them in a `subject.toml`.
//!
//! ```toml
//! java = "com.google.common.base.Strings#padStart(String,int,char)"
//! maven = ["com.google.guava:guava:31.1-jre"]   # jars by their coordinates…
//! classpath = ["lib/other.jar", "classes"]       # …and by their path, from the folder of this file
//! parameters = ["s", "n", "c"]   # other names for the parameters
//! changed = []                   # arrays and lists that the method changes in place
//! inverse = "a.B#unpad(String)"  # or same_as, or then: a second method, which laws relate to this one
//!
//! [domain]                       # which inputs make sense; whatever is left out is not bounded
//! n = { range = [-5, 20] }
//! s = { min_len = 0, max_len = 12, alphabet = ["a-z", "A-Z", " ,.é"] }
//! c = { alphabet = "*0 " }
//! where = "n <= length(s)"       # what all inputs satisfy, over the parameters
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
use crate::subject::definition::SecondName;
use crate::subject::definition::given::{DomainSection, GivenCondition};
use crate::subject::definition::limits::Limits;
use crate::subject::{Domain, Identity, IdentityBuilder};

/// A method, and where its classes are.
#[derive(Clone, Debug, PartialEq)]
pub struct JavaDefinition {
    /// The text of the definition.
    pub text: String,
    /// Jars by their coordinates.
    pub maven: Vec<Coordinates>,
    /// The method, with the other jars.
    pub spec: JavaSpec,
    /// The second function, if it names one.
    pub second: Option<SecondName>,
    /// What all inputs satisfy.
    pub condition: Option<GivenCondition>,
}

/// A definition that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {message}", file.display())]
pub struct BadDefinition {
    /// The file that the definition is in.
    pub file: PathBuf,
    /// What is wrong with it.
    pub message: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DefinitionFile {
    java: String,
    #[serde(default)]
    maven: Vec<String>,
    #[serde(default)]
    classpath: Vec<PathBuf>,
    parameters: Option<Vec<String>>,
    changed: Option<Vec<String>>,
    inverse: Option<String>,
    same_as: Option<String>,
    then: Option<String>,
    #[serde(default)]
    domain: DomainSection<Limits>,
}

impl JavaDefinition {
    /// The definition of a method that flags name, with the jars and folders of its classes.
    pub fn of(
        method: MethodName,
        classpath: Vec<PathBuf>,
        maven: Vec<Coordinates>,
        domains: BTreeMap<String, Domain>,
    ) -> JavaDefinition {
        let spec = JavaSpec { method, classpath, names: None, changed: None, domains };
        JavaDefinition { text: spec.text(), maven, spec, second: None, condition: None }
    }

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
        let file: DefinitionFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let maven = file.maven.iter().map(|text| text.parse());
        let maven = maven.collect::<Result<Vec<Coordinates>, _>>();
        let mut domains = BTreeMap::new();
        let condition = file.domain.condition(text);
        for (name, limits) in file.domain.limits {
            let name = name.into_inner();
            let domain = limits.domain(&name)?;
            domains.insert(name, domain);
        }
        let method: MethodName =
            file.java.parse().map_err(|error: super::method::BadName| error.to_string())?;
        let spec = JavaSpec {
            method,
            classpath: file.classpath.iter().map(|path| folder.join(path)).collect(),
            names: file.parameters,
            changed: file.changed,
            domains,
        };
        let [inverse, same_as, then] = [&file.inverse, &file.same_as, &file.then];
        let second = SecondName::only(inverse.as_deref(), same_as.as_deref(), then.as_deref())?;
        Ok(JavaDefinition {
            text: text.to_owned(),
            maven: maven.map_err(|error| error.to_string())?,
            spec,
            second,
            condition,
        })
    }

    /// Gives parameters other domains than the file does.
    pub fn narrow(&mut self, domains: BTreeMap<String, Domain>) {
        self.spec.domains.extend(domains);
    }

    /// The identity of the subject that it defines.
    ///
    /// # Errors
    /// When a jar is nowhere, or a class cannot be read.
    pub fn identity(&self, repositories: &Repositories) -> Result<Identity, JvmError> {
        self.resolve(repositories)?.identity(&self.text)
    }

    /// The method with all its jars and those that they need.
    ///
    /// # Errors
    /// When a jar is nowhere.
    pub fn resolve(&self, repositories: &Repositories) -> Result<JavaSpec, JvmError> {
        self.resolve_all(repositories).map(|(spec, _)| spec)
    }

    /// The same, and the artifacts that they need and that are not on this machine.
    ///
    /// # Errors
    /// When a jar is nowhere.
    pub(super) fn resolve_all(
        &self,
        repositories: &Repositories,
    ) -> Result<(JavaSpec, Vec<Coordinates>), JvmError> {
        let mut spec = self.spec.clone();
        let mut absent: Vec<Coordinates> = Vec::new();
        for coordinates in &self.maven {
            let found = repositories.jars(coordinates)?;
            let is_new = |jar: &PathBuf| !self.spec.classpath.contains(jar);
            spec.classpath.extend(found.jars.into_iter().filter(is_new));
            absent.extend(found.absent);
        }
        let mut seen = Vec::new();
        spec.classpath.retain(|jar| {
            !seen.contains(jar) && {
                seen.push(jar.clone());
                true
            }
        });
        absent.sort();
        absent.dedup();
        Ok((spec, absent))
    }
}

impl JavaSpec {
    /// What a definition of the method would say, without where its classes are.
    pub(super) fn text(&self) -> String {
        let JavaSpec { method, classpath: _, names, changed, domains } = self;
        format!("{method}, parameters {names:?}, changed {changed:?}, domain {domains:?}")
    }

    /// The identity of the method, of which a definition has this text.
    pub(super) fn identity(&self, text: &str) -> Result<Identity, JvmError> {
        let mut identity = IdentityBuilder::new(text).domains(&self.domains);
        for path in &self.classpath {
            identity = identity.classes(path).map_err(|error| JvmError::ClassPath {
                path: path.clone(),
                message: error.to_string(),
            })?;
        }
        Ok(identity.finish())
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
