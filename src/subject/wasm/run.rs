//! Runs rows of inputs in an instance, and undoes the effects of each row before the next.
//!
//! Functions that write no memory run many rows in one call of the engine: the code around them resets the
//! globals. After other functions the marked memory pages are copied back; effects that cannot be undone
//! (growth beyond the reserve, changed tables) require a new instance. `abi.rs` converts values to words and
//! bytes, `engine/` runs them.

use std::sync::Arc;

use genmorph_jit::{Column, Value};
use std::borrow::Cow;

use super::abi::{self, Abi, InvalidValue};
use super::build::Facts;
use super::engine::{Code, Fault, Instance, Loader};
use super::instrument::{PAGE, private};
use crate::subject::deadline::Stopwatch;
use crate::subject::{Deadline, Inputs, Outcome, Outcomes, Type};

/// Loaded code, and the initial content of its memory.
pub(super) struct Program {
    code: Code,
    /// The memory after the start function.
    memory: Arc<[u8]>,
}

/// An instance in its initial state.
pub(super) struct Machine {
    instance: Instance,
    scratch: Scratch,
}

/// Buffers for the strings and lists of a row.
#[derive(Default)]
struct Scratch {
    /// The bytes of all arguments in memory, one after the other.
    bytes: Vec<u8>,
    /// For each argument, its index, the end of its bytes, its length, and its address in memory.
    lists: Vec<List>,
    /// The elements of each output.
    outputs: Vec<Vec<f64>>,
    /// The pages to which a row wrote.
    pages: Vec<usize>,
}

/// A string or list among the arguments of a row.
struct List {
    argument: usize,
    end: usize,
    length: usize,
    pointer: usize,
}

/// Reasons why a program cannot run at all.
pub(super) enum Unready {
    /// The engine refuses the binary.
    Engine(String),
    /// The start function fails.
    Start(Outcome),
}

/// A call of the function for many rows.
pub(super) struct Call<'c> {
    pub(super) abi: &'c Abi,
    pub(super) facts: &'c Facts,
    pub(super) inputs: &'c Inputs,
    /// The fuel that a row may use.
    pub(super) limit: &'c dyn Fn(usize) -> u64,
    /// Rows that are left when it is over are not run.
    pub(super) deadline: &'c Deadline,
    /// Whether calls that run out of fuel are those of the original, which could do with less.
    pub(super) is_original: bool,
}

/// Rows of the first batch, if there is a deadline.
const FIRST: usize = 16;
/// The fuel of a batch, about, if there is a deadline: some milliseconds.
const ENOUGH: u64 = 200_000;

impl Call<'_> {
    /// Notes a call that came to nothing.
    fn note(&self, stopwatch: &mut Stopwatch, outcome: Outcome) {
        let time = stopwatch.lap();
        if self.is_original && outcome == Outcome::OutOfFuel {
            self.deadline.wasted_fuel(time);
        }
    }

    /// Leaves out the rows from one on.
    fn skip(&self, from: usize, outcomes: &mut Outcomes, watch: &mut Option<Watch<'_>>) {
        let rows = self.inputs.len() - from;
        outcomes.skip(rows);
        if let Some(Watch { blank, read, .. }) = watch {
            (0..rows).for_each(|_| read(blank));
        }
    }
}

/// A further memory that is read after every row.
pub(super) struct Watch<'w> {
    /// Index of the memory in the module.
    pub(super) memory: usize,
    /// The content before every row.
    pub(super) blank: &'w [u8],
    /// Receives the content after a row.
    pub(super) read: &'w mut dyn FnMut(&[u8]),
}

impl Program {
    /// Loads a binary. Its initial memory may be shared with another program that starts in the same way.
    pub(super) fn new(
        loader: &Loader,
        binary: &[u8],
        facts: &Facts,
        memory: Option<&Arc<[u8]>>,
    ) -> Result<(Program, Machine), Unready> {
        let code = loader.load(binary).map_err(Unready::Engine)?;
        let mut instance = started(&code)?;
        let memory = match memory {
            Some(memory) => Arc::clone(memory),
            None if facts.memory => Arc::from(&*instance.memory(0)),
            None => Arc::from([]),
        };
        Ok((Program { code, memory }, Machine { instance, scratch: Scratch::default() }))
    }

    /// The memory after the start function.
    pub(super) fn memory(&self) -> &Arc<[u8]> {
        &self.memory
    }

    /// Makes another instance of the same code.
    pub(super) fn machine(&self) -> Machine {
        Machine { instance: self.again(), scratch: Scratch::default() }
    }

