//! A run as Markdown, short enough for a comment on a change.

use super::escape::{code, markdown as escaped, visible};
use super::example::Example;
use super::model::{Model, Mutant, RefutedRelation, Relation};
use crate::record::relations::RelationKind;
use crate::support::digits::grouped;

/// Relations, survivors and counterexamples that are told, at most; the rest is counted.
const RELATIONS: usize = 30;
/// Detectors that are told at least, however many laws there are.
const DETECTORS: usize = 10;
const SURVIVORS: usize = 15;
const REFUTED: usize = 10;

/// A run in Markdown.
pub fn markdown(model: &Model) -> String {
    let count = |count: usize| grouped(count as u64);
    let judged = &model.judged.totals;
    let (trained, killed) = model.trained();
    let mut text = format!(
        "## Metamorphic relations of {}\n\n{}\n\n",
        code(&model.function),
        code(&model.signature)
    );
    text += &format!(
        "**{} relation{}**; {} of {} judging mutants killed ({} by a relation; any test kills {}, a perfect oracle {}); \
         {} of {} training mutants killed; {} on {} unseen pairs; {} of {} branch sides covered.\n\n",
        model.relations.len(),
        if model.relations.len() == 1 { "" } else { "s" },
        judged.killed,
        judged.mutants,
        judged.asserted,
        judged.floor,
        judged.ceiling,
        killed,
        trained,
        match judged.false_alarms {
            0 => "no false alarm".to_owned(),
            alarms => format!("**{} false alarms**", grouped(alarms)),
        },
        count(judged.pairs),
        model.coverage.covered,
        model.coverage.sides,
    );
    text += &needed(model);
    text += &relations(model);
    text += &survivors(model);
    text += &refuted(&model.refuted);
    text += &format!(
        "<details><summary>Repeat the run</summary>\n\n```sh\n{}\n```\n",
        // A fence that a name in the command could end would be no fence.
        visible(&model.repeat.command).replace("```", "` ` `")
    );
    if let Some(remark) = &model.repeat.remark {
        text += &format!("\n{}.\n", escaped(remark));
    }
    text + "\n</details>\n"
}

/// The numbers of the relations that are enough.
fn needed(model: &Model) -> String {
    if model.needed.is_empty() {
        return String::new();
    }
    let numbers: Vec<String> = model.needed.iter().map(ToString::to_string).collect();
    format!(
        "Relations {} together kill every training mutant that all kill.\n\n",
        numbers.join(", ")
    )
}

/// Laws, then detectors.
fn relations(model: &Model) -> String {
    if model.relations.is_empty() {
        return "No relation stands.\n\n".to_owned();
    }
    let of = |kind: RelationKind| model.relations.iter().filter(move |r| r.kind == kind).collect();
    let (postconditions, detectors): (Vec<&Relation>, Vec<&Relation>) =
        (of(RelationKind::Postcondition), of(RelationKind::Detector));
    let laws: Vec<&Relation> = model.laws().collect();
    let outcomes: [(&str, &str, Vec<&Relation>); 2] = [
        ("When it throws", "precondition", of(RelationKind::Precondition)),
        ("Of calls that throw", "law of outcomes", of(RelationKind::Outcome)),
    ];
    let is_silent = outcomes.iter().all(|(_, _, relations)| relations.is_empty());
    if laws.is_empty() && postconditions.is_empty() && is_silent {
        return table("detector", &detectors, RELATIONS);
    }
    let mut text = String::new();
    if !laws.is_empty() {
        text += &format!("### Laws\n\n{}", table("law", &laws, RELATIONS));
    }
    for note in [&model.completeness, &model.cut].into_iter().flatten() {
        text += &format!("{}.\n\n", escaped(note));
    }
    if !postconditions.is_empty() {
        let rows = table("postcondition", &postconditions, RELATIONS);
        text += &format!("### Of every single call\n\n{rows}");
    }
    for (title, kind, relations) in outcomes.iter().filter(|(_, _, all)| !all.is_empty()) {
        text += &format!("### {title}\n\n{}", table(kind, relations, RELATIONS));
    }
    if !detectors.is_empty() {
        let room = RELATIONS.saturating_sub(laws.len()).max(DETECTORS);
        text += &format!(
            "<details><summary>{} detectors: relations that catch further mutants</summary>\n\n{}</details>\n\n",
            detectors.len(),
            table("detector", &detectors, room)
        );
    }
    text
}

