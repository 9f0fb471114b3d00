//! Relations of a Java method as a JUnit test class, in Java 8.
//!
//! ```text
//!  relations, pairs ─► class ─── language     spellings, literals, types and statements
//! ```
//!
//! A test calls the method twice and asserts the relation between the calls. Nothing that the method throws is caught: a
//! crash fails the test as a wrong value does. Knows no files and no processes.

mod class;
mod language;

use std::path::PathBuf;

use genmorph_jit::Tolerance;

pub use self::class::Test;
pub use self::language::{JAVA, plain};
pub use super::Part;
use crate::subject::jvm::{Element, JvmSubject, Reach};

/// The version of JUnit that a class is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 4: a test per relation, which goes through the inputs.
    Four,
    /// JUnit 5 (Jupiter): a parameterised test per relation.
    #[default]
    Five,
}

/// What is asserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asserted {
    /// The relation.
    #[default]
    Relation,
    /// Nothing: what fails such a test, any test would find.
    Nothing,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Style<'s> {
    /// The version of JUnit.
    pub junit: Junit,
    /// What is asserted.
    pub asserted: Asserted,
    /// The package of the test, if not that of the method.
    pub package: Option<&'s str>,
    /// The name of the class, if not that of the method and `GenmorphTest`.
    pub name: Option<&'s str>,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// Where relations and inputs come from, for the head of the file; a line each.
    pub origin: Vec<String>,
}

/// A test class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Its file, from the root of the sources.
    pub path: PathBuf,
    /// Its source.
    pub source: String,
    /// Its name, with the package.
    pub class: String,
    /// Its tests.
    pub tests: Vec<Test>,
}

/// Relations that cannot be a test class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JavaError {
    /// The package is no place to call the method from.
    #[error(
        "{method} can be called from its own package only: leave out --package, or put the test into {package}"
    )]
    Package {
        /// The method.
        method: String,
        /// Its package.
        package: String,
    },
    /// A text that names no package or class.
    #[error("`{0}` is no name of a Java package or class")]
    Name(String),
    /// Nothing to be tested.
    #[error("there is no relation with a pair of inputs to try it on")]
    Nothing,
    /// Java has no conversion for it.
    #[error("{transformation} exchanges parameters of types that Java does not convert: {types}")]
    Exchange {
        /// The transformation.
        transformation: String,
        /// The types.
        types: String,
    },
}

/// The test class of relations of a method. Parts without pairs or relations are left out.
///
/// # Errors
/// When nothing is left, or the class could not call the method.
pub fn suite(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<Suite, JavaError> {
    let method = subject.method();
    let home = match method.class.rsplit_once('/') {
        Some((package, _)) => package.replace('/', "."),
        None => String::new(),
    };
    let package = style.package.unwrap_or(&home);
    for name in package.split('.').filter(|_| !package.is_empty()).chain(style.name) {
        let plain = |c: char| c.is_alphanumeric() || "_$".contains(c);
        if name.is_empty() || !name.chars().all(plain) || name.starts_with(|c: char| c.is_numeric())
        {
            return Err(JavaError::Name(name.to_owned()));
        }
    }
    let is_home = package == home;
    let reached = match method.access.reach {
        Reach::Reflection => true,
        Reach::Package => is_home,
        // A class without a package cannot be named in one.
        Reach::Everywhere => is_home || !home.is_empty(),
    };
    if !reached {
        let package = if home.is_empty() { "the unnamed package".to_owned() } else { home };
        return Err(JavaError::Package { method: method.to_string(), package });
    }
    class::write(subject, parts, style, &class::Place { package, home: &home })
}

/// Whether a method has arrays or lists of texts, which relations know by numbers only.
pub fn has_texts(subject: &JvmSubject) -> bool {
    let method = subject.method();
    let mut types = method.parameters.iter().chain(&method.result);
    types.any(|ty| ty.element == Element::Text)
}
