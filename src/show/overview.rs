//! The overview of a run over many functions: a page with a line per function, and the same for a terminal.

use std::fmt;
use std::fmt::Write;

use super::report::escape::html as escaped;
use crate::record::overview::{Fate, Overview};

/// The table that a terminal shows.
pub struct OverviewTable<'o>(pub &'o Overview);

impl fmt::Display for OverviewTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_refused = |fate: &str| fate == Fate::Refused.name() || fate == Fate::Failed.name();
        let ran = || self.0.functions.iter().filter(|line| !is_refused(&line.fate));
        if ran().next().is_some() {
            writeln!(f, "{:>5}  {:>9}  {:>6}  function", "laws", "kills", "time")?;
        }
        for line in ran() {
            let kills = format!("{}/{}", line.killed, line.mutants);
            writeln!(
                f,
                "{:>5}  {kills:>9}  {:>4.1} s  {}{}",
                line.laws,
                line.seconds,
                line.function,
                if line.is_public { "" } else { "  (private)" }
            )?;
            if let Some(law) = line.first.first() {
                writeln!(f, "{:26}{law}", "")?;
            }
        }
        let mut refused = self.0.functions.iter().filter(|l| is_refused(&l.fate)).peekable();
        if refused.peek().is_some() {
            writeln!(f, "not run, or without an end:")?;
        }
        for line in refused {
            let reason = line.reason.lines().next().unwrap_or_default();
            writeln!(f, "  {} at {}: {reason}", line.function, line.place)?;
        }
        write!(f, "{}", summary(self.0))
    }
}

fn summary(overview: &Overview) -> String {
    let count = |fate| overview.count(fate);
    format!(
        "{} functions: {} with laws, {} with relations only, {} without, {} refused, {} failed\n",
        overview.functions.len(),
        count(Fate::Laws),
        count(Fate::Relations),
        count(Fate::Nothing),
        count(Fate::Refused),
        count(Fate::Failed)
    )
}

/// The page: `index.html`, with links to the reports of the functions.
pub fn page(overview: &Overview) -> String {
    let mut rows = String::new();
    for line in &overview.functions {
        let name = escaped(&line.function);
        let name = match line.folder.as_str() {
            "" => name,
            folder => format!("<a href=\"{}/report.html\">{name}</a>", escaped(folder)),
        };
        let said = if line.reason.is_empty() {
            line.first
                .iter()
                .map(|law| format!("<code>{}</code>", escaped(law)))
                .collect::<Vec<_>>()
                .join("<br>")
        } else {
            escaped(&line.reason)
        };
        let numbers = match line.folder.as_str() {
            "" => "<td></td><td></td><td></td>".to_owned(),
            _ => format!(
                "<td class=n>{}</td><td class=n>{} of {}</td><td class=n>{:.1} s</td>",
                line.laws, line.killed, line.mutants, line.seconds
            ),
        };
        let _ = writeln!(
            rows,
            "<tr class={}><td>{name}<br><small>{}{}</small></td><td>{}</td>{numbers}<td>{said}</td></tr>",
            escaped(&line.fate),
            escaped(&line.place),
            if line.is_public { "" } else { ", private" },
            escaped(&line.fate),
        );
    }
    let title = escaped(&overview.name);
    format!(
        "<!doctype html>\n<html lang=en><meta charset=utf-8><title>{title}: laws of its functions</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{}</p>\n<table>\n<tr><th>function<th><th>laws<th>judging mutants killed<th>time<th>to be read first</tr>\n{rows}</table>\n</html>\n",
        escaped(&summary(overview))
    )
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4em .6em;border-bottom:1px solid #8884}\
.n{text-align:right;white-space:nowrap}small{opacity:.7}.refused,.failed{opacity:.75}code{font-size:.93em}";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::overview::FunctionLine;

    #[test]
    fn every_function_has_a_line_and_a_name_cannot_become_markup() {
        let line = |function: &str, fate: Fate| FunctionLine {
            function: function.to_owned(),
            fate: fate.name().to_owned(),
            ..FunctionLine::default()
        };
        let mut ran = line("m::f", Fate::Laws);
        (ran.laws, ran.folder) = (1, "m-f".to_owned());
        ran.first = vec!["f(b, a) == f(a, b)".to_owned()];
        let mut refused = line("<b>", Fate::Refused);
        refused.reason = "it is async".to_owned();
        let overview = Overview { functions: vec![ran, refused], ..Overview::default() };
        let page = page(&overview);
        assert!(page.contains("m-f/report.html") && page.contains("&lt;b&gt;"), "{page}");
        let table = OverviewTable(&overview).to_string();
        assert!(table.contains("f(b, a) == f(a, b)") && table.contains("it is async"), "{table}");
        assert!(table.contains("2 functions: 1 with laws"), "{table}");
    }
}
