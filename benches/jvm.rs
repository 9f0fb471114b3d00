//! Java methods: what calls, mutants and whole runs cost, on the paper's 23 methods.
//!
//! `cargo bench --bench jvm` or `-- --quick`. A name after `--` runs one part: `speed`, `campaign`, `quality` or `pit`; the
//! names of methods after `pit` restrict it to those. Needs a JDK and, for the jars, Maven or a local repository that has
//! them.

mod support;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use genmorph::assess::pit::{self, Fate, Isolation, PitRequest, PitVerdict};
use genmorph::claims;
use genmorph::export::Pairs;
use genmorph::export::java::{self, Assertion, Junit, Part, Style};
use genmorph::filter::fresh;
use genmorph::inputs::{self, Watch};
use genmorph::jit::{Predicate, Tolerance};
use genmorph::run::{Plan, run};
use genmorph::subject::jvm::{JavaDefinition, Jdk, JvmSubject, Repositories, Runtime, Search};
use genmorph::subject::{Group, Inputs, Subject, Version};
use genmorph::support::seed::Seed;
use genmorph::support::threads::Jobs;
use genmorph::transform::Transform;

use support::stopwatch::{cpu, quick};

fn main() {
    println!("{}", cpu());
    let asked: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let wanted = |part: &str| asked.is_empty() || asked.iter().any(|name| name == part);
    let path = env::var_os("PATH").unwrap_or_default();
    let search = Search {
        java_home: env::var_os("JAVA_HOME").map(PathBuf::from),
        path: env::split_paths(&path).collect(),
        ..Search::default()
    };
    let jdk = Jdk::find(&search).expect("a JDK is installed");
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let runtime = Runtime::new(jdk, target.join("jvm-cache"), Jobs::cores());
    let mvn = env::split_paths(&path).map(|folder| folder.join("mvn")).find(|p| p.is_file());
    let home = env::var_os("HOME").map(PathBuf::from);
    let repositories = Repositories::usual(home.as_deref(), mvn, target.join("jvm-jars"));
    let subject = |file: &Path| {
        let definition = JavaDefinition::read(file).expect("the paper's methods are defined");
        let spec = definition.resolve(&repositories).expect("the jars can be had");
        JvmSubject::new(&spec, &runtime).expect("the paper's methods can be run")
    };
    if wanted("speed") {
        speed(&subject);
    }
    if wanted("campaign") {
        campaign(&subject);
    }
    if wanted("quality") {
        quality(&subject);
    }
    if wanted("pit") {
        let only: Vec<&str> =
            asked.iter().map(String::as_str).filter(|name| *name != "pit").collect();
        against_pit(&subject, &runtime, &repositories, &only);
    }
}

/// The definitions of the paper's methods, in order.
fn paper() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects/paper");
    let entries = fs::read_dir(folder).expect("they are in the repository");
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}

fn rows(subject: &JvmSubject, count: usize) -> Inputs {
    let signature = subject.signature();
    fresh::inputs(signature, subject.constants(), &Inputs::new(signature), Seed(1), count)
}

/// Calls per second of the original, in batches of 10,000, fuel on.
fn speed(subject: &impl Fn(&Path) -> JvmSubject) {
    let mut figures = Vec::new();
    for file in paper() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !["gcd", "acos", "capitalize", "padStart", "isSorted", "pow"].contains(&&*name) {
            continue;
        }
        let start = Instant::now();
        let subject = subject(&file);
        let ready = start.elapsed().as_secs_f64();
        let inputs = rows(&subject, 10_000);
        let mut best = f64::INFINITY;
        for _ in 0..if quick() { 20 } else { 60 } {
            let start = Instant::now();
            subject.run(Version::Original, &inputs).unwrap();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name:<12} ready {:>4.0} ms, {:.2} M calls/s", 1e3 * ready, 1e-2 / best);
        figures.push(format!("{name}_mcalls={:.2}", 1e-2 / best));
    }
    println!("RESULT jvm_speed {}", figures.join(" "));
}

