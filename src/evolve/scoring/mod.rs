//! How relations do on executions: where they are wrong, and which mutants they kill.
//!
//! A relation that a person wrote and one that was evolved get the same verdict. Knows nothing of how
//! relations are found.

use std::sync::Arc;

use genmorph_jit::{Batch, DEFAULT_MEMORY, Evaluator, Mask, Policy, Predicate, Threads};

use crate::executions::{CORRECT, Executions, INCORRECT, Kills};

/// How a relation does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Correct rows on which it is false.
    pub false_positives: u32,
    /// Incorrect rows on which it is true.
    pub false_negatives: u32,
    /// Its nodes, leaves included.
    pub size: usize,
    /// The mutants that have a row on which it is false, by their index; none if not asked for.
    pub killed: Option<Vec<u32>>,
}

/// For which relations the killed mutants are found: that needs every row, not only counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KilledBy {
    /// For relations without false positives.
    #[default]
    Valid,
    /// For all relations that are scored.
    All,
    /// For no relation: counts are enough.
    Nobody,
}

/// Scores relations on executions. Remembers what they share: keep one, and give it many at a time.
#[derive(Debug)]
pub struct Scorer<'e> {
    executions: &'e Executions,
    policy: Policy,
    killed_by: KilledBy,
    batch: Batch,
    pieces: Vec<Piece<'e>>,
}

/// What one thread works on.
#[derive(Debug)]
struct Piece<'e> {
    evaluator: Evaluator,
    mask: Mask,
    kills: Kills<'e>,
    /// The relations to evaluate, and their scores.
    todo: Vec<(usize, Score)>,
}

/// Relations of a piece: their cost differs much, so there are many pieces for each thread.
const PIECE: usize = 64;

