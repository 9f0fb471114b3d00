//! Rows that an atom cannot tell apart, evaluated once.
//!
//! An atom reads some parts of a row. Inputs come back for every mutant, outputs are often small numbers,
//! lengths always are: of 18,000 rows a few hundred may differ in the parts that an atom reads. A
//! digest of these parts has one row of each kind, and knows of every row which kind it is. What
//! atoms say of the few rows is spread to all rows by permuting bytes (`kernels/spread.rs`).
//!
//! Making a digest costs as much as a dozen atoms. So it is made when atoms that would have used it have
//! cost as much, and where rows hardly repeat it is declined.

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::HashTable;

use super::codes::{Codes, estimate};
use crate::engine::kernels::{Kernels, Spread};
use crate::hash::Mixer;
use crate::mask::WORD;
use crate::program::{Part, Read};
use crate::table::Table;

/// The kinds of rows that differ in some parts.
#[derive(Debug)]
pub(super) struct Digest {
    /// The parts of a row that the digest tells apart.
    reads: Vec<Read>,
    /// One row of every kind.
    pub(super) table: Table,
    pub(super) spread: Spread,
}

impl Digest {
    fn new(reads: Vec<Read>, table: &Table, codes: &Codes) -> Digest {
        let is_read = |var| reads.iter().any(|read| read.var == var);
        let picked = table.pick(&codes.first_rows(), is_read);
        Digest { table: picked, spread: Spread::new(&codes.of_rows, codes.distinct), reads }
    }

    /// How many kinds there are.
    pub(super) fn rows(&self) -> usize {
        self.table.rows()
    }

    fn bytes(&self) -> usize {
        self.spread.memory() + self.table.bytes()
    }
}

/// All digests of a table so far.
#[derive(Debug)]
pub(super) struct Digests {
    table: Arc<Table>,
    made: Vec<Digest>,
    /// What is known of each set of parts that an atom has read.
    entries: HashTable<(Box<[Read]>, Entry)>,
    /// Which kind every row is by a single part, or that these are too many.
    parts: BTreeMap<Read, Option<Codes>>,
    bytes: usize,
    most_bytes: usize,
    /// Of a digest, per part: more whenever there was no room for them.
    price: u32,
    policy: DigestPolicy,
}

/// Which digests are made and used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DigestPolicy {
    Never,
    /// Where that saves time.
    Worthwhile,
    /// All that can be, for tests.
    All,
}

impl DigestPolicy {
    /// The most kinds of rows that a digest may have.
    fn most(self, table: &Table) -> usize {
        match self {
            DigestPolicy::Never => 0,
            DigestPolicy::Worthwhile => Spread::MOST.min(table.rows() / 2),
            DigestPolicy::All => Spread::MOST,
        }
    }
}

/// What is known of a set of parts.
#[derive(Debug)]
enum Entry {
    /// The weight of the atoms that would have used a digest, and from what weight on it is made.
    Wanted { weight: u32, price: u32, is_large: bool },
    /// There are too many kinds of rows for a digest.
    Declined,
    /// The number of a digest of these parts, and perhaps of others.
    Made(usize),
}

/// What it costs to make a digest, per part: the weight of atoms that cost as much.
const PRICE: u32 = 16;

/// How many times more a digest that is not small has to be wanted.
const LARGE: u32 = 4;

/// A digest is small if it has at most one row in this many.
const ENOUGH: usize = 16;

/// A table this small is evaluated as fast as a digest is found.
const LEAST_ROWS: usize = 1 << 10;

/// Bytes per row for which there must be room before digests are made: one or two digests.
const LEAST_BYTES: usize = 8;

