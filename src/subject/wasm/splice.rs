//! Assembles modules with patched functions and further memories.
//!
//! Copies sections that do not change. Adds neither fuel nor restoring of memory.

use wasmparser::{Parser, Payload, ValType};

use super::module::{Module, Patch};
use super::sections::leb;

/// Memories to add after the existing ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Addition {
    /// Number of pages of each memory.
    pub(super) pages: Vec<u32>,
    /// The name under which the last of them is exported.
    pub(super) name: &'static str,
}

/// The instructions of a patched function.
pub(super) fn code(module: &Module, patch: &Patch) -> Vec<u8> {
    let places = &module.functions[patch.function as usize].code;
    let bytes = |from: usize, to: usize| &module.bytes[places[from] as usize..places[to] as usize];
    let mut code = Vec::with_capacity(bytes(0, places.len() - 1).len() + 32);
    let mut done = 0;
    for edit in &patch.edits {
        code.extend_from_slice(bytes(done, edit.at.start));
        code.extend_from_slice(&edit.with);
        done = edit.at.end;
    }
    code.extend_from_slice(bytes(done, places.len() - 1));
    code
}

/// The body of a patched function: the types of its locals, and its code.
pub(super) fn body(module: &Module, patch: &Patch) -> Vec<u8> {
    let function = &module.functions[patch.function as usize];
    let locals = &module.bytes[function.body as usize..function.code[0] as usize];
    let mut reader = wasmparser::BinaryReader::new(locals, 0);
    let groups = reader.read_var_u32().expect("the module is valid");
    let mut body = Vec::new();
    leb(groups + patch.locals.len() as u32, &mut body);
    body.extend_from_slice(&locals[reader.original_position()..]);
    for &ty in &patch.locals {
        body.extend([1, type_byte(ty)]);
    }
    body.extend(code(module, patch));
    body
}

/// A module with patched functions; at most one patch per function.
pub(super) fn module(module: &Module, patches: &[Patch], addition: Option<&Addition>) -> Vec<u8> {
    const MEMORY: u8 = 5;
    const EXPORT: u8 = 7;
    /// The position of each section by its id: tags (13) follow memories, the data count (12) follows elements.
    const ORDER: [u8; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 11, 6];
    let mut out = module.bytes[..8].to_vec();
    let mut todo = vec![];
    if let Some(Addition { pages, name }) = addition {
        let mut memories = Vec::new();
        for &pages in pages {
            memories.push(0);
            leb(pages, &mut memories);
        }
        let mut export = Vec::new();
        leb(name.len() as u32, &mut export);
        export.extend_from_slice(name.as_bytes());
        export.push(2);
        leb((module.memories.len() + pages.len() - 1) as u32, &mut export);
        todo = vec![(EXPORT, 1, export), (MEMORY, pages.len() as u32, memories)];
    }
    for payload in Parser::new(0).parse_all(&module.bytes) {
        let payload = payload.expect("the module is valid");
        let Some((id, range)) = payload.as_section() else { continue };
        let after = |(new, _, _): &(u8, _, _)| ORDER[usize::from(*new)] < ORDER[usize::from(id)];
        while id != 0 && todo.last().is_some_and(after) {
            let (id, count, entries) = todo.pop().expect("it has a last");
            let mut number = Vec::new();
            leb(count, &mut number);
            section(&mut out, id, &[&number, &entries]);
        }
        if todo.last().is_some_and(|(new, _, _)| *new == id) {
            let (_, more, entries) = todo.pop().expect("it has a last");
            let mut reader = wasmparser::BinaryReader::new(&module.bytes[range.clone()], 0);
            let count = reader.read_var_u32().expect("the module is valid");
            let mut number = Vec::new();
            leb(count + more, &mut number);
            let rest = &module.bytes[range.start + reader.original_position()..range.end];
            section(&mut out, id, &[&number, rest, &entries]);
        } else if let Payload::CodeSectionStart { .. } = payload {
            section(&mut out, id, &[&functions(module, patches)]);
        } else {
            section(&mut out, id, &[&module.bytes[range]]);
        }
    }
    out
}

/// The content of the code section.
fn functions(module: &Module, patches: &[Patch]) -> Vec<u8> {
    let mut functions = Vec::new();
    leb(module.functions.len() as u32, &mut functions);
    for (index, function) in module.functions.iter().enumerate() {
        let patch = patches.iter().find(|patch| patch.function as usize == index);
        let patched = patch.map(|patch| body(module, patch));
        let end = function.code[function.code.len() - 1] as usize;
        let body = patched.as_deref().unwrap_or(&module.bytes[function.body as usize..end]);
        leb(body.len() as u32, &mut functions);
        functions.extend_from_slice(body);
    }
    functions
}

fn section(out: &mut Vec<u8>, id: u8, parts: &[&[u8]]) {
    out.push(id);
    leb(parts.iter().map(|part| part.len() as u32).sum(), out);
    parts.iter().for_each(|part| out.extend_from_slice(part));
}

fn type_byte(ty: ValType) -> u8 {
    match ty {
        ValType::I32 => 0x7f,
        ValType::I64 => 0x7e,
        ValType::F32 => 0x7d,
        ValType::F64 => 0x7c,
        ValType::V128 | ValType::Ref(_) => unreachable!("patches keep numbers only"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::wasm::module::Edit;

    #[test]
    fn a_patched_module_with_another_memory_is_valid() {
        for text in [
            "(module (func (export \"f\") (param i32) (result i32) (local i64) local.get 0))",
            "(module (memory 1) (global (mut i32) (i32.const 0))
               (func (param i32) (result i32) local.get 0) (data (i32.const 0) \"x\"))",
        ] {
            let parsed = Module::parse(wat::parse_str(text).unwrap()).unwrap();
            let patch = Patch {
                function: 0,
                locals: vec![ValType::F64, ValType::I32],
                edits: vec![Edit {
                    at: 1..1,
                    with: vec![0x22, parsed.functions[0].locals.len() as u8 + 2],
                }],
            };
            let same = module(&parsed, &[], None);
            assert_eq!(Module::parse(same).unwrap().functions[0].code.len(), 3);
            let addition = Addition { pages: vec![0, 2], name: "more" };
            let changed = Module::parse(module(&parsed, &[patch], Some(&addition))).unwrap();
            assert_eq!(changed.functions[0].code.len(), 4);
            assert_eq!(changed.memories.len(), parsed.memories.len() + 2);
            assert!(changed.exports.iter().any(|export| export.0 == "more"));
        }
    }
}
