//! The mutants of the paper's methods: as many as PIT has, and valid.

use std::collections::{BTreeMap, BTreeSet};

use super::libraries::{ACCESS, GUAVA, LANG, MATH, has_jdk};
use super::paper::{Subject, subjects};
use super::verifier::Verifier;
use crate::subject::jvm::class::ClassFile;
use crate::subject::jvm::instrument;
use crate::subject::jvm::mutate::{self, MutantCode};
use crate::subject::{Group, Mutant};

impl Subject {
    fn mutants(&self, bytes: &[u8]) -> Vec<(Mutant, MutantCode)> {
        let class = ClassFile::parse(bytes).unwrap();
        mutate::mutants(&class, self.method, self.descriptor).unwrap()
    }
}

#[test]
fn judging_mutants_are_as_many_as_the_paper_has() {
    if !has_jdk() {
        return;
    }
    let mut wrong = Vec::new();
    let mut sum = 0;
    for subject in subjects() {
        let classes = subject.library.classes();
        let mutants = subject.mutants(&classes[subject.class]);
        let judging = mutants.iter().filter(|(mutant, _)| mutant.group == Group::B).count();
        sum += judging;
        if judging != subject.mutants {
            wrong.push(format!("{}: {judging}, not {}", subject.method, subject.mutants));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(sum, 562);
}

#[test]
fn mutants_pass_the_verifier() {
    if !has_jdk() {
        return;
    }
    let mut verifier = Verifier::start();
    let mut counts: BTreeMap<(Group, &str), usize> = BTreeMap::new();
    for subject in subjects() {
        for (name, bytes) in subject.library.classes() {
            verifier.define(&name, &bytes);
        }
        let bytes = &subject.library.classes()[subject.class];
        for (mutant, code) in subject.mutants(bytes) {
            verifier.link(subject.class, &code.class_bytes().unwrap());
            *counts.entry((mutant.group, mutant.operator)).or_default() += 1;
        }
        verifier.forget();
    }
    let (linked, refused) = verifier.finish();
    println!("{linked} mutants, {} refused: {counts:?}", refused.len());
    assert_eq!(linked, counts.values().sum::<usize>());
    assert!(linked > 5_000, "{linked}");
    // At most one of a thousand may be refused; none is.
    assert_eq!(refused, [""; 0]);
}

#[test]
#[ignore = "links tens of thousands of classes, for minutes"]
fn mutants_of_whole_libraries_pass_the_verifier() {
    if !has_jdk() {
        return;
    }
    // Every few mutants one, so that all methods take part.
    const STEP: usize = 23;
    let mut verifier = Verifier::start();
    let mut count = 0;
    for library in [MATH, LANG, GUAVA] {
        let classes = library.classes();
        for (name, bytes) in classes.clone().into_iter().chain(ACCESS.classes()) {
            verifier.define(&name, &bytes);
        }
        for (name, bytes) in &classes {
            let class = ClassFile::parse(bytes).unwrap();
            for method in class.methods().iter().filter(|method| method.name() != "<clinit>") {
                let mutants = mutate::mutants(&class, method.name(), method.descriptor());
                for (_, code) in mutants.unwrap_or_default() {
                    count += 1;
                    if count % STEP == 0 {
                        verifier.link(name, &code.class_bytes().unwrap());
                    }
                }
            }
        }
        verifier.forget();
    }
    let (linked, refused) = verifier.finish();
    println!("{count} mutants, {linked} linked, {} refused", refused.len());
    assert!(refused.len() * 1_000 <= linked, "{}", refused.join("\n"));
}

#[test]
fn mutants_say_where_they_are() {
    if !has_jdk() {
        return;
    }
    let gcd = subjects()[2];
    let mutants = gcd.mutants(&gcd.library.classes()[gcd.class]);
    let first = |group| mutants.iter().find(|(mutant, _)| mutant.group == group).unwrap().0.clone();
    assert_eq!(
        first(Group::B).to_string(),
        "B1: ifne instead of ifeq in ArithmeticUtils.gcd at ArithmeticUtils.java:257"
    );
    assert_eq!(
        first(Group::A).to_string(),
        "A1: the negative of local 0 in ArithmeticUtils.gcd at ArithmeticUtils.java:255"
    );
}

#[test]
fn no_mutant_is_the_original_or_another() {
    if !has_jdk() {
        return;
    }
    for subject in subjects() {
        let bytes = &subject.library.classes()[subject.class];
        let original = instrument::expose(bytes, subject.method, subject.descriptor).unwrap();
        let mut known = BTreeSet::from([original]);
        // Those of large classes are hundreds of megabytes.
        if subject.mutants > 30 {
            continue;
        }
        for (mutant, code) in subject.mutants(bytes) {
            assert!(known.insert(code.class_bytes().unwrap()), "{mutant}");
        }
    }
}
