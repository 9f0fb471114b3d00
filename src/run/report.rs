//! What a run found, in the form that is written, and for people to read.
//!
//! Has no clock in it: equal runs give equal bytes.

use std::fmt;

use genmorph_jit::Value;
use serde::{Deserialize, Serialize};

use super::minimal::Minimal;
use super::plan::Plan;
use super::search::Searched;
use crate::assess::Judgement;
use crate::evolve::config::Config;
use crate::executions::live::{Census, MutantStanding, Tally};
use crate::filter::{Pair, Verdict};
use crate::inputs::Sources;
use crate::record::relations::{self, Results, Tolerance};
use crate::subject::kinds::{Kind, Parameter, Signature};
use crate::subject::{Group, Mutant, Subject};
use crate::support::digits::grouped;
use crate::transform::Transform;

/// Everything that `report.json` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The version of the form.
    pub version: u32,
    /// The program that wrote it, and its version.
    pub tool: String,
    /// The function.
    pub function: String,
    /// What it takes and gives, in WIT.
    pub signature: String,
    /// The seed.
    pub seed: u64,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
    /// On how many fresh pairs a relation had to hold, as far as there were as many.
    pub fresh_pairs: usize,
    /// The settings of the search.
    pub config: Config,
    /// The source inputs.
    pub sources: Coverage,
    /// The mutants that relations were trained on.
    pub training: Counts,
    /// What was found, by transformation.
    pub transformations: Vec<Claimed>,
    /// The relations that it takes, of all transformations.
    #[serde(default)]
    pub minimal: Minimal,
    /// What other mutants say to that.
    pub judged: Judged,
}

/// What the source inputs are good for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// How many inputs.
    pub inputs: usize,
    /// On how many the function returns.
    pub returned: usize,
    /// Sides of branches that some input takes.
    pub covered: usize,
    /// All sides of branches.
    pub sides: usize,
    /// Those that none takes.
    pub uncovered: Vec<String>,
}

/// How many mutants are what, on the source inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// All of them.
    pub all: usize,
    /// Those that return something of their own.
    pub distinct: usize,
    /// Those that do what another does.
    pub same: usize,
    /// Those that never differ from the function.
    pub alike: usize,
    /// Those that do not return wherever they differ.
    pub crash_only: usize,
}

/// What was found under a transformation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claimed {
    /// The transformation.
    pub transformation: String,
    /// What source and follow-up inputs satisfy.
    pub input_relation: String,
    /// Pairs of inputs; those on which the function does not return twice; those on which a mutant crashes.
    pub pairs: [usize; 3],
    /// How often counterexamples were taught, and the search went on.
    pub lessons: usize,
    /// Why there was nothing to learn from, if so.
    pub problem: Option<String>,
    /// The relations that stand, and the run that found them.
    pub results: Option<Results>,
    /// On how many fresh pairs each relation was tried.
    pub tried: Vec<usize>,
    /// What else speaks for each relation.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Sides of branches that the hunt for counterexamples took, in sources and follow-ups, and all sides.
    #[serde(default)]
    pub branches: [usize; 2],
    /// The first so many of the relations kill all training mutants that all of them kill; 0 if nobody asked.
    #[serde(default)]
    pub needed: usize,
    /// Relations that nothing refuted, and that are not reported because they were tried on too few pairs.
    #[serde(default)]
    pub doubtful: usize,
    /// Relations that were found, and that are not reported because people have rejected them.
    #[serde(default)]
    pub left_out: usize,
    /// How many judging mutants each relation kills by being false.
    pub judging_kills: Vec<usize>,
    /// Relations that fresh inputs or the hunt refuted.
    pub refuted: Vec<Refuted>,
}

/// What speaks for a relation, besides the fresh pairs on which it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Pairs on which the hunt tried to refute it.
    pub hunted: usize,
    /// The share of fresh pairs on which it may fail after all, with 95 % confidence.
    pub bound: f64,
    /// Whether there are hardly any other inputs than those it was tried on.
    pub exhausted: bool,
}

/// A relation that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refuted {
    /// The relation.
    pub relation: String,
    /// Who found out: `fresh` inputs or the `hunt`.
    #[serde(default)]
    pub by: String,
    /// After which round of the search; 0 for the last trial of what was to be reported.
    #[serde(default)]
    pub round: usize,
    /// Whether the counterexample is simpler than the one that was found.
    #[serde(default)]
    pub is_shrunk: bool,
    /// The source inputs and outputs on which it is.
    pub source: serde_json::Map<String, serde_json::Value>,
    /// The follow-up's.
    pub follow_up: serde_json::Map<String, serde_json::Value>,
}

