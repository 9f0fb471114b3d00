//! The real PIT beside ours: the same mutants, at the same instructions.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::libraries::{GUAVA, LANG, Library, MATH, cache, has_jdk, run};
use crate::subject::Group;
use crate::subject::jvm::PitMutant;
use crate::subject::jvm::class::ClassFile;
use crate::subject::jvm::mutate;

/// PIT, and what it needs.
const PIT: [Library; 5] = [
    Library("org.pitest", "pitest", "1.7.4"),
    Library("org.pitest", "pitest-entry", "1.7.4"),
    Library("org.pitest", "pitest-command-line", "1.7.4"),
    Library("junit", "junit", "4.13.2"),
    Library("org.hamcrest", "hamcrest-core", "1.3"),
];

/// PIT wants a test; it need not test anything.
const NO_TEST: &str = "public class NoTest { @org.junit.Test public void nothingIsTested() { } }";

/// A mutant: class, method, descriptor, mutator, line, index.
type Found = BTreeSet<(String, String, String, String, String, String)>;

/// Compares ours with PIT's in classes whose names begin like this; how many there are.
fn same_as_pit(library: Library, classes: &[&str]) -> usize {
    let (pit, ours) = (by_pit(library, classes), by_us(library, classes));
    let only_pit: Vec<_> = pit.difference(&ours).collect();
    let only_ours: Vec<_> = ours.difference(&pit).collect();
    assert!(only_pit.is_empty() && only_ours.is_empty(), "{only_pit:#?}\n{only_ours:#?}");
    pit.len()
}

#[test]
fn pit_finds_the_same_mutants_in_three_classes() {
    if !has_jdk() {
        return;
    }
    let classes = ["ArithmeticUtils", "CombinatoricsUtils", "MathUtils"];
    let classes = classes.map(|class| format!("org.apache.commons.math3.util.{class}"));
    let count = same_as_pit(MATH, &classes.each_ref().map(String::as_str));
    assert!(count > 300, "{count}");
}

#[test]
#[ignore = "runs PIT on three libraries for a minute"]
fn pit_finds_the_same_mutants() {
    if !has_jdk() {
        return;
    }
    let packages = [
        (MATH, ["org.apache.commons.math3.util.", "org.apache.commons.math3.primes."].as_slice()),
        (LANG, &["org.apache.commons.lang3."]),
        (
            GUAVA,
            &[
                "com.google.common.base.",
                "com.google.common.math.",
                "com.google.common.primitives.",
            ],
        ),
    ];
    let sum: usize =
        packages.into_iter().map(|(library, classes)| same_as_pit(library, classes)).sum();
    assert_eq!(sum, 24_608);
}

fn by_us(library: Library, classes: &[&str]) -> Found {
    let mut found = Found::new();
    for (name, bytes) in library.classes() {
        let name = name.replace('/', ".");
        if !classes.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        let class = ClassFile::parse(&bytes).unwrap();
        for method in class.methods().iter().filter(|method| method.name() != "<clinit>") {
            let mutants = mutate::mutants(&class, method.name(), method.descriptor());
            for (mutant, code) in mutants.unwrap_or_default() {
                if mutant.group == Group::B {
                    found.insert((
                        name.clone(),
                        method.name().into(),
                        method.descriptor().into(),
                        mutant.operator.into(),
                        mutant.line.map_or(0, |line| line.line).to_string(),
                        code.pit_index().to_string(),
                    ));
                }
            }
        }
    }
    found
}

fn by_pit(library: Library, classes: &[&str]) -> Found {
    let jar = library.jar();
    // Tests run side by side.
    let folder = cache().join(format!("pit-{}-{}", library.1, classes.len()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("NoTest.java"), NO_TEST).unwrap();
    let jars = PIT.iter().map(|part| part.jar()).chain([jar.clone(), folder.clone()]);
    let classpath = std::env::join_paths(jars).unwrap();
    run(Command::new("javac").arg("-cp").arg(&classpath).arg("NoTest.java").current_dir(&folder));
    let all: Vec<String> = classes.iter().map(|start| format!("{start}*")).collect();
    run(Command::new("java")
        .arg("-cp")
        .arg(&classpath)
        .arg("org.pitest.mutationtest.commandline.MutationCoverageReport")
        .args(["--targetClasses", &all.join(","), "--targetTests", "NoTest"])
        .args(["--sourceDirs", ".", "--reportDir", ".", "--outputFormats", "XML"])
        .args(["--timestampedReports", "false", "--mutableCodePaths"])
        .arg(format!("*{}", jar.file_name().unwrap().display()))
        .current_dir(&folder));
    let report = fs::read_to_string(folder.join("mutations.xml")).unwrap();
    report.split("<mutation ").skip(1).map(entry).collect()
}

/// One mutant of a report.
fn entry(text: &str) -> (String, String, String, String, String, String) {
    let field = |name: &str| {
        let rest = text.split_once(&format!("<{name}>")).unwrap_or_else(|| panic!("{text}")).1;
        rest.split_once('<').unwrap().0.replace("&#60;", "<").replace("&#62;", ">")
    };
    let mutator = field("mutator");
    let operator = PitMutant::operator_of(&mutator).unwrap_or_else(|| panic!("{mutator}"));
    (
        field("mutatedClass"),
        field("mutatedMethod"),
        field("methodDescription"),
        operator.into(),
        field("lineNumber"),
        field("index"),
    )
}