impl Digests {
    /// Digests that take at most about this many bytes.
    pub(super) fn new(table: &Arc<Table>, most_bytes: usize) -> Digests {
        let rows = table.layout().padded_rows();
        let fits = rows >= LEAST_ROWS && rows * LEAST_BYTES <= most_bytes;
        Digests {
            table: Arc::clone(table),
            made: Vec::new(),
            entries: HashTable::new(),
            parts: BTreeMap::new(),
            bytes: 0,
            most_bytes,
            price: PRICE,
            policy: if fits { DigestPolicy::Worthwhile } else { DigestPolicy::Never },
        }
    }

    /// Begins anew, with all digests that can be made.
    pub(super) fn make_all(&mut self) {
        let (table, most_bytes) = (Arc::clone(&self.table), self.most_bytes);
        *self = Digests { policy: DigestPolicy::All, ..Digests::new(&table, most_bytes) };
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether no atom is computed on fewer rows here, whatever it reads.
    pub(super) fn are_off(&self) -> bool {
        self.policy == DigestPolicy::Never
    }

    /// How an atom of this weight that reads these parts is to be computed.
    pub(super) fn find(&self, reads: &[Read], weight: u32, kernels: &Kernels) -> Found<'_> {
        let entry = self.entries.find(hash(reads), |(key, _)| **key == *reads);
        let (made, is_known) = match entry.map(|(_, entry)| entry) {
            None => (self.of_these_and_others(reads), false),
            Some(Entry::Wanted { .. }) => (None, false),
            Some(Entry::Declined) => (None, true),
            Some(Entry::Made(made)) => (Some(*made), true),
        };
        let made = made.map(|made| &self.made[made]);
        let digest = made.filter(|digest| self.pays(digest.rows(), weight, kernels));
        Found { digest, is_known }
    }

    /// The smallest digest that has these parts.
    fn of_these_and_others(&self, reads: &[Read]) -> Option<usize> {
        let has_all = |&made: &usize| reads.iter().all(|read| has(&self.made[made].reads, *read));
        (0..self.made.len()).filter(has_all).min_by_key(|&made| self.made[made].rows())
    }

    /// Whether an atom costs less on a few rows, with spreading its bits, than on all rows.
    fn pays(&self, few: usize, weight: u32, kernels: &Kernels) -> bool {
        let (all, weight) = (self.table.rows(), weight as usize);
        let few = few.next_multiple_of(WORD);
        // A quarter for what this leaves out.
        let cost = few * weight * 16 + all * kernels.spread_cost(few);
        self.policy == DigestPolicy::All || cost < all * weight * 12
    }

    /// Takes note that an atom of this weight reads these parts; makes a digest of them when that is
    /// likely to pay.
    pub(super) fn note(&mut self, reads: &[Read], weight: u32) {
        let Entry::Wanted { weight: wanted, price, is_large } = self.entry(reads) else { return };
        *wanted = wanted.saturating_add(weight);
        let (wanted, price, is_large) = (*wanted, *price, *is_large);
        let is_too_much = |read: &Read| matches!(self.parts.get(read), Some(None));
        let made = if reads.iter().any(is_too_much) {
            None
        } else if let Some(made) = self.of_these_and_others(reads) {
            Some(made)
        } else if self.policy == DigestPolicy::All {
            self.make(reads)
        } else if wanted < price {
            return;
        } else if !is_large && !self.is_small(reads) {
            // It saves less, and there are more such sets of parts.
            let price = price.saturating_mul(LARGE);
            *self.entry(reads) = Entry::Wanted { weight: wanted, price, is_large: true };
            return;
        } else {
            self.make(reads)
        };
        *self.entry(reads) = made.map_or(Entry::Declined, Entry::Made);
        if self.bytes > self.most_bytes {
            self.forget();
        }
    }

    fn entry(&mut self, reads: &[Read]) -> &mut Entry {
        let Digests { entries, bytes, price, .. } = self;
        let is_it = |(key, _): &(Box<[Read]>, Entry)| **key == *reads;
        let entry = entries.entry(hash(reads), is_it, |(key, _)| hash(key));
        let (_, entry) = entry
            .or_insert_with(|| {
                *bytes += size_of::<(Box<[Read]>, Entry)>() + size_of_val(reads);
                let price = price.saturating_mul(reads.len() as u32);
                (reads.into(), Entry::Wanted { weight: 0, price, is_large: false })
            })
            .into_mut();
        entry
    }

