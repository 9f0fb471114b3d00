//! What a run found, as it is printed on a terminal.

use std::fmt;

use crate::filter::Verdict;
use crate::record::report::{MinimalSet, MutationScores, NeededRelation, ScoreTotals};
use crate::record::search::Search;
use crate::support::digits::grouped;

/// What was found under one transformation, as a table.
impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.transformation, self.input_relation)?;
        let Some(results) = &self.results else {
            return writeln!(f, "  {}", self.problem.as_deref().unwrap_or("nothing was done"));
        };
        if results.relations.is_empty() {
            let refuted = match self.refuted.len() {
                0 => String::new(),
                count => format!(" ({count} refuted)"),
            };
            let doubtful = match self.doubtful {
                0 => String::new(),
                count => format!(
                    "; {count} could be tried on fewer than {} pairs, which is too little evidence",
                    grouped(Verdict::LEAST as u64)
                ),
            };
            writeln!(f, "  no trustworthy relation found{refuted}{doubtful}")?;
            return self.reviewed(f);
        }
        writeln!(
            f,
            "{:>9} {:>8} {:>5} {:>9} {:>9}  relation",
            "killed", "FN", "size", "tried on", "hunted"
        )?;
        let evidence = self.evidence.iter().map(|evidence| evidence.hunted);
        let hunted = evidence.chain(std::iter::repeat(0));
        let shown = if self.needed > 0 { self.needed } else { results.relations.len() };
        let each = results.relations.iter().zip(&self.tried).zip(hunted);
        for ((relation, &tried), hunted) in each.take(shown) {
            let killed = format!("{}/{}", relation.killed.len(), results.mutants.len());
            writeln!(
                f,
                "{:>9} {:>6.1} % {:>5} {:>9} {:>9}  {}",
                killed,
                100.0 * relation.fn_rate,
                relation.size,
                grouped(tried as u64),
                grouped(hunted as u64),
                relation.relation
            )?;
        }
        match results.relations.len() - shown {
            0 => {}
            1 => writeln!(f, "{:>9}  1 more stands, which kills no other mutants", "")?,
            more => writeln!(f, "{:>9}  {more} more stand, which kill no other mutants", "")?,
        }
        self.reviewed(f)
    }
}

impl Search {
    /// Says how many relations the reviewed set has left out.
    fn reviewed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left_out {
            0 => Ok(()),
            1 => writeln!(f, "{:>9}  1 is left out, which the review has rejected", ""),
            more => writeln!(f, "{:>9}  {more} are left out, which the review has rejected", ""),
        }
    }
}

/// The most survivors that are named.
const NAMED: usize = 6;

/// The scores, in sentences.
impl fmt::Display for MutationScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MutationScores { totals, survivors, .. } = self;
        let ScoreTotals { pairs, false_alarms, mutants, floor, killed, asserted, ceiling } =
            *totals;
        writeln!(
            f,
            "judged by mutants of other operators (group B) on {} unseen pairs:",
            grouped(pairs as u64)
        )?;
        writeln!(
            f,
            "  {killed} of {mutants} killed, {asserted} of them by a relation; \
             any test kills {floor}, an oracle that knows every output {ceiling}"
        )?;
        match false_alarms {
            0 => writeln!(f, "  no false alarm")?,
            count => writeln!(f, "  {} false alarms: some relation is wrong", grouped(count))?,
        }
        if !survivors.is_empty() {
            writeln!(f, "  not killed:")?;
        }
        for survivor in survivors.iter().take(NAMED) {
            writeln!(f, "    {survivor}")?;
        }
        match survivors.len().saturating_sub(NAMED) {
            0 => {}
            more => writeln!(f, "    and {more} more")?,
        }
        Ok(())
    }
}

/// The minimal set, as a table.
impl fmt::Display for MinimalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MinimalSet { needed, killed, of } = self;
        writeln!(
            f,
            "{} of {of} relations are enough to kill the {killed} training mutants that all of them kill:",
            needed.len()
        )?;
        writeln!(f, "{:>9}  relation", "adds")?;
        for NeededRelation { transformation, relation, unique } in needed {
            writeln!(f, "{:>9}  {transformation} => {relation}", unique.len())?;
        }
        Ok(())
    }
}
