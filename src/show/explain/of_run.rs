//! A relation of a run, taken apart: in words, with an example, evidence, compiled forms, and similar refuted relations.

use std::fmt;

use genmorph_jit::text::tree;

use super::near::{NearMiss, nearest};
use super::{Explanation, Options, explain_on, section};
use crate::claims::relation::{self, BadRelation};
use crate::executions::Executions;
use crate::record::search::presupposed;
use crate::show::report::{Example, RefutedRelation, Relation, change};
use crate::subject::kinds::Interface;
use crate::support::digits::grouped;

/// Whether the relation stands in its run.
#[derive(Clone, Debug)]
pub enum RunFinding {
    /// It stands, with this evidence.
    Stands(Box<Relation>),
    /// It is refuted, by this counterexample.
    Refuted(Box<RefutedRelation>),
}

/// A relation of a run, taken apart.
#[derive(Clone, Debug)]
pub struct RunExplanation {
    /// Whether the relation stands.
    pub finding: RunFinding,
    /// The transformation in words.
    pub words: String,
    /// What source and follow-up inputs satisfy.
    pub input_relation: String,
    /// The relation as a tree.
    pub tree: String,
    /// Its forms, and where it holds by every tier; none if the run has not kept its executions.
    pub explanation: Option<Explanation>,
    /// Relations of the same transformation that were refuted, the nearest first.
    pub near: Vec<NearMiss>,
}

impl RunFinding {
    /// The relation as text.
    pub fn relation(&self) -> &str {
        match self {
            RunFinding::Stands(relation) => &relation.relation,
            RunFinding::Refuted(refuted) => &refuted.relation,
        }
    }

    /// The transformation that it presupposes.
    pub fn transformation(&self) -> &str {
        match self {
            RunFinding::Stands(relation) => &relation.transformation,
            RunFinding::Refuted(refuted) => &refuted.transformation,
        }
    }
}

/// What else the run has recorded.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'r> {
    /// The variables of the function.
    pub signature: &'r Interface,
    /// What source and follow-up inputs satisfy.
    pub input_relation: &'r str,
    /// The executions of the search that found the relation, if they are kept.
    pub executions: Option<&'r Executions>,
    /// All refuted relations of the run.
    pub refuted: &'r [RefutedRelation],
}

impl RunExplanation {
    /// Takes a relation apart.
    ///
    /// # Errors
    /// When the text is not a relation of the function: its file is damaged.
    pub fn new(
        finding: RunFinding,
        context: &RunContext<'_>,
        options: &Options,
    ) -> Result<RunExplanation, BadRelation> {
        let RunContext { signature, input_relation, executions, refuted } = *context;
        let schema = signature.schema().expect("names were checked with the signature");
        let predicate = relation::read(finding.relation(), &schema)?;
        let transformation = finding.transformation();
        let explanation = executions.map(|executions| {
            let about = format!("the executions that the search under {transformation} ended with");
            explain_on(&predicate, &executions.table, about, options)
        });
        let same = refuted.iter().filter(|refuted| refuted.transformation == transformation);
        Ok(RunExplanation {
            words: change(transformation, signature),
            input_relation: input_relation.to_owned(),
            tree: tree(predicate.nodes(), &schema),
            explanation,
            near: nearest(&predicate, same, &schema),
            finding,
        })
    }

    /// Whether all tiers say the same.
    pub fn tiers_agree(&self) -> bool {
        self.explanation.as_ref().is_none_or(Explanation::tiers_agree)
    }
}

