//! Sequences in the bytecode engine: lengths always, elements only when they matter.
//!
//! A sequence register holds a slice of the table's dictionary per row. `flip`, `truncate` and removing
//! an end are arithmetic on it. What is no slice (an inner element removed, the text of a
//! large number) is **hollow**: its length is known, and its elements are put together from the recipe of its
//! register, row by row, only where a comparison or a sum needs them. Nearly all unequal
//! sequences differ in length, and then nobody looks at an element.

use crate::engine::kernels::{HOLLOW, Kernels, NOTHING, Runs, Views};
use crate::engine::step::{Operand, Recipe, SeqOperand};
use crate::mask::WORD;
use crate::op;
use crate::program::{Making, Register};
use crate::table::Table;
use crate::table::dictionary::{Dictionary, MINUS};

/// What a row's elements are found by.
pub(crate) trait Registers {
    /// The slice of each row, or HOLLOW and a length.
    fn views<'b>(&'b self, operand: SeqOperand<'b>) -> Views<'b>;
    /// The arguments of the instruction that made a register.
    fn arguments(&self, register: Register) -> &[u32];
    /// The number of a row.
    fn number(&self, operand: Operand<'_>, row: usize) -> f64;
    /// How a register was made.
    fn recipe(&self, register: Register) -> Recipe<'_>;
}

/// A slice of the dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Slice {
    const EMPTY: Slice = Slice { start: 0, len: 0 };

    fn mirrored(self, twice: u32) -> Slice {
        Slice { start: if self.len == 0 { 0 } else { twice - self.start - self.len }, ..self }
    }

    /// The part from `from` on, of at most `len` elements.
    fn part(self, from: u32, len: u32) -> Slice {
        let from = from.min(self.len);
        Slice { start: self.start + from, len: len.min(self.len - from) }
    }
}

/// The elements of one row.
#[derive(Clone, Copy, Debug)]
enum Elements {
    /// Two slices, one after the other.
    Slices(Slice, Slice),
    /// Whatever is in the buffer.
    Buffered,
}

/// Room to put elements together, for both sides of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Buffers(pub(crate) Vec<u32>, pub(crate) Vec<u32>);

/// The sequences that a block can refer to.
pub(crate) struct Arena<'a, R> {
    pub(crate) table: &'a Table,
    pub(crate) registers: &'a R,
}

