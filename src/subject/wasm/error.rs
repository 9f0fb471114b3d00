//! Why a function of a module cannot be run, and what to do about it.

use super::build::MOST_PAGES;
use super::module::ModuleError;
use crate::subject::{Outcome, spelling};

/// Why a function of a module cannot be a subject.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WasmError {
    /// The module cannot be used at all.
    #[error(transparent)]
    Module(#[from] ModuleError),
    /// The function is not exported.
    #[error("the module exports no function `{name}`; {}", listed(.exports))]
    NoExport {
        /// The name that was asked for.
        name: String,
        /// The functions that are exported, the nearest name first.
        exports: Vec<String>,
    },
    /// The declared signature does not fit the function.
    #[error("`{name}` is declared as {declared}, which is {expected}, but the module has {found}")]
    Signature {
        /// The function.
        name: String,
        /// The signature that was declared.
        declared: String,
        /// Its core type.
        expected: String,
        /// The core type of the function.
        found: String,
    },
    /// More parameters than the canonical ABI passes one by one.
    #[error(
        "`{name}` has too many parameters: {flat} core values, where a text or list counts twice; \
         at most 16 are possible"
    )]
    TooManyParameters {
        /// The function.
        name: String,
        /// How many core values its parameters are.
        flat: usize,
    },
    /// Texts and lists need a memory.
    #[error("`{name}` takes or gives texts or lists, but the module has no memory to put them in")]
    NoMemory {
        /// The function.
        name: String,
    },
    /// Which memory would it be?
    #[error("the module has {0} memories: genmorph runs modules with at most one")]
    Memories(usize),
    /// Too much memory from the start.
    #[error(
        "the module begins with {0} pages of memory, and may have {MOST_PAGES} at most (64 MiB): \
         link it with a smaller stack or smaller static data"
    )]
    LargeMemory(u64),
    /// An allocator of another form.
    #[error(
        "the module exports `cabi_realloc` as {0}, but it must be (i32, i32, i32, i32) -> i32: \
         old pointer, old size, alignment, new size"
    )]
    Allocator(String),
    /// Only lists can be changed in place.
    #[error("the parameter `{0}` cannot be changed in place: only lists can")]
    Unchangeable(String),
    /// A function in the scope that there is not.
    #[error("the scope names `{name}`, but `{export}` calls no such function; {}", listed(.functions))]
    Scope {
        /// What the scope says.
        name: String,
        /// The function that is run.
        export: String,
        /// The functions that it can call.
        functions: Vec<String>,
    },
    /// A source file in the scope that there is not.
    #[error(
        "the scope names the file `{file}`, but no function that `{export}` calls is from there"
    )]
    ScopeFile {
        /// What the scope says.
        file: String,
        /// The function that is run.
        export: String,
    },
    /// It does not come as far as the function.
    #[error("the module cannot be started: it {0}")]
    Start(Outcome),
    /// The engine does not take it.
    #[error("the engine does not run this module: {0}")]
    Engine(String),
}

/// A list of names for people.
fn listed(names: &[String]) -> String {
    /// More names help nobody.
    const MOST: usize = 12;
    if names.is_empty() {
        return "there are none".into();
    }
    let quoted: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("there are {}{more}", quoted.join(", "))
}

/// Names, the one that is most like `name` first.
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