impl fmt::Display for RunExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (title, functional, sentence, example) = match &self.finding {
            RunFinding::Stands(r) => (r.kind.name(), &r.functional, &r.sentence, &r.example),
            RunFinding::Refuted(r) => ("refuted", &r.functional, &r.sentence, &r.counterexample),
        };
        if let Some(functional) = functional {
            section(f, title, functional)?;
        }
        if let Some(sentence) = sentence {
            section(f, "in words", sentence)?;
        }
        section(f, "relation", self.finding.relation())?;
        let RunExplanation { words, input_relation, .. } = self;
        let transformation = self.finding.transformation();
        let premise = match &self.finding {
            RunFinding::Stands(relation) => &relation.premise,
            RunFinding::Refuted(_) => "",
        };
        let inputs = presupposed(input_relation, premise);
        section(f, "transformation", &format!("{transformation}: {words}\n{inputs}"))?;
        match (&self.finding, example) {
            (RunFinding::Stands(_), Some(example)) => section(f, "for example", &worked(example))?,
            (RunFinding::Refuted(refuted), Some(example)) => {
                let by = found_by(refuted);
                section(f, "counterexample", &format!("{}\n{by}", worked(example)))?;
            }
            (_, None) => {}
        }
        if let RunFinding::Stands(relation) = &self.finding {
            section(f, "what speaks for it", &evidence(relation))?;
        }
        match &self.explanation {
            Some(explanation) => explanation.parts(f)?,
            None => {
                section(f, "tree", &self.tree)?;
                writeln!(f, "its rows are not known: the run has not kept its executions")?;
            }
        }
        if self.near.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\nnear misses: refuted relations of this transformation, the most alike first"
        )?;
        for miss in &self.near {
            let NearMiss { refuted, shared, parts } = miss;
            writeln!(f, "  {}    ({shared} of its {parts} parts in common)", refuted.relation)?;
            let why = match &refuted.counterexample {
                Some(example) => format!("{}\n{}", worked(example), found_by(refuted)),
                None => found_by(refuted),
            };
            why.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}

/// Both executions, and the relation on them.
fn worked(example: &Example) -> String {
    let Example { source, follow_up, relation, computed, holds } = example;
    let computed = computed.iter().map(|text| format!(", that is {text}")).collect::<String>();
    let verdict = if *holds { "true" } else { "false" };
    let follow_up = match follow_up.is_empty() {
        true => String::new(),
        false => format!("follow-up  {follow_up}\n"),
    };
    format!("source     {source}\n{follow_up}{relation}{computed}: {verdict}")
}

fn found_by(refuted: &RefutedRelation) -> String {
    let by = match refuted.by.as_deref() {
        Some("fresh") => "found by fresh inputs",
        Some("hunt") => "found by the hunt",
        Some(_) | None => "found by the filter",
    };
    format!("{by}{}", if refuted.is_shrunk { ", then made simpler" } else { "" })
}

/// The most mutants that are named.
const NAMED: usize = 12;

/// The evidence for a relation, one item a line.
fn evidence(relation: &Relation) -> String {
    let number = |count: usize| grouped(count as u64);
    let mut lines = Vec::new();
    if let Some(tried) = relation.tried {
        let bound = match relation.bound() {
            _ if relation.is_exhausted => ": there are hardly any others".to_owned(),
            Some(bound) => {
                format!(": with 95 % confidence it is false on at most {bound:.1e} of such")
            }
            None => String::new(),
        };
        lines.push(format!("true on {} fresh pairs of inputs{bound}", number(tried)));
    }
    if let Some(hunted) = relation.hunted {
        lines.push(format!(
            "true on {} pairs that a hunt for counterexamples tried",
            number(hunted)
        ));
    }
    if !relation.tried_inputs.is_empty() {
        lines.push(format!("tried with {}", relation.tried_inputs));
    }
    let named = |names: &[String]| {
        let shown = names.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        match names.len().saturating_sub(NAMED) {
            0 if names.is_empty() => String::new(),
            0 => format!(": {shown}"),
            more => format!(": {shown} and {more} more"),
        }
    };
    let killed = &relation.killed;
    let all = relation.mutants;
    lines.push(format!("kills {} of {all} training mutants{}", killed.len(), named(killed)));
    match (&relation.judging_killed, relation.judging_kills) {
        (Some(killed), _) => {
            lines.push(format!("kills {} judging mutants{}", killed.len(), named(killed)));
        }
        (None, Some(count)) => lines.push(format!("kills {count} judging mutants")),
        (None, None) => {}
    }
    lines.push(format!(
        "does not notice {:.1} % of the executions of mutants; {} nodes",
        100.0 * relation.fn_rate,
        relation.size
    ));
    lines.join("\n")
}
