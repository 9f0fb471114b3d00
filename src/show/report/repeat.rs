//! The command line that finds the same again.

use serde::Serialize;

use super::files::{Files, Run};
use crate::evolve::config::Config;

/// How a run can be repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repeat {
    /// The command line, in lines that a shell joins.
    pub command: String,
    /// What has to be known besides.
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
pub(super) fn of(files: &Files) -> Repeat {
    let report = &files.report;
    let mut words = Words(vec!["genmorph generate".to_owned()]);
    let mut remarks = Vec::new();
    if let Some(run) = &files.run {
        subject(run, &mut words);
    }
    words.flag("seed", &report.seed);
    let fresh = files.run.as_ref().and_then(|run| run.fresh).unwrap_or(report.fresh_pairs);
    words.flag("fresh", &fresh);
    if let Some(run) = &files.run {
        run.sources.into_iter().for_each(|count| words.flag("sources", &count));
        for (name, rows) in ["max-correct", "max-incorrect"].iter().zip(run.rows.iter().flatten()) {
            words.flag(name, rows);
        }
        run.tolerance.iter().for_each(|tolerance| words.flag("tolerance", tolerance));
        run.hunted.into_iter().for_each(|calls| words.flag("hunt", &calls));
        match &run.reviewed {
            Some(file) => words.flag("reviewed", file),
            // There may be one by now.
            None => words.0.push("--no-reviewed".to_owned()),
        }
        if run.feedback == Some(false) {
            words.0.push("--no-feedback".to_owned());
        }
        if run.supplied > 0 {
            remarks.push(format!("with --inputs and the {} inputs that were given", run.supplied));
        }
    }
    match serde_json::from_value::<Config>(report.config.clone()) {
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
    for claimed in &report.transformations {
        words.flag("transformation", &claimed.transformation);
    }
    match files.run.as_ref().and_then(|run| run.generations) {
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
fn subject(run: &Run, words: &mut Words) {
    match run.subject.as_str() {
        "" | "demo" => {}
        method if method.contains('#') && !method.ends_with(".toml") => words.flag("java", method),
        path => words.0[0] += &format!(" {}", quoted(path)),
    }
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_minds() {
        assert_eq!(quoted("1e-9,1e-12"), "1e-9,1e-12");
        assert_eq!(quoted("SequenceFlip on s"), "'SequenceFlip on s'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