    /// Drops all digests. Those that are still used are made again, but after more uses each time.
    fn forget(&mut self) {
        self.price = self.price.saturating_mul(2);
        self.made.clear();
        self.entries.clear();
        self.parts.clear();
        self.bytes = 0;
    }

    /// Which kind every row is by a single part, unless that is too many.
    fn part(&mut self, read: Read) -> Option<&Codes> {
        let Digests { parts, table, bytes, .. } = self;
        let most = self.policy.most(table);
        let part = parts.entry(read).or_insert_with(|| {
            let part = Codes::of(read, table, most);
            *bytes += part.as_ref().map_or(0, Codes::bytes);
            part
        });
        part.as_ref()
    }

    /// Whether rows of few kinds are likely to be all.
    fn is_small(&mut self, reads: &[Read]) -> bool {
        if reads.iter().any(|read| self.part(*read).is_none()) {
            return true;
        }
        let parts: Vec<&Codes> =
            reads.iter().filter_map(|read| self.parts[read].as_ref()).collect();
        let rows = self.table.layout().padded_rows();
        let kinds = estimate(rows, |row| {
            let mut mixer = Mixer::new(0);
            parts.iter().for_each(|part| mixer.add(u64::from(part.of_rows[row])));
            mixer.finish()
        });
        kinds <= rows / ENOUGH
    }

    /// Makes a digest, unless there are too many kinds of rows.
    fn make(&mut self, reads: &[Read]) -> Option<usize> {
        let most = self.policy.most(&self.table);
        let mut codes: Option<Codes> = None;
        for read in reads {
            let part = self.part(*read)?;
            codes = Some(match codes {
                None => part.clone(),
                Some(codes) => codes.and(part, most)?,
            });
        }
        let mut codes = codes?;
        let mut reads = reads.to_vec();
        // Other parts that make few kinds more, or none: then it serves other atoms too.
        let rows = self.table.layout().padded_rows();
        let enough = (rows / ENOUGH).min(Spread::without_cost(codes.distinct));
        for (&read, part) in &self.parts {
            let Some(part) = part else { continue };
            if has(&reads, read) {
                continue;
            }
            if codes.decide(part) {
                reads.push(read);
            } else if part.distinct <= enough
                && let Some(wider) = codes.and(part, enough)
            {
                reads.push(read);
                codes = wider;
            }
        }
        let digest = Digest::new(reads, &self.table, &codes);
        self.bytes += digest.bytes();
        self.made.push(digest);
        Some(self.made.len() - 1)
    }
}

/// Whether a part is among others, or what it is part of.
fn has(reads: &[Read], read: Read) -> bool {
    reads.contains(&read) || reads.contains(&Read { part: Part::Whole, ..read })
}

fn hash(reads: &[Read]) -> u64 {
    let mut mixer = Mixer::new(reads.len() as u64);
    reads.iter().for_each(|read| mixer.add(u64::from(read.var.0) << 3 | read.part as u64));
    mixer.finish()
}

