//! Computes scores: shares of mutants that are killed in each way. Pure arithmetic on verdicts;
//! `README.md` defines each score.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verdicts::{Verdict, Verdicts};

/// Numbers of mutants that are killed in each way on one suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Number of all mutants.
    pub mutants: usize,
    /// Mutants that a relation that is always true kills under the transformations: by crashes and time-outs.
    pub floor: usize,
    /// Mutants that a standing relation kills in any way.
    pub killed: usize,
    /// Mutants that a standing relation kills by being false.
    pub asserted: usize,
    /// Mutants that are killed, not by assertion, with a crash among the reasons.
    pub crashed: usize,
    /// Mutants that are killed by time-outs only.
    pub timed_out: usize,
    /// Mutants that differ from the function in any way on the pairs of the suite.
    pub ceiling: usize,
    /// Mutants killed by assertions that expect the outputs of the function on the source inputs.
    pub regression: usize,
    /// Mutants killed by regression assertions or by a standing relation.
    pub enhanced: usize,
}

/// Scores of one suite, or their means over suites. Null where a share would be 0 of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scores {
    /// The score of a relation that is always true.
    #[schemars(range(min = 0, max = 1))]
    pub floor: Option<f64>,
    /// The mutation score of all standing relations together.
    #[schemars(range(min = 0, max = 1))]
    pub ms: Option<f64>,
    /// The same without mutants that are killed by crashes and time-outs only.
    #[schemars(range(min = 0, max = 1))]
    pub ms_assertion: Option<f64>,
    /// The score over mutants that are not equivalent.
    #[schemars(range(min = 0, max = 1))]
    pub ms_non_equivalent: Option<f64>,
    /// The score over mutants that are not equivalent and do not behave like a training mutant.
    #[schemars(range(min = 0, max = 1))]
    pub ms_strict: Option<f64>,
    /// The mean score of single relations; one that does not stand scores 0.
    #[schemars(range(min = 0, max = 1))]
    pub ms_single: Option<f64>,
    /// The score of an oracle that knows every output.
    #[schemars(range(min = 0, max = 1))]
    pub ceiling: Option<f64>,
    /// Share of relations that neither the suite nor hunted inputs refute.
    #[schemars(range(min = 0, max = 1))]
    pub pz: Option<f64>,
    /// Of the relations that the suite does not refute, the share that hunted inputs do not refute.
    #[schemars(range(min = 0, max = 1))]
    pub pzo: Option<f64>,
    /// The score of regression assertions.
    #[schemars(range(min = 0, max = 1))]
    pub regression: Option<f64>,
    /// Of the mutants that regression assertions miss, the share that relations kill.
    #[schemars(range(min = 0, max = 1))]
    pub delta_ms: Option<f64>,
    /// The same over mutants that are not equivalent.
    #[schemars(range(min = 0, max = 1))]
    pub delta_ms_non_equivalent: Option<f64>,
}

/// What is known besides the verdicts of a suite.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuiteFacts<'k> {
    /// By claim and relation: whether neither a suite nor the hunt refutes it.
    pub(super) stands: &'k [Vec<bool>],
    /// By claim and relation: whether the hunt refutes it.
    pub(super) hunted: &'k [Vec<bool>],
    /// By mutant: whether it is equivalent, as far as is known.
    pub(super) equivalent: &'k [bool],
    /// By mutant: whether it behaves like a training mutant.
    pub(super) twins: &'k [bool],
    /// By mutant: whether regression assertions of the suite kill it.
    pub(super) regression: &'k [bool],
}

/// The strongest verdict of all standing relations on a mutant.
pub(super) fn together(verdicts: &Verdicts, stands: &[Vec<bool>], mutant: usize) -> Verdict {
    let all = stands.iter().enumerate().flat_map(|(claim, relations)| {
        let standing = relations.iter().enumerate().filter(|(_, stands)| **stands);
        standing.map(move |(relation, _)| verdicts.of(claim, relation, mutant))
    });
    all.min().unwrap_or(Verdict::Survived)
}

