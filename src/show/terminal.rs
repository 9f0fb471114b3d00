//! What a run found, as it is printed on a terminal.

use std::fmt;

use super::completeness;
use super::report::functional_form;
use crate::claims::relation;
use crate::filter::Verdict;
use crate::record::refuted::Refutation;
use crate::record::relations::{RelationKind, ReportedRelation, Tolerance};
use crate::record::report::{MinimalSet, MutationScores, NeededRelation, Report, ScoreTotals};
use crate::record::search::{Evidence, Search};
use crate::subject::kinds::{Interface, Observed, Parameter};
use crate::support::digits::grouped;
use crate::transform;

/// What was found under one transformation, as a table: laws, then detectors, each in functional form and as a relation.
pub struct SearchTable<'a> {
    /// The search.
    pub search: &'a Search,
    /// The inputs and outputs of the function.
    pub signature: &'a Interface,
}

impl fmt::Display for SearchTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let search = self.search;
        let outcomes = match search.observed {
            Observed::Values | Observed::Together => "",
            Observed::Outcomes => ", outcomes",
        };
        writeln!(f, "{}{outcomes}: {}", search.transformation, search.presupposed())?;
        if let Some(unexpected) = &search.unexpected {
            self.unexpected(f, unexpected)?;
        }
        let Some(results) = &search.results else {
            return writeln!(f, "  {}", search.problem.as_deref().unwrap_or("nothing was done"));
        };
        if results.relations.is_empty() {
            let refuted = match search.refuted.len() {
                0 => String::new(),
                count => format!(" ({count} refuted)"),
            };
            let doubtful = match search.doubtful {
                0 => String::new(),
                count => format!(
                    "; {count} not tried enough, on fewer than {} fresh pairs or without the whole hunt",
                    grouped(Verdict::LEAST as u64)
                ),
            };
            writeln!(f, "  no trustworthy relation found{refuted}{doubtful}")?;
            search.left_beyond(f)?;
            return search.reviewed(f);
        }
        let places = 0..results.relations.len();
        let of = |kind: RelationKind| -> Vec<usize> {
            places.clone().filter(|&at| results.relations[at].kind == kind).collect()
        };
        let (laws, detectors) = (of(RelationKind::Law), of(RelationKind::Detector));
        let postconditions = of(RelationKind::Postcondition);
        self.rows(f, "law", &laws)?;
        self.rows(f, "postcondition", &postconditions)?;
        self.rows(f, "precondition", &of(RelationKind::Precondition))?;
        self.rows(f, "law of outcomes", &of(RelationKind::Outcome))?;
        let needed = if search.needed > 0 { search.needed } else { results.relations.len() };
        let shown: Vec<usize> = detectors.iter().copied().filter(|&at| at < needed).collect();
        self.rows(f, "detector", &shown)?;
        let more = detectors.len() - shown.len();
        let is_alone = laws.is_empty() && postconditions.is_empty() && shown.is_empty();
        match (more, is_alone) {
            (0, _) => {}
            (1, false) => writeln!(f, "{:>9}  1 more stands, which kills no other mutants", "")?,
            (more, _) => writeln!(f, "{:>9}  {more} more stand, which kill no other mutants", "")?,
        }
        match search.doubtful {
            0 => {}
            1 => writeln!(f, "{:>9}  1 more is not reported: not tried enough", "")?,
            more => writeln!(f, "{:>9}  {more} more are not reported: not tried enough", "")?,
        }
        search.left_beyond(f)?;
        search.reviewed(f)
    }
}

