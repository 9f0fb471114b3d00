//! What is declared besides what the module declares: types, functions, memories, globals and exports.

use wasm_encoder::{ConstExpr, Encode, ExportKind, HeapType, ValType};

use super::layout::{Layout, Reach};
use crate::subject::wasm::calls::Calls;
use crate::subject::wasm::instrument::{encoded, private};
use crate::subject::wasm::module::Module;
use crate::subject::wasm::sections::{Section, Sections, leb};

/// Declares `grow`, `wrote`, `rows`, `begin` and `save`, in this order.
pub(super) fn functions(sections: &mut Sections) {
    let ty = |params: &[ValType], results: &[ValType]| {
        let mut bytes = vec![0x60];
        params.encode(&mut bytes);
        results.encode(&mut bytes);
        bytes
    };
    let (one, two) = (ty(&[ValType::I32], &[ValType::I32]), ty(&[ValType::I32; 2], &[]));
    let types = sections.append(Section::Types, &[one, two, ty(&[], &[])]);
    let added = [0, 1, 1, 2, 2].map(|nth: u32| {
        let mut bytes = Vec::new();
        leb(types + nth, &mut bytes);
        bytes
    });
    sections.append(Section::Functions, &added);
}

/// Gives the first memory its additional pages, and adds the private one.
pub(super) fn memories(sections: &mut Sections, module: &Module, layout: &Layout) {
    let mut all = Vec::new();
    leb(layout.memories + 1, &mut all);
    for (index, memory) in module.memories.iter().enumerate() {
        // The first one has no maximum: `grow` knows it.
        let more = if index == 0 { layout.area + layout.reserve } else { 0 };
        let maximum = memory.maximum.filter(|_| index != 0);
        all.push(u8::from(maximum.is_some()));
        leb(memory.initial as u32 + more, &mut all);
        maximum.iter().for_each(|&most| leb(most as u32, &mut all));
    }
    all.extend([0, (private::SIZE >> 16) as u8]);
    sections.set(Section::Memories, all);
}

/// Adds the globals of ours: fuel, depth, pages, and one for each global that can change, which remembers its value
/// after the start. Returns the pairs of a global and the one that remembers it.
pub(super) fn globals(
    sections: &mut Sections,
    module: &Module,
    layout: &Layout,
    fuel: u64,
) -> Vec<(u32, u32)> {
    let mut added = vec![
        global(ValType::I64, &ConstExpr::i64_const(fuel as i64)),
        global(ValType::I32, &ConstExpr::i32_const(0)),
        global(ValType::I32, &ConstExpr::i32_const((layout.first_page + layout.area) as i32)),
    ];
    let mut pairs = Vec::new();
    let mutable = (0..layout.globals).filter(|&g| module.globals[g as usize].1);
    for index in mutable.chain([layout.pages()]) {
        let types = module.globals.get(index as usize);
        let ty = types.map_or(ValType::I32, |&(ty, _)| encoded(ty));
        pairs.push((index, layout.globals + added.len() as u32));
        added.push(global(ty, &zero(ty)));
    }
    sections.append(Section::Globals, &added);
    pairs
}

/// Exports what the host needs instead of what the module exports.
pub(super) fn exports(sections: &mut Sections, calls: &Calls, layout: &Layout, reach: &Reach) {
    let functions = layout.functions;
    let mut exports: Vec<(String, ExportKind, u32)> = vec![
        ("rows".into(), ExportKind::Func, functions + 2),
        ("begin".into(), ExportKind::Func, functions + 3),
        ("save".into(), ExportKind::Func, functions + 4),
        ("fuel".into(), ExportKind::Global, layout.globals),
        ("private".into(), ExportKind::Memory, layout.memories),
    ];
    exports.extend((0..layout.memories).map(|m| (format!("memory{m}"), ExportKind::Memory, m)));
    // The host starts an instance, so that it can see how that ends.
    sections.remove(Section::Start);
    exports.extend(calls.start.map(|f| ("start".into(), ExportKind::Func, f)));
    exports.extend(reach.initialize.map(|f| ("initialize".into(), ExportKind::Func, f)));
    // Code may refer only to functions that something outside of code mentions.
    let references = calls.references(&reach.live).into_iter();
    exports.extend(references.map(|f| (format!("reference{f}"), ExportKind::Func, f)));
    let mut all = Vec::new();
    leb(exports.len() as u32, &mut all);
    for (name, kind, index) in &exports {
        name.as_str().encode(&mut all);
        kind.encode(&mut all);
        leb(*index, &mut all);
    }
    sections.set(Section::Exports, all);
}

/// A global that can change.
fn global(ty: ValType, value: &ConstExpr) -> Vec<u8> {
    let mut bytes = Vec::new();
    ty.encode(&mut bytes);
    bytes.push(1);
    value.encode(&mut bytes);
    bytes
}

fn zero(ty: ValType) -> ConstExpr {
    match ty {
        ValType::I32 => ConstExpr::i32_const(0),
        ValType::I64 => ConstExpr::i64_const(0),
        ValType::F32 => ConstExpr::f32_const(0.0),
        ValType::F64 => ConstExpr::f64_const(0.0),
        ValType::V128 => ConstExpr::v128_const(0),
        ValType::Ref(ty) => ConstExpr::ref_null(if ty == wasm_encoder::RefType::EXTERNREF {
            HeapType::EXTERN
        } else {
            HeapType::FUNC
        }),
    }
}