impl<R: Registers> Arena<'_, R> {
    fn twice(&self) -> u32 {
        self.table.dictionary().codes().len() as u32
    }

    fn codes(&self, slice: Slice) -> &[u32] {
        match slice.len {
            0 => &[],
            len => &self.table.dictionary().codes()[slice.start as usize..][..len as usize],
        }
    }

    /// The elements of a row.
    ///
    /// What is put together goes to the end of the buffer, behind what is there.
    fn elements(&self, operand: SeqOperand<'_>, row: usize, buffer: &mut Vec<u32>) -> Elements {
        let base = buffer.len();
        let views = self.registers.views(operand);
        let slice = Slice { start: views.starts[row], len: views.lens[row] };
        if slice.start != HOLLOW {
            return Elements::Slices(slice, Slice::EMPTY);
        }
        let SeqOperand::Register(register) = operand else {
            unreachable!("columns hold slices");
        };
        let argument = self.registers.arguments(register)[row];
        match self.registers.recipe(register) {
            Recipe::Unused => unreachable!("nothing reads what nothing makes"),
            Recipe::ToString(n) => {
                write_text(op::index(self.registers.number(n, row)), slice.len as usize, buffer);
                Elements::Buffered
            }
            Recipe::Flip(s) => match self.elements(s, row, buffer) {
                Elements::Slices(a, b) => {
                    Elements::Slices(b.mirrored(self.twice()), a.mirrored(self.twice()))
                }
                Elements::Buffered => {
                    buffer[base..].reverse();
                    Elements::Buffered
                }
            },
            Recipe::Truncate(s) => match self.elements(s, row, buffer) {
                Elements::Slices(a, b) => {
                    let first = a.part(argument, slice.len);
                    let dropped = argument.saturating_sub(a.len);
                    Elements::Slices(first, b.part(dropped, slice.len - first.len))
                }
                Elements::Buffered => {
                    buffer.drain(base..base + argument as usize);
                    buffer.truncate(base + slice.len as usize);
                    Elements::Buffered
                }
            },
            Recipe::Remove(s) => {
                let elements = self.elements(s, row, buffer);
                match elements {
                    _ if argument == NOTHING => elements,
                    Elements::Slices(a, Slice { len: 0, .. }) => {
                        Elements::Slices(a.part(0, argument), a.part(argument + 1, a.len))
                    }
                    Elements::Slices(a, b) => {
                        buffer.extend_from_slice(self.codes(a));
                        buffer.extend_from_slice(self.codes(b));
                        buffer.remove(base + argument as usize);
                        Elements::Buffered
                    }
                    Elements::Buffered => {
                        buffer.remove(base + argument as usize);
                        Elements::Buffered
                    }
                }
            }
            Recipe::Make(making, s, t) => {
                self.append(s, row, buffer);
                if making == Making::Join {
                    self.append(t, row, buffer);
                }
                arrange(making, self.table.dictionary(), &mut buffer[base..]);
                Elements::Buffered
            }
        }
    }

    /// Puts the elements of a row at the end of a buffer.
    pub(crate) fn append(&self, operand: SeqOperand<'_>, row: usize, buffer: &mut Vec<u32>) {
        match self.elements(operand, row, buffer) {
            Elements::Slices(a, b) => {
                buffer.extend_from_slice(self.codes(a));
                buffer.extend_from_slice(self.codes(b));
            }
            Elements::Buffered => {}
        }
    }

    /// The elements of a row in one piece: a slice of the dictionary, or what was put into the buffer.
    pub(crate) fn whole<'b>(
        &'b self,
        operand: SeqOperand<'_>,
        row: usize,
        buffer: &'b mut Vec<u32>,
    ) -> &'b [u32] {
        buffer.clear();
        match self.elements(operand, row, buffer) {
            Elements::Slices(a, Slice { len: 0, .. }) => self.codes(a),
            Elements::Slices(a, b) => {
                buffer.extend_from_slice(self.codes(a));
                buffer.extend_from_slice(self.codes(b));
                buffer
            }
            Elements::Buffered => buffer,
        }
    }

    /// Writes the sums of the sequences of a block: as differences of prefix sums where the table has them, else element by element.
    pub(crate) fn sum(
        &self,
        kernels: &Kernels,
        to: &mut [f64],
        s: SeqOperand<'_>,
        buffers: &mut Buffers,
    ) {
        let Some(prefix) = self.table.dictionary().prefix_sums() else {
            for (row, to) in to.iter_mut().enumerate() {
                buffers.0.clear();
                let elements = self.elements(s, row, &mut buffers.0);
                let (a, b) = self.resolve(elements, &buffers.0);
                *to = self.sum_codes(a, b);
            }
            return;
        };
        // What a removal leaves is hollow in most rows, but its sum is that of two slices.
        let (whole, removed) = match s {
            SeqOperand::Register(register) => match self.registers.recipe(register) {
                Recipe::Remove(s) => (s, Some(self.registers.arguments(register))),
                Recipe::Flip(_)
                | Recipe::Truncate(_)
                | Recipe::ToString(_)
                | Recipe::Make(..)
                | Recipe::Unused => (s, None),
            },
            SeqOperand::Column(_) => (s, None),
        };
        let views = self.registers.views(whole);
        if !kernels.sums(to, views, removed, prefix) {
            return;
        }
        for (row, to) in to.iter_mut().enumerate() {
            if views.starts[row] == HOLLOW {
                buffers.0.clear();
                *to = match self.elements(s, row, &mut buffers.0) {
                    Elements::Slices(a, b) => {
                        prefix.sum(a.start, a.len) + prefix.sum(b.start, b.len)
                    }
                    Elements::Buffered => self.sum_codes(&buffers.0, &[]),
                };
            }
        }
    }

    fn sum_codes(&self, a: &[u32], b: &[u32]) -> f64 {
        let number = |&code: &u32| self.table.dictionary().number(code);
        a.iter().chain(b).map(number).fold(0.0, |sum, x| sum + x)
    }

    fn resolve<'b>(&'b self, elements: Elements, buffer: &'b [u32]) -> (&'b [u32], &'b [u32]) {
        match elements {
            Elements::Slices(a, b) => (self.codes(a), self.codes(b)),
            Elements::Buffered => (buffer, &[]),
        }
    }

    /// Where two sequences are equal, over whole words of rows.
    pub(crate) fn equal(
        &self,
        kernels: &Kernels,
        to: &mut [u64],
        [s, t]: [SeqOperand<'_>; 2],
        buffers: &mut Buffers,
    ) {
        let [s_views, t_views] = [s, t].map(|operand| self.registers.views(operand));
        let mut same_start = [0_u64; MAX_BLOCK_WORDS];
        let same_start = &mut same_start[..to.len()];
        kernels.equal(same_start, s_views.starts, t_views.starts);
        kernels.equal(to, s_views.lens, t_views.lens);
        let may_be_hollow = [s, t].map(|operand| self.may_be_hollow(operand));
        let dictionary = self.table.dictionary();
        let runs = dictionary.bytes().filter(|_| dictionary.separated).map(Runs::new);
        for (word, (to, &same_start)) in to.iter_mut().zip(&*same_start).enumerate() {
            // Two hollow sequences share a start that means nothing.
            let mut unsure = if may_be_hollow == [true; 2] { *to } else { *to & !same_start };
            if unsure == 0 {
                continue;
            }
            let views = [s_views, t_views].map(|views| views.word(word));
            if let Some(runs) = runs {
                let hollow =
                    |i: usize| if may_be_hollow[i] { hollow(kernels, views[i]) } else { 0 };
                let slices = unsure & !(hollow(0) | hollow(1));
                let same = kernels.same_runs(slices, views, runs);
                *to &= !slices | same.rows;
                unsure = unsure & !slices | same.longer;
            }
            while unsure != 0 {
                let row = unsure.trailing_zeros() as usize;
                unsure &= unsure - 1;
                let [a, b] = views.map(|views| views.starts[row]);
                let len = views[0].lens[row];
                let equal = if a != HOLLOW && b != HOLLOW {
                    let codes = |start| self.codes(Slice { start, len });
                    self.same_codes(codes(a), codes(b))
                } else {
                    len == 0 || self.same_elements(s, t, word * WORD + row, buffers)
                };
                *to &= !(u64::from(!equal) << row);
            }
        }
    }

    /// Whether some row of an operand may be hollow.
    fn may_be_hollow(&self, operand: SeqOperand<'_>) -> bool {
        match operand {
            SeqOperand::Column(_) => false,
            SeqOperand::Register(register) => match self.registers.recipe(register) {
                Recipe::Flip(s) | Recipe::Truncate(s) => self.may_be_hollow(s),
                Recipe::Remove(_) | Recipe::ToString(_) | Recipe::Make(..) => true,
                Recipe::Unused => false,
            },
        }
    }

    fn same_elements(
        &self,
        s: SeqOperand<'_>,
        t: SeqOperand<'_>,
        row: usize,
        Buffers(s_buffer, t_buffer): &mut Buffers,
    ) -> bool {
        s_buffer.clear();
        t_buffer.clear();
        let s = self.elements(s, row, s_buffer);
        let t = self.elements(t, row, t_buffer);
        let (a, b) = self.resolve(s, s_buffer);
        let (c, d) = self.resolve(t, t_buffer);
        // The pieces need not break at the same place.
        let (shorter, longer, rest, other) =
            if a.len() <= c.len() { (a, c, b, d) } else { (c, a, d, b) };
        let (start, middle) = longer.split_at(shorter.len());
        let (next, end) = rest.split_at(middle.len());
        self.same_codes(shorter, start)
            && self.same_codes(next, middle)
            && self.same_codes(end, other)
    }

    /// Whether two runs of equally many elements are equal.
    #[inline]
    pub(crate) fn same_codes(&self, s: &[u32], t: &[u32]) -> bool {
        let dictionary = self.table.dictionary();
        if dictionary.separated {
            // Sequences are short, and most differ at once: four elements at a time, inline.
            let (s, s_rest) = s.as_chunks::<4>();
            let (t, t_rest) = t.as_chunks::<4>();
            return s.iter().zip(t).all(|(a, b)| a == b)
                && s_rest.iter().zip(t_rest).all(|(a, b)| a == b);
        }
        s.iter().zip(t).all(|(&a, &b)| {
            a == b || self.table.tolerance().eq(dictionary.number(a), dictionary.number(b))
        })
    }
}

