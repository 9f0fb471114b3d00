//! Relations of a Java method as a JUnit test class, in Java 8.
//!
//! ```text
//!  relations, pairs ─► class ─┬─ body         the statements of a test
//!                             └─ language     spellings, literals, types and statements
//!  laws, pairs ──────► laws ──── drawn        the inputs that a test draws
//! ```
//!
//! A test calls the method twice and asserts the relation between the calls. Nothing that the method throws is caught: a
//! crash fails the test as a wrong value does. Knows no files and no processes.

mod body;
mod class;
mod declared;
mod drawn;
mod language;
mod laws;
mod sequence;

use std::path::PathBuf;

use genmorph_jit::Tolerance;

pub use self::class::Test;
pub use self::language::{JAVA, plain};
pub use super::Part;
use crate::subject::jvm::{Element, JvmSubject, Reach};
use crate::subject::{Signature, Subject};

/// The version of JUnit that a class is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 4: a test per relation, which goes through the inputs.
    Four,
    /// JUnit 5 (Jupiter): a parameterised test per relation.
    #[default]
    Five,
}

/// What the tests of a class assert.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Assertion {
    /// That the relation holds.
    #[default]
    Relation,
    /// Nothing: such a test fails only where the function throws, as any other test would.
    Nothing,
}

/// What a test class should look like.
#[derive(Clone, Debug)]
pub struct Style<'s> {
    /// The version of JUnit that runs the class.
    pub junit: Junit,
    /// What the tests assert.
    pub assertion: Assertion,
    /// The package of the class; by default that of the method.
    pub package: Option<&'s str>,
    /// The name of the class; by default that of the method, with `GenmorphTest`.
    pub name: Option<&'s str>,
    /// The tolerance within which two numbers are equal.
    pub tolerance: Tolerance,
    /// The origin of relations and inputs, as lines at the head of the file.
    pub origin: Vec<String>,
}

/// A test class for JUnit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The path of its file, from the root of the sources.
    pub path: PathBuf,
    /// The text of its file.
    pub source: String,
    /// The name of the class, with the package.
    pub class: String,
    /// The tests of the class, one per relation.
    pub tests: Vec<Test>,
}

/// Why relations cannot become a test class.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JavaError {
    /// The method cannot be called from the package.
    #[error(
        "{method} can be called from its own package only: leave out --package, or put the test into {package}"
    )]
    Package {
        /// The method that the tests call.
        method: String,
        /// The package of the method.
        package: String,
    },
    /// The text is not a name of a package or class.
    #[error("`{0}` is not a name of a Java package or class")]
    Name(String),
    /// No relation has a pair of inputs.
    #[error("there is no relation with a pair of inputs to try it on")]
    Nothing,
    /// Java does not convert between types of parameters that are exchanged or computed with.
    #[error("{transformation} needs a conversion between types that Java does not have: {types}")]
    Exchange {
        /// The transformation that would need it.
        transformation: String,
        /// The types of the parameters.
        types: String,
    },
}

/// Writes laws of a method as a test class: a short test for each, named after it. Parts without pairs or relations are left out.
///
/// Methods with arrays or lists of texts, and more examples than a class holds, get the longer tests of [`suite`].
///
/// # Errors
/// When no test is left, or the class could not call the method.
pub fn laws(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<Suite, JavaError> {
    let signature = subject.signature();
    placed(subject, style, |place| match laws::are_short(subject, signature, parts) {
        true => laws::write(subject, signature, parts, style, place),
        false => class::write(subject, parts, style, place),
    })
}

/// Writes laws of the outcomes of a method as a test class of its own, which catches what the method throws; `signature` is that of its
/// outcomes. None if the laws cannot be short tests.
///
/// # Errors
/// When no test is left, or the class could not call the method.
pub fn outcomes(
    subject: &JvmSubject,
    signature: &Signature,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<Option<Suite>, JavaError> {
    if !laws::are_short(subject, signature, parts) {
        return Ok(None);
    }
    placed(subject, style, |place| laws::write(subject, signature, parts, style, place)).map(Some)
}

/// Writes relations of a method as a test class. Parts without pairs or relations are left out.
///
/// # Errors
/// When no test is left, or the class could not call the method.
pub fn suite(
    subject: &JvmSubject,
    parts: &[Part<'_>],
    style: &Style<'_>,
) -> Result<Suite, JavaError> {
    placed(subject, style, |place| class::write(subject, parts, style, place))
}

/// Writes a class where the style wants it, if the method can be called from there.
fn placed(
    subject: &JvmSubject,
    style: &Style<'_>,
    write: impl FnOnce(&class::Place<'_>) -> Result<Suite, JavaError>,
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
    write(&class::Place { package, home: &home })
}

/// Whether a method has arrays or lists of texts, whose elements are numbers in relations.
pub fn has_texts(subject: &JvmSubject) -> bool {
    let method = subject.method();
    let mut types = method.parameters.iter().chain(&method.result);
    types.any(|ty| ty.element == Element::Text)
}