impl SearchTable<'_> {
    /// What everybody expects of a second function, and the simplest input on which it is false.
    fn unexpected(&self, f: &mut fmt::Formatter<'_>, found: &Refutation) -> fmt::Result {
        let reported =
            ReportedRelation { relation: found.relation.clone(), ..ReportedRelation::default() };
        let text = functional(&reported, self.search, self.signature);
        let signature =
            transform::interface(self.signature, &self.search.transformation, &found.relation);
        let value = |p: &Parameter| found.source.get(&p.name).map(ToString::to_string);
        let given =
            signature.inputs.iter().filter_map(|p| Some(format!("{} = {}", p.name, value(p)?)));
        let results = signature.outputs.iter().zip(&signature.calls);
        let results = results.filter_map(|(p, call)| Some(format!("{call} = {}", value(p)?)));
        let [given, results] = [given.collect::<Vec<_>>(), results.collect::<Vec<_>>()];
        writeln!(f, "{:>9}  not always: {}", "", text.as_deref().unwrap_or(&found.relation))?;
        writeln!(f, "{:>9}  for {}: {}", "", given.join(", "), results.join(", "))
    }

    /// The relations at these places of the list, below a heading.
    fn rows(&self, f: &mut fmt::Formatter<'_>, heading: &str, places: &[usize]) -> fmt::Result {
        let Some(results) = self.search.results.as_ref().filter(|_| !places.is_empty()) else {
            return Ok(());
        };
        writeln!(
            f,
            "{:>9} {:>8} {:>5} {:>9} {:>9}  {heading}",
            "killed", "FN", "size", "tried on", "hunted"
        )?;
        let mut last = String::new();
        for &at in places {
            // Mostly the same for all relations of a search: said once, before the first of those that it is about.
            let evidence = self.search.evidence.get(at);
            let inputs = evidence.map(Evidence::tried_inputs).unwrap_or_default();
            if !inputs.is_empty() && inputs != last {
                writeln!(f, "{:>9}  tried with {inputs}", "")?;
                last = inputs;
            }
            let relation = &results.relations[at];
            let killed = format!("{}/{}", relation.killed.len(), results.mutants.len());
            let tried = self.search.tried.get(at).copied().unwrap_or(0);
            let hunted = evidence.map_or(0, |evidence| evidence.hunted);
            let functional = functional(relation, self.search, self.signature);
            writeln!(
                f,
                "{:>9} {:>6.1} % {:>5} {:>9} {:>9}  {}",
                killed,
                100.0 * relation.fn_rate,
                relation.size,
                grouped(tried as u64),
                grouped(hunted as u64),
                functional.as_deref().unwrap_or(&relation.relation)
            )?;
            if functional.is_some() {
                writeln!(f, "{:>44}  {}", "", relation.relation)?;
            }
        }
        Ok(())
    }
}

/// The laws of a run that a person should read first, in functional form.
pub fn first_laws(report: &Report, signature: &Interface, most: usize) -> Vec<String> {
    let all: Vec<_> = report.numbered().collect();
    let laws = report.laws.iter().filter_map(|number| all.get(number - 1)).take(most);
    let text = |(search, found): &(&Search, &ReportedRelation)| {
        functional(found, search, signature).unwrap_or_else(|| found.relation.clone())
    };
    laws.map(text).collect()
}

/// A recorded relation in functional form; none if it is damaged.
fn functional(found: &ReportedRelation, search: &Search, signature: &Interface) -> Option<String> {
    let signature = transform::interface(signature, &search.transformation, &found.relation);
    let predicate = relation::read(&found.relation, &signature.schema().ok()?).ok()?;
    Some(functional_form(&predicate, &search.input_relation, &signature))
}

impl Search {
    /// Says how many pairs were left out because relations cannot speak of their outputs.
    fn left_beyond(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.beyond.iter().sum::<usize>() {
            0 => Ok(()),
            left => writeln!(
                f,
                "{:>9}  {} pairs of inputs are left out: an output is 2^53 or more in magnitude",
                "",
                grouped(left as u64)
            ),
        }
    }

    /// Says how many relations the reviewed set has left out.
    fn reviewed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left_out {
            0 => Ok(()),
            1 => writeln!(f, "{:>9}  1 is left out, which the review has rejected", ""),
            more => writeln!(f, "{:>9}  {more} are left out, which the review has rejected", ""),
        }
    }
}

/// Columns that prose has.
const COLUMNS: usize = 100;

/// A sentence in lines that fit a terminal, all but the first indented. Words are not divided.
pub fn folded(text: &str, indent: usize) -> String {
    let mut folded = String::new();
    let mut column = 0;
    for (at, word) in text.split(' ').enumerate() {
        let width = word.chars().count();
        if at > 0 && column + 1 + width > COLUMNS {
            folded.push('\n');
            folded.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if at > 0 {
            folded.push(' ');
            column += 1;
        }
        folded += word;
        column += width;
    }
    folded
}

/// The most survivors that are named.
const NAMED: usize = 6;

/// The scores, in sentences.
impl fmt::Display for MutationScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MutationScores { totals, by_laws, by_outcomes, with_outcomes, survivors, .. } = self;
        let (by_outcomes, with_outcomes) = (*by_outcomes, *with_outcomes);
        let ScoreTotals { pairs, false_alarms, mutants, floor, killed, asserted, ceiling } =
            *totals;
        if pairs == 0 && mutants > 0 && floor == 0 {
            return writeln!(
                f,
                "not judged by mutants of other operators (group B): no unseen pair of inputs was run; more time (--budget) helps"
            );
        }
        writeln!(
            f,
            "judged by mutants of other operators (group B) on {} unseen pairs:",
            grouped(pairs as u64)
        )?;
        writeln!(
            f,
            "  {killed} of {mutants} killed, {asserted} of them by a relation, {by_laws} by laws alone;\n  \
             any test kills {floor}, an oracle that knows every output {ceiling}"
        )?;
        if by_outcomes > 0 {
            writeln!(
                f,
                "  laws of outcomes kill {by_outcomes}: with them a relation kills {with_outcomes}"
            )?;
        }
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

/// Laws that a run names at its end, at most.
const FIRST: usize = 8;

/// Laws of outcomes that are named besides, at most.
const OUTCOMES: usize = 4;

/// The laws of a run, those that a person should read first; and how many candidates they were chosen from.
pub struct LawTable<'a> {
    /// The report of the run.
    pub report: &'a Report,
    /// The inputs and outputs of the function.
    pub signature: &'a Interface,
}