fn table(kind: &str, relations: &[&Relation], most: usize) -> String {
    let mut text =
        format!("| | {kind} | under | kills | judging | tried on |\n|--:|---|---|--:|--:|--:|\n");
    for relation in relations.iter().take(most) {
        let number = |n: Option<usize>| n.map_or_else(|| "–".to_owned(), |n| grouped(n as u64));
        text += &format!(
            "| {} | {} | {} | {}/{} | {} | {} |\n",
            relation.number,
            code(relation.headline()),
            escaped(&relation.transformation),
            relation.killed.len(),
            relation.mutants,
            number(relation.judging_kills),
            number(relation.tried)
        );
    }
    text += &more(relations.len(), most, "relations");
    text.push('\n');
    for relation in relations.iter().take(most) {
        let Some(sentence) = &relation.sentence else { continue };
        text += &format!("{}. {}", relation.number, escaped(sentence));
        if let Some(example) = &relation.example {
            text += &format!(" For example {}.", told(example));
        }
        text += &format!(" As a relation: {}.", code(&relation.relation));
        if !relation.premise.is_empty() {
            text += &format!(" Presupposed: {}.", escaped(&relation.premise));
        }
        if let Some(hunted) = relation.hunted.filter(|&hunted| hunted > 0) {
            text += &format!(" A hunt on {} pairs found nothing.", grouped(hunted as u64));
        }
        if !relation.tried_inputs.is_empty() {
            text += &format!(" Tried with {}.", escaped(&relation.tried_inputs));
        }
        text.push('\n');
    }
    text + "\n"
}

/// An example in a line.
fn told(example: &Example) -> String {
    let Example { source, follow_up, relation, .. } = example;
    let then =
        if follow_up.is_empty() { String::new() } else { format!(", then {}", code(follow_up)) };
    format!("{}{then}: {}", code(source), code(relation))
}

fn survivors(model: &Model) -> String {
    let all: Vec<&Mutant> = model.survivors().collect();
    if all.is_empty() {
        return String::new();
    }
    let mut text = format!("<details><summary>{} mutants not killed</summary>\n\n", all.len());
    for mutant in all.iter().take(SURVIVORS) {
        let change = match mutant.diff() {
            Some((old, new)) => format!("{} → {}", code(old), code(new)),
            None => escaped(&mutant.change),
        };
        text += &format!("- {} {}: {change}\n", escaped(&mutant.name), escaped(&mutant.place()));
    }
    text + &more(all.len(), SURVIVORS, "mutants") + "\n</details>\n\n"
}

fn refuted(refuted: &[RefutedRelation]) -> String {
    if refuted.is_empty() {
        return String::new();
    }
    let s = if refuted.len() == 1 { "" } else { "s" };
    let mut text = format!("<details><summary>{} relation{s} refuted</summary>\n\n", refuted.len());
    for wrong in refuted.iter().take(REFUTED) {
        text += &format!("- {} under {}", code(wrong.headline()), escaped(&wrong.transformation));
        if let Some(example) = &wrong.counterexample {
            text += &format!(": {}", told(example));
        }
        text.push('\n');
    }
    text + &more(refuted.len(), REFUTED, "relations") + "\n</details>\n\n"
}

/// What is not told.
fn more(all: usize, told: usize, what: &str) -> String {
    match all.saturating_sub(told) {
        0 => String::new(),
        more => format!("\n…and {more} more {what}.\n"),
    }
}