/// How relations do on mutants that they were not trained on, on unseen inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Unseen pairs, over all transformations that have relations.
    pub pairs: usize,
    /// On how many of them a relation is false for the function itself.
    pub false_alarms: u64,
    /// The mutants, without those that do what another does.
    pub mutants: usize,
    /// Killed by any test: they crash.
    pub floor: usize,
    /// Killed by a relation or a crash.
    pub killed: usize,
    /// Killed by a relation that is false.
    pub asserted: usize,
    /// Killed by an oracle that knows every output.
    pub ceiling: usize,
    /// Mutants that do what no training mutant does.
    pub novel: usize,
    /// Those of them that a relation kills.
    pub novel_asserted: usize,
    /// Mutants that differ and are not killed: what each changes, and where.
    pub survivors: Vec<String>,
    /// The names of the mutants, as `mutants.json` has them.
    #[serde(default)]
    pub names: Vec<String>,
    /// The names of those that any test kills.
    #[serde(default)]
    pub crashed: Vec<String>,
    /// For each transformation that has relations, for each of them: the names of those that it kills by being false.
    #[serde(default)]
    pub kills: Vec<Vec<Vec<String>>>,
}

/// What `mutants.json` says of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutantReport {
    /// Its name.
    pub name: String,
    /// `A` for training, `B` for judging.
    pub group: String,
    /// The mutation operator.
    pub operator: String,
    /// The function that is changed.
    pub function: String,
    /// Where, in bytes from the start of the module.
    pub offset: u32,
    /// Where in the source.
    pub line: Option<String>,
    /// What is changed.
    pub change: String,
    /// What the source inputs show of it; not known of mutants that were not run on them.
    pub standing: Option<String>,
}

impl Report {
    pub(super) fn new(
        subject: &dyn Subject,
        plan: &Plan,
        sources: &Sources,
        census: &Census,
        searched: &[Searched],
        judgement: &Judgement,
    ) -> Report {
        let signature = subject.signature();
        let names = |numbers: &[usize]| -> Vec<String> {
            numbers.iter().map(|&number| subject.mutants()[number].name.clone()).collect()
        };
        let mut kills = judgement.kills.iter();
        let claimed = searched.iter().map(|search| {
            let mut claimed = search.claimed.clone();
            if !search.relations.is_empty() {
                let kills = kills.next().into_iter().flatten();
                claimed.judging_kills = kills.map(Vec::len).collect();
            }
            claimed
        });
        Report {
            version: relations::VERSION,
            tool: format!("genmorph {}", crate::VERSION),
            function: signature.function.clone(),
            signature: signature.to_string(),
            seed: plan.seed.0,
            tolerance: Tolerance { abs: plan.tolerance.abs(), rel: plan.tolerance.rel() },
            fresh_pairs: plan.fresh,
            config: plan.config.clone(),
            sources: Coverage {
                inputs: sources.inputs.len(),
                returned: sources.returned(),
                covered: sources.coverage.covered(),
                sides: sources.coverage.sides(),
                uncovered: uncovered(sources),
            },
            training: census.tally().into(),
            transformations: claimed.collect(),
            minimal: Minimal::of(searched, &signature.of_executions(), plan.tolerance),
            judged: Judged {
                pairs: judgement.pairs,
                false_alarms: judgement.false_alarms.iter().flatten().map(|&n| n as u64).sum(),
                mutants: judgement.mutants.len(),
                floor: judgement.crashed.len(),
                killed: judgement.killed,
                asserted: judgement.asserted,
                ceiling: judgement.ceiling,
                novel: judgement.novel,
                novel_asserted: judgement.novel_asserted,
                survivors: judgement
                    .survivors
                    .iter()
                    .map(|&number| subject.mutants()[number].to_string())
                    .collect(),
                names: names(&judgement.mutants),
                crashed: names(&judgement.crashed),
                kills: judgement
                    .kills
                    .iter()
                    .map(|claim| claim.iter().map(|kills| names(kills)).collect())
                    .collect(),
            },
        }
    }

    /// How many relations stand.
    pub fn relations(&self) -> usize {
        let found = self.transformations.iter().filter_map(|claimed| claimed.results.as_ref());
        found.map(|results| results.relations.len()).sum()
    }
}

impl Claimed {
    /// Nothing yet.
    pub(super) fn new(transform: &Transform) -> Claimed {
        let transformation = transform.describe();
        Claimed {
            transformation: transformation.name,
            input_relation: transformation.input_relation,
            pairs: [0; 3],
            lessons: 0,
            problem: None,
            results: None,
            tried: Vec::new(),
            evidence: Vec::new(),
            branches: [0; 2],
            needed: 0,
            doubtful: 0,
            left_out: 0,
            judging_kills: Vec::new(),
            refuted: Vec::new(),
        }
    }
}

