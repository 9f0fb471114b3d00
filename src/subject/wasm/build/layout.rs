//! Which functions of a module are kept, and where the parts are that are added to it.

use std::ops::Range;

use super::{AREA, MOST_PAGES, Plan, RESERVE};
use crate::subject::wasm::calls::Calls;
use crate::subject::wasm::instrument::Instrument;
use crate::subject::wasm::module::Module;

/// Which functions can be called, and when. Other functions get a body that is never run.
pub(super) struct Reach {
    /// Functions that a row can call.
    pub(super) running: Vec<bool>,
    /// Functions that run when an instance is made.
    pub(super) starting: Vec<bool>,
    /// Functions that are in one of the two lists.
    pub(super) live: Vec<bool>,
    /// `_initialize`, if the module exports it.
    pub(super) initialize: Option<u32>,
}

impl Reach {
    pub(super) fn of(module: &Module, calls: &Calls, plan: &Plan) -> Reach {
        let initialize = module.exported("_initialize").filter(|&function| {
            let function = &module.functions[function as usize];
            function.params.is_empty() && function.results.is_empty()
        });
        let running = calls.reachable([Some(plan.export), plan.realloc].into_iter().flatten());
        let starting = calls.reachable(calls.start.into_iter().chain(initialize));
        let live = running.iter().zip(&starting).map(|(a, b)| a | b).collect();
        Reach { running, starting, live, initialize }
    }
}

/// How much of everything the module has, so that what is added comes after it; and the pages of its first memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) functions: u32,
    pub(super) globals: u32,
    pub(super) memories: u32,
    pub(super) has_memory: bool,
    /// The pages that the module declares.
    pub(super) first_page: u32,
    /// The pages after them for texts and lists, if the module has no allocator.
    pub(super) area: u32,
    /// The pages after those, if the module grows its memory.
    pub(super) reserve: u32,
    /// The most pages that the module may ask for.
    pub(super) limit: u32,
}

impl Layout {
    pub(super) fn of(module: &Module, calls: &Calls, plan: &Plan, reach: &Reach) -> Layout {
        let declared = module.memories.first();
        let bump = plan.realloc.is_none() && !plan.pointers.is_empty();
        let area = if bump { AREA } else { 0 };
        let limit = declared.and_then(|memory| memory.maximum).unwrap_or(u64::MAX);
        Layout {
            functions: module.functions.len() as u32,
            globals: module.globals.len() as u32,
            memories: module.memories.len() as u32,
            has_memory: declared.is_some(),
            first_page: declared.map_or(0, |memory| memory.initial as u32),
            area,
            reserve: if calls.effects(&reach.live).grows { RESERVE } else { 0 },
            limit: limit.saturating_add(u64::from(area)).min(u64::from(MOST_PAGES)) as u32,
        }
    }

    /// Where the globals, memories and functions of ours are.
    pub(super) fn instrument(&self, calls: &Calls) -> Instrument {
        Instrument {
            fuel: self.globals,
            depth: self.globals + 1,
            pages: self.pages(),
            private: self.memories,
            grow: self.functions,
            wrote: self.functions + 1,
            cycles: calls.cycles(),
        }
    }

    /// The global that has the number of pages that the module sees.
    pub(super) fn pages(&self) -> u32 {
        self.globals + 2
    }

    /// The pages that are there from the beginning.
    pub(super) fn physical(&self) -> u32 {
        self.first_page + self.area + self.reserve
    }

    /// Where texts and lists are put, in bytes.
    pub(super) fn area_bytes(&self) -> Range<usize> {
        (self.first_page as usize) << 16..((self.first_page + self.area) as usize) << 16
    }
}
