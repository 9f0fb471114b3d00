//! A module made ready to run: instrumented, with functions that run rows of inputs.
//!
//! ```text
//!  rows(from, to)   for each row: fuel and globals set, the function called, its result and fuel stored
//!  begin()          for a row with texts or lists: fuel and globals set, memory for each asked for
//!  save()           remembers the globals, as they are after the start
//! ```
//!
//! A row is words of eight bytes in the private memory: `[fuel][result][argument]…`. All of the module is encoded
//! once; a patch only replaces one body. Knows core types; what they stand for is `abi.rs`.

use std::ops::Range;

use wasm_encoder::{
    BlockType, ConstExpr, Encode, ExportKind, Function, HeapType, InstructionSink, MemArg, ValType,
};

use super::calls::{Calls, Effects};
use super::instrument::{Instrument, PAGE, encoded, private};
use super::module::{Module, Patch};
use super::sections::{Section, Sections, leb};

/// The most pages of 64 KiB that memory may have: 64 MiB.
pub(super) const MOST_PAGES: u32 = 1_024;
/// The pages for texts and lists, where the module has no allocator.
pub(super) const AREA: u32 = 4;
/// The pages that are there before a module that grows its memory asks for them. Growth up to here can be taken back;
/// after more an instance is made anew.
pub(super) const RESERVE: u32 = 8;

/// What is to be run.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The function.
    pub(super) export: u32,
    /// The allocator, if texts or lists go through one.
    pub(super) realloc: Option<u32>,
    /// The arguments that are pointers to memory: which one, and its alignment.
    pub(super) pointers: Vec<(usize, u32)>,
    /// The fuel for starting.
    pub(super) fuel: u64,
}

/// A module whose binary can be had, with any patch.
#[derive(Debug)]
pub(super) struct Build {
    before: Vec<u8>,
    after: Vec<u8>,
    /// The bodies of all functions, each with its length before it, and where each is.
    bodies: Vec<u8>,
    places: Vec<Range<usize>>,
    instrument: Instrument,
    /// Functions that are kept.
    live: Vec<bool>,
    /// Functions that run when an instance is made.
    starting: Vec<bool>,
    /// What is known of the module.
    pub(super) facts: Facts,
}

/// What a host has to know to run rows.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// The bytes of a row.
    pub(super) stride: usize,
    /// What rows do besides changing globals.
    pub(super) effects: Effects,
    /// Where texts and lists are put if there is no allocator.
    pub(super) area: Range<usize>,
    /// Whether the module has a memory.
    pub(super) memory: bool,
}

impl Facts {
    /// How many rows there is room for.
    pub(super) fn capacity(&self) -> usize {
        (private::SIZE - private::ROWS) as usize / self.stride
    }
}

