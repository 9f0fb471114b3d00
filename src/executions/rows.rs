//! Rows on their way into a table: labelled, with identical rows merged, and sampled down to a limit.
//!
//! Knows nothing of files. Two rows are identical when no operator can tell them apart: the same numbers (all
//! NaNs are one, zeros have no sign), truth values and sequences.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use genmorph_jit::{Column, SchemaError, Table, TableError, Tolerance, Value};

use super::Executions;
use super::sample::{self, Limits};
use crate::subject::kinds::Interface;
use crate::transform::Transformation;

/// Pairs of executions in any order, each from the original or from a mutant.
#[derive(Clone, Debug)]
pub struct Rows {
    /// One column per variable of [`Interface::schema`].
    columns: Vec<Column>,
    /// The names of all mutants that may have rows.
    mutants: Vec<String>,
    /// The original's rows that are kept, in order.
    correct: Vec<u32>,
    /// The mutants' rows that are kept, in order, each with one mutant that gives it.
    incorrect: Vec<(u32, u32)>,
    /// Further mutants that give a row: the position in `incorrect`, and the mutant.
    also: Vec<(u32, u32)>,
    /// For each hash, the first kept row with that hash; `next` links to the others.
    known: HashMap<u64, KeptRow>,
    /// For every row, the next row with the same hash.
    next: Vec<Option<KeptRow>>,
    /// Number of rows that were dropped because an identical one was kept.
    duplicates: usize,
    /// Set by [`Rows::keep_next`]: the number of the original's rows at that time. Later ones stay in every sample.
    staying: Option<usize>,
}

/// A row that is kept, with its position in `incorrect` if it is a mutant's.
#[derive(Clone, Copy, Debug)]
struct KeptRow {
    row: u32,
    incorrect: Option<u32>,
}

/// A mutant's row that is identical to one of the original.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row of mutant `{mutant}` is the same as a row of the original")]
pub struct CorrectAsIncorrect {
    /// Name of the mutant.
    pub mutant: String,
}

impl Rows {
    /// Starts without rows, over the variables of a signature.
    ///
    /// # Errors
    /// When names of the signature collide, or are not valid variable names.
    pub fn new(signature: &Interface, mutants: Vec<String>) -> Result<Rows, SchemaError> {
        let columns = signature.schema()?.iter().map(|(_, _, ty)| Column::empty(ty)).collect();
        Ok(Rows::empty(columns, mutants))
    }

    fn empty(columns: Vec<Column>, mutants: Vec<String>) -> Rows {
        Rows {
            columns,
            mutants,
            correct: Vec::new(),
            incorrect: Vec::new(),
            also: Vec::new(),
            known: HashMap::new(),
            next: Vec::new(),
            duplicates: 0,
            staying: None,
        }
    }

    /// Takes rows whose columns exist already; `labels` has the mutant of each row, or `None` for the
    /// original. An error carries the first row of a mutant that is identical to a row of the original.
    pub(super) fn from_columns(
        columns: Vec<Column>,
        mutants: Vec<String>,
        labels: &[Option<u32>],
    ) -> Result<Rows, usize> {
        let mut rows = Rows::empty(columns, mutants);
        // A mutant's row may come before the original's row that it repeats.
        for pass in [true, false] {
            for (row, label) in labels.iter().enumerate() {
                if label.is_none() == pass {
                    rows.next.resize(rows.next.len().max(row + 1), None);
                    rows.admit(row as u32, *label).map_err(|_| row)?;
                }
            }
        }
        Ok(rows)
    }

    /// Takes the rows of a table, in which identical rows were merged already.
    pub(super) fn from_parts(columns: Vec<Column>, executions: &Executions) -> Rows {
        let correct = executions.count(super::CORRECT) as u32;
        let mutants = executions.row_mutants.iter();
        Rows {
            correct: (0..correct).collect(),
            incorrect: mutants.enumerate().map(|(i, &m)| (correct + i as u32, m)).collect(),
            also: executions.also.clone(),
            ..Rows::empty(columns, executions.mutants.clone())
        }
    }

