//! The mutants: what each changes, where, and what became of it.

use super::relations::{change, mutant_line};
use super::{escaped, filter, headings, scrolling};
use crate::show::report::model::{Fate, Model, Mutant};

/// What no relation kills.
pub(super) fn survivors(model: &Model) -> String {
    let all: Vec<&Mutant> = model.survivors().collect();
    if all.is_empty() {
        return "<p>Every mutant that differs from the function is killed by a relation or by a crash.</p>\n".to_owned();
    }
    let group = |name: &str, title: &str| {
        let items: String = all
            .iter()
            .filter(|mutant| mutant.group == name)
            .map(|mutant| format!("<li>{}{}</li>\n", mutant_line(mutant), source(mutant)))
            .collect();
        if items.is_empty() {
            return String::new();
        }
        let count = all.iter().filter(|mutant| mutant.group == name).count();
        format!("<h3>{title} ({count})</h3>\n<ul class=\"kills\">\n{items}</ul>\n")
    };
    format!(
        "<p class=\"note\">These mutants differ from the function, and every relation holds for them: the faults that the relations do not see.</p>\n{}{}",
        group("A", "Training mutants"),
        group("B", "Judging mutants")
    )
}

/// The table of all mutants.
pub(super) fn section(model: &Model) -> String {
    if model.mutants.is_empty() {
        return "<p>The run has no mutants.json.</p>\n".to_owned();
    }
    let rows: String = model.mutants.iter().map(row).collect();
    let table = format!(
        "<table id=\"mutants-table\">\n<caption>Mutants: A for training, B for judging</caption>\n{}<tbody>\n{rows}</tbody>\n</table>\n",
        headings(&["Mutant", "Operator", "Place", "Change", "Fate", "#Killed by"])
    );
    filter("mutants-table", "Filter mutants", "survives, AOR, i32.add…")
        + &scrolling("Mutants", &table)
}

fn row(mutant: &Mutant) -> String {
    let name = escaped(&mutant.name);
    let place = escaped(&mutant.place());
    let killers: Vec<String> = mutant
        .killed_by
        .iter()
        .map(|number| format!("<a href=\"#relation-{number}\">{number}</a>"))
        .collect();
    let fate = match (&mutant.standing, mutant.fate) {
        (Some(standing), Fate::Same) => escaped(standing),
        (_, fate) => fate.words().to_owned(),
    };
    let class = if mutant.fate == Fate::Survives { " class=\"survives\"" } else { "" };
    format!(
        "<tr id=\"mutant-{name}\"><td data-value=\"{key}\">{name}</td><td>{operator}</td><td data-value=\"{sort}\"><span class=\"place\">{place}</span></td>\
         <td>{change}{source}</td><td{class}>{fate}</td><td class=\"n links\" data-value=\"{count}\">{killers}</td></tr>\n",
        key = escaped(&sortable(&mutant.name)),
        operator = escaped(&mutant.operator),
        sort = escaped(&sortable(&mutant.place())),
        change = change(mutant),
        source = source(mutant),
        count = killers.len(),
        killers = killers.join(" "),
    )
}

/// The line of the source that is changed.
fn source(mutant: &Mutant) -> String {
    match &mutant.source {
        Some(line) => format!("<code class=\"source\">{}</code>", escaped(line)),
        None => String::new(),
    }
}

/// A text whose numbers have as many digits as others', so that `A9` comes before `A10`.
fn sortable(text: &str) -> String {
    let mut key = String::new();
    let mut digits = String::new();
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            key += &format!("{digits:0>6}");
            digits.clear();
        }
        if c != '\0' {
            key.push(c);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_within_texts_sort_by_value() {
        assert!(sortable("A9") < sortable("A10"));
        assert!(sortable("pow.wat:9:2") < sortable("pow.wat:10:1"));
    }
}