impl Build {
    /// Encodes a module.
    pub(super) fn new(module: &Module, calls: &Calls, plan: &Plan) -> Build {
        let initialize = module.exported("_initialize").filter(|&function| {
            let function = &module.functions[function as usize];
            function.params.is_empty() && function.results.is_empty()
        });
        let roots = [Some(plan.export), plan.realloc].into_iter().flatten();
        let running = calls.reachable(roots.clone());
        let starting = calls.reachable(calls.start.into_iter().chain(initialize));
        let live: Vec<bool> = running.iter().zip(&starting).map(|(a, b)| a | b).collect();
        let effects = calls.effects(&running);

        let mut sections = Sections::of(module);
        let functions = module.functions.len() as u32;
        let globals = module.globals.len() as u32;
        let mutable: Vec<u32> = (0..globals).filter(|&g| module.globals[g as usize].1).collect();
        let memories = module.memories.len() as u32;
        let instrument = Instrument {
            fuel: globals,
            depth: globals + 1,
            pages: globals + 2,
            private: memories,
            grow: functions,
            wrote: functions + 1,
            cycles: calls.cycles(),
        };
        let declared = module.memories.first();
        let first_page = declared.map_or(0, |memory| memory.initial as u32);
        let bump = plan.realloc.is_none() && !plan.pointers.is_empty();
        let area = if bump { AREA } else { 0 };
        let reserve = if calls.effects(&live).grows { RESERVE } else { 0 };

        // Types: of `grow`, of `wrote` and `rows`, and of `begin` and `save`.
        let ty = |params: &[ValType], results: &[ValType]| {
            let mut bytes = vec![0x60];
            params.encode(&mut bytes);
            results.encode(&mut bytes);
            bytes
        };
        let (one, two) = (ty(&[ValType::I32], &[ValType::I32]), ty(&[ValType::I32; 2], &[]));
        let types = sections.append(Section::Types, &[one, two, ty(&[], &[])]);
        let added: Vec<Vec<u8>> = [0, 1, 1, 2, 2]
            .map(|nth: u32| {
                let mut bytes = Vec::new();
                leb(types + nth, &mut bytes);
                bytes
            })
            .to_vec();
        sections.append(Section::Functions, &added);

        let mut all_memories = Vec::new();
        leb(memories + 1, &mut all_memories);
        for (index, memory) in module.memories.iter().enumerate() {
            // The first one has no maximum: `grow` knows it.
            let more = if index == 0 { area + reserve } else { 0 };
            let maximum = memory.maximum.filter(|_| index != 0);
            all_memories.push(u8::from(maximum.is_some()));
            leb(memory.initial as u32 + more, &mut all_memories);
            maximum.iter().for_each(|&most| leb(most as u32, &mut all_memories));
        }
        all_memories.extend([0, (private::SIZE >> 16) as u8]);
        sections.set(Section::Memories, all_memories);

        let mut new_globals = vec![
            global(ValType::I64, &ConstExpr::i64_const(plan.fuel as i64)),
            global(ValType::I32, &ConstExpr::i32_const(0)),
            global(ValType::I32, &ConstExpr::i32_const((first_page + area) as i32)),
        ];
        // Where globals are remembered: in the order of the pairs below.
        let mut pairs = Vec::new();
        for index in mutable.into_iter().chain([instrument.pages]) {
            let types = module.globals.get(index as usize);
            let ty = types.map_or(ValType::I32, |&(ty, _)| encoded(ty));
            pairs.push((index, globals + new_globals.len() as u32));
            new_globals.push(global(ty, &zero(ty)));
        }
        sections.append(Section::Globals, &new_globals);

        let mut exports: Vec<(String, ExportKind, u32)> = vec![
            ("rows".into(), ExportKind::Func, functions + 2),
            ("begin".into(), ExportKind::Func, functions + 3),
            ("save".into(), ExportKind::Func, functions + 4),
            ("fuel".into(), ExportKind::Global, instrument.fuel),
            ("private".into(), ExportKind::Memory, instrument.private),
        ];
        exports.extend((0..memories).map(|m| (format!("memory{m}"), ExportKind::Memory, m)));
        // The host starts an instance, so that it can see how that ends.
        sections.remove(Section::Start);
        exports.extend(calls.start.map(|f| ("start".into(), ExportKind::Func, f)));
        exports.extend(initialize.map(|f| ("initialize".into(), ExportKind::Func, f)));
        // Code may refer only to functions that something outside of code mentions.
        let references = calls.references(&live).into_iter();
        exports.extend(references.map(|f| (format!("reference{f}"), ExportKind::Func, f)));
        let mut all_exports = Vec::new();
        leb(exports.len() as u32, &mut all_exports);
        for (name, kind, index) in &exports {
            name.as_str().encode(&mut all_exports);
            kind.encode(&mut all_exports);
            leb(*index, &mut all_exports);
        }
        sections.set(Section::Exports, all_exports);

        let function = &module.functions[plan.export as usize];
        let rows = Rows {
            instrument: &instrument,
            pairs: &pairs,
            params: function.params.iter().map(|&ty| encoded(ty)).collect(),
            result: function.results.first().map(|&ty| encoded(ty)),
            plan,
        };
        let limit = declared.and_then(|memory| memory.maximum).unwrap_or(u64::MAX);
        let limit = limit.saturating_add(u64::from(area)).min(u64::from(MOST_PAGES)) as u32;
        let stride = 8 * (2 + rows.params.len());
        let helpers = if declared.is_some() {
            let physical = first_page + area + reserve;
            [grow(&instrument, limit, physical), wrote(&instrument)]
        } else {
            [stub(), stub()]
        };
        let after = [rows.rows(stride), rows.begin(), rows.save()];

        let mut bodies = Vec::with_capacity(module.bytes.len());
        let mut places = Vec::with_capacity(module.functions.len() + 5);
        let mut push = |body: &[u8]| {
            let start = bodies.len();
            leb(body.len() as u32, &mut bodies);
            bodies.extend_from_slice(body);
            places.push(start..bodies.len());
        };
        for (index, live) in live.iter().enumerate() {
            push(&if *live { instrument.body(module, index, None) } else { stub() });
        }
        helpers.iter().chain(&after).for_each(|body| push(body));

        let (before, after) = sections.around_code();
        let facts = Facts {
            stride,
            effects,
            area: (first_page as usize) << 16..((first_page + area) as usize) << 16,
            memory: declared.is_some(),
        };
        Build { before, after, bodies, places, instrument, live, starting, facts }
    }

