//! How the searches converged: false positives, false negatives and size of the best, by generation, drawn as SVG.

use super::{count, escaped};
use crate::record::search::presupposed;
use crate::show::report::model::{Model, Point, Search};

/// The size of a plot, and where its axes are.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 20.0;

/// Points that a line has at most: about one for each two pixels.
const POINTS: usize = 240;

/// The plots of all searches.
pub(super) fn section(model: &Model) -> String {
    let figures: String = model.searches.iter().map(figure).collect();
    format!(
        "<p class=\"note\">The best individual of each population, by generation: <span class=\"key fp\">avoids false positives first</span>, \
         <span class=\"key fn\">avoids false negatives first</span>. False positives and negatives are shares of the executions.</p>\n{figures}"
    )
}

fn figure(search: &Search) -> String {
    let [generations, evaluations] = search.effort;
    let title = format!(
        "<h3>{}</h3>\n<p class=\"note\"><code>{}</code>. {} generation{}, {} evaluations, {} correct and {} incorrect executions.</p>\n",
        escaped(&search.transformation),
        escaped(&presupposed(&search.input_relation, &search.premise)),
        count(generations as usize),
        if generations == 1 { "" } else { "s" },
        count(evaluations as usize),
        count(search.rows[0]),
        count(search.rows[1])
    );
    if search.convergence.is_empty() {
        let why = search.problem.as_deref().unwrap_or("No generation was recorded");
        return format!(
            "<h3>{}</h3>\n<p class=\"note\">{}.</p>\n",
            escaped(&search.transformation),
            escaped(why)
        );
    }
    let points = &search.convergence;
    let share = |top: f64| if top >= 1.0 { "100 %".to_owned() } else { "0".to_owned() };
    let sizes = points.iter().flat_map(|point| point.size).flatten();
    let largest = sizes.fold(4.0, f64::max);
    let plots = [
        plot("False positives", points, |point| point.fp, 1.0, &share),
        plot("False negatives", points, |point| point.fn_, 1.0, &share),
        plot("Size", points, |point| point.size, largest, &|top| format!("{top}")),
    ];
    format!("{title}<div class=\"plots\">\n{}</div>\n", plots.concat())
}

/// One plot of both populations.
fn plot(
    title: &str,
    points: &[Point],
    values: impl Fn(&Point) -> [Option<f64>; 2],
    most: f64,
    label: &dyn Fn(f64) -> String,
) -> String {
    let first = points.first().map_or(1, |point| point.generation);
    let last = points.last().map_or(1, |point| point.generation);
    let span = last.saturating_sub(first).max(1) as f64;
    let x = |generation: u64| {
        LEFT + (WIDTH - LEFT - RIGHT) * generation.saturating_sub(first) as f64 / span
    };
    let y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - value / most);
    let lines: String = [("fn", 1), ("fp", 0)]
        .iter()
        .map(|&(class, population)| {
            let all: Vec<(f64, f64)> = points
                .iter()
                .filter_map(|point| Some((x(point.generation), y(values(point)[population]?))))
                .collect();
            line(class, &thinned(&all))
        })
        .collect();
    let starts: String = points
        .windows(2)
        .filter(|pair| pair[1].restarts > pair[0].restarts)
        .map(|pair| {
            let x = x(pair[1].generation);
            format!(
                "<line class=\"restart\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{}\"/>",
                y(0.0)
            )
        })
        .collect();
    let end = points.last().map_or([None; 2], &values);
    let told = |value: Option<f64>| match value {
        Some(value) if most == 1.0 => format!("{:.1} %", 100.0 * value),
        Some(value) => format!("{value}"),
        None => "none".to_owned(),
    };
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    format!(
        "<figure><figcaption>{title} <span>at the end {} and {}</span></figcaption>\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title} by generation, from {first} to {last}\">\
         <path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>{starts}\
         <text class=\"y\" x=\"{}\" y=\"{}\">{}</text><text class=\"y\" x=\"{}\" y=\"{bottom}\">{}</text>\
         <text x=\"{LEFT}\" y=\"{}\">{first}</text><text class=\"y\" x=\"{right}\" y=\"{}\">{last}</text>{lines}</svg></figure>\n",
        told(end[0]),
        told(end[1]),
        LEFT - 5.0,
        TOP + 7.0,
        label(most),
        LEFT - 5.0,
        label(0.0),
        HEIGHT - 5.0,
        HEIGHT - 5.0,
    )
}

fn line(class: &str, points: &[(f64, f64)]) -> String {
    match points {
        [] => String::new(),
        [(x, y)] => format!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"),
        points => {
            let list: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            format!("<polyline class=\"{class}\" points=\"{}\"/>", list.join(" "))
        }
    }
}

/// Fewer points with the same look: of each stretch the first, the lowest, the highest and the last.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= POINTS {
        return points.to_vec();
    }
    let stretch = points.len().div_ceil(POINTS / 4);
    let mut kept = Vec::new();
    for part in points.chunks(stretch) {
        let by = |better: fn(f64, f64) -> bool| {
            let best = |best: usize, at: usize| {
                if better(part[at].1, part[best].1) { at } else { best }
            };
            (0..part.len()).fold(0, best)
        };
        let mut places = vec![0, by(|a, b| a < b), by(|a, b| a > b), part.len() - 1];
        places.sort_unstable();
        places.dedup();
        kept.extend(places.into_iter().map(|at| part[at]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_extremes_in_few_points() {
        let mut points: Vec<(f64, f64)> = (0..10_000).map(|x| (f64::from(x), 5.0)).collect();
        points[4_321].1 = 100.0;
        points[8_765].1 = -1.0;
        let thin = thinned(&points);
        assert!(thin.len() <= POINTS, "{}", thin.len());
        assert!(thin.contains(&(4_321.0, 100.0)) && thin.contains(&(8_765.0, -1.0)));
        assert_eq!((thin[0].0, thin[thin.len() - 1].0), (0.0, 9_999.0));
        assert!(thin.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