/// How an atom is to be computed.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// On these few rows, or on all.
    pub(super) digest: Option<&'a Digest>,
    /// Whether there is no need to [note](Digests::note) what it reads.
    pub(super) is_known: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kernels::Isa;
    use crate::op::Type;
    use crate::schema::{Schema, Var};
    use crate::table::{Column, Sequences};
    use crate::tolerance::Tolerance;

    const ROWS: usize = 6_000;

    /// `k` has 40 values, `double` is 2 k, `s` has 60 texts of 3 lengths, `x` is different on every row.
    fn table() -> Arc<Table> {
        let schema = [("k", Type::Num), ("double", Type::Num), ("s", Type::Seq), ("x", Type::Num)];
        let schema = Schema::new(schema).unwrap();
        let numbers = |value: fn(usize) -> usize| {
            Column::Num((0..ROWS).map(|row| value(row) as f64).collect())
        };
        let text = |row: usize| (0..row % 3).map(move |i| (row % 60 + i) as f64);
        let columns = vec![
            numbers(|row| row % 40),
            numbers(|row| row % 40 * 2),
            Column::Seq((0..ROWS).map(text).collect::<Sequences>()),
            numbers(|row| row),
        ];
        let groups = [1_000, ROWS - 1_000];
        Arc::new(Table::grouped(&schema, columns, &groups, Tolerance::default()).unwrap())
    }

    fn read(var: u16, part: Part) -> Read {
        Read { var: Var(var), part }
    }

    const K: u16 = 0;
    const DOUBLE: u16 = 1;
    const S: u16 = 2;
    const X: u16 = 3;

    #[test]
    fn a_digest_has_one_row_of_every_kind() {
        let table = table();
        let mut digests = Digests::new(&table, 1 << 20);
        let made = digests.make(&[read(K, Part::Whole), read(S, Part::Length)]).unwrap();
        let Digest { table: few, spread, .. } = &digests.made[made];
        assert_eq!(few.rows(), 120);
        assert_eq!(spread.words(), table.layout().words());
        let pairs: std::collections::BTreeSet<String> = (0..few.rows())
            .map(|row| format!("{:?} {:?}", few.value(Var(K), row), few.value(Var(S), row)))
            .collect();
        assert_eq!(pairs.len(), 120);
    }

    #[test]
    fn a_digest_is_made_when_it_was_wanted_often_enough_and_serves_others() {
        let kernels = Kernels::of(Isa::best());
        let mut digests = Digests::new(&table(), 1 << 20);
        let [k, double] = [K, DOUBLE].map(|var| read(var, Part::Whole));
        for _ in 0..PRICE {
            assert!(digests.find(&[k], 20, kernels).digest.is_none());
            digests.note(&[k], 1);
        }
        let found = digests.find(&[k], 20, kernels);
        assert_eq!((found.digest.map(Digest::rows), found.is_known), (Some(40), true));
        // What nobody has read so far is not in it; what is in it needs no digest of its own.
        assert!(digests.find(&[double], 20, kernels).digest.is_none());
        (0..PRICE).for_each(|_| digests.note(&[double], 1));
        assert_eq!(digests.find(&[k, double], 20, kernels).digest.map(Digest::rows), Some(40));
        assert_eq!(digests.made.len(), 2);
        // What it saves on an atom that costs nothing is less than nothing.
        assert!(digests.find(&[k], 0, kernels).digest.is_none());
    }

    #[test]
    fn where_rows_do_not_repeat_there_is_no_digest() {
        let mut digests = Digests::new(&table(), 1 << 20);
        let reads = [read(K, Part::Whole), read(X, Part::Whole)];
        (0..LARGE * PRICE * 2).for_each(|_| digests.note(&reads, 1));
        let found = digests.find(&reads, 20, Kernels::of(Isa::best()));
        assert!(found.digest.is_none() && found.is_known);
        assert!(digests.made.is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let most_bytes = ROWS * LEAST_BYTES * 2;
        let mut digests = Digests::new(&table(), most_bytes);
        let sets = [
            vec![read(K, Part::Whole)],
            vec![read(S, Part::Length)],
            vec![read(K, Part::Whole), read(S, Part::Whole)],
        ];
        for _ in 0..9 * PRICE {
            sets.iter().for_each(|reads| digests.note(reads, 1));
            assert!(digests.bytes() <= most_bytes);
        }
        assert!(digests.price > PRICE, "some were forgotten");
        let mut digests = Digests::new(&table(), ROWS);
        assert!(digests.are_off());
        digests.make_all();
        assert!(!digests.are_off());
    }
}