impl Counts {
    /// Counts the mutants at the chosen positions.
    pub(super) fn of(
        verdicts: &Verdicts,
        known: &SuiteFacts<'_>,
        chosen: impl Fn(usize) -> bool,
    ) -> Counts {
        let mut counts = Counts::default();
        for mutant in (0..verdicts.mutants.len()).filter(|&mutant| chosen(mutant)) {
            let verdict = together(verdicts, known.stands, mutant);
            let is_killed = verdict != Verdict::Survived;
            let regression = known.regression[mutant];
            let mut deviations = verdicts.claims.iter().map(|claim| claim.deviations[mutant]);
            counts.mutants += 1;
            counts.floor += usize::from(deviations.clone().any(|deviation| deviation.fails()));
            counts.ceiling += usize::from(deviations.any(|deviation| deviation.is_any()));
            counts.killed += usize::from(is_killed);
            match verdict {
                Verdict::KilledByAssertion => counts.asserted += 1,
                Verdict::KilledByCrash => counts.crashed += 1,
                Verdict::KilledByTimeout => counts.timed_out += 1,
                Verdict::Survived => {}
            }
            counts.regression += usize::from(regression);
            counts.enhanced += usize::from(regression || is_killed);
        }
        counts
    }

    /// Of the mutants that regression assertions miss, the share that relations kill.
    fn delta(&self) -> Option<f64> {
        share(self.enhanced - self.regression, self.mutants - self.regression)
    }
}

impl Scores {
    /// Computes the scores of a suite.
    pub(super) fn of(verdicts: &Verdicts, known: &SuiteFacts<'_>) -> Scores {
        let all = Counts::of(verdicts, known, |_| true);
        let other = Counts::of(verdicts, known, |mutant| !known.equivalent[mutant]);
        let strict =
            Counts::of(verdicts, known, |mutant| !known.equivalent[mutant] && !known.twins[mutant]);
        let mut single = Vec::new();
        let (mut valid, mut unrefuted) = (0, 0);
        for (claim, judged) in verdicts.claims.iter().enumerate() {
            for (relation, on) in judged.relations.iter().enumerate() {
                let is_valid = on.is_valid() && judged.pairs > 0;
                valid += usize::from(is_valid);
                unrefuted += usize::from(is_valid && !known.hunted[claim][relation]);
                let score = if known.stands[claim][relation] {
                    single_score(verdicts, claim, relation)
                } else {
                    Some(0.0)
                };
                single.push(score);
            }
        }
        Scores {
            floor: share(all.floor, all.mutants),
            ms: share(all.killed, all.mutants),
            ms_assertion: share(all.asserted, all.mutants),
            ms_non_equivalent: share(other.killed, other.mutants),
            ms_strict: share(strict.killed, strict.mutants),
            ms_single: mean(single.iter().copied()),
            ceiling: share(all.ceiling, all.mutants),
            pz: share(unrefuted, single.len()),
            pzo: share(unrefuted, valid),
            regression: share(all.regression, all.mutants),
            delta_ms: all.delta(),
            delta_ms_non_equivalent: other.delta(),
        }
    }

    /// Means over suites; a suite without a score does not count.
    pub(super) fn mean(suites: &[Scores]) -> Scores {
        let of = |score: fn(&Scores) -> Option<f64>| mean(suites.iter().map(score));
        Scores {
            floor: of(|s| s.floor),
            ms: of(|s| s.ms),
            ms_assertion: of(|s| s.ms_assertion),
            ms_non_equivalent: of(|s| s.ms_non_equivalent),
            ms_strict: of(|s| s.ms_strict),
            ms_single: of(|s| s.ms_single),
            ceiling: of(|s| s.ceiling),
            pz: of(|s| s.pz),
            pzo: of(|s| s.pzo),
            regression: of(|s| s.regression),
            delta_ms: of(|s| s.delta_ms),
            delta_ms_non_equivalent: of(|s| s.delta_ms_non_equivalent),
        }
    }
}

/// The mutation score of one relation on a suite.
pub(super) fn single_score(verdicts: &Verdicts, claim: usize, relation: usize) -> Option<f64> {
    let mutants = 0..verdicts.mutants.len();
    let killed = mutants.filter(|&m| verdicts.of(claim, relation, m) != Verdict::Survived);
    share(killed.count(), verdicts.mutants.len())
}

