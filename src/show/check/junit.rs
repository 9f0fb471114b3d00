//! JUnit XML, which every build server shows: a test case for each relation.

use std::fmt::Write as _;

use super::CheckReport;
use crate::filter::recheck::Standing;

impl CheckReport<'_> {
    /// As JUnit XML. A relation that cannot be judged is an error, not a failure.
    pub fn junit(&self) -> String {
        let function = escaped(&self.signature.function);
        let changes = self.changes();
        let of_calls = usize::from(self.changes.is_some());
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\"",
            self.judged.len() + of_calls,
            self.count(Standing::Refuted) + of_calls.min(changes.len()),
            self.count(Standing::Unknown)
        );
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"genmorph\" {counts}>\n  \
             <testsuite name=\"{function}\" {counts} skipped=\"0\">\n"
        );
        for judged in self.judged {
            let name = escaped(&format!("{} => {}", judged.transformation, judged.relation));
            let _ = write!(text, "    <testcase name=\"{name}\" classname=\"{function}\"");
            if let Some(file) = self.file {
                let _ = write!(text, " file=\"{}\"", escaped(file));
            }
            if let Some(line) = self.line(judged) {
                let _ = write!(text, " line=\"{line}\"");
            }
            let Some((title, evidence)) = self.message_of(judged) else {
                text.push_str("/>\n");
                continue;
            };
            let element = match judged.standing() {
                Standing::Refuted => "failure",
                Standing::Stands | Standing::Unknown => "error",
            };
            let _ = write!(
                text,
                ">\n      <{element} message=\"{}\" type=\"{}\">{}</{element}>\n    </testcase>\n",
                escaped(&title),
                judged.standing().name(),
                escaped(&evidence)
            );
        }
        if of_calls > 0 {
            let name = "calls end as they did";
            let _ = write!(text, "    <testcase name=\"{name}\" classname=\"{function}\"");
            match changes.first() {
                None => text.push_str("/>\n"),
                Some((title, _)) => {
                    let evidence: Vec<&str> = changes.iter().map(|(_, e)| e.as_str()).collect();
                    let _ = write!(
                        text,
                        ">\n      <failure message=\"{}\" type=\"changed\">{}</failure>\n    </testcase>\n",
                        escaped(title),
                        escaped(&evidence.join("\n"))
                    );
                }
            }
        }
        text.push_str("  </testsuite>\n</testsuites>\n");
        text
    }
}

/// A text within XML 1.0. Characters that it cannot have, not even escaped, are replaced: a text input of a function may be
/// made of them.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            // An attribute would have spaces instead.
            '\t' | '\n' | '\r' => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::check::{Places, examples};

    #[test]
    fn what_xml_cannot_have_is_escaped_or_replaced() {
        let text = "a < b && \"c\" > 'd'\n\0\u{1b}\u{ffff}é\u{1f600}";
        let expected = "a &lt; b &amp;&amp; &quot;c&quot; &gt; &apos;d&apos;&#10;\u{fffd}\u{fffd}\u{fffd}é\u{1f600}";
        assert_eq!(escaped(text), expected);
    }

    #[test]
    fn a_violation_is_a_failure_and_what_cannot_be_judged_an_error() {
        let (signature, judged) = examples();
        let checked = CheckReport {
            signature: &signature,
            file: Some("a&b.txt"),
            places: Places::Lines,
            judged: &judged,
            changes: None,
        };
        let text = checked.junit();
        for expected in [
            "<testsuite name=\"pow\" tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\">",
            "file=\"a&amp;b.txt\" line=\"2\">\n      <failure message=\"a relation of `pow` is violated\" type=\"refuted\">",
            "=&gt; out_f &gt;= out_s\" classname=\"pow\" file=\"a&amp;b.txt\" line=\"3\"/>",
            "line=\"7\">\n      <error message=\"a relation of `pow` cannot be judged\" type=\"unknown\">",
        ] {
            assert!(text.contains(expected), "{expected}\nis not in\n{text}");
        }
        let inline = CheckReport { file: None, ..checked }.junit();
        assert!(!inline.contains("file=") && !inline.contains("line="), "{inline}");
    }
}
