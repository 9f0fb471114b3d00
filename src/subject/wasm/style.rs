//! Detects modules that were compiled in a way that makes poor mutants.
//!
//! Best is code with variables in locals and no further optimisation. Optimised code has unrolled loops and
//! inlined library functions; unoptimised code has all variables in memory. Both have thousands of mutants,
//! few of which are faults that an author would make.

use std::collections::BTreeMap;
use std::fmt;

use wasmparser::Operator;

use super::calls::Calls;
use super::error::WasmError;
use super::flow::{Flow, flows};
use super::lines::Lines;
use super::module::{Module, Patch};
use super::roles::{self, Role};
use super::scope::Scope;
use super::{abi, mutate};
use crate::subject::{Line, Mutant};

/// More mutants than this at one line and column cannot stem from the author's code; without columns, on one line.
const MOST_AT_A_PLACE: usize = 40;
/// With fewer accesses than this, nothing can be concluded about the compilation.
const FEWEST_ACCESSES: usize = 8;

/// A remark on how a module was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// It looks optimised: a place in the source has many mutants.
    Crowded {
        /// The place with the most mutants.
        line: Line,
        /// Number of mutants at that place.
        mutants: usize,
    },
    /// It looks optimised: library code was inlined.
    Inlined {
        /// A source file of a library.
        file: String,
        /// Number of mutants in files of libraries.
        mutants: usize,
        /// Number of mutants with a known line.
        of: usize,
    },
    /// It looks unoptimised: variables are in memory.
    Unpromoted {
        /// Number of memory accesses that are to variables.
        variables: usize,
        /// Number of all memory accesses.
        of: usize,
    },
    /// The module has no source lines.
    NoLines,
}

/// Compiler flags that make good mutants.
const FLAGS: &str = "\
     Rust: cargo rustc -- -C opt-level=1 -C no-prepopulate-passes -C passes=sroa,mem2reg -C debuginfo=2 -C panic=abort\n\
     C:    clang --target=wasm32 -O1 -Xclang -disable-llvm-passes -g -emit-llvm -c, opt -passes=sroa,mem2reg, \
     llc -O1 -filetype=obj, wasm-ld --no-entry --export-dynamic\n\
     AssemblyScript: asc -O0 --debug --runtime stub";

impl Remark {
    /// Whether it makes mutants poor; otherwise it is only worth knowing.
    pub fn is_warning(&self) -> bool {
        match self {
            Remark::Crowded { .. } | Remark::Inlined { .. } | Remark::Unpromoted { .. } => true,
            Remark::NoLines => false,
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Crowded { line, mutants } => write!(
                f,
                "the module looks optimised ({mutants} mutants at {line}), which makes poor mutants; \
                 compile it so that variables become locals and nothing else is done:\n{FLAGS}"
            ),
            Remark::Inlined { file, mutants, of } => write!(
                f,
                "library code is inlined ({mutants} of {of} mutants are in files such as {file}), which makes poor \
                 mutants; compile it so that variables become locals and nothing else is done:\n{FLAGS}"
            ),
            Remark::Unpromoted { variables, of } => write!(
                f,
                "the module looks unoptimised ({variables} of {of} accesses to memory are to variables), which makes \
                 poor mutants; compile it so that variables become locals and nothing else is done:\n{FLAGS}"
            ),
            Remark::NoLines => f.write_str(
                "the module has no source lines, so mutants are known by their offsets; compile it with -g (C, clang), \
                 -C debuginfo=2 (Rust)",
            ),
        }
    }
}

/// Remarks on the code of an exported function and of the functions that it calls.
///
/// # Errors
/// When the binary is not a module, or does not export the function.
pub fn remarks_on(binary: Vec<u8>, export: &str) -> Result<Vec<Remark>, WasmError> {
    let module = Module::parse(binary)?;
    let export = abi::find(&module, export)?;
    let scope = Scope::default().functions(&module, &Calls::of(&module), export, |_| None)?;
    Ok(remarks(&module, &scope, &mutate::mutants(&module, &scope)))
}

/// Remarks on a module, given the functions in scope and their mutants.
pub(super) fn remarks(
    module: &Module,
    scope: &[usize],
    mutants: &[(Mutant, Patch)],
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if Lines::new(module).is_empty() {
        remarks.push(Remark::NoLines);
    }
    let (variables, of) = accesses(module, scope);
    if of >= FEWEST_ACCESSES && 2 * variables > of {
        remarks.push(Remark::Unpromoted { variables, of });
    }
    let lines: Vec<&Line> = mutants.iter().filter_map(|(mutant, _)| mutant.line.as_ref()).collect();
    let library: Vec<&Line> = lines.iter().copied().filter(|line| is_library(&line.file)).collect();
    if let Some(line) = library.first()
        && 10 * library.len() > lines.len()
    {
        let (file, mutants, of) = (line.file.clone(), library.len(), lines.len());
        remarks.push(Remark::Inlined { file, mutants, of });
    }
    // Unoptimised code has many mutants on a line for another reason.
    if remarks.iter().all(|remark| !matches!(remark, Remark::Unpromoted { .. }))
        && let Some((line, mutants)) = crowded(mutants)
    {
        remarks.push(Remark::Crowded { line, mutants });
    }
    remarks
}

