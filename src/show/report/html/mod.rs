//! A run as one HTML page that needs nothing else: no network, no other files.
//!
//! Everything that is to be seen is in the markup; the script only sorts, filters and shows what a cell stands for.
//! Every text of the run goes through `escape::html`.

mod matrix;
mod mutants;
mod picture;
mod plots;
mod relations;
mod run;

use super::escape::html as escaped;
use super::model::Model;
use crate::support::digits::grouped;

/// Styles for screens of any width, light and dark.
const STYLE: &str = include_str!("style.css");

/// The script that sorts and filters tables.
const SCRIPT: &str = include_str!("script.js");

/// Nothing from anywhere: what is inline, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'";

/// The page of a run.
pub fn html(model: &Model) -> String {
    let sections = [
        ("relations", "Relations", relations::section(model)),
        ("matrix", "Kill matrix", matrix::section(model)),
        ("survivors", "Not killed", mutants::survivors(model)),
        ("mutants", "Mutants", mutants::section(model)),
        ("convergence", "Convergence", plots::section(model)),
        ("coverage", "Coverage", run::coverage(model)),
        ("refuted", "Refuted", relations::refuted(model)),
        ("run", "Repeat the run", run::section(model)),
    ];
    let links: String =
        sections.iter().map(|(id, title, _)| format!("<a href=\"#{id}\">{title}</a>\n")).collect();
    let body: String = sections
        .iter()
        .map(|(id, title, content)| {
            format!(
                "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n{content}</section>\n"
            )
        })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"{tool}\">\n\
         <title>Relations of {function}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#relations\">To the relations</a>\n\
         <header>\n<p class=\"kicker\">Metamorphic relations</p>\n<h1>{function}</h1>\n\
         <p class=\"signature\"><code>{signature}</code></p>\n{summary}</header>\n\
         <nav aria-label=\"Sections\">\n{links}</nav>\n<main>\n{body}</main>\n\
         <footer><p>Made by {tool} with seed {seed}.</p></footer>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        function = escaped(&model.function),
        signature = escaped(&model.signature),
        summary = summary(model),
        tool = escaped(&model.tool),
        seed = model.seed,
    )
}

/// The figures that are asked for first.
fn summary(model: &Model) -> String {
    let judged = &model.judged.totals;
    let (trained, killed) = model.trained();
    let alarms = match judged.false_alarms {
        0 => "none".to_owned(),
        count => grouped(count),
    };
    let mut tiles = vec![
        ("Relations", count(model.relations.len()), format!("{} refuted", model.refuted.len())),
        (
            "Judging mutants killed",
            format!("{} of {}", judged.killed, judged.mutants),
            format!(
                "{} by a relation; any test kills {}, a perfect oracle {}",
                judged.asserted, judged.floor, judged.ceiling
            ),
        ),
        (
            "Training mutants killed",
            format!("{killed} of {trained}"),
            format!("of {} in all; the others crash, repeat or never differ", model.training.all),
        ),
        ("False alarms", alarms, format!("on {} unseen pairs", count(judged.pairs))),
    ];
    if model.coverage.sides > 0 {
        tiles.push((
            "Branch sides covered",
            format!("{} of {}", model.coverage.covered, model.coverage.sides),
            format!("by {} source inputs", count(model.coverage.inputs)),
        ));
    }
    let tiles: String = tiles
        .iter()
        .map(|(name, figure, more)| {
            format!(
                "<div><dt>{name}</dt><dd><strong>{figure}</strong><span>{more}</span></dd></div>\n"
            )
        })
        .collect();
    format!("<dl class=\"tiles\">\n{tiles}</dl>\n")
}

fn count(count: usize) -> String {
    grouped(count as u64)
}

/// A share as percent.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A column of a table that can be sorted.
struct Heading {
    title: &'static str,
    is_number: bool,
}

/// Headings with buttons that sort; numbers are given as `#title`.
fn headings(titles: &[&'static str]) -> String {
    let headings = titles.iter().map(|title| match title.strip_prefix('#') {
        Some(title) => Heading { title, is_number: true },
        None => Heading { title, is_number: false },
    });
    let cells: String = headings
        .map(|Heading { title, is_number }| {
            let class = if is_number { " class=\"n\"" } else { "" };
            format!("<th scope=\"col\"{class} aria-sort=\"none\"><button type=\"button\">{title}</button></th>")
        })
        .collect();
    format!("<thead><tr>{cells}</tr></thead>\n")
}

/// A field that filters the rows of a table.
fn filter(table: &str, label: &str, what: &str) -> String {
    format!(
        "<p class=\"filter\"><label>{label} <input type=\"search\" data-filter=\"{table}\" placeholder=\"{what}\" autocomplete=\"off\"></label> \
         <output id=\"{table}-count\" aria-live=\"polite\"></output></p>\n"
    )
}

/// A table that scrolls on its own where it does not fit.
fn scrolling(label: &str, table: &str) -> String {
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">\n{table}</div>\n"
    )
}
