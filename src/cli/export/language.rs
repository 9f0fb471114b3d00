//! The languages of tests, and the names of their files.

use std::path::Path;

/// A language that tests can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Language {
    /// A JUnit class, for JUnit 4 or 5
    Java,
    /// An integration test of a crate, with proptest
    Rust,
    /// A module for pytest and Hypothesis
    Python,
}

impl Language {
    /// The language of a file, by its extension.
    pub(super) fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "rs" => Some(Language::Rust),
            "py" => Some(Language::Python),
            _ => None,
        }
    }

    /// The name of the test file of a function.
    pub(super) fn file(self, function: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let plain: String = function.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        match self {
            Language::Java => format!("{plain}.java"),
            Language::Rust => format!("genmorph_{plain}.rs"),
            Language::Python => format!("test_genmorph_{plain}.py"),
        }
    }
}
