//! Tests in Rust and Python: one file, which calls a function that the user names.

use std::fmt;
use std::path::{Path, PathBuf};

use genmorph::export::{Properties, Selection, TestForm, python, rust};
use genmorph::jit::Tolerance;
use genmorph::subject::Signature;
use genmorph::subject::kinds::Observed;

use super::super::{Failure, OrFailure, print};
use super::language::Language;
use super::{Args, write};

/// The relations of a test file, with their function.
pub(super) struct TestFile<'t> {
    pub(super) signature: &'t Signature,
    pub(super) selection: &'t Selection<'t>,
    pub(super) form: TestForm,
    pub(super) properties: Properties,
    pub(super) tolerance: Tolerance,
    pub(super) origin: Vec<String>,
    /// The function in Python, if it is one.
    pub(super) callee: Option<python::Callee>,
}

/// Writes the file of a language.
pub(super) fn export(args: &Args, language: Language, file: TestFile<'_>) -> Result<(), Failure> {
    match language {
        Language::Java => Err(no_java()),
        Language::Rust => rust(args, file),
        Language::Python => python(args, file),
    }
}

/// The error where there is no Java method.
pub(super) fn no_java() -> Failure {
    Failure::Input(
        "tests in Java can be written for Java methods only: use --to rust or --to python"
            .to_owned(),
    )
}

/// Writes an integration test of a crate.
fn rust(args: &Args, file: TestFile<'_>) -> Result<(), Failure> {
    let TestFile { signature, selection, form, properties, tolerance, origin, callee: _ } = file;
    let called = called(
        args,
        "--call 'my_crate::gcd' or a closure, --call '|s, n| my_crate::pad(&s, n as usize)'",
    )?;
    let callee = rust::Callee::read(called, signature).or_input()?;
    let style = rust::Style { callee: &callee, properties, tolerance, origin };
    let source = match form {
        TestForm::Laws => rust::laws(signature, &selection.parts(), &style),
        TestForm::Relations => rust::suite(signature, &selection.parts(), &style),
    };
    let source = source.or_input()?;
    let path = path(args, Language::Rust, signature);
    write(args, &path, &source, "-o for another file")?;
    let needs = match properties {
        Properties::Drawn => "cargo add --dev proptest@1    # once, in the crate of the test",
        Properties::None => "",
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let run = format!("cargo test --test {name}");
    print(&Summary { path: &path, selection, needs, run: &run })
}

/// Writes a module for pytest.
fn python(args: &Args, file: TestFile<'_>) -> Result<(), Failure> {
    let TestFile { signature, selection, form, properties, tolerance, origin, callee } = file;
    let callee = match (&args.call, callee) {
        (None, Some(callee)) => callee,
        _ => python::Callee::read(called(args, "--call 'package.module:gcd'")?).or_input()?,
    };
    let style = python::Style { callee: &callee, properties, tolerance, origin };
    let source = match form {
        TestForm::Laws => python::laws(signature, &selection.parts(), &style),
        TestForm::Relations => python::suite(signature, &selection.parts(), &style),
    };
    let source = source.or_input()?;
    let path = path(args, Language::Python, signature);
    write(args, &path, &source, "-o for another file")?;
    let needs = match properties {
        Properties::Drawn => "pip install pytest hypothesis    # once",
        Properties::None => "pip install pytest    # once",
    };
    let run = format!("python -m pytest {}", path.display());
    print(&Summary { path: &path, selection, needs, run: &run })
}

fn called<'a>(args: &'a Args, example: &str) -> Result<&'a str, Failure> {
    args.call.as_deref().ok_or_else(|| {
        Failure::Input(format!("which function does the test call? say so with {example}"))
    })
}

/// The path of the file: `--output`, or a file in that folder. Laws of outcomes have a file beside it.
fn path(args: &Args, language: Language, signature: &Signature) -> PathBuf {
    let path = match Language::of(&args.output) {
        Some(_) => args.output.clone(),
        None => args.output.join(language.file(&signature.function)),
    };
    match signature.observed {
        Observed::Values | Observed::Together => path,
        Observed::Outcomes => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            path.with_file_name(format!("{name}_outcomes.{ending}"))
        }
    }
}

/// The summary of a written file, and how it is run.
struct Summary<'w> {
    path: &'w Path,
    selection: &'w Selection<'w>,
    needs: &'w str,
    run: &'w str,
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { path, selection, needs, run } = self;
        let (tests, pairs) = (selection.relations(), selection.pairs());
        let plural = if tests == 1 { "" } else { "s" };
        writeln!(f, "{}: {tests} relation{plural}, {pairs} pairs of inputs", path.display())?;
        writeln!(f, "to run it:  {run}")?;
        match needs.is_empty() {
            true => Ok(()),
            false => writeln!(f, "it needs:   {needs}"),
        }
    }
}
