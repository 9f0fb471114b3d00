//! A relation of a run, taken apart: what it says, what speaks for it, its forms, and why relations like it fell.

use std::fmt;

use genmorph_jit::text::tree;

use super::near::{NearMiss, nearest};
use super::{Explanation, Options, explain_on, section};
use crate::claims::relation::{self, BadRelation};
use crate::executions::Executions;
use crate::show::report::{Example, RefutedRelation, Relation, change};
use crate::subject::kinds::Signature;
use crate::support::digits::grouped;

/// What a run says of the relation.
#[derive(Clone, Debug)]
pub enum Told {
    /// It stands.
    Stands(Box<Relation>),
    /// It is refuted.
    Refuted(Box<RefutedRelation>),
}

/// A relation of a run.
#[derive(Clone, Debug)]
pub struct OfRun {
    /// What the run says of it.
    pub told: Told,
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

impl Told {
    /// The relation.
    pub fn relation(&self) -> &str {
        match self {
            Told::Stands(relation) => &relation.relation,
            Told::Refuted(refuted) => &refuted.relation,
        }
    }

    /// The transformation that it presupposes.
    pub fn transformation(&self) -> &str {
        match self {
            Told::Stands(relation) => &relation.transformation,
            Told::Refuted(refuted) => &refuted.transformation,
        }
    }
}

/// What a run says besides.
#[derive(Clone, Copy, Debug)]
pub struct Around<'r> {
    /// The function.
    pub signature: &'r Signature,
    /// What source and follow-up inputs satisfy.
    pub input_relation: &'r str,
    /// The executions of the search that found the relation, if they are kept.
    pub executions: Option<&'r Executions>,
    /// All that was refuted.
    pub refuted: &'r [RefutedRelation],
}

impl OfRun {
    /// Takes a relation apart.
    ///
    /// # Errors
    /// When it is no relation of the function: its file is damaged.
    pub fn new(told: Told, around: &Around<'_>, options: &Options) -> Result<OfRun, BadRelation> {
        let Around { signature, input_relation, executions, refuted } = *around;
        let schema = signature.schema().expect("names were checked with the signature");
        let predicate = relation::read(told.relation(), &schema)?;
        let transformation = told.transformation();
        let explanation = executions.map(|executions| {
            let about = format!("the executions that the search under {transformation} ended with");
            explain_on(&predicate, &executions.table, about, options)
        });
        let same = refuted.iter().filter(|refuted| refuted.transformation == transformation);
        Ok(OfRun {
            words: change(transformation, signature),
            input_relation: input_relation.to_owned(),
            tree: tree(predicate.nodes(), &schema),
            explanation,
            near: nearest(&predicate, same, &schema),
            told,
        })
    }

    /// Whether all tiers say the same.
    pub fn tiers_agree(&self) -> bool {
        self.explanation.as_ref().is_none_or(Explanation::tiers_agree)
    }
}

impl fmt::Display for OfRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        section(f, "relation", self.told.relation())?;
        let (sentence, example) = match &self.told {
            Told::Stands(relation) => (&relation.sentence, &relation.example),
            Told::Refuted(refuted) => (&refuted.sentence, &refuted.counterexample),
        };
        if let Some(sentence) = sentence {
            section(f, "in words", sentence)?;
        }
        let OfRun { words, input_relation, .. } = self;
        let transformation = self.told.transformation();
        section(f, "transformation", &format!("{transformation}: {words}\n{input_relation}"))?;
        match (&self.told, example) {
            (Told::Stands(_), Some(example)) => section(f, "for example", &worked(example))?,
            (Told::Refuted(refuted), Some(example)) => {
                let by = found_by(refuted);
                section(f, "counterexample", &format!("{}\n{by}", worked(example)))?;
            }
            (_, None) => {}
        }
        if let Told::Stands(relation) = &self.told {
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
    format!("source     {source}\nfollow-up  {follow_up}\n{relation}{computed}: {verdict}")
}

fn found_by(refuted: &RefutedRelation) -> String {
    let by = match refuted.by.as_deref() {
        Some("fresh") => "found by fresh inputs",
        Some("hunt") => "found by the hunt",
        Some(_) | None => "found by the filter",
    };
    format!("{by}{}", if refuted.is_shrunk { ", then made simpler" } else { "" })
}

/// Mutants that are named, at most.
const NAMED: usize = 12;

/// What speaks for a relation, a line each.
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