    fn again(&self) -> Instance {
        let instance = started(&self.code).ok();
        instance.expect("an instance of the same code could be made and started before")
    }

    /// Runs all rows of a call; in one go where nothing has to be undone between them.
    pub(super) fn run(
        &self,
        machine: &mut Machine,
        call: &Call<'_>,
        outcomes: &mut Outcomes,
        watch: Option<Watch<'_>>,
    ) {
        let Facts { effects, .. } = call.facts;
        let undone = effects.writes || effects.grows || effects.tables;
        if watch.is_none() && call.abi.is_flat() && !undone {
            machine.flat(call, outcomes);
        } else {
            self.row_by_row(machine, call, outcomes, watch);
        }
    }

    fn row_by_row(
        &self,
        machine: &mut Machine,
        call: &Call<'_>,
        outcomes: &mut Outcomes,
        mut watch: Option<Watch<'_>>,
    ) {
        let mut stopwatch = call.deadline.stopwatch();
        for row in 0..call.inputs.len() {
            if call.deadline.is_over() {
                call.skip(row, outcomes, &mut watch);
                return;
            }
            let limit = (call.limit)(row);
            if let Some(Watch { memory, blank, .. }) = &watch {
                machine.instance.memory(*memory)[..blank.len()].copy_from_slice(blank);
            }
            let (called, fuel) = machine.call(call, row, limit);
            let flags = machine.instance.private()[private::FLAGS as usize];
            let refused = flags & private::REFUSED != 0;
            let Machine { instance, scratch } = machine;
            let ended = match called {
                // At most as many elements as fuel: a mutant that returns a wrong length would slow down all others.
                Ok(()) => lift(instance, scratch, call.abi, limit),
                Err(outcome) => Err(outcome),
            };
            if let Some(Watch { memory, read, .. }) = &mut watch {
                read(instance.memory(*memory));
            }
            match ended {
                Ok(None) => outcomes.returned(&scratch.values(call.abi, None), fuel),
                Ok(Some(value)) => match scratch.outputs.len() {
                    0 => outcomes.returned(&[value], fuel),
                    _ => outcomes.returned(&scratch.values(call.abi, Some(value)), fuel),
                },
                Err(Outcome::BadOutput) if refused => outcomes.failed(Outcome::OutOfMemory, fuel),
                Err(outcome) => outcomes.failed(outcome, fuel),
            }
            call.note(&mut stopwatch, outcomes.outcomes()[outcomes.len() - 1]);
            if call.facts.effects.tables || flags & private::GREW != 0 {
                machine.instance = self.again();
            } else {
                self.restore(machine, call.facts);
            }
        }
    }

    /// Copies marked pages back and clears the marks.
    fn restore(&self, machine: &mut Machine, facts: &Facts) {
        /// The number of bytes that a store of eight bytes can write beyond the marked page.
        const OVER: usize = 7;
        let Machine { instance, scratch } = machine;
        let private = instance.private();
        private[..4].fill(0);
        if !facts.memory {
            return;
        }
        let marks = self.memory.len().div_ceil(1 << PAGE).next_multiple_of(8);
        scratch.pages.clear();
        take_marks(&mut private[private::MARKS as usize..][..marks], &mut scratch.pages);
        if scratch.pages.is_empty() {
            return;
        }
        let memory = instance.memory(0);
        for page in &scratch.pages {
            let start = page << PAGE;
            let end = (start + (1 << PAGE) + OVER).min(self.memory.len());
            memory[start..end].copy_from_slice(&self.memory[start..end]);
        }
    }
}

/// Finds the marked pages, eight at a time, and clears their marks.
fn take_marks(marks: &mut [u8], pages: &mut Vec<usize>) {
    for (i, eight) in marks.chunks_exact_mut(8).enumerate() {
        if word(eight, 0) != 0 {
            pages.extend((0..8).filter(|&j| eight[j] != 0).map(|j| 8 * i + j));
            eight.fill(0);
        }
    }
}

