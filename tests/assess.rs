//! `genmorph assess` as users run it: unseen mutants, unseen inputs, and what counts.

use std::fs;
use std::path::Path;

use genmorph::assess::Assessment;

use crate::cli::{Run, fed, genmorph, refuses};
use crate::folder::{Folder, subject};

const SYMMETRY: &str = "PermuteParameters on p, q => out_f == out_s";

fn assess(relations: &str, subject: &str, more: &[&str]) -> Run {
    let small = ["--seeds", "3", "--inputs", "60"];
    genmorph(&[&["assess", relations, subject][..], &small, more].concat())
}

fn assessment(relations: &str, subject: &str) -> (Option<i32>, Assessment) {
    let run = assess(relations, subject, &["--format", "json"]);
    let read = serde_json::from_str(&run.out);
    (run.code, read.unwrap_or_else(|error| panic!("{error}\n{}\n{}", run.out, run.err)))
}

#[test]
fn a_good_relation_kills_between_floor_and_ceiling() {
    let (code, assessment) = assessment(SYMMETRY, &subject("gcd/subject.toml"));
    assert_eq!((code, assessment.standing()), (Some(0), 1));
    assert_eq!((assessment.pz, assessment.pzo), (1.0, Some(1.0)));
    assert_eq!(assessment.suites.len(), 3);
    let mutants = assessment.mutants.len();
    assert!(mutants > 10, "{mutants}");
    for suite in &assessment.suites {
        let counts = suite.counts;
        assert_eq!((suite.inputs, suite.valid, counts.mutants), (60, 1, mutants));
        assert!(counts.floor <= counts.killed && counts.killed <= counts.ceiling, "{counts:?}");
        assert!(counts.asserted > 0 && counts.asserted <= counts.killed, "{counts:?}");
        assert_eq!(counts.asserted + counts.crashed + counts.timed_out, counts.killed);
        assert!(counts.regression <= counts.enhanced, "{counts:?}");
        assert!(suite.scores.ms_non_equivalent >= suite.scores.ms, "{:?}", suite.scores);
        assert!(counts.enhanced <= counts.regression + counts.killed, "{counts:?}");
    }
    // Every list is of the mutants of the table, and what kills them is told twice.
    let relation = &assessment.relations[0];
    for (name, suites) in relation.kills.iter().zip(&relation.kills_on) {
        let mutant = assessment.mutants.iter().find(|mutant| mutant.name == *name).unwrap();
        let asserted = mutant.verdicts.iter().filter(|verdict| *verdict == "assertion").count();
        assert_eq!(asserted, *suites, "{mutant:?}");
        assert!(!assessment.never_killed.contains(name) && !assessment.equivalent.contains(name));
    }
    for name in &assessment.equivalent {
        let mutant = assessment.mutants.iter().find(|mutant| mutant.name == *name).unwrap();
        assert!(mutant.verdicts.iter().all(|verdict| verdict == "survived"), "{mutant:?}");
        assert!(!mutant.differs.contains(&true) && !mutant.regression.contains(&true));
    }
}

#[test]
fn a_relation_that_is_always_true_scores_exactly_the_floor() {
    for relation in ["out_f == out_f", "true"] {
        let claim = format!("NumericAddition(1) on p => {relation}");
        let (code, assessment) = assessment(&claim, &subject("gcd/subject.toml"));
        assert_eq!((code, assessment.standing()), (Some(0), 1));
        for suite in &assessment.suites {
            assert_eq!((suite.counts.killed, suite.counts.asserted), (suite.counts.floor, 0));
            assert!(suite.counts.floor > 0, "some mutants of gcd loop: {:?}", suite.counts);
            assert_eq!(suite.scores.ms, suite.scores.floor);
        }
        assert_eq!(assessment.relations[0].ms, assessment.mean.floor);
    }
}

#[test]
fn a_false_relation_kills_nothing_and_nothing_found_is_an_exit_code() {
    let (code, assessment) =
        assessment("NumericAddition(1) on p => out_f == out_s", &subject("gcd/subject.toml"));
    assert_eq!((code, assessment.standing(), assessment.pz), (Some(3), 0, 0.0));
    assert_eq!(assessment.pzo, None);
    let relation = &assessment.relations[0];
    assert!(relation.false_alarms > 0 && relation.kills.is_empty() && relation.valid_on == 0);
    assert!(relation.counterexample.is_some());
    for suite in &assessment.suites {
        assert_eq!((suite.counts.killed, suite.scores.ms, suite.valid), (0, Some(0.0), 0));
        assert_eq!((suite.scores.pz, suite.scores.pzo), (Some(0.0), None));
        assert_eq!(suite.scores.delta_ms, Some(0.0));
    }
}

#[test]
fn a_false_relation_takes_nothing_from_others() {
    let scratch = Folder::of("assess-several");
    let lines = format!("{SYMMETRY}\nNumericAddition(1) on p => out_f == out_s\n");
    let file = scratch.write("relations.txt", lines);
    let gcd = subject("gcd/subject.toml");
    let (_, alone) = assessment(SYMMETRY, &gcd);
    let (code, both) = assessment(&file, &gcd);
    assert_eq!((code, both.standing(), both.pz), (Some(0), 1, 0.5));
    for (alone, both) in alone.suites.iter().zip(&both.suites) {
        assert_eq!(alone.counts.killed, both.counts.killed);
        assert_eq!(both.scores.ms_single, alone.scores.ms.map(|ms| ms / 2.0));
        assert!(both.counts.floor >= alone.counts.floor);
    }
}

