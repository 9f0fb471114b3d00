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
//!
//! | file | has |
//! |---|---|
//! | `layout.rs` | which functions are kept, and where the added parts are |
//! | `declare.rs` | the added types, memories, globals and exports |
//! | `rows.rs` | the bodies of `rows`, `begin` and `save` |
//! | `memory.rs` | the bodies of `grow` and `wrote`, which stand for growing memory and writing many bytes |

mod declare;
mod layout;
mod memory;
mod rows;

use std::ops::Range;

use self::layout::{Layout, Reach};
use self::rows::Rows;
use super::calls::{Calls, Effects};
use super::instrument::{Instrument, encoded, private};
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
    /// The function that is called for every row.
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
    /// Encodes a module with all that is added to it.
    pub(super) fn new(module: &Module, calls: &Calls, plan: &Plan) -> Build {
        let reach = Reach::of(module, calls, plan);
        let layout = Layout::of(module, calls, plan, &reach);
        let instrument = layout.instrument(calls);
        let mut sections = Sections::of(module);
        declare::functions(&mut sections);
        declare::memories(&mut sections, module, &layout);
        let pairs = declare::globals(&mut sections, module, &layout, plan.fuel);
        declare::exports(&mut sections, calls, &layout, &reach);
        let function = &module.functions[plan.export as usize];
        let rows = Rows {
            instrument: &instrument,
            pairs: &pairs,
            params: function.params.iter().map(|&ty| encoded(ty)).collect(),
            result: function.results.first().map(|&ty| encoded(ty)),
            plan,
        };
        let (bodies, places) = bodies(module, &layout, &reach, &rows);
        let (before, after) = sections.around_code();
        let facts = Facts {
            stride: rows.stride(),
            effects: calls.effects(&reach.running),
            area: layout.area_bytes(),
            memory: layout.has_memory,
        };
        let Reach { live, starting, .. } = reach;
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

/// The bodies of all functions, each with its length before it, and where each is: first those of the module, then ours
/// in the order in which they are declared.
fn bodies(
    module: &Module,
    layout: &Layout,
    reach: &Reach,
    rows: &Rows<'_>,
) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut bodies = Vec::with_capacity(module.bytes.len());
    let mut places = Vec::with_capacity(module.functions.len() + 5);
    let mut push = |body: &[u8]| {
        let start = bodies.len();
        leb(body.len() as u32, &mut bodies);
        bodies.extend_from_slice(body);
        places.push(start..bodies.len());
    };
    for (index, live) in reach.live.iter().enumerate() {
        push(&if *live { rows.instrument.body(module, index, None) } else { memory::stub() });
    }
    let own = memory::bodies(rows.instrument, layout);
    own.iter().chain(&[rows.rows(), rows.begin(), rows.save()]).for_each(|body| push(body));
    (bodies, places)
}