    /// Adds a row: the values of all variables, and the mutant that gave it, or `None` for the original. Push
    /// the original's rows first.
    ///
    /// # Errors
    /// When the row is a mutant's and identical to a row of the original.
    ///
    /// # Panics
    /// If the values do not match the variables of the signature, or there are 2^31 rows already.
    pub fn push<'v>(
        &mut self,
        mutant: Option<u32>,
        values: impl IntoIterator<Item: Borrow<Value<'v>>>,
    ) -> Result<(), CorrectAsIncorrect> {
        let mut values = values.into_iter();
        for column in &mut self.columns {
            column.push(values.next().expect("a value for every variable").borrow());
        }
        assert!(values.next().is_none(), "more values than variables");
        let row = self.next.len();
        assert!(row < 1 << 31, "at most 2^31 rows");
        self.next.push(None);
        self.admit(row as u32, mutant)
    }

    /// Number of unique rows of the original, and of mutants.
    pub fn counts(&self) -> (usize, usize) {
        (self.correct.len(), self.incorrect.len())
    }

    /// Number of rows that were dropped because they were identical to an earlier one.
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// Marks the original's rows that are pushed after this call: a sample prefers them to earlier ones.
    pub fn keep_next(&mut self) {
        self.staying.get_or_insert(self.correct.len());
    }

    /// Keeps a row unless an identical one is kept already.
    fn admit(&mut self, row: u32, mutant: Option<u32>) -> Result<(), CorrectAsIncorrect> {
        let hash = self.hash(row);
        let mut last = None;
        let mut at = self.known.get(&hash).copied();
        while let Some(kept) = at {
            if self.same(kept.row, row) {
                return self.repeat(kept, mutant);
            }
            last = Some(kept.row);
            at = self.next[kept.row as usize];
        }
        let incorrect = mutant.map(|_| self.incorrect.len() as u32);
        match mutant {
            None => self.correct.push(row),
            Some(mutant) => self.incorrect.push((row, mutant)),
        }
        let kept = KeptRow { row, incorrect };
        match last {
            None => drop(self.known.insert(hash, kept)),
            Some(last) => self.next[last as usize] = Some(kept),
        }
        Ok(())
    }

    fn repeat(&mut self, kept: KeptRow, mutant: Option<u32>) -> Result<(), CorrectAsIncorrect> {
        match (kept.incorrect, mutant) {
            (None, Some(mutant)) => {
                let mutant = self.mutants[mutant as usize].clone();
                return Err(CorrectAsIncorrect { mutant });
            }
            (Some(place), Some(mutant)) if self.incorrect[place as usize].1 != mutant => {
                self.also.push((place, mutant));
            }
            _ => self.duplicates += 1,
        }
        Ok(())
    }

    fn hash(&self, row: u32) -> u64 {
        let mut hasher = DefaultHasher::new();
        for column in &self.columns {
            match column {
                Column::Num(values) => identity(values[row as usize]).hash(&mut hasher),
                Column::Bool(values) => values[row as usize].hash(&mut hasher),
                Column::Seq(values) => {
                    let values = values.get(row as usize);
                    values.len().hash(&mut hasher);
                    values.iter().for_each(|&value| identity(value).hash(&mut hasher));
                }
            }
        }
        hasher.finish()
    }

    fn same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.columns.iter().all(|column| match column {
            Column::Num(values) => identity(values[a]) == identity(values[b]),
            Column::Bool(values) => values[a] == values[b],
            Column::Seq(values) => {
                let identities = |row| values.get(row).iter().map(|&value| identity(value));
                identities(a).eq(identities(b))
            }
        })
    }

    /// Samples at most as many rows of the original and of mutants as the limits say. Every mutant keeps at
    /// least one row if the limit allows it.
    #[must_use]
    pub fn sampled(mut self, limits: Limits, seed: u64) -> Rows {
        let kept = sample::choose(self.correct.len(), limits.correct, seed, |row| {
            self.staying.is_some_and(|first| row >= first)
        });
        self.correct = kept.iter().map(|&i| self.correct[i]).collect();

        // For each mutant, the row that comes first in the order of the seed.
        let seed = seed ^ sample::INCORRECT;
        let mut first: Vec<Option<(u64, usize)>> = vec![None; self.mutants.len()];
        let shown = self.incorrect.iter().enumerate().map(|(row, &(_, mutant))| (row, mutant));
        let also = self.also.iter().map(|&(row, mutant)| (row as usize, mutant));
        for (row, mutant) in shown.chain(also) {
            let candidate = (sample::key(row, seed), row);
            let best = first[mutant as usize].get_or_insert(candidate);
            *best = candidate.min(*best);
        }
        let mut stays = vec![false; self.incorrect.len()];
        first.iter().flatten().for_each(|&(_, row)| stays[row] = true);
        let kept = sample::choose(self.incorrect.len(), limits.incorrect, seed, |row| stays[row]);
        self.keep_incorrect(&kept);
        self
    }

    /// Keeps the mutants' rows of which a test is true, by their place among these.
    #[must_use]
    pub(super) fn retaining(mut self, keeps: impl Fn(usize) -> bool) -> Rows {
        let kept: Vec<usize> = (0..self.incorrect.len()).filter(|&row| keeps(row)).collect();
        self.keep_incorrect(&kept);
        self
    }

    /// Keeps the mutants' rows at these places, in this order.
    fn keep_incorrect(&mut self, kept: &[usize]) {
        let mut places = vec![None; self.incorrect.len()];
        for (place, &row) in kept.iter().enumerate() {
            places[row] = Some(place as u32);
        }
        self.incorrect = kept.iter().map(|&row| self.incorrect[row]).collect();
        self.also = (self.also.iter())
            .filter_map(|&(row, mutant)| Some((places[row as usize]?, mutant)))
            .collect();
    }

    /// Makes the table: the original's rows, then those of the mutants.
    ///
    /// # Errors
    /// When the rows do not form a table for the signature.
    pub fn into_executions(
        self,
        signature: &Interface,
        transformation: &Transformation,
        tolerance: Tolerance,
        seed: u64,
    ) -> Result<Executions, TableError> {
        let schema = signature.schema().expect("its columns are those of a schema");
        let order = || self.correct.iter().copied().chain(self.incorrect.iter().map(|row| row.0));
        let columns = self.columns.iter().map(|column| gather(column, order())).collect();
        let groups = [self.correct.len(), self.incorrect.len()];
        let table = Table::grouped(&schema, columns, &groups, tolerance)?;

        // Only mutants that have rows, sorted by name, so that the order does not depend on where the rows come from.
        let mut present = vec![false; self.mutants.len()];
        let shown = self.incorrect.iter().map(|row| row.1).chain(self.also.iter().map(|row| row.1));
        shown.for_each(|mutant| present[mutant as usize] = true);
        let mut number = vec![0_u32; self.mutants.len()];
        let mut order: Vec<u32> = (0..number.len() as u32).collect();
        order.retain(|&mutant| present[mutant as usize]);
        order.sort_by_cached_key(|&mutant| natural(&self.mutants[mutant as usize]));
        for (place, &mutant) in order.iter().enumerate() {
            number[mutant as usize] = place as u32;
        }
        let mutants = order.iter().map(|&m| self.mutants[m as usize].clone()).collect();
        let mut also: Vec<(u32, u32)> =
            self.also.iter().map(|&(row, mutant)| (row, number[mutant as usize])).collect();
        also.sort_unstable();
        also.dedup();
        Ok(Executions {
            signature: signature.clone(),
            transformation: transformation.clone(),
            table: Arc::new(table),
            mutants,
            row_mutants: self.incorrect.iter().map(|row| number[row.1 as usize]).collect(),
            also,
            seed,
        })
    }
}

