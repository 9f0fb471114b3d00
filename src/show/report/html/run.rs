//! What the run was: coverage, searches, settings, and the command that repeats it.

use super::{count, escaped, headings, scrolling};
use crate::show::report::model::{Model, Search};

/// The branches that source inputs take.
pub(super) fn coverage(model: &Model) -> String {
    let coverage = &model.coverage;
    let inputs = format!(
        "<p>{} source inputs; the function returns on {}.</p>\n",
        count(coverage.inputs),
        count(coverage.returned)
    );
    if coverage.sides == 0 {
        return inputs + "<p>The function has no branches.</p>\n";
    }
    let uncovered: String = coverage
        .uncovered
        .iter()
        .map(|side| format!("<li><code>{}</code></li>\n", escaped(side)))
        .collect();
    let uncovered = if uncovered.is_empty() {
        "<p>Every branch goes both ways.</p>\n".to_owned()
    } else {
        format!("<p>Sides that no input takes:</p>\n<ul>\n{uncovered}</ul>\n")
    };
    format!(
        "{inputs}<p><label>Branch sides taken: {covered} of {sides} <progress max=\"{sides}\" value=\"{covered}\">{covered} of {sides}</progress></label></p>\n{uncovered}",
        covered = coverage.covered,
        sides = coverage.sides
    )
}

/// The searches, the settings and the command.
pub(super) fn section(model: &Model) -> String {
    let searches: String = model.searches.iter().map(|search| row(model, search)).collect();
    let table = format!(
        "<table id=\"searches-table\">\n<caption>Searches</caption>\n{}<tbody>\n{searches}</tbody>\n</table>\n",
        headings(&[
            "Transformation",
            "What is done",
            "#Pairs",
            "#Correct rows",
            "#Incorrect rows",
            "#Lessons",
            "#Generations",
            "#Relations"
        ])
    );
    let remark = match &model.repeat.remark {
        Some(remark) => format!("<p class=\"note\">{}.</p>\n", escaped(&capital(remark))),
        None => String::new(),
    };
    let mut settings = vec![
        ("seed".to_owned(), model.seed.to_string()),
        ("tolerance".to_owned(), format!("{}, {}", model.tolerance[0], model.tolerance[1])),
    ];
    if let Some(config) = model.config.as_object() {
        let text = |value: &serde_json::Value| match value.as_str() {
            Some(text) => text.to_owned(),
            None => value.to_string(),
        };
        settings.extend(config.iter().map(|(name, value)| (name.clone(), text(value))));
    }
    let settings: String = settings
        .iter()
        .map(|(name, value)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value))
        })
        .collect();
    format!(
        "<pre class=\"command\"><code>{}</code></pre>\n{remark}<h3>Searches</h3>\n{}<h3>Settings</h3>\n<dl class=\"settings\">\n{settings}</dl>\n",
        escaped(&model.repeat.command),
        scrolling("Searches", &table)
    )
}

fn row(model: &Model, search: &Search) -> String {
    let found =
        model.relations.iter().filter(|r| r.transformation == search.transformation).count();
    let problem = match &search.problem {
        Some(problem) => format!(" <span class=\"of\">({})</span>", escaped(problem)),
        None => String::new(),
    };
    let doubtful = match search.doubtful {
        0 => String::new(),
        count => format!(
            " <span class=\"of\">({count} more relation{} had too little evidence)</span>",
            if count == 1 { "" } else { "s" }
        ),
    };
    let left_out = match search.left_out {
        0 => String::new(),
        count => format!(" <span class=\"of\">({count} left out, rejected by the review)</span>"),
    };
    format!(
        "<tr><td><code>{}</code></td><td>{}{problem}{doubtful}{left_out}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{found}</td></tr>\n",
        escaped(&search.transformation),
        escaped(&search.words),
        count(search.pairs[0]),
        count(search.rows[0]),
        count(search.rows[1]),
        search.lessons,
        count(search.effort[0] as usize)
    )
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