impl Machine {
    /// Runs rows of core values without effects, in batches that fit into the private memory. If there is a deadline, batches
    /// take a moment only.
    fn flat(&mut self, call: &Call<'_>, outcomes: &mut Outcomes) {
        let Call { abi, facts, inputs, limit, .. } = call;
        let (stride, rows) = (facts.stride, private::ROWS as usize);
        let mut most = if call.deadline.is_watched() { FIRST } else { usize::MAX };
        let mut stopwatch = call.deadline.stopwatch();
        let mut first = 0;
        while first < inputs.len() {
            if call.deadline.is_over() {
                return outcomes.skip(inputs.len() - first);
            }
            let count = facts.capacity().min(inputs.len() - first).min(most);
            let limits: Vec<u64> = (first..first + count).map(limit).collect();
            let words = &mut self.instance.private()[rows..rows + count * stride];
            for (row, limit) in words.chunks_exact_mut(stride).zip(&limits) {
                set(row, 0, *limit);
            }
            for ((ty, at), column) in abi.arguments.iter().zip(inputs.columns()) {
                for (i, row) in words.chunks_exact_mut(stride).enumerate() {
                    set(row, 2 + at, abi::lower(ty.scalar(), column, first + i));
                }
            }
            let (mut next, mut spent) = (0, 0);
            while next < count {
                let fault = self.instance.rows(next, count).err();
                let failed = fault.map(|fault| {
                    let at = private::ROW as usize;
                    let failed = word(self.instance.private(), at) as u32 as usize;
                    (failed, outcome(&mut self.instance, fault), self.instance.fuel())
                });
                let done = failed.map_or(count, |(failed, _, _)| failed);
                let words = &self.instance.private()[rows..];
                for i in next..done {
                    let row = &words[i * stride..][..stride];
                    let fuel = limits[i].saturating_sub(word(row, 0));
                    spent += fuel;
                    match abi.result.map(|ty| abi::lift(ty.scalar(), word(row, 8))) {
                        None => outcomes.returned(&[], fuel),
                        Some(Ok(value)) => outcomes.returned(&[value], fuel),
                        Some(Err(InvalidValue)) => outcomes.failed(Outcome::BadOutput, fuel),
                    }
                }
                next = done;
                if let Some((failed, outcome, left)) = failed {
                    let fuel = limits[failed].saturating_sub(left.max(0) as u64);
                    outcomes.failed(outcome, fuel);
                    self.instance.private()[..4].fill(0);
                    next += 1;
                    spent += fuel;
                    call.note(&mut stopwatch, outcome);
                    // The next batch may have another limit.
                    if call.deadline.is_watched() && spent > ENOUGH {
                        break;
                    }
                }
            }
            first += next;
            stopwatch.lap();
            if call.deadline.is_watched() {
                let each = spent / next.max(1) as u64 + 1;
                most = ((ENOUGH / each) as usize).clamp(1, 8 * most);
            }
        }
    }

    /// Runs one row with strings and lists in memory. Returns how it ended, and the fuel that it used.
    fn call(&mut self, call: &Call<'_>, row: usize, limit: u64) -> (Result<(), Outcome>, u64) {
        let Machine { instance, scratch } = self;
        let Call { abi, facts, inputs, .. } = call;
        let words = private::ROWS as usize..private::ROWS as usize + facts.stride;
        let private = &mut instance.private()[words.clone()];
        set(private, 0, limit);
        scratch.bytes.clear();
        scratch.lists.clear();
        for ((ty, argument), column) in abi.arguments.iter().zip(inputs.columns()) {
            if let Column::Seq(sequences) = column {
                let start = scratch.bytes.len();
                let length = abi::lower_sequence(*ty, sequences.get(row), &mut scratch.bytes);
                let end = scratch.bytes.len();
                set(private, 2 + argument, (end - start) as u64);
                set(private, 3 + argument, length as u64);
                scratch.lists.push(List { argument: *argument, end, length, pointer: 0 });
            } else {
                set(private, 2 + argument, abi::lower(ty.scalar(), column, row));
            }
        }
        // Includes room to align each of them.
        let wanted = scratch.bytes.len() + 8 * scratch.lists.len();
        if !facts.area.is_empty() && wanted > facts.area.len() {
            return (Err(Outcome::OutOfMemory), 0);
        }
        let placed =
            if scratch.lists.is_empty() { Ok(()) } else { scratch.place(instance, facts, &words) };
        let ended =
            placed.and_then(|()| instance.rows(0, 1).map_err(|fault| outcome(instance, fault)));
        (ended, limit.saturating_sub(instance.fuel().max(0) as u64))
    }
}