    /// The binary, with a patch.
    pub(super) fn binary(&self, module: &Module, patch: Option<&Patch>) -> Vec<u8> {
        let mut code = Vec::with_capacity(self.bodies.len() + 512);
        leb(self.places.len() as u32, &mut code);
        match patch.filter(|patch| self.live[patch.function as usize]) {
            None => code.extend_from_slice(&self.bodies),
            Some(patch) => {
                let place = &self.places[patch.function as usize];
                let body = self.instrument.body(module, patch.function as usize, Some(patch));
                code.extend_from_slice(&self.bodies[..place.start]);
                leb(body.len() as u32, &mut code);
                code.extend_from_slice(&body);
                code.extend_from_slice(&self.bodies[place.end..]);
            }
        }
        let mut binary = Vec::with_capacity(self.before.len() + code.len() + self.after.len() + 8);
        binary.extend_from_slice(&self.before);
        binary.push(Section::Code as u8);
        leb(code.len() as u32, &mut binary);
        binary.extend_from_slice(&code);
        binary.extend_from_slice(&self.after);
        binary
    }

    /// Whether a patch can change how an instance starts.
    pub(super) fn starts_otherwise(&self, patch: &Patch) -> bool {
        self.starting[patch.function as usize]
    }
}

/// The functions that run rows.
struct Rows<'r> {
    instrument: &'r Instrument,
    /// Globals, and where each is remembered.
    pairs: &'r [(u32, u32)],
    params: Vec<ValType>,
    result: Option<ValType>,
    plan: &'r Plan,
}

impl Rows<'_> {
    /// `rows(from, to)`.
    fn rows(&self, stride: usize) -> Vec<u8> {
        let (from, to, row) = (0, 1, 2);
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        code.block(BlockType::Empty).loop_(BlockType::Empty);
        code.local_get(from).local_get(to).i32_ge_u().br_if(1);
        code.i32_const(0).local_get(from).i32_store(self.instrument.memory(private::ROW, 2));
        code.local_get(from).i32_const(stride as i32).i32_mul().local_set(row);
        if self.plan.realloc.is_none() {
            self.reset(&mut code, row);
        }
        if self.result.is_some() {
            code.local_get(row);
        }
        for (i, ty) in self.params.iter().enumerate() {
            code.local_get(row);
            load(&mut code, *ty, self.word(2 + i));
        }
        code.call(self.plan.export);
        if let Some(ty) = self.result {
            store(&mut code, ty, self.word(1));
        }
        code.local_get(row).global_get(self.instrument.fuel).i64_store(self.word(0));
        code.local_get(from).i32_const(1).i32_add().local_set(from).br(0).end().end().end();
        function.into_raw_body()
    }

    /// `begin()`, for the first row. The word of a pointer has the bytes to allocate, and then the pointer.
    fn begin(&self) -> Vec<u8> {
        let row = 0;
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        self.reset(&mut code, row);
        for &(argument, align) in &self.plan.pointers {
            if let Some(realloc) = self.plan.realloc {
                let word = self.word(2 + argument);
                code.local_get(row);
                code.i32_const(0).i32_const(0).i32_const(align as i32);
                code.local_get(row).i32_load(word).call(realloc).i32_store(word);
            }
        }
        code.end();
        function.into_raw_body()
    }

    /// `save()`.
    fn save(&self) -> Vec<u8> {
        let mut function = Function::new([]);
        let mut code = function.instructions();
        for &(global, saved) in self.pairs {
            code.global_get(global).global_set(saved);
        }
        code.end();
        function.into_raw_body()
    }

    /// Sets fuel and globals for a row.
    fn reset(&self, code: &mut InstructionSink<'_>, row: u32) {
        code.local_get(row).i64_load(self.word(0)).global_set(self.instrument.fuel);
        code.i32_const(0).global_set(self.instrument.depth);
        for &(global, saved) in self.pairs {
            code.global_get(saved).global_set(global);
        }
    }

    /// A word of a row.
    fn word(&self, nth: usize) -> MemArg {
        self.instrument.memory(private::ROWS + 8 * nth as u64, 2)
    }
}

