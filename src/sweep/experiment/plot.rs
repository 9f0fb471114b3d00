//! The table as a picture: for each method the reachable range, the paper's score and ours.

use std::fmt::Write;

use super::table::Table;

/// Where the scale begins, and the length of a score of 1.
const LEFT: f64 = 110.0;
const SPAN: f64 = 560.0;
/// The height of a method's line.
const STEP: f64 = 24.0;
const TOP: f64 = 64.0;

/// Draws a self-contained SVG picture for light and dark pages.
pub fn svg(table: &Table) -> String {
    let (width, height) = (LEFT + SPAN + 60.0, TOP + STEP * table.rows.len() as f64 + 30.0);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="Mutation scores by method">
<style>
text {{ font: 12px system-ui, sans-serif; fill: #222 }}
.scale {{ stroke: #8886; stroke-width: 1 }}
.range {{ fill: #8884 }}
.ours {{ fill: #0b6bcb }}
.same {{ fill: none; stroke: #0b6bcb; stroke-width: 2 }}
.paper {{ fill: none; stroke: #d1590b; stroke-width: 2 }}
@media (prefers-color-scheme: dark) {{ text {{ fill: #ddd }} .ours {{ fill: #6cb6ff }} .same {{ stroke: #6cb6ff }} .paper {{ stroke: #ff9a5c }} }}
</style>
"##
    );
    legend(&mut svg);
    let bottom = TOP + STEP * table.rows.len() as f64;
    for tenth in (0..=10).step_by(2) {
        let x = at(f64::from(tenth) / 10.0);
        let _ = writeln!(
            svg,
            r#"<line class="scale" x1="{x}" y1="{}" x2="{x}" y2="{bottom}"/><text x="{x}" y="{}" text-anchor="middle">{:.1}</text>"#,
            TOP - 6.0,
            bottom + 18.0,
            f64::from(tenth) / 10.0
        );
    }
    for (place, row) in table.rows.iter().enumerate() {
        let y = TOP + STEP * (place as f64 + 0.5);
        let _ = writeln!(
            svg,
            r#"<text x="{}" y="{}" text-anchor="end">{}</text>"#,
            LEFT - 8.0,
            y + 4.0,
            row.published.method
        );
        if let Some(means) = row.ours.or(row.paper) {
            let _ = writeln!(
                svg,
                r#"<rect class="range" x="{}" y="{}" width="{}" height="8" rx="4"><title>from {:.2}, what any test kills, to {:.2}, what an oracle kills</title></rect>"#,
                at(means.floor),
                y - 4.0,
                (SPAN * (means.ceiling - means.floor)).max(1.0),
                means.floor,
                means.ceiling
            );
        }
        diamond(&mut svg, row.published.genmorph_ms, y);
        if let Some(means) = row.paper {
            dot(&mut svg, "same", "the paper's search, run by us", means.ms, y);
        }
        if let Some(means) = row.ours {
            dot(&mut svg, "ours", "ours", means.ms, y);
        }
    }
    svg + "</svg>\n"
}

fn at(score: f64) -> f64 {
    LEFT + SPAN * score
}

fn dot(svg: &mut String, class: &str, what: &str, score: f64, y: f64) {
    let _ = writeln!(
        svg,
        r#"<circle class="{class}" cx="{}" cy="{y}" r="5"><title>{what}: {score:.2}</title></circle>"#,
        at(score)
    );
}

fn diamond(svg: &mut String, score: f64, y: f64) {
    let x = at(score);
    let _ = writeln!(
        svg,
        r#"<path class="paper" d="M{} {y}L{x} {}L{} {y}L{x} {}Z"><title>published: {score:.2}</title></path>"#,
        x - 6.0,
        y - 6.0,
        x + 6.0,
        y + 6.0
    );
}

fn legend(svg: &mut String) {
    let _ = writeln!(svg, r#"<text x="{LEFT}" y="18">mutation score by method</text>"#);
    let y = 36.0;
    let entry = |x: f64, text: &str| format!(r#"<text x="{x}" y="{}">{text}</text>"#, y + 4.0);
    let _ = writeln!(
        svg,
        r#"<rect class="range" x="{LEFT}" y="{}" width="28" height="8" rx="4"/>{}"#,
        y - 4.0,
        entry(LEFT + 34.0, "floor to ceiling")
    );
    let _ = writeln!(
        svg,
        r#"<path class="paper" d="M{} {y}l6 -6l6 6l-6 6Z"/>{}"#,
        LEFT + 150.0,
        entry(LEFT + 168.0, "published")
    );
    let _ = writeln!(
        svg,
        r#"<circle class="same" cx="{}" cy="{y}" r="5"/>{}"#,
        LEFT + 250.0,
        entry(LEFT + 262.0, "the paper's search, run by us")
    );
    let _ = writeln!(
        svg,
        r#"<circle class="ours" cx="{}" cy="{y}" r="5"/>{}"#,
        LEFT + 450.0,
        entry(LEFT + 462.0, "ours")
    );
}