impl Scratch {
    /// Allocates memory for the strings and lists of a row, and writes them there.
    fn place(
        &mut self,
        instance: &mut Instance,
        facts: &Facts,
        words: &std::ops::Range<usize>,
    ) -> Result<(), Outcome> {
        if facts.area.is_empty() {
            instance.begin().map_err(|fault| outcome(instance, fault))?;
        }
        let mut free = facts.area.start;
        let mut start = 0;
        for list in &mut self.lists {
            let private = instance.private();
            let at = 8 * (2 + list.argument);
            let bytes = &self.bytes[start..list.end];
            if facts.area.is_empty() {
                list.pointer = word(&private[words.clone()], at) as u32 as usize;
            } else {
                // An alignment of 8 suits every element.
                list.pointer = free.next_multiple_of(8);
                free = list.pointer + bytes.len();
                set(&mut private[words.clone()], 2 + list.argument, list.pointer as u64);
            }
            let memory = instance.memory(0);
            let end = list.pointer + bytes.len();
            memory.get_mut(list.pointer..end).ok_or(Outcome::BadOutput)?.copy_from_slice(bytes);
            if !bytes.is_empty() {
                let marks = &mut instance.private()[private::MARKS as usize..];
                marks[list.pointer >> PAGE..=(end - 1) >> PAGE].fill(1);
            }
            start = list.end;
        }
        Ok(())
    }

    /// The output values of a row; `first` is the single value that was returned, if any.
    fn values<'s>(&'s self, abi: &Abi, first: Option<Value<'s>>) -> Vec<Value<'s>> {
        debug_assert_eq!(self.outputs.len() + usize::from(first.is_some()), outputs(abi));
        let sequences = self.outputs.iter().map(|output| Value::Seq(Cow::Borrowed(&output[..])));
        first.into_iter().chain(sequences).collect()
    }
}

/// The number of outputs.
fn outputs(abi: &Abi) -> usize {
    usize::from(abi.result.is_some()) + abi.changed.len()
}

/// Reads the outputs of a row: returns the single value, and leaves sequences in `scratch`.
fn lift(
    instance: &mut Instance,
    scratch: &mut Scratch,
    abi: &Abi,
    longest: u64,
) -> Result<Option<Value<'static>>, Outcome> {
    let bad = |_: InvalidValue| Outcome::BadOutput;
    let result = word(instance.private(), private::ROWS as usize + 8);
    let sequence = abi.result.filter(|ty| !matches!(ty, Type::Scalar(_)));
    let sequences = usize::from(sequence.is_some()) + abi.changed.len();
    scratch.outputs.resize_with(sequences, Vec::new);
    let mut outputs = scratch.outputs.iter_mut();
    if let Some(ty) = sequence {
        let to = outputs.next().expect("one for each sequence");
        abi::lift_returned(ty, instance.memory(0), result as u32, longest, to).map_err(bad)?;
    }
    for (&changed, to) in abi.changed.iter().zip(outputs) {
        let (ty, argument) = abi.arguments[changed];
        let list = scratch.lists.iter().find(|list| list.argument == argument);
        let list = list.expect("what is changed in place is a list");
        let memory = instance.memory(0);
        abi::lift_sequence(ty, memory, list.pointer, list.length, to).map_err(bad)?;
    }
    match abi.result {
        Some(Type::Scalar(scalar)) => abi::lift(scalar, result).map(Some).map_err(bad),
        Some(Type::String | Type::List(_)) | None => Ok(None),
    }
}

/// Makes an instance and runs its start function.
fn started(code: &Code) -> Result<Instance, Unready> {
    let mut instance = code.instance().map_err(Unready::Engine)?;
    if let Err(fault) = instance.start() {
        return Err(Unready::Start(outcome(&mut instance, fault)));
    }
    instance.private()[..private::ROWS as usize].fill(0);
    Ok(instance)
}

/// The outcome of a fault, from the flags that the added code left behind.
fn outcome(instance: &mut Instance, fault: Fault) -> Outcome {
    if instance.fuel() < 0 {
        return Outcome::OutOfFuel;
    }
    let flags = instance.private()[private::FLAGS as usize];
    match fault {
        Fault::Stack => Outcome::OutOfStack,
        Fault::Trap(_) if flags & private::DEEP != 0 => Outcome::OutOfStack,
        Fault::Trap(_) if flags & private::REFUSED != 0 => Outcome::OutOfMemory,
        Fault::Trap(trap) => Outcome::Trapped(trap),
    }
}

/// Reads eight bytes as a word.
fn word(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes[at..]
        .first_chunk()
        .expect("rows are whole words, and something is behind the row number");
    u64::from_le_bytes(*bytes)
}

/// Writes a word of a row.
fn set(row: &mut [u8], nth: usize, word: u64) {
    row[8 * nth..][..8].copy_from_slice(&word.to_le_bytes());
}
