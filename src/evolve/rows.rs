//! The executions as the search wants them: the rows of each mutant together, and a sample.
//!
//! ```text
//! group 0     group 1                  group 2
//! correct     mutants with few rows    mutants with more rows …
//!             m3 m3 m7 m7 m7           m0 m0 m0 m0 m0 m0 m5 …
//! ```
//! A group of the table is counted on its own, so what a row weighs is a matter of its group. Mutants
//! with about as many rows share one, because every group costs time in every count.

use std::ops::Range;
use std::sync::Arc;

use genmorph_jit::{Column, Mask, Sequences, Table, Type, Value, Var};

use crate::evolve::config::Weights;
use crate::executions::{CORRECT, Executions, INCORRECT};
use crate::support::seed::Stream;

/// What all mutants together weigh. Weights are whole numbers, so sums do not depend on an order.
const WHOLE: u64 = 1 << 40;
/// The most groups of mutants.
const MOST_GROUPS: usize = 12;

/// The rows, and what is known of them.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) table: Arc<Table>,
    pub(crate) correct: usize,
    pub(crate) incorrect: usize,
    /// What a row weighs in each group after the first.
    weights: Vec<u64>,
    /// Where the rows of each mutant are among the bits of a mask.
    mutants: Vec<Range<usize>>,
    /// Bits of rows that another mutant shows too, and that one.
    also: Vec<Vec<usize>>,
    /// Some rows of both kinds, in the groups [`CORRECT`] and [`INCORRECT`].
    pub(crate) sample: Arc<Table>,
}

impl Rows {
    /// Arranges executions. The sample has at most `sample` rows of each kind.
    pub(crate) fn new(
        executions: &Executions,
        weights: Weights,
        sample: Option<usize>,
        stream: Stream,
    ) -> Rows {
        let table = &executions.table;
        let [correct, incorrect] =
            [CORRECT, INCORRECT].map(|group| table.layout().groups()[group].rows);
        let mut of_mutant: Vec<Vec<usize>> = vec![Vec::new(); executions.mutants.len()];
        for (row, &mutant) in executions.row_mutants.iter().enumerate() {
            of_mutant[mutant as usize].push(correct + row);
        }
        let groups = groups(&of_mutant, weights);
        let order: Vec<usize> = (0..correct)
            .chain(groups.iter().flatten().flat_map(|&mutant| of_mutant[mutant].iter().copied()))
            .collect();
        let rows_of = |group: &Vec<usize>| group.iter().map(|&m| of_mutant[m].len()).sum::<usize>();
        let sizes: Vec<usize> =
            std::iter::once(correct).chain(groups.iter().map(rows_of)).collect();
        let is_arranged = sizes.len() == 2 && order.iter().enumerate().all(|(i, row)| i == *row);
        let arranged = if is_arranged {
            Arc::clone(table)
        } else {
            Arc::new(rearranged(table, &order, &sizes))
        };
        let mut mutants = vec![0..0; of_mutant.len()];
        let mut bits = vec![0; incorrect];
        for (members, group) in groups.iter().zip(&arranged.layout().groups()[1..]) {
            let mut bit = group.first_word * 64;
            for &mutant in members {
                mutants[mutant] = bit..bit + of_mutant[mutant].len();
                for row in &of_mutant[mutant] {
                    bits[row - correct] = bit;
                    bit += 1;
                }
            }
        }
        let mut also = vec![Vec::new(); of_mutant.len()];
        for &(row, mutant) in &executions.also {
            also[mutant as usize].push(bits[row as usize]);
        }
        let alive = of_mutant.iter().filter(|rows| !rows.is_empty()).count();
        let weigh = |group: &Vec<usize>| match weights {
            Weights::Rows => 1,
            Weights::Mutants => {
                let share = WHOLE as u128 * group.len() as u128;
                (share / (alive as u128 * rows_of(group) as u128)) as u64
            }
        };
        let mut rng = stream.rng();
        let mut sampled = |rows: Range<usize>| -> Vec<usize> {
            let most = sample.unwrap_or(rows.len()).min(rows.len());
            let stride = |i: usize| rows.start + i * rows.len() / most;
            (0..most).map(|i| stride(i) + rng.below(stride(i + 1) - stride(i))).collect()
        };
        let kinds = [sampled(0..correct), sampled(correct..correct + incorrect)];
        let picked: Vec<usize> = kinds.iter().flatten().map(|&row| order[row]).collect();
        Rows {
            sample: Arc::new(rearranged(table, &picked, &[kinds[0].len(), kinds[1].len()])),
            correct,
            incorrect,
            weights: groups.iter().map(weigh).collect(),
            mutants,
            also,
            table: arranged,
        }
    }

    /// How many mutants there are, with or without rows.
    pub(crate) fn mutants(&self) -> usize {
        self.mutants.len()
    }

    /// From the counts of a relation: false positives, false negatives, and what the latter weigh.
    #[inline]
    pub(crate) fn weigh(&self, counts: &[u32]) -> (u32, u32, u64) {
        let missed = &counts[1..];
        let weight = missed.iter().zip(&self.weights).map(|(&rows, w)| u64::from(rows) * w).sum();
        (self.correct as u32 - counts[0], missed.iter().sum(), weight)
    }