impl Evidence {
    /// Of a verdict on a relation.
    pub fn of(verdict: &Verdict) -> Evidence {
        Evidence { hunted: verdict.hunted, bound: verdict.bound(), exhausted: verdict.is_exhausted }
    }
}

impl Refuted {
    /// A relation of a function, and a pair on which it is false.
    pub fn new(relation: String, pair: &Pair, signature: &Signature) -> Refuted {
        let side = |inputs: &[Value<'_>], outputs: &[Value<'_>]| {
            let named = signature.inputs.iter().zip(inputs);
            let named = named.chain(signature.outputs.iter().zip(outputs));
            named.map(|(p, value)| (p.name.clone(), json(p, value))).collect()
        };
        let Pair { source, source_outputs, follow_up, follow_up_outputs } = pair;
        Refuted {
            relation,
            by: String::new(),
            round: 0,
            is_shrunk: false,
            source: side(source, source_outputs),
            follow_up: side(follow_up, follow_up_outputs),
        }
    }
}

/// A value as JSON has it; what JSON has no number for is a text.
pub fn json(parameter: &Parameter, value: &Value<'_>) -> serde_json::Value {
    let number = |n: f64| {
        if n.is_nan() {
            "NaN".into()
        } else if n.is_infinite() {
            (if n > 0.0 { "Infinity" } else { "-Infinity" }).into()
        } else if n.fract() == 0.0 && n.abs() < 9e15 {
            (n as i64).into()
        } else {
            n.into()
        }
    };
    match value {
        Value::Num(n) => number(*n),
        Value::Bool(b) => (*b).into(),
        Value::Seq(elements) if parameter.kind == Kind::Text => elements
            .iter()
            .map(|&code| char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
            .into(),
        Value::Seq(elements) => elements.iter().map(|&n| number(n)).collect::<Vec<_>>().into(),
    }
}

impl From<Tally> for Counts {
    fn from(tally: Tally) -> Counts {
        let Tally { all, distinct, same, alike, crash_only } = tally;
        Counts { all, distinct, same, alike, crash_only }
    }
}

impl MutantReport {
    /// Of all mutants of a subject.
    pub fn all(subject: &dyn Subject, census: &Census) -> Vec<MutantReport> {
        let mutants = subject.mutants();
        let standing = |number: usize| {
            let standing = census.standings.iter().find(|(n, _)| *n == number)?.1;
            Some(match standing {
                MutantStanding::Distinct => "distinct".to_owned(),
                MutantStanding::SameAs(other) => format!("same as {}", mutants[other].name),
                MutantStanding::Alike => "never differs".to_owned(),
                MutantStanding::CrashOnly => "only crashes".to_owned(),
            })
        };
        let report = |(number, mutant): (usize, &Mutant)| MutantReport {
            name: mutant.name.clone(),
            group: match mutant.group {
                Group::A => "A".to_owned(),
                Group::B => "B".to_owned(),
            },
            operator: mutant.operator.to_owned(),
            function: mutant.function.clone(),
            offset: mutant.offset,
            line: mutant.line.as_ref().map(ToString::to_string),
            change: mutant.change.clone(),
            standing: standing(number),
        };
        mutants.iter().enumerate().map(report).collect()
    }
}

/// The sides that no input takes, in words.
fn uncovered(sources: &Sources) -> Vec<String> {
    let missing = sources.coverage.missing().map(|(branch, side)| {
        let place = match &branch.line {
            Some(line) => line.to_string(),
            None => format!("offset {:#x}", branch.offset),
        };
        format!("{} at {place} is never {side}", branch.function)
    });
    missing.collect()
}

/// For people: what was found under one transformation.
impl fmt::Display for Claimed {
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

impl Claimed {
    /// What the review has left out.
    fn reviewed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left_out {
            0 => Ok(()),
            1 => writeln!(f, "{:>9}  1 is left out, which the review has rejected", ""),
            more => writeln!(f, "{:>9}  {more} are left out, which the review has rejected", ""),
        }
    }
}

/// Survivors that are named, at most.
const NAMED: usize = 6;

/// For people: what the judging mutants say.
impl fmt::Display for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judged { pairs, mutants, floor, killed, asserted, ceiling, survivors, .. } = self;
        writeln!(
            f,
            "judged by mutants of other operators (group B) on {} unseen pairs:",
            grouped(*pairs as u64)
        )?;
        writeln!(
            f,
            "  {killed} of {mutants} killed, {asserted} of them by a relation; \
             any test kills {floor}, an oracle that knows every output {ceiling}"
        )?;
        match self.false_alarms {
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