impl fmt::Display for LawTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let all: Vec<_> = report.numbered().collect();
        let line = |f: &mut fmt::Formatter<'_>, number: usize| match all.get(number - 1) {
            Some((search, found)) => {
                let text = functional(found, search, self.signature);
                writeln!(f, "{number:>6}  {}", text.as_deref().unwrap_or(&found.relation))
            }
            None => Ok(()),
        };
        let laws = &report.laws;
        if !laws.is_empty() {
            writeln!(f, "laws, to be read first:")?;
            laws.iter().take(FIRST).try_for_each(|&number| line(f, number))?;
            if let Some(more @ 1..) = laws.len().checked_sub(FIRST) {
                writeln!(f, "{:>6}  and {more} more", "")?;
            }
        }
        let premise = report.transformations.iter().map(|search| &*search.premise);
        let premise = premise.max_by_key(|premise| premise.len()).unwrap_or_default();
        let is_postcondition = |at: &usize| all[*at].1.kind == RelationKind::Postcondition;
        let mut postconditions = (0..all.len()).filter(is_postcondition).peekable();
        if postconditions.peek().is_some() {
            writeln!(f, "of every single call:")?;
            postconditions.try_for_each(|at| line(f, at + 1))?;
        }
        let mut of = |title: &str, kind: RelationKind, most: usize| {
            let numbers: Vec<usize> =
                (0..all.len()).filter(|&at| all[at].1.kind == kind).map(|at| at + 1).collect();
            if !numbers.is_empty() {
                writeln!(f, "{title}:")?;
            }
            numbers.iter().take(most).try_for_each(|&number| line(f, number))?;
            match numbers.len().checked_sub(most) {
                Some(more @ 1..) => writeln!(f, "{:>6}  and {more} more", ""),
                Some(0) | None => Ok(()),
            }
        };
        of("when it throws", RelationKind::Precondition, FIRST)?;
        of("of calls that throw", RelationKind::Outcome, OUTCOMES)?;
        if !premise.is_empty() && !all.is_empty() {
            writeln!(f, "laws of values hold where {premise}")?;
        }
        if let Some(learned) = &report.learned {
            writeln!(
                f,
                "to keep to these inputs: where = \"{learned}\" in [domain], or --where '{learned}'"
            )?;
        }
        if ["f32", "f64"].iter().any(|real| report.signature.contains(real)) {
            let Tolerance { abs, rel } = report.tolerance;
            writeln!(
                f,
                "numbers that differ by at most {abs} + {rel} of the greater are equal here"
            )?;
        }
        match completeness::sentence(report) {
            Some(text) => writeln!(f, "{}", folded(&text, 2)),
            None => Ok(()),
        }
    }
}

/// The minimal set of a run, as a table.
pub struct MinimalTable<'a> {
    /// The report of the run.
    pub report: &'a Report,
    /// The inputs and outputs of the function.
    pub signature: &'a Interface,
}

impl fmt::Display for MinimalTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MinimalSet { needed, killed, of } = &self.report.minimal;
        writeln!(
            f,
            "{} of {of} relations are enough to kill the {killed} training mutants that all of them kill:",
            needed.len()
        )?;
        writeln!(f, "{:>9}  relation", "adds")?;
        for NeededRelation { transformation, relation, unique } in needed {
            let searches = &self.report.transformations;
            let search = searches.iter().find(|search| search.transformation == *transformation);
            let functional = search.and_then(|search| {
                let found = search.relations().iter().find(|found| found.relation == *relation)?;
                functional(found, search, self.signature)
            });
            let adds = unique.len();
            match functional {
                Some(functional) => {
                    writeln!(f, "{adds:>9}  {functional}")?;
                    writeln!(f, "{:>9}  {transformation} => {relation}", "")?;
                }
                None => writeln!(f, "{adds:>9}  {transformation} => {relation}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_folded_between_words() {
        let text = format!("mutants    {}", ["word"; 40].join(" "));
        let lines = folded(&text, 11);
        assert!(lines.lines().count() == 3 && lines.lines().all(|line| line.len() <= COLUMNS));
        assert!(lines.lines().skip(1).all(|line| line.starts_with(&" ".repeat(11))), "{lines}");
        let words: Vec<&str> = lines.split_whitespace().collect();
        assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
        assert_eq!(folded("short", 3), "short");
    }
}
