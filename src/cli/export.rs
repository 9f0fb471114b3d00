//! `genmorph export`.

use std::fs;
use std::path::{Path, PathBuf};

use genmorph::export::java::{self, Asserted, Junit, Part, Style, Suite};
use genmorph::inputs::{self, Watch};
use genmorph::jit::Tolerance;
use genmorph::seed::Seed;
use genmorph::subject::jvm::JvmSubject;
use genmorph::subject::{Inputs, Subject};
use genmorph::threads::Jobs;

use super::parts::{Evidence, Parts};
use super::pit::Pit;
use super::subject::Asked;
use super::{Ending, Failure, claims, print, talk, warn, whole};

const EXAMPLES: &str = "\
RELATIONS is the folder of a run, its report.json, the relations.json of a search, or a text file with lines such as
  PermuteParameters on p, q => out_f == out_s        # a comment
The source inputs are those of the run, if RELATIONS is in the folder of one; others are made from the seed. Only pairs of
inputs on which the method returns twice are taken. A relation that is false on one of them is left out, and named.

The class is Java 8. It needs JUnit 4.13, or JUnit 5 with junit-jupiter-params, and the classes of the method.

Examples:
  genmorph export genmorph.out gcd.toml -o src/test/java
  genmorph export relations.txt gcd.toml --junit 4 --inputs 20 -o tests
  genmorph export relations.txt gcd.toml -o tests --pit        and let the real PIT judge them
  genmorph export relations.txt --java 'org.example.Maths#gcd(int,int)' --classpath classes -o tests

Exit codes:
  0  the class is written
  1  it could not be written
  2  wrong usage or bad input: no Java method, no such relation, a file that is there already, …
  3  no relation is left to be written";

/// Write relations of a Java method as a JUnit test class
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The relations: the folder of a run, one of its files, or lines of text
    relations: PathBuf,

    #[command(flatten)]
    asked: Asked,

    /// The root folder of the tests; the class goes into the folder of its package there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// The version of JUnit
    #[arg(long, value_name = "4|5", default_value = "5", value_parser = junit)]
    junit: Junit,

    /// The package of the class [default: that of the method]
    #[arg(long, value_name = "PACKAGE")]
    package: Option<String>,

    /// The name of the class [default: that of the method, with GenmorphTest]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// On how many pairs of inputs each relation is tried, at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = pairs)]
    inputs: usize,

    /// When two numbers are equal: `paper`, or ABS,REL; as in the run if not given
    #[arg(long, value_name = "paper|ABS,REL")]
    tolerance: Option<Tolerance>,

    /// The seed of source inputs, where there are none of a run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    pit: Pit,

    /// Replace a class that is there already
    #[arg(long)]
    force: bool,

    /// Threads; 0 is one per core
    #[arg(long, default_value_t = 0)]
    jobs: usize,
}

fn junit(text: &str) -> Result<Junit, String> {
    match text {
        "4" => Ok(Junit::Four),
        "5" => Ok(Junit::Five),
        _ => Err("write 4 or 5".to_owned()),
    }
}

fn pairs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if (1..=10_000).contains(&count) => Ok(count),
        _ => Err("write a number from 1 to 10000".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let file = claims::file(&args.relations)?;
    let text = fs::read_to_string(&file).map_err(|error| whole::cannot("read", &file, &error))?;
    if args.asked.is_demo() {
        return Err(Failure::Input(
            "of which method are the relations? name its subject.toml after them, or use --java and --classpath"
                .to_owned(),
        ));
    }
    let chosen = args.asked.choose(args.jobs)?;
    let Some(subject) = chosen.java() else {
        return Err(Failure::Input(format!(
            "{} is no Java method: tests can be written for Java methods only",
            chosen.name
        )));
    };
    let name = file.display().to_string();
    let claims = claims::read(&name, &text, &subject.signature().of_executions(), &args.asked)?;
    let tolerance = args.tolerance.or(claims.tolerance).unwrap_or_default();
    let (sources, origin) = sources(args, &file, subject)?;
    let known = Evidence::of(&text);
    let parts = Parts::choose(subject, &claims, &sources, &known, args.inputs, tolerance);
    parts.left_out.iter().for_each(warn);
    if parts.parts.is_empty() {
        talk::say(&"no relation is left to be written");
        return Ok(Ending::Nothing);
    }
    let style = Style {
        junit: args.junit,
        asserted: Asserted::Relation,
        package: args.package.as_deref(),
        name: args.name.as_deref(),
        tolerance,
        origin: known.origin().into_iter().chain([origin]).collect(),
    };
    let of: Vec<Part<'_>> = parts.borrowed();
    let suite =
        java::suite(subject, &of, &style).map_err(|error| Failure::Input(error.to_string()))?;
    write(args, &suite)?;
    print(&Written {
        args,
        suite: &suite,
        pairs: parts.parts.iter().map(|p| p.pairs.len()).sum(),
    })?;
    if let Some(said) = args.pit.judge(subject, &args.asked.jdk()?, &of, tolerance)? {
        print(&said)?;
    }
    Ok(Ending::Done)
}

/// The source inputs, and what is said of them.
fn sources(args: &Args, file: &Path, subject: &JvmSubject) -> Result<(Inputs, String), Failure> {
    let input = |error: &dyn std::fmt::Display| Failure::Input(error.to_string());
    let signature = subject.signature();
    // The folder of a run, or that of one of its searches.
    let folders = file.parent().into_iter().flat_map(|folder| [Some(folder), folder.parent()]);
    let found = folders.flatten().map(|folder| folder.join("sources.ndjson")).find(|p| p.is_file());
    if let Some(path) = found {
        let rows = inputs::read(&path, signature).map_err(|error| input(&error))?;
        let inputs = Inputs::from_rows(signature, rows.iter().map(Vec::as_slice));
        return Ok((inputs, "The inputs are those of the run.".to_owned()));
    }
    let jobs = Jobs::new(args.jobs).map_err(|error| input(&error))?;
    let settings = inputs::Settings::default();
    let found = inputs::generate(subject, &settings, Seed(args.seed), &jobs, &Watch::NOBODY);
    let found = found.map_err(|error| input(&error))?;
    Ok((found.inputs, format!("The inputs were made from seed {}.", args.seed)))
}

fn write(args: &Args, suite: &Suite) -> Result<(), Failure> {
    let path = args.output.join(&suite.path);
    if path.exists() && !args.force {
        return Err(Failure::Input(format!(
            "{} is there already\nuse --force to replace it, --name for another class, or -o for another folder",
            path.display()
        )));
    }
    let failed = |error| Failure::File(format!("cannot write {}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    whole::write(&path, suite.source.as_bytes()).map_err(failed)
}

/// What is told of a class.
struct Written<'w> {
    args: &'w Args,
    suite: &'w Suite,
    pairs: usize,
}

impl std::fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Written { args, suite, pairs } = self;
        let path = args.output.join(&suite.path);
        let (tests, class) = (suite.tests.len(), &suite.class);
        let plural = if tests == 1 { "" } else { "s" };
        writeln!(f, "{}: {tests} relation{plural}, {pairs} pairs of inputs", path.display())?;
        writeln!(f, "to run it, with Maven:  mvn test -Dtest={class}")?;
        let out = "classes";
        writeln!(f, "or by hand:             javac -cp JARS -d {out} {}", path.display())?;
        match args.junit {
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
