//! Which functions of a crate are meant: all, the public ones, those of a module, or those that a diff changes.

use std::path::PathBuf;

use genmorph::subject::rust::{CrateListing, ListedFunction};

use super::super::super::{Failure, whole};
use super::diff;

/// What was asked for instead of one function.
#[derive(Clone, Debug, Default, clap::Args)]
pub(in crate::cli::cargo) struct Choice {
    /// All functions of the crate, within one --budget: a page with a line for each, and a test file for each module
    #[arg(long, conflicts_with_all = ["public", "in_diff", "subject"])]
    all: bool,

    /// The same, of the functions that other crates can call
    #[arg(long, conflicts_with_all = ["in_diff", "subject"])]
    public: bool,

    /// The same, of the functions that a diff changes, such as the output of `git diff main`
    #[arg(long, value_name = "FILE", conflicts_with = "subject")]
    in_diff: Option<PathBuf>,

    /// The module or the type whose functions are meant.
    #[arg(skip)]
    within: Option<String>,
}

impl Choice {
    /// Whether flags ask for several functions.
    pub(in crate::cli::cargo) fn is_made(&self) -> bool {
        self.all || self.public || self.in_diff.is_some()
    }

    /// The functions of a module or a type.
    pub(in crate::cli::cargo) fn within(path: &str) -> Choice {
        Choice { within: Some(path.to_owned()), ..Choice::default() }
    }

    /// The functions that are meant, the first to be run first.
    pub(super) fn of(&self, listing: &CrateListing) -> Result<Vec<ListedFunction>, Failure> {
        let all = listing.functions().into_iter().cloned();
        let chosen: Vec<ListedFunction> = match (&self.in_diff, &self.within) {
            (Some(file), _) => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| whole::cannot("read", file, &error))?;
                let changes = diff::read(&text)
                    .map_err(|message| Failure::Input(format!("{}: {message}", file.display())))?;
                let chosen: Vec<_> =
                    all.filter(|function| diff::changes(&changes, function)).collect();
                if chosen.is_empty() {
                    return Err(Failure::Input(format!(
                        "{} changes no function of {}; it is about {}",
                        file.display(),
                        listing.package().name,
                        diff::named(&changes)
                    )));
                }
                chosen
            }
            (None, Some(within)) => all.filter(|function| is_within(function, within)).collect(),
            (None, None) if self.public => all.filter(|function| function.is_public).collect(),
            (None, None) => all.collect(),
        };
        if chosen.is_empty() {
            return Err(Failure::Input(format!(
                "{} has no such functions; `cargo genmorph` without a name lists what there is",
                listing.package().name
            )));
        }
        Ok(chosen)
    }
}

/// Whether a function is in the module or of the type that a path names.
fn is_within(function: &ListedFunction, path: &str) -> bool {
    let path = path.trim_end_matches('*').trim_end_matches("::").trim_start_matches("crate::");
    let inside = |whole: &str| whole.strip_prefix(path).is_some_and(|rest| rest.starts_with("::"));
    inside(&function.path)
        || function.path.match_indices("::").any(|(at, _)| inside(&function.path[at + 2..]))
}

/// Whether a path names a module or a type with functions, and no function.
pub(in crate::cli::cargo) fn is_group(listing: &CrateListing, path: &str) -> bool {
    let functions = listing.functions();
    let ends = |function: &ListedFunction| {
        function.path == path || function.path.ends_with(&format!("::{path}"))
    };
    !functions.iter().any(|function| ends(function))
        && functions.iter().any(|function| is_within(function, path))
}
