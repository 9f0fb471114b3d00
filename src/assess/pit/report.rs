//! PIT's report: what became of each mutant.
//!
//! Reads `mutations.xml` as PIT writes it: flat elements with text in them.

use crate::subject::jvm::PitMutant;

/// What PIT says of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitVerdict {
    /// The class, with dots.
    pub class: String,
    /// The method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The mutation operator as we call it, such as `MATH`.
    pub operator: String,
    /// The line of the source.
    pub line: u32,
    /// PIT's number of the instruction.
    pub index: usize,
    /// PIT's number of the block of code.
    pub block: usize,
    /// What became of it.
    pub status: Status,
    /// The tests that failed.
    pub killed_by: Vec<String>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A test failed.
    Killed,
    /// A test did not end.
    TimedOut,
    /// The JVM ran out of memory.
    MemoryError,
    /// The JVM died.
    RunError,
    /// The JVM refused the class.
    NonViable,
    /// All tests passed.
    Survived,
    /// No test comes there.
    NoCoverage,
}

/// A text that is no report of PIT.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} in {near:?}")]
pub struct BadReport {
    what: &'static str,
    near: String,
}

impl Status {
    const ALL: [(&'static str, Status); 7] = [
        ("KILLED", Status::Killed),
        ("TIMED_OUT", Status::TimedOut),
        ("MEMORY_ERROR", Status::MemoryError),
        ("RUN_ERROR", Status::RunError),
        ("NON_VIABLE", Status::NonViable),
        ("SURVIVED", Status::Survived),
        ("NO_COVERAGE", Status::NoCoverage),
    ];

    /// Whether a test noticed.
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

    /// PIT's name for it.
    pub fn name(self) -> &'static str {
        Status::ALL.iter().find(|known| known.1 == self).expect("all are there").0
    }
}

/// All verdicts of a report.
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
    let status = Status::ALL.iter().find(|known| known.0 == status);
    // The name changed with PIT 1.7.
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
        status: status.ok_or_else(|| bad("a status that is not known", text))?.1,
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

/// The text of the first element of a name.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(decoded(rest.split_once('<')?.0))
}

fn attribute<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("{name}='"))?;
    rest.split_once('\'').map(|(value, _)| value)
}

/// A text without character references.
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

/// Our name for one of PIT's default mutators; its own for others.
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
    fn what_is_no_report_is_said_to_be_none() {
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
