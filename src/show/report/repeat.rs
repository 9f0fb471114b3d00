//! The command line that finds the same again.

use schemars::JsonSchema;
use serde::Serialize;

use super::folder::RunFolder;
use crate::evolve::config::Config;
use crate::record::run::RunSettings;
use crate::support::shell::quoted;

/// How a run can be repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Repeat {
    /// The command line, in lines that a shell joins.
    pub command: String,
    /// What the command line does not say.
    pub remark: Option<String>,
}

/// The words of a command line, those of a line together.
struct Words(Vec<String>);

impl Words {
    fn flag(&mut self, name: &str, value: &(impl ToString + ?Sized)) {
        self.0.push(format!("--{name} {}", quoted(&value.to_string())));
    }
}

/// The command line of a run.
pub(super) fn of(folder: &RunFolder) -> Repeat {
    let RunFolder { report, run, .. } = folder;
    let mut words = Words(vec!["genmorph generate".to_owned()]);
    let mut remarks = Vec::new();
    if let Some(run) = run {
        subject(run, &mut words);
    }
    words.flag("seed", &report.seed);
    words.flag("fresh", &run.as_ref().map_or(report.fresh_pairs, |run| run.fresh));
    if let Some(run) = run {
        words.flag("sources", &run.sources);
        for (name, rows) in ["max-correct", "max-incorrect"].iter().zip(&run.rows) {
            words.flag(name, rows);
        }
        words.flag("tolerance", &run.tolerance);
        run.hunted.into_iter().for_each(|calls| words.flag("hunt", &calls));
        match &run.reviewed {
            Some(file) => words.flag("reviewed", file),
            // There may be one by now.
            None => words.0.push("--no-reviewed".to_owned()),
        }
        if !run.feedback {
            words.0.push("--no-feedback".to_owned());
        }
        if run.supplied > 0 {
            remarks.push(format!("with --inputs and the {} inputs that were given", run.supplied));
        }
    }
    match report.config.config() {
        Ok(config) => {
            let Config { population, max_size, .. } = config;
            words.flag("population", &population);
            words.flag("max-size", &max_size);
            if config == (Config { population, max_size, ..Config::paper() }) {
                words.0.push("--paper".to_owned());
            } else if config != (Config { population, max_size, ..Config::default() }) {
                remarks.push("with the settings below, which have no flags".to_owned());
            }
        }
        Err(_) => remarks.push("with the settings below".to_owned()),
    }
    let mut named: Vec<&str> = Vec::new();
    for search in &report.transformations {
        // Outcomes are searched under some of the transformations of values.
        if !named.contains(&search.transformation.as_str()) {
            named.push(&search.transformation);
            words.flag("transformation", &search.transformation);
        }
    }
    match run.as_ref().and_then(|run| run.generations) {
        Some(generations) => words.flag("generations", &generations),
        None => remarks.push(
            "the run was bounded by time: how many generations each search did is in the table of searches, \
             and a search repeats with as many --generations and its --transformation"
                .to_owned(),
        ),
    }
    let remark = (!remarks.is_empty()).then(|| remarks.join("; "));
    Repeat { command: words.0.join(" \\\n  "), remark }
}

/// The function: a file, a Java method, or the built-in one.
fn subject(run: &RunSettings, words: &mut Words) {
    match run.subject.as_str() {
        "" | "demo" => {}
        method if method.contains('#') && !method.ends_with(".toml") => words.flag("java", method),
        path => words.0[0] += &format!(" {}", quoted(path)),
    }
}