/// A sort key that orders numbers within names by value: `mutant2` before `mutant10`.
fn natural(name: &str) -> Vec<(String, usize, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, digits) = rest.split_at(text);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (digits, after) = digits.split_at(end);
        let number = digits.trim_start_matches('0');
        parts.push((text.to_owned(), number.len(), digits.to_owned()));
        rest = after;
    }
    parts
}

/// The bits of a number; all NaNs have the same bits, and so have both zeros.
pub(crate) fn identity(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { (number + 0.0).to_bits() }
}

fn gather(column: &Column, rows: impl Iterator<Item = u32>) -> Column {
    let rows = rows.map(|row| row as usize);
    match column {
        Column::Num(values) => Column::Num(rows.map(|row| values[row]).collect()),
        Column::Bool(values) => Column::Bool(rows.map(|row| values[row]).collect()),
        Column::Seq(values) => {
            Column::Seq(rows.map(|row| values.get(row).iter().copied()).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executions::INCORRECT;
    use crate::subject::kinds::{Kind, Parameter};

    fn signature() -> Interface {
        let parameter = |name: &str| Parameter { name: name.to_owned(), kind: Kind::Number };
        Interface {
            function: "f".to_owned(),
            inputs: vec![parameter("x")],
            outputs: vec![parameter("out")],
            ..Interface::default()
        }
    }

    fn transformation() -> Transformation {
        Transformation { name: "any".to_owned(), input_relation: "true".to_owned() }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("m{i}")).collect()
    }

    fn row(numbers: [f64; 4]) -> [Value<'static>; 4] {
        numbers.map(Value::Num)
    }

    fn executions(rows: Rows) -> Executions {
        rows.into_executions(&signature(), &transformation(), Tolerance::default(), 7).unwrap()
    }

    #[test]
    fn identical_rows_are_one_row_and_keep_all_their_mutants() {
        let mut rows = Rows::new(&signature(), names(4)).unwrap();
        rows.push(None, &row([1., 2., 3., 0.0])).unwrap();
        rows.push(None, &row([1., 2., 3., -0.0])).unwrap();
        rows.push(Some(3), &row([1., 2., 3., f64::NAN])).unwrap();
        rows.push(Some(1), &row([1., 2., 3., -f64::NAN])).unwrap();
        rows.push(Some(1), &row([1., 2., 3., -f64::NAN])).unwrap();
        let wrong = rows.push(Some(0), &row([1., 2., 3., 0.])).unwrap_err();
        assert_eq!(wrong.mutant, "m0");
        assert_eq!((rows.counts(), rows.duplicates()), ((1, 1), 1));
        let executions = executions(rows);
        assert_eq!(executions.mutants, ["m1", "m3"]);
        assert_eq!((executions.row_mutants, executions.also), (vec![1], vec![(0, 0)]));
    }

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let mut names = ["m10", "m9", "m", "a2b10", "a2b9", "", "10", "9", "m09x"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["", "9", "10", "a2b9", "a2b10", "m", "m09x", "m9", "m10"]);
    }

    #[test]
    fn a_sample_is_repeatable_and_keeps_every_mutant() {
        let mut rows = Rows::new(&signature(), names(50)).unwrap();
        for i in 0..3000 {
            rows.push(None, &row([f64::from(i), 0., 0., 0.])).unwrap();
        }
        for i in 0..3000_u32 {
            // Each of the last mutants has one row; the very last one shares it with another.
            let mutant = if i < 2953 { i % 2 } else { i - 2951 };
            rows.push(Some(mutant), &row([f64::from(i), 1., 0., 0.])).unwrap();
        }
        rows.push(Some(49), &row([100., 1., 0., 0.])).unwrap();
        let all = executions(rows);
        let limits = Limits { correct: 1000, incorrect: 60 };
        let (a, b, c) = (all.sampled(limits, 1), all.sampled(limits, 1), all.sampled(limits, 2));
        let first = |e: &Executions| -> Vec<_> {
            (0..1060).map(|row| format!("{:?}", e.table.value(genmorph_jit::Var(0), row))).collect()
        };
        assert_eq!(first(&a), first(&b));
        assert_ne!(first(&a), first(&c));
        assert_eq!(a.count(INCORRECT), 60);
        assert_eq!(a.mutants.len(), 50);
        assert_eq!((a.seed, c.seed), (1, 2));
    }
}
