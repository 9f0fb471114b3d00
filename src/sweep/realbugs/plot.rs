//! The table as a picture: a square for each seed of each fault.

use std::fmt::Write;

use super::record::BugVerdict;
use super::table::BugTable;

const LEFT: f64 = 150.0;
const STEP: f64 = 22.0;
const TOP: f64 = 50.0;

/// Draws a self-contained SVG picture for light and dark pages.
pub fn svg(table: &BugTable) -> String {
    let mut ids: Vec<&str> = Vec::new();
    for record in &table.records {
        if !ids.contains(&record.id.as_str()) {
            ids.push(&record.id);
        }
    }
    let seeds = table.records.iter().map(|record| record.seed).max().unwrap_or(1);
    let width = LEFT + STEP * seeds as f64 + 260.0;
    let height = TOP + STEP * ids.len().max(8) as f64 + 20.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Faults caught\">\n<style>\n\
         text {{ font: 12px system-ui, sans-serif; fill: #222 }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} }}\n</style>\n\
         <text x=\"8\" y=\"22\">{} of {} caught</text>\n",
        table.caught(),
        table.records.len()
    );
    for record in &table.records {
        let row = ids.iter().position(|id| *id == record.id).unwrap_or(0);
        let (x, y) = (LEFT + STEP * (record.seed - 1) as f64, TOP + STEP * row as f64);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{}\"><title>{}</title></rect>",
            colour(record.verdict),
            record.verdict.name()
        );
    }
    for (row, id) in ids.iter().enumerate() {
        let y = TOP + STEP * row as f64 + 12.0;
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{id}</text>", LEFT - 10.0);
    }
    let right = LEFT + STEP * seeds as f64 + 30.0;
    for (row, verdict) in BugVerdict::ALL.iter().enumerate() {
        let y = TOP + STEP * row as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{right}\" y=\"{y}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{}\"/><text x=\"{}\" y=\"{}\">{}: {}</text>",
            colour(*verdict),
            right + 24.0,
            y + 12.0,
            verdict.name(),
            table.count(*verdict)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn colour(verdict: BugVerdict) -> &'static str {
    match verdict {
        BugVerdict::Law => "#0b6bcb",
        BugVerdict::Outcome => "#2e9e5b",
        BugVerdict::Detector => "#8cc4f0",
        BugVerdict::Missed => "#d9a441",
        BugVerdict::Nothing => "#b8b8b8",
        BugVerdict::Refused | BugVerdict::Unresolved | BugVerdict::Malformed => "#777777",
        BugVerdict::FalseAlarm => "#c93535",
    }
}
