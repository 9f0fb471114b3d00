//! `genmorph experiment` as users run it, on functions that need no JVM.

use std::fs;

use crate::cli::{genmorph, refuses};
use crate::folder::Folder;

fn asked(folder: &Folder, more: &[&str]) -> Vec<String> {
    let known = [
        "experiment",
        "paper",
        "--embedded",
        "--suites",
        "2",
        "--transformations",
        "1",
        "--generations",
        "8",
        "-o",
    ];
    let all = known.into_iter().map(str::to_owned).chain([folder.at("out")]);
    all.chain(more.iter().map(|&arg| arg.to_owned())).collect()
}

#[test]
fn an_experiment_has_a_table_and_goes_on_where_it_was() {
    let folder = Folder::of("experiment");
    let args = asked(&folder, &["--methods", "gcd,min", "--search", "ours,paper"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let first = genmorph(&args);
    assert_eq!(first.code, Some(0), "{}", first.err);
    for expected in ["| gcd ", "| min ", "The search of the paper", "2 methods: relations for 2"] {
        assert!(first.out.contains(expected), "{expected} in {}", first.out);
    }
    for done in ["gcd ours seed 1", "gcd paper seed 1", "min ours seed 1", "min paper seed 1"] {
        assert!(first.err.contains(done), "{done} in {}", first.err);
    }
    assert_eq!(fs::read_to_string(folder.at("out/table.md")).unwrap(), first.out);
    let csv = fs::read_to_string(folder.at("out/table.csv")).unwrap();
    let columns = |line: &str| line.split(',').count();
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.lines().all(|line| columns(line) == columns(csv.lines().next().unwrap())), "{csv}");
    let plot = fs::read_to_string(folder.at("out/plot.svg")).unwrap();
    assert_eq!(
        plot.matches("<circle").count(),
        4 + 2,
        "two searches of two methods, and the legend"
    );

    // One record is lost: only that run is done again.
    fs::remove_file(folder.at("out/runs/wasm-min-ours-1.json")).unwrap();
    let again = genmorph(&args);
    assert!(again.err.contains("3 runs are done already, 1 to do"), "{}", again.err);
    assert!(!again.err.contains("gcd ours seed 1"), "{}", again.err);
}

#[test]
fn records_of_another_protocol_are_not_mixed() {
    let folder = Folder::of("experiment-protocol");
    let args = asked(&folder, &["--methods", "min"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    assert_eq!(genmorph(&args).code, Some(0));
    let others: Vec<&str> = args.iter().map(|&arg| if arg == "2" { "3" } else { arg }).collect();
    let error = refuses(&others);
    assert!(
        error.contains("was made with 1 transformations, 2 suites and 8 generations"),
        "{error}"
    );
    assert!(error.contains("another folder"), "{error}");
}

#[test]
fn an_unknown_method_is_named_with_those_that_there_are() {
    let folder = Folder::of("experiment-unknown");
    let args = asked(&folder, &["--methods", "tan"]);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let error = refuses(&args);
    assert!(error.contains("no method `tan`; there are nextPrime, isPrime, gcd"), "{error}");
}
