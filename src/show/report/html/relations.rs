//! The relations: a table to choose from, a card for each; and those that were refuted.

use super::picture::picture;
use super::run::capital;
use super::{count, escaped, filter, headings, percent, scrolling};
use crate::record::relations::RelationKind;
use crate::show::report::example::Example;
use crate::show::report::model::{Model, Mutant, RefutedRelation, Relation};

/// Laws that are listed before all others, at most.
const FIRST: usize = 8;
/// Mutants that a card names before the rest is folded away.
const NAMED: usize = 8;

/// All relations that stand.
pub(super) fn section(model: &Model) -> String {
    if model.relations.is_empty() {
        return "<p>No relation stands. More time, other transformations or a narrower domain may help.</p>\n"
            .to_owned();
    }
    let ordered = model.laws_first();
    let rows: String = ordered.iter().map(|relation| row(relation)).collect();
    let table = format!(
        "<table id=\"relations-table\">\n<caption>Relations that stand, with what they kill</caption>\n{}<tbody>\n{rows}</tbody>\n</table>\n",
        headings(&[
            "#No.",
            "Law or detector",
            "Kind",
            "Under",
            "#Training kills",
            "#Judging kills",
            "#Missed",
            "#Size",
            "#Tried on"
        ])
    );
    let of = |kind: RelationKind| -> Vec<&Relation> {
        ordered.iter().copied().filter(|relation| relation.kind == kind).collect()
    };
    let cards = |relations: &[&Relation]| -> String {
        relations.iter().map(|relation| card(model, relation)).collect()
    };
    let (laws, detectors) = (of(RelationKind::Law), of(RelationKind::Detector));
    let postconditions = of(RelationKind::Postcondition);
    let mut all = String::new();
    if !laws.is_empty() {
        all += &format!("<h3 class=\"kind\" id=\"laws\">Laws</h3>\n{}", cards(&laws));
    }
    if !postconditions.is_empty() {
        all += &format!(
            "<h3 class=\"kind\" id=\"postconditions\">Of every single call</h3>\n{}",
            cards(&postconditions)
        );
    }
    for (id, title, kind) in [
        ("preconditions", "When it throws", RelationKind::Precondition),
        ("outcomes", "Of calls that throw", RelationKind::Outcome),
    ] {
        let relations = of(kind);
        if !relations.is_empty() {
            let cards = cards(&relations);
            all += &format!("<h3 class=\"kind\" id=\"{id}\">{title}</h3>\n{cards}");
        }
    }
    if !detectors.is_empty() {
        // Folded where there is something better to read.
        let open = if detectors.len() == ordered.len() { " open" } else { "" };
        all += &format!(
            "<details class=\"kind\" id=\"detectors\"{open}><summary><h3>{} detector{}</h3></summary>\n\
             <p class=\"note\">They stand too, and are kept for the mutants that they catch.</p>\n{}</details>\n",
            count(detectors.len()),
            if detectors.len() == 1 { "" } else { "s" },
            cards(&detectors)
        );
    }
    format!(
        "{first}{tried}<h3>Each with its evidence</h3>\n<p class=\"note\">Each holds for the function on every input that was tried. <em>Missed</em> is the share of \
         mutants' executions that it does not notice; <em>tried on</em> counts fresh pairs of inputs. The numbers are those of <code>genmorph accept</code> and <code>reject</code>.</p>\n\
         {filter}{table}<div id=\"cards\">\n{all}</div>\n",
        first = first(model),
        tried = tried(model),
        filter = filter("relations-table", "Filter relations", "out_f, NumericAddition, A12…"),
        table = scrolling("Relations", &table)
    )
}

/// How complete the search for laws was, and what was not reached.
fn tried(model: &Model) -> String {
    let notes: Vec<&String> = [&model.completeness, &model.cut].into_iter().flatten().collect();
    if notes.is_empty() {
        return String::new();
    }
    let notes = notes.into_iter();
    let notes: String =
        notes.map(|text| format!("<p class=\"note\">{}.</p>\n", escaped(&capital(text)))).collect();
    format!("<h3 id=\"tried\">What was tried, and what was not reached</h3>\n{notes}")
}

/// The laws that are read first; of a run without laws, the relations that say it all.
fn first(model: &Model) -> String {
    let laws: Vec<&Relation> = model.laws().take(FIRST).collect();
    let needed = model.needed.iter().filter_map(|number| model.relations.get(number - 1));
    let (shown, note): (Vec<&Relation>, String) = match laws.len() {
        0 => {
            let all = model.relations.len();
            let note =
                format!("Together they kill every training mutant that all {all} relations kill.");
            (needed.collect(), note)
        }
        _ => (laws, "The plainest laws; each holds on every input that was tried.".to_owned()),
    };
    if shown.is_empty() {
        return String::new();
    }
    let items: String = shown.into_iter().map(read_first).collect();
    format!(
        "<h3 id=\"first\">To be read first</h3>\n<p class=\"note\">{note}</p>\n<ol class=\"first\">\n{items}</ol>\n"
    )
}