/// The place with the most mutants, if there are too many. Replaced variables do not count, because their
/// number depends on the number of variables.
fn crowded(mutants: &[(Mutant, Patch)]) -> Option<(Line, usize)> {
    let mut counts: BTreeMap<&Line, usize> = BTreeMap::new();
    for (mutant, _) in
        mutants.iter().filter(|(mutant, _)| !["UOI", "VRR"].contains(&mutant.operator))
    {
        if let Some(line) = &mutant.line {
            *counts.entry(line).or_default() += 1;
        }
    }
    // The first place with the maximum.
    let mut most: Option<(&Line, usize)> = None;
    for (line, count) in counts {
        if most.is_none_or(|(_, other)| count > other) {
            most = Some((line, count));
        }
    }
    let (line, count) = most?;
    (count > MOST_AT_A_PLACE).then(|| (line.clone(), count))
}

/// Whether a file belongs to a library that comes with a compiler.
fn is_library(file: &str) -> bool {
    let parts = ["library/", "core/src/", "alloc/src/", "std/src/", "~lib/", "compiler_builtins"];
    // Only the last three parts of such paths are known: `src/iter/range.rs`.
    let rust = [
        "iter",
        "slice",
        "str",
        "num",
        "ptr",
        "vec",
        "ops",
        "char",
        "cmp",
        "option.rs",
        "result.rs",
    ];
    let of_core = |rest: &str| rust.iter().any(|part| rest.split('/').next() == Some(*part));
    parts.iter().any(|part| file.contains(part))
        || file.strip_prefix("src/").is_some_and(|rest| rest.ends_with(".rs") && of_core(rest))
}

/// Number of memory accesses at fixed places of the frame, and of all accesses.
fn accesses(module: &Module, scope: &[usize]) -> (usize, usize) {
    let (mut variables, mut all) = (0, 0);
    for flow in flows(module, scope) {
        let roles = roles::roles(module, &flow);
        for at in flow.reachable().filter(|&at| roles::is_access(&flow.operators[at])) {
            all += 1;
            variables += usize::from(is_variable(&flow, &roles, at));
        }
    }
    (variables, all)
}

fn is_variable(flow: &Flow<'_>, roles: &[Role], access: usize) -> bool {
    let Some(address) = flow.operand(access, 0) else { return false };
    roles[address] == Role::Frame && !matches!(flow.operators[address], Operator::I32Const { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Group;
    use crate::subject::wasm::mutate;
    use crate::subject::wasm::testing::{FRAME, SORT, parse};

    fn of(text: &str) -> Vec<Remark> {
        let module = parse(text);
        remarks(&module, &[0], &mutate::mutants(&module, &[0]))
    }

    #[test]
    fn hand_written_code_has_no_lines_and_nothing_else() {
        assert_eq!(of(SORT), [Remark::NoLines]);
        assert_eq!(of(FRAME), [Remark::NoLines], "too few accesses to tell");
    }

    #[test]
    fn variables_in_memory_are_noticed() {
        let store = "(i32.store offset=12 (local.get $fp) (local.get $x))".repeat(9);
        let text = FRAME.replace("(i32.store offset=12 (local.get $fp) (local.get $x))", &store);
        let remarks = of(&text);
        assert_eq!(remarks[1], Remark::Unpromoted { variables: 12, of: 12 });
        assert!(remarks[1].is_warning() && remarks[1].to_string().contains("sroa,mem2reg"));
    }

    #[test]
    fn crowded_lines_and_inlined_libraries_are_noticed() {
        let module = parse(SORT);
        let line = |file: &str, line| Some(Line { file: file.into(), line, column: 1 });
        let mutant = |line: Option<Line>| {
            let mutant = Mutant {
                name: String::new(),
                group: Group::A,
                operator: "AOR",
                function: String::new(),
                offset: 0,
                line,
                change: String::new(),
            };
            (mutant, Patch { function: 0, locals: Vec::new(), edits: Vec::new() })
        };
        let mut mutants: Vec<(Mutant, Patch)> = (0..41).map(|_| mutant(line("f.c", 7))).collect();
        mutants.extend((0..9).map(|i| mutant(line("src/iter/range.rs", i))));
        let remarks = remarks(&module, &[0], &mutants);
        let crowded = Line { file: "f.c".into(), line: 7, column: 1 };
        let expected = [
            Remark::NoLines,
            Remark::Inlined { file: "src/iter/range.rs".into(), mutants: 9, of: 50 },
            Remark::Crowded { line: crowded, mutants: 41 },
        ];
        assert_eq!(remarks, expected);
    }
}