impl<'e> Scorer<'e> {
    /// A scorer over these executions. [`Policy::Auto`] counts whole batches at once.
    pub fn new(executions: &'e Executions, policy: Policy, killed_by: KilledBy) -> Scorer<'e> {
        let batch = Batch::new(Arc::clone(&executions.table), DEFAULT_MEMORY);
        Scorer { executions, policy, killed_by, batch, pieces: Vec::new() }
    }

    /// The scores of relations over the variables of the executions.
    ///
    /// # Panics
    /// If a relation is over other variables.
    pub fn score(&mut self, relations: &[Predicate], threads: &impl Threads) -> Vec<Score> {
        let (correct, killed_by) = (self.executions.count(CORRECT) as u32, self.killed_by);
        let blank = |relation: &Predicate| Score {
            false_positives: 0,
            false_negatives: 0,
            size: relation.size(),
            killed: None,
        };
        let mut scores: Vec<Score> = relations.iter().map(blank).collect();
        let mut todo: Vec<usize> = (0..relations.len()).collect();
        if self.policy == Policy::Auto {
            let counts = self.batch.counts(relations, threads);
            for (score, counts) in scores.iter_mut().zip(counts.chunks(2)) {
                score.false_positives = correct - counts[CORRECT];
                score.false_negatives = counts[INCORRECT];
            }
            todo.retain(|&i| killed_by.wants(&scores[i]));
        }
        let pieces = todo.len().div_ceil(PIECE);
        while self.pieces.len() < pieces {
            self.pieces.push(Piece {
                evaluator: Evaluator::new(self.policy),
                mask: Mask::empty(self.executions.table.layout()),
                kills: Kills::new(self.executions),
                todo: Vec::new(),
            });
        }
        for (piece, todo) in self.pieces.iter_mut().zip(todo.chunks(PIECE)) {
            piece.todo.extend(todo.iter().map(|&i| (i, scores[i].clone())));
        }
        let table = &self.executions.table;
        threads.for_each(&mut self.pieces[..pieces], |piece| {
            for (i, score) in &mut piece.todo {
                piece.evaluator.mask_into(&relations[*i], table, &mut piece.mask);
                score.false_positives = correct - piece.mask.count_ones_in(CORRECT) as u32;
                score.false_negatives = piece.mask.count_ones_in(INCORRECT) as u32;
                if killed_by.wants(score) {
                    let killed = piece.kills.of(&piece.mask).iter().enumerate();
                    let killed = killed.filter(|(_, killed)| **killed);
                    score.killed = Some(killed.map(|(mutant, _)| mutant as u32).collect());
                }
            }
        });
        for (i, score) in self.pieces[..pieces].iter_mut().flat_map(|piece| piece.todo.drain(..)) {
            scores[i] = score;
        }
        scores
    }
}

impl KilledBy {
    fn wants(self, score: &Score) -> bool {
        match self {
            KilledBy::Valid => score.false_positives == 0,
            KilledBy::All => true,
            KilledBy::Nobody => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::{OneThread, Tier, Tolerance, Value, parse};

    use super::*;
    use crate::executions::Rows;
    use crate::subject::kinds::{Interface, Kind, Parameter};
    use crate::support::threads::Jobs;
    use crate::transform::Transformation;

    fn executions() -> Executions {
        let parameter = |name: &str| Parameter { name: name.to_owned(), kind: Kind::Number };
        let signature = Interface {
            function: "twice".to_owned(),
            inputs: vec![parameter("x")],
            outputs: vec![parameter("out")],
            ..Interface::default()
        };
        let transformation =
            Transformation { name: "t".to_owned(), input_relation: "x_f == x_s + 1".to_owned() };
        let mutants = ["low", "more", "some"].map(str::to_owned).to_vec();
        let mut rows = Rows::new(&signature, mutants).unwrap();
        let mut push = |mutant, x: i32, f: &dyn Fn(f64) -> f64| {
            let x = f64::from(x);
            let row = [x, f(x), x + 1.0, f(x + 1.0)].map(Value::Num);
            rows.push(mutant, &row).unwrap();
        };
        (0..100).for_each(|x| push(None, x, &|x| 2.0 * x));
        (0..100).for_each(|x| push(Some(0), x, &|x| 2.0 * x - 1.0));
        (0..100).for_each(|x| push(Some(1), x, &|x| 3.0 * x + 1.0));
        // The same as the first, on fewer inputs.
        (50..60).for_each(|x| push(Some(2), x, &|x| 2.0 * x - 1.0));
        rows.into_executions(&signature, &transformation, Tolerance::default(), 0).unwrap()
    }

    #[test]
    fn every_tier_and_any_number_of_threads_give_one_verdict() {
        let executions = executions();
        let texts = [
            "out_f == out_s + 2",
            "out_s >= 0",
            "out_s == 2 * x_s",
            "true",
            "false",
            "out_s != 99",
            "x_s < 10 implies out_s >= 0",
        ];
        let relations: Vec<Predicate> =
            texts.iter().map(|text| parse(text, executions.table.schema()).unwrap()).collect();
        let many: Vec<Predicate> = relations.iter().cycle().take(1000).cloned().collect();
        let mut scorer = Scorer::new(&executions, Policy::Auto, KilledBy::Valid);
        let expected = scorer.score(&many, &OneThread);
        let verdict = |i: usize| {
            let Score { false_positives, false_negatives, killed, .. } = &expected[i];
            (*false_positives, *false_negatives, killed.clone())
        };
        assert_eq!(verdict(0), (0, 100, Some(vec![1])));
        assert_eq!(verdict(1), (0, 199, Some(vec![0])));
        assert_eq!(verdict(2), (0, 0, Some(vec![0, 1, 2])));
        assert_eq!(verdict(3), (0, 200, Some(vec![])));
        assert_eq!(verdict(4), (100, 0, None));
        // The only incorrect row on which this is false is the first's and the third's.
        assert_eq!(verdict(5), (0, 199, Some(vec![0, 2])));
        for policy in Tier::ALL.map(Policy::Only).into_iter().chain([Policy::Auto]) {
            for jobs in [1, 3] {
                let mut scorer = Scorer::new(&executions, policy, KilledBy::Valid);
                let scores = scorer.score(&many, &Jobs::new(jobs).unwrap());
                assert_eq!(scores, expected, "{policy}, {jobs} jobs");
            }
        }
        let mut all = Scorer::new(&executions, Policy::Auto, KilledBy::All);
        assert_eq!(all.score(&relations, &OneThread)[4].killed, Some(vec![0, 1, 2]));
        let mut none = Scorer::new(&executions, Policy::Auto, KilledBy::Nobody);
        assert_eq!(none.score(&relations, &OneThread)[0].killed, None);
    }
}