/// All training mutants on 300 inputs each.
fn campaign(subject: &impl Fn(&Path) -> JvmSubject) {
    let (mut mutants, mut judging, mut refused, mut time) = (0, 0, 0, Duration::ZERO);
    for file in paper() {
        let subject = subject(&file);
        let inputs = rows(&subject, 300);
        let original = subject.run(Version::Original, &inputs).unwrap();
        let start = Instant::now();
        for (number, mutant) in subject.mutants().iter().enumerate() {
            if mutant.group == Group::A {
                subject.run(Version::Mutant { number, original: &original }, &inputs).unwrap();
                mutants += 1;
            } else {
                judging += 1;
            }
        }
        time += start.elapsed();
        refused += subject.rejected().len();
    }
    println!(
        "RESULT jvm_campaign training={mutants} judging={judging} refused={refused} seconds={:.1}",
        time.as_secs_f64()
    );
}

/// What `generate` finds on each method.
fn quality(subject: &impl Fn(&Path) -> JvmSubject) {
    let seconds = if quick() { 10 } else { 60 };
    println!(
        "{:<14} {:>7} {:>9} {:>8} {:>6} {:>7} {:>8} {:>8} {:>7} {:>8}",
        "method",
        "sides",
        "relations",
        "mutants",
        "floor",
        "killed",
        "ceiling",
        "asserted",
        "alarms",
        "seconds"
    );
    let (mut asserted, mut alarms, mut all) = (0, 0, 0);
    let (mut covered, mut sides) = (0, 0);
    for file in paper() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let subject = subject(&file);
        let start = Instant::now();
        let plan = Plan { time: Some(Duration::from_secs(seconds)), ..Plan::default() };
        all += 1;
        let report = match run(&subject, &plan, &mut |_| ()) {
            Ok(generated) => generated.report,
            Err(error) => {
                println!("{name:<14} {error}");
                continue;
            }
        };
        let judged = &report.judged.totals;
        println!(
            "{name:<14} {:>7} {:>9} {:>8} {:>6} {:>7} {:>8} {:>8} {:>7} {:>8.1}",
            format!("{}/{}", report.sources.covered, report.sources.sides),
            report.relations(),
            judged.mutants,
            judged.floor,
            judged.killed,
            judged.ceiling,
            judged.asserted,
            judged.false_alarms,
            start.elapsed().as_secs_f64()
        );
        asserted += usize::from(judged.asserted > 0);
        alarms += judged.false_alarms;
        covered += report.sources.covered;
        sides += report.sources.sides;
    }
    println!(
        "RESULT jvm_quality methods={all} with_assertion_kills={asserted} false_alarms={alarms} sides={covered}/{sides}"
    );
}

