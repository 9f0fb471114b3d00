//! Tests in Java: a JUnit class, below the root folder of the tests.

use genmorph::export::java::{self, Assertion, Junit, Style, Suite};
use genmorph::export::{Selection, TestForm};
use genmorph::jit::Tolerance;
use genmorph::subject::Signature;
use genmorph::subject::jvm::JvmSubject;

use super::super::{Failure, OrFailure, print, warn};
use super::{Args, write};

/// Writes the class of a method, prints how it is run, and runs PIT if `--pit` is given.
pub(super) fn export(
    args: &Args,
    subject: &JvmSubject,
    selection: &Selection<'_>,
    form: TestForm,
    tolerance: Tolerance,
    origin: Vec<String>,
) -> Result<(), Failure> {
    let style = Style {
        junit: args.junit.unwrap_or_default(),
        assertion: Assertion::Relation,
        package: args.package.as_deref(),
        name: args.name.as_deref(),
        tolerance,
        origin,
    };
    let of = selection.parts();
    let suite = match form {
        TestForm::Laws if !args.detectors => java::laws(subject, &of, &style),
        TestForm::Laws | TestForm::Relations => java::suite(subject, &of, &style),
    };
    let suite = suite.or_input()?;
    let path = args.output.join(&suite.path);
    write(args, &path, &suite.source, "--name for another class, or -o for another folder")?;
    print(&Summary { args, suite: &suite, junit: style.junit, pairs: selection.pairs() })?;
    if let Some(said) = args.pit.judge(subject, &args.asked.jdk()?, &of, tolerance)? {
        print(&said)?;
    }
    Ok(())
}

/// Writes the class of laws of outcomes.
pub(super) fn outcomes(
    args: &Args,
    subject: &JvmSubject,
    (signature, selection): (&Signature, &Selection<'_>),
    tolerance: Tolerance,
    origin: Vec<String>,
) -> Result<(), Failure> {
    let style = Style {
        junit: args.junit.unwrap_or_default(),
        assertion: Assertion::Relation,
        package: args.package.as_deref(),
        name: args.name.as_deref(),
        tolerance,
        origin,
    };
    let suite = java::outcomes(subject, signature, &selection.parts(), &style).or_input()?;
    let Some(suite) = suite else {
        warn(
            &"laws of outcomes are left out: the inputs of this method do not fit into short tests",
        );
        return Ok(());
    };
    let path = args.output.join(&suite.path);
    write(args, &path, &suite.source, "--name for another class, or -o for another folder")?;
    print(&Summary { args, suite: &suite, junit: style.junit, pairs: selection.pairs() })
}

/// The summary of a written class, and how it is run.
struct Summary<'w> {
    args: &'w Args,
    suite: &'w Suite,
    junit: Junit,
    pairs: usize,
}

impl std::fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Summary { args, suite, junit, pairs } = self;
        let path = args.output.join(&suite.path);
        let (tests, class) = (suite.tests.len(), &suite.class);
        let plural = if tests == 1 { "" } else { "s" };
        writeln!(f, "{}: {tests} relation{plural}, {pairs} pairs of inputs", path.display())?;
        writeln!(f, "to run it, with Maven:  mvn test -Dtest={class}")?;
        let out = "classes";
        writeln!(f, "or by hand:             javac -cp JARS -d {out} {}", path.display())?;
        match junit {
            Junit::Four => {
                writeln!(
                    f,
                    "                        java -cp {out}:JARS org.junit.runner.JUnitCore {class}"
                )?;
                writeln!(
                    f,
                    "where JARS are those of the method, junit-4.13.2.jar and hamcrest-core-1.3.jar"
                )?;
            }
            Junit::Five => {
                writeln!(
                    f,
                    "                        java -jar junit-platform-console-standalone-1.9.3.jar -cp {out}:JARS -c {class}"
                )?;
                writeln!(
                    f,
                    "where JARS are those of the method and junit-platform-console-standalone-1.9.3.jar"
                )?;
            }
        }
        Ok(())
    }
}