#[test]
fn threads_do_not_change_the_result_and_seeds_do() {
    for (claim, name, format) in [
        // Not all inputs have a follow-up, and which do depends on the seed.
        (
            "NumericMultiplication(3) on p => out_f == out_s or out_f == 3 * out_s",
            "gcd/subject.toml",
            "human",
        ),
        (
            "NumericAddition(1) on n => length(out_f) >= length(out_s)",
            "repeat/subject.toml",
            "json",
        ),
    ] {
        let subject = subject(name);
        let with = |more: &[&str]| {
            let run = assess(claim, &subject, &[&["--format", format][..], more].concat());
            assert_eq!(run.code, Some(0), "{}", run.err);
            run.out
        };
        let one = with(&["--jobs", "1"]);
        assert_eq!(one, with(&["--jobs", "2"]), "{name}");
        assert_ne!(one, with(&["--seed", "2"]), "{name}");
    }
}

#[test]
fn a_run_is_assessed_by_its_folder() {
    let scratch = Folder::of("assess-run");
    let (out, pow) = (scratch.at("out"), subject("pow/subject.toml"));
    let short = ["--generations", "20", "--population", "200", "--fresh", "5000"];
    let one = ["--transformation", "NumericAddition(-1) on e"];
    let made = genmorph(&[&["generate", &pow, "-o", &out][..], &short, &one].concat());
    assert_eq!(made.code, Some(0), "{}", made.err);
    let (code, assessment) = assessment(&out, &pow);
    assert_eq!(code, Some(0));
    assert!(assessment.relations.iter().all(|r| r.transformation == one[1]));
    // What the run says of its relations is the same table, on other inputs and mutants that count once.
    let report = fs::read_to_string(Path::new(&out).join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let judged = &report["judged"];
    let names = judged["names"].as_array().unwrap();
    assert_eq!(names.len() as u64, judged["mutants"].as_u64().unwrap());
    assert_eq!(
        judged["crashed"].as_array().unwrap().len() as u64,
        judged["floor"].as_u64().unwrap()
    );
    let kills = judged["kills"][0].as_array().unwrap();
    assert_eq!(kills.len(), assessment.relations.len());
    assert!(kills.iter().flat_map(|k| k.as_array().unwrap()).all(|name| names.contains(name)));
    let wrong = genmorph(&["assess", &out, &subject("gcd/subject.toml")]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("is about `pow`, and the subject is `gcd`"), "{}", wrong.err);
}

#[test]
fn people_get_a_table() {
    let run = assess(SYMMETRY, &subject("gcd/subject.toml"), &[]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    for expected in
        ["floor", "ceiling", "ΔMS", "\n mean ", "3/3", "equivalent as far as", "PZ 1.00"]
    {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
    let piped = fed(
        &["assess", "-", &subject("gcd/subject.toml"), "--seeds", "3", "--inputs", "60"],
        SYMMETRY,
    );
    assert_eq!(piped.out, run.out);
}

#[test]
fn a_file_is_written_once() {
    let scratch = Folder::of("assess-file");
    let file = scratch.write("assessment.json", "mine");
    let gcd = subject("gcd/subject.toml");
    let few = ["--seeds", "1", "--inputs", "10", "--format", "json"];
    let to = [&["assess", SYMMETRY, &gcd, "-o", &file][..], &few].concat();
    let refused = refuses(&to);
    assert!(refused.contains("assessment.json"), "{refused}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    let forced = genmorph(&[&to[..], &["--force"]].concat());
    assert_eq!((forced.code, forced.out.as_str()), (Some(0), ""), "{}", forced.err);
    let read: Assessment = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(read.suites.len(), 1);
}

#[test]
fn bad_input_gets_a_message_that_says_what_is_wrong() {
    let gcd = subject("gcd/subject.toml");
    let scratch = Folder::of("assess-bad");
    let empty = scratch.write("empty/notes.txt", "");
    let folder = Path::new(&empty).parent().unwrap().to_str().unwrap();
    let no_json = scratch.write("broken.json", "{\"relations\": 3}");
    for (relations, expected) in [
        ("NumericAddition(1) on p => out_f == r_s", "r_s"),
        ("NumericAddition(1) on r => out_f == out_s", "r"),
        ("Doubling on p => out_f == out_s", "Doubling"),
        ("SequenceFlip on p => out_f == out_s", "needs a text or a list"),
        ("NumericAddition(1) on p => out_f + 1", "^"),
        ("nowhere.json", "there is no file or folder nowhere.json"),
        (folder, "report.json"),
        (&empty, "no relation"),
        (&no_json, "broken.json"),
    ] {
        let error = refuses(&["assess", relations, &gcd]);
        assert!(error.starts_with("error: ") && error.contains(expected), "{expected}:\n{error}");
        assert!(!error.contains("panicked"), "{error}");
    }
    let inline = genmorph(&["assess", SYMMETRY]);
    assert_eq!(inline.code, Some(2), "the built-in pow has no p: {}", inline.out);
    assert!(refuses(&["assess", SYMMETRY, &gcd, "--seeds", "0"]).contains("--seeds"));
}
