//! Chooses the functions of a module that are mutated and traced.

use super::calls::Calls;
use super::error::{WasmError, nearest};
use super::module::Module;

/// The functions that are mutated. If no names are given: all that the exported function can call, except
/// those that are known to come with a compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Functions, by their names.
    pub functions: Vec<String>,
    /// Source files, by their names or the ends of their paths.
    pub files: Vec<String>,
}

/// Functions that come with compilers and their libraries.
const LIBRARY: [&str; 18] = [
    "abort",
    "calloc",
    "free",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "realloc",
    "sbrk",
    "strlen",
    "strcmp",
    "strcpy",
    "strncmp",
    "bcmp",
    "rust_begin_unwind",
    "rust_panic",
];
/// Prefixes of the names of other library functions.
const PREFIXES: [&str; 11] = [
    "__",
    "_ZN4core",
    "_ZN5alloc",
    "_ZN3std",
    "_ZN8dlmalloc",
    "cabi_",
    "core::",
    "alloc::",
    "std::",
    "dlmalloc",
    "~lib/",
];
/// Substrings of the names of other library functions.
const PARTS: [&str; 8] = [
    "dlmalloc::",
    "compiler_builtins",
    "wit_bindgen",
    " as core::",
    " as alloc::",
    "$LT$core..",
    "$LT$alloc..",
    "$LT$std..",
];

impl Scope {
    /// Sorts names as a user writes them: a name with a dot or slash and without a colon is a file.
    pub fn named(names: &[String]) -> Scope {
        let is_file = |name: &&String| name.contains(['.', '/']) && !name.contains("::");
        let (files, functions) = names.iter().partition::<Vec<&String>, _>(is_file);
        let owned = |names: Vec<&String>| names.into_iter().cloned().collect();
        Scope { functions: owned(functions), files: owned(files) }
    }

    /// The indices of the functions, in order. `file` returns the source file of a function if it is known.
    pub(super) fn functions(
        &self,
        module: &Module,
        calls: &Calls,
        export: u32,
        file: impl Fn(usize) -> Option<String>,
    ) -> Result<Vec<usize>, WasmError> {
        let reachable = calls.reachable([export]);
        let reachable: Vec<usize> = (0..reachable.len()).filter(|&f| reachable[f]).collect();
        let name = |f: usize| module.functions[f].name.as_str();
        let exported = || name(export as usize).to_owned();
        for wanted in &self.functions {
            if !reachable.iter().any(|&f| name(f) == wanted) {
                let functions = nearest(wanted, reachable.iter().map(|&f| name(f)));
                let error =
                    WasmError::Scope { name: wanted.clone(), export: exported(), functions };
                return Err(error);
            }
        }
        let files: Vec<Option<String>> = if self.files.is_empty() {
            vec![None; reachable.len()]
        } else {
            reachable.iter().map(|&f| file(f)).collect()
        };
        for wanted in &self.files {
            if !files.iter().flatten().any(|file| is_from(file, wanted)) {
                return Err(WasmError::ScopeFile { file: wanted.clone(), export: exported() });
            }
        }
        let everything = self.functions.is_empty() && self.files.is_empty();
        let chosen = reachable.into_iter().zip(files).filter(|(f, file)| {
            let named = self.functions.iter().any(|wanted| wanted == name(*f));
            let placed = file.iter().any(|file| self.files.iter().any(|end| is_from(file, end)));
            let own = everything && (*f == export as usize || !is_library(name(*f)));
            named || placed || own
        });
        Ok(chosen.map(|(f, _)| f).collect())
    }
}

/// Whether a function comes with a compiler, judged by its name.
pub(super) fn is_library(name: &str) -> bool {
    // Methods of a trait begin with the type: `<alloc::vec::Vec<T> as …>`.
    let plain = name.trim_start_matches('<').trim_start_matches('&');
    LIBRARY.contains(&plain)
        || PREFIXES.iter().any(|prefix| plain.starts_with(prefix))
        || PARTS.iter().any(|part| plain.contains(part))
}

/// Whether a path equals or ends with a file that the user named.
fn is_from(path: &str, wanted: &str) -> bool {
    let before = path.strip_suffix(wanted);
    before.is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(scope: &Scope) -> Result<Vec<usize>, WasmError> {
        let text = r#"(module
            (func $pad (export "pad") call $helper call $malloc)
            (func $helper call $core::fmt::write)
            (func $malloc) (func $core::fmt::write) (func $other))"#;
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        let file = |f: usize| Some(["src/pad.c", "src/help.c", "lib/malloc.c"].get(f)?.to_string());
        scope.functions(&module, &Calls::of(&module), 0, file)
    }

    #[test]
    fn what_comes_with_a_compiler_is_left_alone() {
        assert_eq!(scope(&Scope::default()), Ok(vec![0, 1]));
        for name in ["<alloc::vec::Vec<T> as core::ops::Drop>::drop", "~lib/rt/stub/__new"] {
            assert!(is_library(name), "{name}");
        }
        assert!(!is_library("freeze") && !is_library("pow"));
    }

    #[test]
    fn functions_and_files_can_be_named() {
        let named = |functions: &[&str], files: &[&str]| {
            let own = |names: &[&str]| names.iter().map(ToString::to_string).collect();
            scope(&Scope { functions: own(functions), files: own(files) })
        };
        assert_eq!(named(&["malloc"], &[]), Ok(vec![2]));
        assert_eq!(named(&["pad"], &["help.c"]), Ok(vec![0, 1]));
        assert!(matches!(named(&["helpr"], &[]), Err(WasmError::Scope { .. })));
        assert!(matches!(named(&[], &["p.c"]), Err(WasmError::ScopeFile { .. })));
    }
}