/// Our verdicts beside those of the real PIT, on relations that are true: mutant by mutant, with the reason.
fn against_pit(
    subject: &impl Fn(&Path) -> JvmSubject,
    runtime: &Runtime,
    repositories: &Repositories,
    only: &[&str],
) {
    let coordinates = [&pit::PIT[..], &[pit::JUNIT_4, pit::HAMCREST]].concat();
    let jars = pit::fetch(&coordinates, repositories).expect("PIT can be had");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/jvm-pit");
    let (mut methods, mut relations, mut same, mut all) = (0, 0, 0, 0);
    println!(
        "{:<12} {:>5} {:>8} {:>7} {:>8} {:>7} {:>6}  relation",
        "method", "pairs", "asserted", "crashed", "survived", "agree", "PIT s"
    );
    for file in paper() {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/export/relations/{name}.txt"));
        let Ok(text) = fs::read_to_string(text) else { continue };
        if !only.is_empty() && !only.contains(&name.as_str()) {
            continue;
        }
        methods += 1;
        let subject = subject(&file);
        let against =
            Against { subject: &subject, runtime, jars: &jars, folder: folder.join(&name) };
        let _ = fs::remove_dir_all(&against.folder);
        let signature = subject.signature().of_executions();
        let schema = signature.schema().expect("names were checked");
        let claims = claims::read(&name, &text, &signature).expect("the relations are about it");
        let jobs = Jobs::new(0).expect("there are threads");
        let settings = inputs::Settings::default();
        let sources = inputs::generate(&subject, &settings, Seed(1), &jobs, &Watch::NOBODY);
        let sources = sources.expect("the method returns").inputs;
        for (number, stated) in claims.groups.iter().enumerate() {
            let pairs = Pairs::choose(&subject, &stated.transform, &sources, 100).unwrap();
            let ours =
                pit::fates(&subject, &pairs, &stated.relations, Tolerance::default()).unwrap();
            let part = |assertion, relations, name: String| {
                against.run(&stated.transform, relations, &pairs, assertion, &name)
            };
            let some = &stated.relations[..1];
            let (vacuous, _) = part(Assertion::Nothing, some, format!("Vacuous{number}"));
            for (i, relation) in stated.relations.iter().enumerate() {
                let shown = relation.display(&schema);
                let refuted = pairs.refutes(subject.signature(), relation, Tolerance::default());
                assert_eq!(refuted, None, "{name}: {shown} is false");
                let own = std::slice::from_ref(relation);
                let (verdicts, seconds) =
                    part(Assertion::Relation, own, format!("Part{number}_{i}"));
                let pits = pit::of_pit(&verdicts, &vacuous);
                let count = |fate: Fate| ours[i].values().filter(|f| **f == fate).count();
                let different = pit::disagreements(&ours[i], &pits);
                let mutants = ours[i].len();
                println!(
                    "{name:<12} {:>5} {:>8} {:>7} {:>8} {:>7} {seconds:>6.1}  {} => {shown}",
                    pairs.len(),
                    count(Fate::Asserted),
                    count(Fate::Crashed),
                    count(Fate::Survived),
                    format!("{}/{mutants}", mutants.saturating_sub(different.len())),
                    stated.transform.describe().name,
                );
                for ((operator, line, index), ours, pits) in &different {
                    let said = verdicts.iter().find(|verdict| {
                        (&verdict.operator, verdict.line, verdict.index)
                            == (operator, *line, *index)
                    });
                    let status = said.map_or("nothing", |verdict| verdict.status.name());
                    println!(
                        "    {operator} at line {line}, index {index}: {ours:?} by us, {pits:?} by PIT ({status})"
                    );
                }
                relations += 1;
                all += mutants;
                same += mutants.saturating_sub(different.len());
            }
        }
    }
    println!("RESULT jvm_pit methods={methods} relations={relations} agree={same}/{all}");
}

/// A method that PIT judges tests of.
struct Against<'a> {
    subject: &'a JvmSubject,
    runtime: &'a Runtime,
    jars: &'a [PathBuf],
    folder: PathBuf,
}

impl Against<'_> {
    /// PIT's verdicts on a class with these relations, and the seconds that they took.
    fn run(
        &self,
        transform: &Transform,
        relations: &[Predicate],
        pairs: &Pairs,
        assertion: Assertion,
        name: &str,
    ) -> (Vec<PitVerdict>, f64) {
        let subject = self.subject;
        let style = Style {
            junit: Junit::Four,
            assertion,
            package: None,
            name: Some(name),
            tolerance: Tolerance::default(),
            origin: Vec::new(),
        };
        let part = Part { transform, relations, evidence: &[], pairs };
        let suite = java::suite(subject, &[part], &style).expect("there are pairs");
        let tests = self.folder.join(name).join("tests");
        let classpath = [subject.classpath(), self.jars].concat();
        pit::compile(&self.runtime.jdk, &[&suite], &classpath, &tests).expect("it compiles");
        let start = Instant::now();
        let request = PitRequest {
            jdk: &self.runtime.jdk,
            jars: self.jars,
            classpath: subject.classpath(),
            tests: &tests,
            test_classes: &[suite.class],
            method: subject.method(),
            folder: &self.folder.join(name).join("report"),
            // It keeps a table in a static field, which mutants would find filled.
            isolation: match subject.method().name.as_str() {
                "stirlingS2" => Isolation::Fresh,
                _ => Isolation::Shared,
            },
            patience: 1_000,
            jobs: self.runtime.jobs,
        };
        let verdicts = pit::run(&request).expect("PIT ends");
        (verdicts, start.elapsed().as_secs_f64())
    }
}
