//! Sequences looked into row by row: what stands out in them, what is found in them, how they compare as
//! more than equal, and sequences made of the elements of others.
//!
//! Elements are compared by their codes where no two codes are equal numbers. The meaning is `op.rs`.

use crate::engine::kernels::{HOLLOW, Views, ViewsMut};
use crate::engine::sequences::{Arena, Buffers, Registers, sort};
use crate::engine::step::{Operand, SeqOperand};
use crate::mask::WORD;
use crate::op::{self, TestOp};
use crate::program::{Look, Making};
use crate::table::extreme;

/// The slices of sequences that are made of others: hollow, but where nothing has to be made.
pub(crate) fn make(making: Making, to: ViewsMut<'_>, s: Views<'_>, t: Views<'_>) {
    let ViewsMut { starts, lens, .. } = to;
    for (row, (start, len)) in starts.iter_mut().zip(lens).enumerate() {
        let [(s_start, s_len), (t_start, t_len)] =
            [s, t].map(|views| (views.starts[row], views.lens[row]));
        (*start, *len) = match making {
            Making::Join if t_len == 0 => (s_start, s_len),
            Making::Join if s_len == 0 => (t_start, t_len),
            Making::Join => (HOLLOW, s_len + t_len),
            Making::Sort if s_len <= 1 => (s_start, s_len),
            Making::Sort | Making::Upper | Making::Lower => (HOLLOW, s_len),
        };
    }
}

impl<R: Registers> Arena<'_, R> {
    /// Writes what is looked up in the sequences of a block.
    pub(crate) fn look(
        &self,
        look: Look,
        to: &mut [f64],
        [s, t]: [SeqOperand<'_>; 2],
        n: Operand<'_>,
        Buffers(s_buffer, t_buffer): &mut Buffers,
    ) {
        let dictionary = self.table.dictionary();
        let tolerance = self.table.tolerance();
        match look {
            Look::Length => {
                let lens = self.registers.views(s).lens;
                to.iter_mut().zip(lens).for_each(|(to, &len)| *to = f64::from(len));
            }
            Look::Extreme(which) => {
                for (row, to) in to.iter_mut().enumerate() {
                    *to = extreme(which, dictionary, self.whole(s, row, s_buffer));
                }
            }
            Look::At => {
                let lens = self.registers.views(s).lens;
                for (row, to) in to.iter_mut().enumerate() {
                    let place =
                        op::removed_index(lens[row] as usize, self.registers.number(n, row));
                    *to = place.map_or(0.0, |place| {
                        dictionary.number(self.whole(s, row, s_buffer)[place])
                    });
                }
            }
            Look::Count => {
                for (row, to) in to.iter_mut().enumerate() {
                    let n = self.registers.number(n, row);
                    let is_it = |code: &&u32| tolerance.eq(dictionary.number(**code), n);
                    *to = self.whole(s, row, s_buffer).iter().filter(is_it).count() as f64;
                }
            }
            Look::IndexOf => {
                let [s_lens, t_lens] = [s, t].map(|operand| self.registers.views(operand).lens);
                for (row, to) in to.iter_mut().enumerate() {
                    let place = if t_lens[row] > s_lens[row] {
                        None
                    } else {
                        let s = self.whole(s, row, s_buffer);
                        self.occurrence(s, self.whole(t, row, t_buffer))
                    };
                    *to = place.map_or(-1.0, |place| place as f64);
                }
            }
        }
    }

    /// Where a test of sequences holds, over whole words of rows.
    pub(crate) fn test(
        &self,
        test: TestOp,
        negate: bool,
        to: &mut [u64],
        [s, t]: [SeqOperand<'_>; 2],
        Buffers(s_buffer, t_buffer): &mut Buffers,
    ) {
        let [s_lens, t_lens] = [s, t].map(|operand| self.registers.views(operand).lens);
        for (word, to) in to.iter_mut().enumerate() {
            *to = 0;
            for bit in 0..WORD {
                let row = word * WORD + bit;
                let (s_len, t_len) = (s_lens[row] as usize, t_lens[row] as usize);
                let holds = match test {
                    TestOp::Contains | TestOp::StartsWith | TestOp::EndsWith if t_len > s_len => {
                        false
                    }
                    TestOp::Contains => {
                        let s = self.whole(s, row, s_buffer);
                        self.occurrence(s, self.whole(t, row, t_buffer)).is_some()
                    }
                    TestOp::StartsWith => {
                        let s = self.whole(s, row, s_buffer);
                        self.same_codes(&s[..t_len], self.whole(t, row, t_buffer))
                    }
                    TestOp::EndsWith => {
                        let s = self.whole(s, row, s_buffer);
                        self.same_codes(&s[s_len - t_len..], self.whole(t, row, t_buffer))
                    }
                    TestOp::SameElements => {
                        s_len == t_len && {
                            let s = self.sorted(s, row, s_buffer);
                            self.same_codes(s, self.sorted(t, row, t_buffer))
                        }
                    }
                    TestOp::Sorted => {
                        let numbers = |code: &u32| self.table.dictionary().number(*code);
                        let pairs = self.whole(s, row, s_buffer).windows(2);
                        let mut pairs = pairs.map(|pair| [numbers(&pair[0]), numbers(&pair[1])]);
                        pairs.all(|pair| op::is_sorted(&pair, self.table.tolerance()))
                    }
                };
                *to |= u64::from(holds != negate) << bit;
            }
        }
    }

    /// The first place from which on `s` has the elements of `t`.
    fn occurrence(&self, s: &[u32], t: &[u32]) -> Option<usize> {
        let last = s.len().checked_sub(t.len())?;
        (0..=last).find(|&place| self.same_codes(&s[place..place + t.len()], t))
    }

    /// The elements of a row in ascending order.
    fn sorted<'b>(
        &self,
        operand: SeqOperand<'_>,
        row: usize,
        buffer: &'b mut Vec<u32>,
    ) -> &'b [u32] {
        buffer.clear();
        self.append(operand, row, buffer);
        sort(self.table.dictionary(), buffer);
        buffer
    }
}