/// A law, what it says, and an execution.
fn read_first(relation: &Relation) -> String {
    let example = match &relation.example {
        Some(Example { source, follow_up, .. }) if source == follow_up => {
            format!("<span class=\"such\"><code>{}</code></span>", escaped(source))
        }
        Some(Example { source, follow_up, .. }) => format!(
            "<span class=\"such\"><code>{}</code>, <code>{}</code></span>",
            escaped(source),
            escaped(follow_up)
        ),
        None => String::new(),
    };
    format!(
        "<li><span class=\"number\">{number}</span><span class=\"text\"><a href=\"#{anchor}\"><code>{text}</code></a> <span class=\"note\">{sentence}</span>{example}</span></li>\n",
        number = relation.number,
        anchor = relation.anchor(),
        text = escaped(relation.headline()),
        sentence = escaped(relation.sentence.as_deref().unwrap_or_default()),
    )
}

fn row(relation: &Relation) -> String {
    let Relation { number, relation: text, transformation, size, fn_rate, .. } = relation;
    let judging = relation.judging_kills.map_or_else(|| "–".to_owned(), count);
    let tried = relation.tried.map_or_else(|| "–".to_owned(), count);
    // What can be filtered by, but is not shown in the row.
    let words = relation.kills().collect::<Vec<_>>().join(" ");
    format!(
        "<tr data-card=\"{anchor}\" data-words=\"{words} {text} {sentence}\"><td class=\"n\"><a href=\"#{anchor}\">{number}</a></td>\
         <td><code>{headline}</code></td><td>{kind}</td><td>{transformation}</td>\
         <td class=\"n\" data-value=\"{kills}\">{kills}<span class=\"of\">/{mutants}</span></td><td class=\"n\">{judging}</td>\
         <td class=\"n\">{missed}</td><td class=\"n\">{size}</td><td class=\"n\">{tried}</td></tr>\n",
        anchor = relation.anchor(),
        words = escaped(&words),
        sentence = escaped(relation.sentence.as_deref().unwrap_or_default()),
        text = escaped(text),
        headline = escaped(relation.headline()),
        kind = relation.kind.name(),
        transformation = escaped(transformation),
        kills = relation.killed.len(),
        mutants = relation.mutants,
        missed = percent(*fn_rate),
    )
}

fn card(model: &Model, relation: &Relation) -> String {
    let sentence = match &relation.sentence {
        Some(sentence) => format!("<p class=\"sentence\">{}</p>\n", escaped(sentence)),
        None => String::new(),
    };
    let formula = formula(&relation.relation);
    let executions = model.executions(&relation.transformation, &relation.relation);
    let is_law = relation.kind == RelationKind::Law;
    let picture = executions.filter(|_| is_law).and_then(picture).unwrap_or_default();
    let example = relation.example.as_ref().map(example).unwrap_or_default();
    format!(
        "<article id=\"{anchor}\" class=\"card\">\n<h3><a href=\"#{anchor}\" class=\"number\">{number}</a> <code>{text}</code></h3>\n\
         {picture}{sentence}{formula}{example}<p class=\"evidence\">{evidence}</p>\n{kills}</article>\n",
        anchor = relation.anchor(),
        number = relation.number,
        text = escaped(relation.headline()),
        evidence = evidence(relation),
        kills = kills(model, relation),
    )
}

/// The relation over the variables of both executions.
fn formula(relation: &str) -> String {
    format!("<p class=\"formula\">As a relation: <code>{}</code></p>\n", escaped(relation))
}

/// Why it can be trusted.
fn evidence(relation: &Relation) -> String {
    let mut parts = Vec::new();
    if let (Some(tried), Some(bound)) = (relation.tried, relation.bound()) {
        parts.push(format!(
            "Held on {} fresh pairs: with 95 % confidence it is false on fewer than {} of such pairs.",
            count(tried),
            small_percent(bound)
        ));
    }
    if let Some(pairs) = relation.hunted.filter(|&pairs| pairs > 0) {
        parts.push(format!("A hunt on {} pairs found no counterexample.", count(pairs)));
    }
    if relation.is_exhausted {
        parts.push("There are hardly any other inputs.".to_owned());
    }
    if !relation.tried_inputs.is_empty() {
        parts.push(format!("Tried with {}.", escaped(&relation.tried_inputs)));
    }
    let premise = match relation.premise.as_str() {
        "" => String::new(),
        premise => format!(", where <code>{}</code>", escaped(premise)),
    };
    parts.push(format!("Under <code>{}</code>{premise}.", escaped(&relation.transformation)));
    parts.join(" ")
}