/// Makes the elements of a sequence from those that it is made of, in place.
fn arrange(making: Making, dictionary: &Dictionary, codes: &mut [u32]) {
    match making {
        Making::Join => {}
        Making::Sort => sort(dictionary, codes),
        Making::Upper => codes.iter_mut().for_each(|code| *code = dictionary.upper(*code)),
        Making::Lower => codes.iter_mut().for_each(|code| *code = dictionary.lower(*code)),
    }
}

/// Numbers that are neither less nor more than each other have one code, so any sort is stable.
pub(crate) fn sort(dictionary: &Dictionary, codes: &mut [u32]) {
    codes.sort_unstable_by(|&a, &b| op::in_order(&dictionary.number(a), &dictionary.number(b)));
}

/// Which of 64 rows are hollow.
fn hollow(kernels: &Kernels, views: Views<'_>) -> u64 {
    let mut rows = [0];
    kernels.equal(&mut rows, views.starts, &[HOLLOW; WORD]);
    rows[0]
}

/// The most words in a block; see `bytecode::BLOCK`.
pub(crate) const MAX_BLOCK_WORDS: usize = 32;

/// Appends the decimal text of a number, which has `len` characters, as codes.
fn write_text(n: i64, len: usize, buffer: &mut Vec<u32>) {
    let base = buffer.len();
    buffer.resize(base + len, 0);
    let mut rest = n.unsigned_abs();
    for code in buffer[base..].iter_mut().rev() {
        *code = (rest % 10) as u32;
        rest /= 10;
    }
    if n < 0 {
        buffer[base] = MINUS;
    }
}
