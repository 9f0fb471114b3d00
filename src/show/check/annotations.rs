//! Annotations of GitHub: lines that a workflow shows at the place they are about.

use std::fmt::Write as _;

use super::CheckReport;
use crate::filter::recheck::Standing;

impl CheckReport<'_> {
    /// A line for each relation that does not stand: an error if it is violated, a warning if it cannot be judged.
    pub fn annotations(&self) -> String {
        let mut text = String::new();
        for judged in self.judged {
            let Some((title, evidence)) = self.message_of(judged) else { continue };
            let level = match judged.standing() {
                Standing::Refuted => "error",
                Standing::Stands | Standing::Unknown => "warning",
            };
            let _ = write!(text, "::{level} ");
            if let Some(file) = self.file {
                let _ = write!(text, "file={},", property(file));
            }
            if let Some(line) = self.line(judged) {
                let _ = write!(text, "line={line},");
            }
            let _ = writeln!(text, "title={}::{}", property(&title), data(&evidence));
        }
        for (title, evidence) in self.changes() {
            let _ = writeln!(text, "::error title={}::{}", property(&title), data(&evidence));
        }
        text
    }
}

/// Escapes the message of an annotation, which comes after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of an annotation, which comes before the second `::`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::check::{Places, examples, of_lines};

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(data("100%\r\n::a,b"), "100%25%0D%0A::a,b");
        assert_eq!(property("C:\\a,b%"), "C%3A\\a%2Cb%25");
    }

    #[test]
    fn annotations_are_at_the_line_of_the_relation_or_at_its_file() {
        let (signature, judged) = examples();
        let checked = of_lines(&signature, &judged);
        let text = checked.annotations();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        let start = "::error file=r.txt,line=2,title=a relation of `pow` is violated::NumericAddition(1) on e => ";
        assert!(lines[0].starts_with(start), "{text}");
        assert!(lines[0].contains("%0Asource     k = 1, e = 2  ->  out = 1%0A"), "{text}");
        assert!(lines[1].starts_with("::warning file=r.txt,line=7,title="), "{text}");
        let of = |checked: CheckReport<'_>| checked.annotations();
        assert!(
            of(CheckReport { places: Places::Numbers(&[]), ..checked })
                .starts_with("::error file=r.txt,title=")
        );
        let lines = [0, 31];
        let numbered = of(CheckReport { places: Places::Numbers(&lines), ..checked });
        assert!(numbered.starts_with("::error file=r.txt,line=31,title="), "{numbered}");
        assert!(of(CheckReport { file: None, ..checked }).starts_with("::error title="));
    }
}
