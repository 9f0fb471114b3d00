//! Errors about functions of a module that cannot be run, with advice.

use super::build::MOST_PAGES;
use super::module::ModuleError;
use crate::subject::Outcome;
use crate::support::spelling;

/// Reasons why a function of a module cannot be a subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WasmError {
    /// The module cannot be used at all.
    #[error(transparent)]
    Module(#[from] ModuleError),
    /// The module does not export the function.
    #[error("the module exports no function `{name}`; {}", listed(.exports))]
    NoExport {
        /// Name of the requested function.
        name: String,
        /// Names of the exported functions, the most similar first.
        exports: Vec<String>,
    },
    /// The declared signature does not fit the function.
    #[error("`{name}` is declared as {declared}, which is {expected}, but the module has {found}")]
    Signature {
        /// Name of the function.
        name: String,
        /// The signature that was declared.
        declared: String,
        /// Core type of the declared signature.
        expected: String,
        /// Core type of the function in the module.
        found: String,
    },
    /// There are more parameters than the canonical ABI passes directly.
    #[error(
        "`{name}` has too many parameters: {flat} core values, where a string or list counts twice; \
         at most 16 are possible"
    )]
    TooManyParameters {
        /// Name of the function.
        name: String,
        /// Number of core values as which its parameters are passed.
        flat: usize,
    },
    /// There are strings or lists, but the module has no memory.
    #[error(
        "`{name}` takes or returns strings or lists, but the module has no memory to put them in"
    )]
    NoMemory {
        /// Name of the function.
        name: String,
    },
    /// The module has several memories.
    #[error("the module has {0} memories: genmorph runs modules with at most one")]
    Memories(usize),
    /// The module starts with too much memory.
    #[error(
        "the module begins with {0} pages of memory, and may have {MOST_PAGES} at most (64 MiB): \
         link it with a smaller stack or smaller static data"
    )]
    LargeMemory(u64),
    /// `cabi_realloc` has another type than the canonical ABI requires.
    #[error(
        "the module exports `cabi_realloc` as {0}, but it must be (i32, i32, i32, i32) -> i32: \
         old pointer, old size, alignment, new size"
    )]
    Allocator(String),
    /// A parameter that is not a list is declared as changed in place.
    #[error("the parameter `{0}` cannot be changed in place: only lists can")]
    Unchangeable(String),
    /// The scope names a function that the subject does not call.
    #[error("the scope names `{name}`, but `{export}` calls no such function; {}", listed(.functions))]
    Scope {
        /// Name of the function in the scope.
        name: String,
        /// Name of the function that is run.
        export: String,
        /// Names of the functions that it can call.
        functions: Vec<String>,
    },
    /// The scope names a source file from which the subject calls no function.
    #[error(
        "the scope names the file `{file}`, but no function that `{export}` calls is from there"
    )]
    ScopeFile {
        /// Name of the file in the scope.
        file: String,
        /// Name of the function that is run.
        export: String,
    },
    /// The module fails before the function is called.
    #[error("the module cannot be started: it {0}")]
    Start(Outcome),
    /// The engine refuses the module.
    #[error("the engine does not run this module: {0}")]
    Engine(String),
}

/// Lists names for people.
fn listed(names: &[String]) -> String {
    /// Longer lists do not help.
    const MOST: usize = 12;
    if names.is_empty() {
        return "there are none".into();
    }
    let quoted: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("there are {}{more}", quoted.join(", "))
}

/// Sorts names, the most similar to `name` first.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut names: Vec<(usize, &str)> =
        names.map(|other| (spelling::distance(name, other), other)).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_comes_first() {
        assert_eq!(nearest("pwo", ["memcpy", "power", "pow"].into_iter())[0], "pow");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..15).map(|i| format!("f{i}")).collect();
        assert!(listed(&names).ends_with("`f11` and 3 more"));
    }
}
