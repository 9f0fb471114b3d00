//! The kill matrix: relations by mutants.

use super::{escaped, scrolling};
use crate::show::report::model::{Fate, Model, Mutant, Relation};

/// With more mutants than this the columns are narrow, so that a hundred fit a screen: a kill is a filled cell.
const WIDE: usize = 36;

/// The matrix of the mutants whose killers are known: those that differ. Laws come first.
pub(super) fn section(model: &Model) -> String {
    let kept = model.relations.iter().any(|relation| relation.judging_killed.is_some());
    let mutants: Vec<&Mutant> = ["A", "B"]
        .iter()
        .flat_map(|group| model.mutants.iter().filter(move |mutant| mutant.group == **group))
        .filter(|mutant| matches!(mutant.fate, Fate::Killed | Fate::Survives))
        .filter(|mutant| mutant.group == "A" || kept)
        .collect();
    if model.relations.is_empty() || mutants.is_empty() {
        return "<p>There is nothing to show: no relation, or no mutant that differs.</p>\n"
            .to_owned();
    }
    let about = if kept {
        "Training mutants (A) first, then judging mutants (B)."
    } else {
        "Training mutants; this run has not kept which judging mutants each relation kills."
    };
    let columns: String = mutants.iter().map(|mutant| column(mutant)).collect();
    let rows: String =
        model.laws_first().into_iter().map(|relation| row(relation, &mutants)).collect();
    let totals: String = mutants
        .iter()
        .map(|mutant| format!("<td{}>{}</td>", class(mutant, None), mutant.killed_by.len()))
        .collect();
    let dense = if mutants.len() > WIDE { " dense" } else { "" };
    let table = format!(
        "<table id=\"matrix-table\" class=\"matrix{dense}\">\n<caption>Which relation kills which mutant</caption>\n\
         <thead><tr><th scope=\"col\" class=\"corner\">Relation</th>{columns}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
         <tfoot><tr><th scope=\"row\">Killed by</th>{totals}</tr></tfoot>\n</table>\n"
    );
    let marks = if dense.is_empty() { "A dot is a kill" } else { "A filled cell is a kill" };
    format!(
        "<p class=\"note\">{marks}: point at a cell for the mutant and its change. {about}</p>\n\
         <p class=\"filter\"><label>Filter mutants <input type=\"search\" data-columns=\"matrix-table\" placeholder=\"AOR, pow.wat:12, i32.add…\" autocomplete=\"off\"></label> \
         <label class=\"check\"><input type=\"checkbox\" data-unkilled=\"matrix-table\"> not killed only</label> \
         <output id=\"matrix-table-count\" aria-live=\"polite\"></output></p>\n{}",
        scrolling("Kill matrix", &table)
    )
}

fn column(mutant: &Mutant) -> String {
    let name = escaped(&mutant.name);
    format!(
        "<th scope=\"col\"{} data-words=\"{name} {operator} {place} {change}\"><a href=\"#mutant-{name}\">{name}</a></th>",
        class(mutant, None),
        operator = escaped(&mutant.operator),
        place = escaped(&mutant.place()),
        change = escaped(&mutant.change),
    )
}

fn row(relation: &Relation, mutants: &[&Mutant]) -> String {
    let cells: String = mutants
        .iter()
        .map(|mutant| {
            let is_killed = mutant.killed_by.contains(&relation.number);
            // Read aloud in narrow columns, too, where it is not shown.
            let dot = if is_killed { "<span>●</span>" } else { "" };
            format!("<td{}>{dot}</td>", class(mutant, Some(is_killed)))
        })
        .collect();
    format!(
        "<tr><th scope=\"row\"><a href=\"#{}\"><span class=\"number\">{}</span> <code>{}</code></a></th>{cells}</tr>\n",
        relation.anchor(),
        relation.number,
        escaped(relation.headline())
    )
}

/// What a cell is, for its colour: of which group, killed or not, of a mutant that nothing kills.
fn class(mutant: &Mutant, is_killed: Option<bool>) -> String {
    let mut classes = Vec::new();
    if mutant.group == "B" {
        classes.push("b");
    }
    if is_killed == Some(true) {
        classes.push("k");
    }
    if mutant.killed_by.is_empty() {
        classes.push("u");
    }
    if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
}