/// `grow(pages) -> pages before`, or -1. Costs a unit of fuel for every 4 KiB.
fn grow(instrument: &Instrument, limit: u32, physical: u32) -> Vec<u8> {
    let (more, fuel, before) = (0, 1, 2);
    let pages = instrument.pages;
    let mut function = Function::new([(1, ValType::I64), (1, ValType::I32)]);
    let mut code = function.instructions();
    instrument.charge(&mut code, fuel, |code| {
        code.local_get(more).i32_const(MOST_PAGES as i32);
        code.local_get(more).i32_const(MOST_PAGES as i32).i32_lt_u().select();
        code.i32_const(4).i32_shl().i64_extend_i32_u();
    });
    let refuse = |code: &mut InstructionSink<'_>| {
        instrument.flag(code, private::REFUSED);
        code.i32_const(-1).return_().end();
    };
    // No more than the limit, without wrapping; a memory that begins above it never grows.
    code.global_get(pages).local_set(before);
    code.local_get(before).i32_const(limit as i32).i32_gt_u();
    code.local_get(more).i32_const(limit as i32).local_get(before).i32_sub().i32_gt_u();
    code.i32_or().if_(BlockType::Empty);
    refuse(&mut code);
    code.local_get(before).local_get(more).i32_add().global_set(pages);
    code.global_get(pages).i32_const(physical as i32).i32_gt_u().if_(BlockType::Empty);
    code.global_get(pages).memory_size(0).i32_gt_u().if_(BlockType::Empty);
    instrument.flag(&mut code, private::GREW);
    code.global_get(pages).memory_size(0).i32_sub().memory_grow(0);
    code.i32_const(-1).i32_eq().if_(BlockType::Empty);
    code.local_get(before).global_set(pages);
    refuse(&mut code);
    code.end().end();
    code.local_get(before).end();
    function.into_raw_body()
}

/// `wrote(address, length)`. Costs a unit of fuel for every 64 bytes.
fn wrote(instrument: &Instrument) -> Vec<u8> {
    let (address, length, fuel) = (0, 1, 2);
    let mut function = Function::new([(1, ValType::I64)]);
    let mut code = function.instructions();
    instrument.charge(&mut code, fuel, |code| {
        code.local_get(length).i32_const(6).i32_shr_u().i64_extend_i32_u();
    });
    let page = PAGE as i32;
    // Marks from the page of the first byte to the page after the last one.
    code.local_get(address).i32_const(page).i32_shr_u();
    code.i32_const(private::MARKS as i32).i32_add();
    code.i32_const(1);
    code.local_get(address).local_get(length).i32_add();
    code.i32_const((1 << page) - 1).i32_add().i32_const(page).i32_shr_u();
    code.local_get(address).i32_const(page).i32_shr_u().i32_sub();
    code.memory_fill(instrument.private).end();
    function.into_raw_body()
}

/// A body that is never run.
fn stub() -> Vec<u8> {
    vec![0, 0x00, 0x0b]
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

fn load(code: &mut InstructionSink<'_>, ty: ValType, at: MemArg) {
    match ty {
        ValType::I64 => code.i64_load(at),
        ValType::F32 => code.f32_load(at),
        ValType::F64 => code.f64_load(at),
        _ => code.i32_load(at),
    };
}

fn store(code: &mut InstructionSink<'_>, ty: ValType, at: MemArg) {
    match ty {
        ValType::I64 => code.i64_store(at),
        ValType::F32 => code.f32_store(at),
        ValType::F64 => code.f64_store(at),
        _ => code.i32_store(at),
    };
}