    /// On how many rows of a mutant a relation is false.
    pub(crate) fn killed(&self, mutant: usize, mask: &Mask) -> u32 {
        let bits = self.mutants[mutant].clone();
        let is_false = |&&bit: &&usize| mask.words()[bit / 64] >> (bit % 64) & 1 == 0;
        let also = self.also[mutant].iter().filter(is_false).count();
        bits.len() as u32 - ones(mask.words(), bits) + also as u32
    }

    /// The words of a mask that stand for incorrect rows.
    pub(crate) fn incorrect_words<'m>(&self, mask: &'m Mask) -> &'m [u64] {
        &mask.words()[self.table.layout().groups()[0].words().end..]
    }
}

/// The mutants with rows, in groups that weigh the same.
fn groups(of_mutant: &[Vec<usize>], weights: Weights) -> Vec<Vec<usize>> {
    let mut mutants: Vec<usize> =
        (0..of_mutant.len()).filter(|&mutant| !of_mutant[mutant].is_empty()).collect();
    if weights == Weights::Rows {
        return vec![mutants];
    }
    let rows = |mutant: usize| of_mutant[mutant].len();
    mutants.sort_by_key(|&mutant| (rows(mutant), mutant));
    // Widen the groups until there are few enough.
    let mut ratio = 1.0;
    loop {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &mutant in &mutants {
            match groups.last_mut() {
                Some(group) if rows(mutant) as f64 <= rows(group[0]) as f64 * ratio => {
                    group.push(mutant);
                }
                _ => groups.push(vec![mutant]),
            }
        }
        if groups.len() <= MOST_GROUPS {
            return groups;
        }
        ratio *= 1.1;
    }
}

/// A table of some rows of another, in another order, in groups of these sizes.
fn rearranged(table: &Table, order: &[usize], sizes: &[usize]) -> Table {
    let schema = table.schema();
    let column = |var: Var, ty: Type| {
        let values = order.iter().map(|&row| table.value(var, row));
        match ty {
            Type::Num => Column::Num(
                values.map(|value| if let Value::Num(n) = value { n } else { f64::NAN }).collect(),
            ),
            Type::Bool => {
                Column::Bool(values.map(|value| matches!(value, Value::Bool(true))).collect())
            }
            Type::Seq => {
                let mut all = Sequences::default();
                for value in values {
                    if let Value::Seq(sequence) = value {
                        all.push(sequence.iter().copied());
                    }
                }
                Column::Seq(all)
            }
        }
    };
    let columns = schema.iter().map(|(var, _, ty)| column(var, ty)).collect();
    Table::grouped(schema, columns, sizes, *table.tolerance())
        .expect("the rows are those of a table")
}

/// How many of some bits are set.
fn ones(words: &[u64], bits: Range<usize>) -> u32 {
    if bits.is_empty() {
        return 0;
    }
    let (first, last) = (bits.start / 64, (bits.end - 1) / 64);
    let from = !0_u64 << (bits.start % 64);
    let to = !0_u64 >> (63 - (bits.end - 1) % 64);
    if first == last {
        return (words[first] & from & to).count_ones();
    }
    let inner: u32 = words[first + 1..last].iter().map(|word| word.count_ones()).sum();
    inner + (words[first] & from).count_ones() + (words[last] & to).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::example;
    use crate::support::seed::Seed;
    use genmorph_jit::{Evaluator, parse};

    #[test]
    fn bits_are_counted_across_words() {
        let words = [!0_u64, 0, !0];
        assert_eq!(ones(&words, 0..0), 0);
        assert_eq!(ones(&words, 3..5), 2);
        assert_eq!(ones(&words, 60..70), 4);
        assert_eq!(ones(&words, 0..192), 128);
        assert_eq!(ones(&words, 63..129), 2);
    }

    #[test]
    fn every_arrangement_has_the_same_rows_of_every_mutant() {
        let mut executions = example::power();
        executions.mutants.push("a twin".to_owned());
        executions.also =
            (0..executions.row_mutants.len() as u32).step_by(3).map(|row| (row, 5)).collect();
        let relation = parse("out_f == out_s / k_s", executions.table.schema()).unwrap();
        let mask = Evaluator::default().mask(&relation, &executions.table);
        let correct = executions.table.layout().groups()[CORRECT].rows;
        let mut expected = vec![0; executions.mutants.len()];
        for (row, &mutant) in executions.row_mutants.iter().enumerate() {
            expected[mutant as usize] += u32::from(!mask.get(correct + row));
        }
        for &(row, mutant) in &executions.also {
            expected[mutant as usize] += u32::from(!mask.get(correct + row as usize));
        }
        for weights in [Weights::Rows, Weights::Mutants] {
            let rows = Rows::new(&executions, weights, Some(50), Seed(1).stream("test"));
            let mask = Evaluator::default().mask(&relation, &rows.table);
            let killed: Vec<u32> = (0..rows.mutants()).map(|m| rows.killed(m, &mask)).collect();
            assert_eq!(killed, expected);
            assert_eq!(rows.sample.rows(), 100);
        }
    }

    #[test]
    fn mutants_weigh_the_same_whatever_their_rows() {
        let of_mutant: Vec<Vec<usize>> = [5, 0, 500, 5, 70].map(|n| vec![0; n]).into();
        let groups = groups(&of_mutant, Weights::Mutants);
        assert_eq!(groups, [vec![0, 3], vec![4], vec![2]]);
    }
}