/// A small share with two digits that count.
fn small_percent(share: f64) -> String {
    let percent = 100.0 * share;
    let digits = if percent >= 1.0 { 1 } else { 1 + (-percent.log10()).ceil().max(0.0) as usize };
    format!("{percent:.digits$} %")
}

/// What it kills, with places and changes.
fn kills(model: &Model, relation: &Relation) -> String {
    let find = |name: &str| model.mutants.iter().find(|mutant| mutant.name == name);
    let item = |name: &str| match find(name) {
        Some(mutant) => format!("<li>{}</li>\n", mutant_line(mutant)),
        None => format!("<li>{}</li>\n", escaped(name)),
    };
    let list = |names: &[String]| {
        let items: String = names.iter().map(|name| item(name)).collect();
        format!("<ul class=\"kills\">\n{items}</ul>\n")
    };
    let group = |title: &str, names: &[String]| match names.len() {
        0 => format!("<p class=\"killed\">Kills no {title} mutant.</p>\n"),
        kills => {
            let open = if kills <= NAMED { " open" } else { "" };
            let s = if kills == 1 { "" } else { "s" };
            let list = list(names);
            format!(
                "<details{open}><summary>Kills {kills} {title} mutant{s}</summary>\n{list}</details>\n"
            )
        }
    };
    let judging = match (&relation.judging_killed, relation.judging_kills) {
        (Some(names), _) => group("judging", names),
        (None, Some(kills)) => format!("<p class=\"killed\">Kills {kills} judging mutants.</p>\n"),
        (None, None) => String::new(),
    };
    group("training", &relation.killed) + &judging
}

/// A mutant in a line: its name, its place, its change.
pub(super) fn mutant_line(mutant: &Mutant) -> String {
    format!(
        "<a href=\"#mutant-{name}\">{name}</a> <span class=\"place\">{place}</span> {change}",
        name = escaped(&mutant.name),
        place = escaped(&mutant.place()),
        change = change(mutant)
    )
}

/// What a mutant changes: before and after, where it says so.
pub(super) fn change(mutant: &Mutant) -> String {
    match mutant.diff() {
        Some((old, new)) => {
            format!(
                "<span class=\"diff\"><del>{}</del> <ins>{}</ins></span>",
                escaped(old),
                escaped(new)
            )
        }
        None => format!("<span class=\"diff\">{}</span>", escaped(&mutant.change)),
    }
}

fn example(example: &Example) -> String {
    let Example { source, follow_up, relation, computed, holds } = example;
    let computed = match computed {
        Some(text) => {
            format!("<span class=\"computed\"> that is <code>{}</code></span>", escaped(text))
        }
        None => String::new(),
    };
    let follow_up = match follow_up.is_empty() {
        true => String::new(),
        false => {
            format!("<div><dt>Follow-up</dt><dd><code>{}</code></dd></div>", escaped(follow_up))
        }
    };
    format!(
        "<dl class=\"example\"><div><dt>Source</dt><dd><code>{}</code></dd></div>{follow_up}\
         <div><dt>{}</dt><dd><code>{}</code>{computed}</dd></div></dl>\n",
        escaped(source),
        if *holds { "Holds" } else { "Fails" },
        escaped(relation)
    )
}

/// What found a counterexample.
fn words(by: &str) -> String {
    match by {
        "fresh" => "fresh inputs".to_owned(),
        "hunt" => "a hunt for counterexamples".to_owned(),
        by => escaped(by),
    }
}

/// What fresh inputs refuted.
pub(super) fn refuted(model: &Model) -> String {
    if model.refuted.is_empty() {
        return "<p>No relation was refuted.</p>\n".to_owned();
    }
    let card = |refuted: &RefutedRelation| {
        let sentence = match &refuted.sentence {
            Some(sentence) => format!("<p class=\"sentence\">{}</p>\n", escaped(sentence)),
            None => String::new(),
        };
        let by = match &refuted.by {
            Some(by) => format!(" Found by {}", words(by)),
            None => String::new(),
        };
        let by = match (by.is_empty(), refuted.is_shrunk) {
            (true, false) => String::new(),
            (true, true) => " The counterexample is made simple.".to_owned(),
            (false, false) => format!("{by}."),
            (false, true) => format!("{by}, and made simple."),
        };
        format!(
            "<article class=\"card refuted\">\n<h3><code>{}</code></h3>\n{sentence}{}{}<p class=\"evidence\">Under <code>{}</code>.{by}</p>\n</article>\n",
            escaped(refuted.headline()),
            formula(&refuted.relation),
            refuted.counterexample.as_ref().map(example).unwrap_or_default(),
            escaped(&refuted.transformation)
        )
    };
    let cards: String = model.refuted.iter().map(card).collect();
    format!(
        "<p class=\"note\">These held on all executions that they were learnt from, and fail on other inputs.</p>\n{cards}"
    )
}
