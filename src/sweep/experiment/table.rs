//! The records of all runs, method by method, beside the figures of the paper.

use std::fmt::Write;

use super::protocol::Search;
use super::published::{PublishedRow, published};
use super::run::RunRecord;

/// Means over the runs of one method with one search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Means {
    /// Number of runs that are averaged.
    pub runs: usize,
    /// Number of relations in a run.
    pub relations: f64,
    /// Share of mutants that any test kills.
    pub floor: f64,
    /// Share of mutants that the standing relations of a run kill together.
    pub ms: f64,
    /// Share of mutants that relations kill by being false, not by a crash.
    pub assertion: f64,
    /// Share of mutants that laws and postconditions kill without detectors; `None` for a search without laws.
    pub laws: Option<f64>,
    /// The score without equivalent mutants and without mutants that behave like a training mutant; `None`
    /// if none are left.
    pub strict: Option<f64>,
    /// The mean score of single relations, as in the paper's table.
    pub single: f64,
    /// Share of mutants that an oracle that knows every output kills.
    pub ceiling: f64,
    /// Share of relations that stand; `None` if there are no relations.
    pub pz: Option<f64>,
    /// Of the relations that no suite refutes, the share that the hunt does not refute.
    pub pzo: Option<f64>,
    /// Share of mutants that regression assertions kill.
    pub regression: f64,
    /// Share of the mutants missed by regression assertions that relations kill.
    pub delta: Option<f64>,
    /// Mean number of seconds per transformation.
    pub seconds: f64,
}

/// The results for one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The figures in the paper's table.
    pub published: PublishedRow,
    /// Number of mutants in our runs.
    pub mutants: usize,
    /// Means of our search.
    pub ours: Option<Means>,
    /// Means of the paper's search, run by us.
    pub paper: Option<Means>,
}

/// All methods that were run, in the paper's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// One row for each method.
    pub rows: Vec<Row>,
}

impl Means {
    fn of(records: &[&RunRecord]) -> Option<Means> {
        if records.is_empty() {
            return None;
        }
        let mean = |value: &dyn Fn(&RunRecord) -> Option<f64>| {
            mean(records.iter().filter_map(|r| value(r)))
        };
        let score = |value: &dyn Fn(&RunRecord) -> Option<f64>| {
            // A run without a score has killed nothing.
            mean(&|record| Some(value(record).unwrap_or(0.0))).unwrap_or(0.0)
        };
        Some(Means {
            runs: records.len(),
            relations: score(&|record| Some(record.relations.len() as f64)),
            floor: score(&|record| record.scores.floor),
            ms: score(&|record| record.scores.ms),
            assertion: score(&|record| record.scores.ms_assertion),
            laws: mean(&|record| record.laws),
            strict: mean(&|record| record.scores.ms_strict),
            single: score(&|record| record.scores.ms_single),
            ceiling: score(&|record| record.scores.ceiling),
            pz: mean(&|record| record.pz),
            pzo: mean(&|record| record.pzo),
            regression: score(&|record| record.scores.regression),
            delta: mean(&|record| record.scores.delta_ms),
            seconds: score(&|record| Some(record.seconds / record.transformations.max(1) as f64)),
        })
    }

    /// Whether relations kill more than any test does.
    pub fn is_above_floor(&self) -> bool {
        self.ms > self.floor
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

impl Table {
    /// Makes the table from records. Methods that the paper does not have are left out.
    pub fn of(records: &[RunRecord]) -> Table {
        let rows = published().into_iter().filter_map(|published| {
            let own: Vec<&RunRecord> =
                records.iter().filter(|record| record.method == published.method).collect();
            let of = |search| {
                Means::of(&own.iter().copied().filter(|r| r.search == search).collect::<Vec<_>>())
            };
            let mutants = own.first()?.mutants;
            Some(Row { mutants, ours: of(Search::Ours), paper: of(Search::Paper), published })
        });
        Table { rows: rows.collect() }
    }

    fn searched(&self, search: Search) -> Vec<(&Row, Means)> {
        let means = self.rows.iter().filter_map(|row| {
            let means = match search {
                Search::Ours => row.ours,
                Search::Paper => row.paper,
            };
            Some((row, means?))
        });
        means.collect()
    }

    /// The table as text that is also Markdown.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for search in Search::ALL {
            let rows = self.searched(search);
            if rows.is_empty() {
                continue;
            }
            let title = match search {
                Search::Ours => "The search of genmorph",
                Search::Paper => "The search of the paper, run by genmorph",
            };
            let _ = writeln!(text, "{title}\n");
            lines(&rows, &mut text);
            text.push('\n');
            summary(&rows, &mut text);
            text.push('\n');
        }
        text
    }

    /// A row for each method and search, with all figures.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "method,search,runs,mutants,relations,floor,ms,ms_assertion,ms_laws,ms_strict,ms_single,ceiling,pz,pzo,regression,\
             delta_ms,seconds_per_transformation,paper_mutants,paper_ms,automr_ms,paper_pz,paper_pzo,paper_delta_ms_randoop\n",
        );
        for search in Search::ALL {
            for (Row { published, mutants, .. }, means) in self.searched(search) {
                let Means {
                    runs,
                    relations,
                    floor,
                    ms,
                    assertion,
                    single,
                    ceiling,
                    regression,
                    ..
                } = means;
                let [laws, strict, pz, pzo, delta, automr, delta_randoop] = [
                    means.laws,
                    means.strict,
                    means.pz,
                    means.pzo,
                    means.delta,
                    published.automr_ms,
                    published.delta_ms_randoop,
                ]
                .map(|score| score.map_or_else(String::new, |score| format!("{score:.4}")));
                let _ = writeln!(
                    text,
                    "{},{search},{runs},{mutants},{relations:.1},{floor:.4},{ms:.4},{assertion:.4},{laws},{strict},{single:.4},\
                     {ceiling:.4},{pz},{pzo},{regression:.4},{delta},{:.1},{},{},{automr},{},{},{delta_randoop}",
                    published.method,
                    means.seconds,
                    published.mutants,
                    published.genmorph_ms,
                    published.pz,
                    published.pzo,
                );
            }
        }
        text
    }
}

