//! Reads PIT's report.
//!
//! `mutations.xml` has flat elements with text in them, and is read as PIT writes it.

use crate::subject::jvm::PitMutant;
use crate::support::named::named;

/// PIT's verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitVerdict {
    /// Name of the class, with dots.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// JVM descriptor of the method.
    pub descriptor: String,
    /// Our name of the mutation operator, such as `MATH`.
    pub operator: String,
    /// Line in the source file.
    pub line: u32,
    /// PIT's index of the instruction.
    pub index: usize,
    /// PIT's index of the block of code.
    pub block: usize,
    /// PIT's status of the mutant.
    pub status: Status,
    /// Names of the tests that failed.
    pub killed_by: Vec<String>,
}

named! {
    /// PIT's status of a mutant.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Status {
        /// At least one test failed.
        Killed = "KILLED",
        /// At least one test did not end.
        TimedOut = "TIMED_OUT",
        /// The JVM ran out of memory.
        MemoryError = "MEMORY_ERROR",
        /// The JVM died during a test.
        RunError = "RUN_ERROR",
        /// The JVM refused to load the mutated class.
        NonViable = "NON_VIABLE",
        /// No test noticed the mutant.
        Survived = "SURVIVED",
        /// No test reaches the mutated code.
        NoCoverage = "NO_COVERAGE",
    }
}

/// A text that is not a report of PIT.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} in {near:?}")]
pub struct BadReport {
    what: &'static str,
    near: String,
}

impl Status {
    /// Whether a test kills the mutant.
    pub fn is_detected(self) -> bool {
        match self {
            Status::Killed
            | Status::TimedOut
            | Status::MemoryError
            | Status::RunError
            | Status::NonViable => true,
            Status::Survived | Status::NoCoverage => false,
        }
    }
}

/// Reads all verdicts of a report.
pub(super) fn read(text: &str) -> Result<Vec<PitVerdict>, BadReport> {
    if !text.contains("<mutations") {
        return Err(bad("no mutations", text));
    }
    text.split("<mutation ").skip(1).map(verdict).collect()
}

fn verdict(text: &str) -> Result<PitVerdict, BadReport> {
    let field = |name: &'static str| element(text, name).ok_or_else(|| bad(name, text));
    let number = |name: &'static str| {
        let value = field(name)?;
        value.parse::<usize>().map_err(|_| bad(name, text))
    };
    let status = attribute(text, "status").ok_or_else(|| bad("no status", text))?;
    let status = Status::ALL.into_iter().find(|known| known.name() == status);
    // PIT 1.7 renamed this element.
    let killed_by = element(text, "killingTests").or_else(|| element(text, "killingTest"));
    let killed_by = killed_by.unwrap_or_default();
    Ok(PitVerdict {
        class: field("mutatedClass")?,
        method: field("mutatedMethod")?,
        descriptor: field("methodDescription")?,
        operator: operator(&field("mutator")?),
        line: number("lineNumber")?.try_into().map_err(|_| bad("lineNumber", text))?,
        index: number("index")?,
        block: number("block")?,
        status: status.ok_or_else(|| bad("a status that is not known", text))?,
        killed_by: killed_by
            .split('|')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
    })
}

fn bad(what: &'static str, text: &str) -> BadReport {
    BadReport { what, near: text.chars().take(200).collect() }
}

/// The text of the first element with this name.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(decoded(rest.split_once('<')?.0))
}

fn attribute<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("{name}='"))?;
    rest.split_once('\'').map(|(value, _)| value)
}

/// Replaces character references by characters.
fn decoded(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain += before;
        let (reference, more) = after.split_once(';').unwrap_or((after, ""));
        let code = match reference {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => match reference.strip_prefix("#x") {
                Some(digits) => u32::from_str_radix(digits, 16).ok().and_then(char::from_u32),
                None => reference.trim_start_matches('#').parse().ok().and_then(char::from_u32),
            },
        };
        plain.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
        rest = more;
    }
    plain + rest
}

/// Our name for one of PIT's default mutators; other mutators keep PIT's name.
fn operator(mutator: &str) -> String {
    let own = || mutator.rsplit('.').next().unwrap_or(mutator);
    PitMutant::operator_of(mutator).unwrap_or_else(own).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mutations partial=\"true\">
<mutation detected='true' status='KILLED' numberOfTestsRun='2'><sourceFile>A.java</sourceFile><mutatedClass>a.A</mutatedClass><mutatedMethod>&#60;init&#62;</mutatedMethod><methodDescription>(I)V</methodDescription><lineNumber>17</lineNumber><mutator>org.pitest.mutationtest.engine.gregor.mutators.MathMutator</mutator><indexes><index>8</index></indexes><blocks><block>1</block></blocks><killingTests>t.one(t.A)|t.two(t.A)</killingTests><succeedingTests/><description>Replaced</description></mutation>
<mutation detected='false' status='NO_COVERAGE' numberOfTestsRun='0'><sourceFile>A.java</sourceFile><mutatedClass>a.A</mutatedClass><mutatedMethod>f</mutatedMethod><methodDescription>()V</methodDescription><lineNumber>3</lineNumber><mutator>x.Other</mutator><indexes><index>4</index></indexes><blocks><block>0</block></blocks><killingTest/><description/></mutation>
</mutations>";

    #[test]
    fn reports_are_read() {
        let verdicts = read(TEXT).unwrap();
        assert_eq!(verdicts.len(), 2);
        let first = &verdicts[0];
        assert_eq!((first.method.as_str(), first.operator.as_str()), ("<init>", "MATH"));
        assert_eq!((first.line, first.index, first.block), (17, 8, 1));
        assert_eq!(first.killed_by, ["t.one(t.A)", "t.two(t.A)"]);
        assert_eq!(verdicts[1].status, Status::NoCoverage);
        assert!(verdicts[1].killed_by.is_empty() && !verdicts[1].status.is_detected());
        assert_eq!(verdicts[1].operator, "Other");
    }

    #[test]
    fn what_is_not_a_report_is_refused() {
        assert!(read("").is_err());
        let broken = TEXT.replace("<index>8</index>", "");
        assert!(read(&broken).unwrap_err().to_string().starts_with("index in"));
        assert!(read(&TEXT.replace("KILLED", "GONE")).is_err());
    }

    #[test]
    fn references_are_characters() {
        assert_eq!(decoded("a&#60;&lt;&#x3c;&amp;b&"), "a<<<&b\u{fffd}");
    }
}
