//! An assessment as text for people.

use std::fmt;

use super::report::{Assessment, MutantVerdicts, RelationScores, SuiteScores};
use super::scores::Scores;
use crate::support::digits::grouped;

/// How many mutants of a list are named; the files name all.
const NAMED: usize = 20;

impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.function, self.signature)?;
        writeln!(
            f,
            "relations  {} of {} stand: PZ {:.2}, PZO {}",
            self.standing(),
            self.relations.len(),
            self.pz,
            decimals(self.pzo)
        )?;
        let twins = self.mutants.iter().filter(|mutant| mutant.same_as.is_some()).count();
        writeln!(
            f,
            "mutants    {} of group B: {} equivalent as far as is known, {twins} that behave like a training mutant\n",
            self.mutants.len(),
            self.equivalent.len()
        )?;
        self.scores(f)?;
        self.by_relation(f)?;
        let never = format!("never killed, of {} that are not equivalent", self.differing());
        self.list(f, &never, &self.never_killed)?;
        let alike =
            format!("equivalent as far as {} inputs show", grouped(self.compared_on as u64));
        self.list(f, &alike, &self.equivalent)?;
        self.list(f, "different by no more than the tolerance", &self.within_tolerance)?;
        self.list(f, "different only where the function fails", &self.fail_otherwise)
    }
}

impl Assessment {
    fn differing(&self) -> usize {
        self.mutants.len() - self.equivalent.len()
    }

    /// A row for each suite, and the means.
    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>5} {:>6} {:>7} {:>5} {:>6} {:>8} {:>7}  {}",
            "suite", "inputs", "pairs", "floor", "killed", "asserted", "ceiling", TITLES
        )?;
        for (number, suite) in (1..).zip(&self.suites) {
            let SuiteScores { inputs, pairs, counts, scores, .. } = suite;
            let pairs = grouped(*pairs as u64);
            writeln!(
                f,
                "{number:>5} {inputs:>6} {pairs:>7} {:>5} {:>6} {:>8} {:>7}  {}",
                counts.floor,
                counts.killed,
                counts.asserted,
                counts.ceiling,
                row(scores)
            )?;
        }
        let mean = &self.mean;
        writeln!(
            f,
            "{:>5} {:>6} {:>7} {:>5} {:>6} {:>8} {:>7}  {}\n",
            "mean",
            "",
            "",
            decimals(mean.floor),
            decimals(mean.ms),
            decimals(mean.ms_assertion),
            decimals(mean.ceiling),
            row(mean)
        )
    }

    fn by_relation(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = None;
        for relation in &self.relations {
            let RelationScores { transformation, pairs, false_alarms, valid_on, .. } = relation;
            if last != Some(transformation) {
                writeln!(f, "{transformation}")?;
                let titles = ["MS", "asserted", "valid on", "false alarms of"];
                let [ms, asserted, valid, alarms] = titles;
                writeln!(f, "{ms:>6} {asserted:>8} {valid:>9} {alarms:>17}  relation")?;
                last = Some(transformation);
            }
            let valid = format!("{valid_on}/{}", self.suites.len());
            let pairs = grouped(*pairs as u64);
            writeln!(
                f,
                "{:>6} {:>8} {valid:>9} {:>17}  {}",
                decimals(relation.ms),
                relation.kills.len(),
                format!("{} {pairs:>7}", grouped(*false_alarms as u64)),
                relation.relation
            )?;
            if let Some(pair) = &relation.counterexample {
                writeln!(f, "{:>6} false for {} and {}", "", pair.source, pair.follow_up)?;
            }
        }
        writeln!(f)
    }

    /// A list of mutants under a title.
    fn list(&self, f: &mut fmt::Formatter<'_>, title: &str, names: &[String]) -> fmt::Result {
        if names.is_empty() {
            return Ok(());
        }
        writeln!(f, "{title}: {}", names.len())?;
        let named = |mutant: &&MutantVerdicts| names.contains(&mutant.name);
        for mutant in self.mutants.iter().filter(named).take(NAMED) {
            let unseen = mutant.differs.iter().all(|differs| !differs);
            let twin = match &mutant.same_as {
                Some(twin) => format!(" (as training mutant {twin})"),
                None if unseen && self.never_killed.contains(&mutant.name) => {
                    " (differs on no suite)".to_owned()
                }
                None => String::new(),
            };
            writeln!(f, "  {}{twin}", mutant.change)?;
        }
        match names.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => writeln!(f, "  and {more} more"),
        }
    }
}

/// The headings of the scores.
const TITLES: &str = "   MS assert strict non-eq single    PZ   PZO  regr.   ΔMS";

fn row(scores: &Scores) -> String {
    let Scores { ms, ms_assertion, ms_strict, ms_non_equivalent, ms_single, .. } = scores;
    let Scores { pz, pzo, regression, delta_ms, .. } = scores;
    let [ms, assertion] = [ms, ms_assertion].map(|score| decimals(*score));
    let [strict, other, single] =
        [ms_strict, ms_non_equivalent, ms_single].map(|score| decimals(*score));
    let [pz, pzo, regression, delta] =
        [pz, pzo, regression, delta_ms].map(|score| decimals(*score));
    format!(
        "{ms:>5} {assertion:>6} {strict:>6} {other:>6} {single:>6} {pz:>5} {pzo:>5} {regression:>6} {delta:>5}"
    )
}

/// A score, or a dash if there is none.
fn decimals(score: Option<f64>) -> String {
    score.map_or("-".to_owned(), |score| format!("{score:.2}"))
}