/// The number of columns.
const WIDTH: usize = 17;

/// The columns with their widths.
const COLUMNS: [(&str, usize); WIDTH] = [
    ("method", 10),
    ("mutants", 7),
    ("floor", 5),
    ("AutoMR", 6),
    ("paper MS", 8),
    ("MS", 5),
    ("assert", 6),
    ("laws", 5),
    ("strict", 6),
    ("single", 6),
    ("ceiling", 7),
    ("paper PZ", 8),
    ("PZ", 5),
    ("PZO", 5),
    ("ΔMS", 5),
    ("relations", 9),
    ("s", 5),
];

fn lines(rows: &[(&Row, Means)], text: &mut String) {
    line(text, &COLUMNS.map(|(title, _)| title.to_owned()));
    let rules = COLUMNS.map(|(_, width)| "-".repeat(width - 1) + ":");
    line(text, &rules);
    for (row, means) in rows {
        line(text, &cells(&row.published, row.mutants, means));
    }
    let mean_of =
        |value: &dyn Fn(&(&Row, Means)) -> Option<f64>| mean(rows.iter().filter_map(value));
    let score = |value: &dyn Fn(&(&Row, Means)) -> f64| {
        mean_of(&|row| Some(value(row))).expect("there are rows")
    };
    let all = Means {
        runs: 0,
        relations: score(&|(_, m)| m.relations),
        floor: score(&|(_, m)| m.floor),
        ms: score(&|(_, m)| m.ms),
        assertion: score(&|(_, m)| m.assertion),
        laws: mean_of(&|(_, m)| m.laws),
        strict: mean_of(&|(_, m)| m.strict),
        single: score(&|(_, m)| m.single),
        ceiling: score(&|(_, m)| m.ceiling),
        pz: mean_of(&|(_, m)| m.pz),
        pzo: mean_of(&|(_, m)| m.pzo),
        regression: score(&|(_, m)| m.regression),
        delta: mean_of(&|(_, m)| m.delta),
        seconds: score(&|(_, m)| m.seconds),
    };
    let published = PublishedRow {
        method: "mean".to_owned(),
        genmorph_ms: score(&|(row, _)| row.published.genmorph_ms),
        pz: score(&|(row, _)| row.published.pz),
        automr_ms: mean_of(&|(row, _)| row.published.automr_ms),
        ..rows[0].0.published.clone()
    };
    let mutants = rows.iter().map(|(row, _)| row.mutants).sum();
    line(text, &cells(&published, mutants, &all));
}

fn cells(published: &PublishedRow, mutants: usize, means: &Means) -> [String; WIDTH] {
    let two = |score: f64| format!("{score:.2}");
    let maybe = |score: Option<f64>| score.map_or("-".to_owned(), two);
    [
        published.method.clone(),
        mutants.to_string(),
        two(means.floor),
        maybe(published.automr_ms),
        two(published.genmorph_ms),
        two(means.ms),
        two(means.assertion),
        maybe(means.laws),
        maybe(means.strict),
        two(means.single),
        two(means.ceiling),
        two(published.pz),
        maybe(means.pz),
        maybe(means.pzo),
        maybe(means.delta),
        format!("{:.0}", means.relations),
        format!("{:.1}", means.seconds),
    ]
}

fn line(text: &mut String, cells: &[String; WIDTH]) {
    for (place, (cell, (_, width))) in cells.iter().zip(COLUMNS).enumerate() {
        let _ = match place {
            0 => write!(text, "| {cell:<width$} |"),
            _ => write!(text, " {cell:>width$} |"),
        };
    }
    text.push('\n');
}

/// Compares the figures in words, and explains where the paper is ahead as far as the figures allow.
fn summary(rows: &[(&Row, Means)], text: &mut String) {
    let count =
        |holds: &dyn Fn(&Row, &Means) -> bool| rows.iter().filter(|(r, m)| holds(r, m)).count();
    // Published scores have two digits.
    let is_ahead = |row: &Row, means: &Means| means.ms + 0.005 >= row.published.genmorph_ms;
    let of = rows.len();
    let _ = writeln!(
        text,
        "{of} methods: relations for {}; MS at least the paper's for {}, above the floor for {}",
        count(&|_, means| means.relations > 0.0),
        count(&is_ahead),
        count(&|_, means| means.is_above_floor()),
    );
    for (row, means) in rows.iter().filter(|(row, means)| !is_ahead(row, means)) {
        let PublishedRow { method, genmorph_ms: paper, .. } = &row.published;
        let why = if means.ceiling + 0.005 < *paper {
            "on these suites even an oracle that knows every output does not reach that"
        } else if means.ms + 0.01 >= means.ceiling {
            "the relations kill every mutant that differs on these suites"
        } else {
            "some mutants differ on these suites and no relation notices"
        };
        let _ = writeln!(
            text,
            "  {method}: the paper has {paper:.2}, we {:.2} of at most {:.2}; {why}",
            means.ms, means.ceiling
        );
    }
}