/// `part / whole`; `None` if the whole is 0.
pub(super) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The mean of the scores that exist.
pub(super) fn mean(scores: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let there: Vec<f64> = scores.flatten().collect();
    (!there.is_empty()).then(|| there.iter().sum::<f64>() / there.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::verdicts::{ClaimVerdicts, Deviation, RelationVerdicts};
    use super::*;

    const SAME: Deviation = Deviation { differs: false, crashes: false, times_out: false };
    const OTHER: Deviation = Deviation { differs: true, ..SAME };
    const CRASH: Deviation = Deviation { crashes: true, ..OTHER };
    const HANG: Deviation = Deviation { times_out: true, ..SAME };

    fn relation(false_alarms: usize, violated: [u8; 6]) -> RelationVerdicts {
        RelationVerdicts { false_alarms, violated: violated.map(|bit| bit == 1).to_vec() }
    }

    /// Six mutants: one crashes, one hangs, two differ, one differs under the second claim only, one is equivalent.
    fn verdicts() -> Verdicts {
        Verdicts {
            mutants: vec![10, 11, 12, 13, 14, 15],
            claims: vec![
                ClaimVerdicts {
                    pairs: 90,
                    deviations: vec![CRASH, HANG, OTHER, OTHER, SAME, SAME],
                    relations: vec![
                        relation(0, [1, 0, 1, 0, 0, 0]),
                        relation(3, [0, 0, 0, 1, 0, 0]),
                    ],
                },
                ClaimVerdicts {
                    pairs: 80,
                    deviations: vec![SAME, SAME, OTHER, OTHER, OTHER, SAME],
                    relations: vec![relation(0, [0; 6])],
                },
            ],
        }
    }

    fn known<'k>(stands: &'k [Vec<bool>], hunted: &'k [Vec<bool>]) -> SuiteFacts<'k> {
        SuiteFacts {
            stands,
            hunted,
            equivalent: &[false, false, false, false, false, true],
            twins: &[false, false, true, false, false, false],
            regression: &[true, false, true, true, false, false],
        }
    }

    #[test]
    fn scores_are_those_computed_by_hand() {
        let verdicts = verdicts();
        let stands = [vec![true, false], vec![true]];
        let hunted = [vec![false, true], vec![false]];
        let known = known(&stands, &hunted);
        let counts = Counts::of(&verdicts, &known, |_| true);
        let expected = Counts {
            mutants: 6,
            floor: 2,
            // The crash, the hang, and the two that the first relation kills: the crash again, and the third.
            killed: 3,
            asserted: 2,
            crashed: 0,
            timed_out: 1,
            ceiling: 5,
            regression: 3,
            // The hang, too.
            enhanced: 4,
        };
        assert_eq!(counts, expected);
        let scores = Scores::of(&verdicts, &known);
        let expected = Scores {
            floor: Some(2.0 / 6.0),
            ms: Some(3.0 / 6.0),
            ms_assertion: Some(2.0 / 6.0),
            ms_non_equivalent: Some(3.0 / 5.0),
            // Without the third, which is a twin, and the last.
            ms_strict: Some(2.0 / 4.0),
            // 3 of 6 by the first, 0 by the second, which does not stand, and 0 by the third.
            ms_single: Some((0.5 + 0.0 + 0.0) / 3.0),
            ceiling: Some(5.0 / 6.0),
            pz: Some(2.0 / 3.0),
            pzo: Some(2.0 / 2.0),
            regression: Some(3.0 / 6.0),
            // The hang, out of the hang, the fifth and the last.
            delta_ms: Some(1.0 / 3.0),
            delta_ms_non_equivalent: Some(1.0 / 2.0),
        };
        assert_eq!(scores, expected);
    }

    #[test]
    fn the_papers_example_of_an_improvement_is_three_quarters() {
        // nextPrime: 80 % by Randoop, 95 % with relations.
        let counts = Counts { mutants: 20, regression: 16, enhanced: 19, ..Counts::default() };
        assert_eq!(counts.delta(), Some(0.75));
        let all = Counts { mutants: 20, regression: 20, enhanced: 20, ..Counts::default() };
        assert_eq!(all.delta(), None);
    }

    #[test]
    fn a_relation_that_is_false_for_the_function_kills_nothing() {
        let verdicts = verdicts();
        assert!((0..6).all(|mutant| verdicts.of(0, 1, mutant) == Verdict::Survived));
        let stands = [vec![false, false], vec![false]];
        let hunted = [vec![true, true], vec![true]];
        let scores = Scores::of(&verdicts, &known(&stands, &hunted));
        assert_eq!((scores.ms, scores.pz, scores.pzo), (Some(0.0), Some(0.0), Some(0.0)));
        assert_eq!(scores.floor, Some(2.0 / 6.0));
    }

    #[test]
    fn an_assertion_is_a_stronger_verdict_than_a_crash() {
        let verdicts = verdicts();
        let all = (0..6).map(|mutant| verdicts.of(0, 0, mutant));
        let expected = [
            Verdict::KilledByAssertion,
            Verdict::KilledByTimeout,
            Verdict::KilledByAssertion,
            Verdict::Survived,
            Verdict::Survived,
            Verdict::Survived,
        ];
        assert!(all.eq(expected));
    }

    #[test]
    fn means_leave_out_what_there_is_not() {
        assert_eq!(mean([Some(1.0), None, Some(0.5)].into_iter()), Some(0.75));
        assert_eq!(mean([None, None].into_iter()), None);
    }
}
