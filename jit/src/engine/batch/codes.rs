//! Which rows are alike in some of their parts.

use hashbrown::HashTable;

use crate::engine::kernels::Spread;
use crate::hash::hash;
use crate::mask::WORD;
use crate::program::{Part, Read};
use crate::table::{Extreme, SeqColumn, StoredColumn, Table};

/// Which kind every row is, padding included.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    pub(super) of_rows: Vec<u16>,
    pub(super) distinct: usize,
}

/// Stands for a row that has no code yet.
const NONE: u16 = u16::MAX;
const _: () = assert!(Spread::MOST < NONE as usize);

/// Pairs of codes are looked up in a list, not by a hash, if there can be no more than this.
const MOST_PAIRS: usize = 1 << 17;

impl Codes {
    /// By one part of the rows, unless it has more than `most` values.
    pub(super) fn of(read: Read, table: &Table, most: usize) -> Option<Codes> {
        let numbers = |values: &[f64]| Codes::by(table, most, |place| values[place].to_bits());
        let extreme =
            |column: &SeqColumn, extreme| numbers(column.extremes(table).column(extreme).values());
        match (table.column(read.var), read.part) {
            (StoredColumn::Seq(column), Part::First) => extreme(column, Extreme::First),
            (StoredColumn::Seq(column), Part::Last) => extreme(column, Extreme::Last),
            (StoredColumn::Seq(column), Part::Least) => extreme(column, Extreme::Least),
            (StoredColumn::Seq(column), Part::Greatest) => extreme(column, Extreme::Greatest),
            (StoredColumn::Num(column), _) => numbers(column.values()),
            (StoredColumn::Seq(column), Part::Length) => numbers(column.length.values()),
            (StoredColumn::Seq(column), Part::Sum) => numbers(column.sum.values()),
            // A sequence is stored once: where it starts says which it is.
            (StoredColumn::Seq(column), Part::Whole) => {
                Codes::by(table, most, |place| u64::from(column.starts[place]))
            }
            (StoredColumn::Bool(_), _) => unreachable!("atoms read numbers and sequences"),
        }
    }

    /// By these parts and another one, unless there are more than `most` kinds.
    pub(super) fn and(&self, part: &Codes, most: usize) -> Option<Codes> {
        let pairs = self.distinct * part.distinct;
        let pair = |row: usize| {
            usize::from(self.of_rows[row]) * part.distinct + usize::from(part.of_rows[row])
        };
        let rows = 0..self.of_rows.len();
        if estimate(rows.len(), |row| pair(row) as u64) > most + most / 4 {
            return None;
        }
        if pairs > MOST_PAIRS {
            let mut seen = CodeTable::new(most);
            return Codes::collect(rows, most, |row| seen.code(pair(row) as u64));
        }
        let mut codes = vec![NONE; pairs];
        let mut next = 0;
        Codes::collect(rows, most, |row| {
            let code = &mut codes[pair(row)];
            if *code == NONE {
                *code = next;
                next += 1;
            }
            *code
        })
    }

    /// Whether rows of a kind are also alike in another part.
    pub(super) fn decide(&self, part: &Codes) -> bool {
        let mut decided = vec![NONE; self.distinct];
        let mut rows = self.of_rows.iter().zip(&part.of_rows);
        rows.all(|(&code, &other)| {
            let decided = &mut decided[usize::from(code)];
            if *decided == NONE {
                *decided = other;
            }
            *decided == other
        })
    }

    /// By what is at the place of every row; padding is like the last one before it.
    fn by(table: &Table, most: usize, value: impl Fn(usize) -> u64) -> Option<Codes> {
        let layout = table.layout();
        if estimate(layout.padded_rows(), &value) > most + most / 4 {
            return None;
        }
        let rows = layout.groups().iter().flat_map(|group| {
            let words = group.words();
            let first = words.start * WORD;
            let last = first + group.rows.saturating_sub(1);
            (first..words.end * WORD).map(move |place| place.min(last))
        });
        let mut seen = CodeTable::new(most);
        Codes::collect(rows, most, |place| seen.code(value(place)))
    }

    /// The codes of rows, which are given out in order, unless there are more than `most`.
    fn collect(
        rows: impl Iterator<Item = usize>,
        most: usize,
        mut code: impl FnMut(usize) -> u16,
    ) -> Option<Codes> {
        let mut of_rows = Vec::with_capacity(rows.size_hint().0);
        let mut distinct = 0;
        for row in rows {
            let code = code(row);
            if usize::from(code) >= most {
                return None;
            }
            distinct = distinct.max(usize::from(code) + 1);
            of_rows.push(code);
        }
        Some(Codes { of_rows, distinct })
    }

    /// Where the first row of every kind is.
    pub(super) fn first_rows(&self) -> Vec<u32> {
        let mut first = Vec::with_capacity(self.distinct);
        for (place, &code) in self.of_rows.iter().enumerate() {
            if usize::from(code) == first.len() {
                first.push(place as u32);
            }
        }
        debug_assert_eq!(first.len(), self.distinct);
        first
    }

    pub(super) fn bytes(&self) -> usize {
        self.of_rows.len() * size_of::<u16>()
    }
}

/// Rows that are looked at to guess how many kinds there are.
const SAMPLE: usize = 1 << 10;

/// About how many values rows have, by a sample of them: that they have too many is found out at a
/// hundredth of the price. Nothing is guessed of few rows.
pub(super) fn estimate(rows: usize, value: impl Fn(usize) -> u64) -> usize {
    if rows < 4 * SAMPLE {
        return 0;
    }
    // Hashes of a sample hardly collide in so many bits.
    let mut seen = [0_u64; SAMPLE];
    // Odd: what comes back every so many rows is likely to come back every power of two.
    let step = (rows / SAMPLE - 1) | 1;
    for row in (0..SAMPLE).map(|i| i * step) {
        let bit = hash(value(row)) as usize;
        seen[bit / WORD % SAMPLE] |= 1 << (bit % WORD);
    }
    let distinct: u32 = seen.iter().map(|word| word.count_ones()).sum();
    // A sample of `many` values that are equally frequent has many (1 - e^(-sample / many)) of them.
    let of_sample = |many: usize| many as f64 * -(-(SAMPLE as f64) / many as f64).exp_m1();
    // The last of a rising list that a sample has no more of: a power of two, then an eighth of it.
    let fits = |&many: &usize| of_sample(many) <= f64::from(distinct);
    let power = (0..usize::BITS - 1).map(|power| 1 << power).take_while(fits).last().unwrap_or(1);
    (0..8).map(|eighth| power + power * eighth / 8).take_while(fits).last().unwrap_or(power)
}

/// Values, and the codes they got in the order in which they were seen first.
struct CodeTable {
    codes: HashTable<(u64, u16)>,
    most: usize,
}

impl CodeTable {
    fn new(most: usize) -> CodeTable {
        CodeTable { codes: HashTable::with_capacity(most.min(SAMPLE)), most }
    }

    /// The code of a value; one that is too large if there are too many.
    fn code(&mut self, value: u64) -> u16 {
        let next = self.codes.len().min(self.most) as u16;
        let entry = self.codes.entry(hash(value), |known| known.0 == value, |known| hash(known.0));
        entry.or_insert((value, next)).get().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_values_there_are_is_guessed_well_enough() {
        for many in [1, 10, 300, 1_000, 4_000] {
            let guessed = estimate(50_000, |row| hash(row as u64) % many);
            assert!((many / 2..many * 2).contains(&(guessed as u64)), "{guessed} of {many}");
        }
        assert!(estimate(50_000, |row| row as u64) > 20_000);
    }
}
