//! Settings as users write them: `genmorph.toml`, variables of the environment, and how loud and how colourful it is.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::cli::{Run, commands, succeeds};
use crate::folder::Folder;

/// Runs the command in a folder, with these variables.
fn run(folder: &Folder, within: &str, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_genmorph"))
        .args(args)
        .envs(variables.iter().copied())
        .current_dir(folder.path().join(within))
        .output()
        .expect("cargo has built the command");
    let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A folder that is the root of a repository, with this file in it.
fn repository(test: &str, settings: &str) -> Folder {
    let folder = Folder::of(test);
    fs::create_dir(folder.path().join(".git")).unwrap();
    folder.write("genmorph.toml", settings);
    folder
}

/// The seed and the generations of a search on the built-in executions, and what was said.
fn searched(folder: &Folder, args: &[&str], variables: &[(&str, &str)]) -> ([u64; 2], Run) {
    let _ = fs::remove_dir_all(folder.path().join("out"));
    let run = run(folder, "", &[&["evolve", "--example", "-o", "out"], args].concat(), variables);
    let text = fs::read_to_string(folder.path().join("out/relations.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    let has_relations = !results["relations"].as_array().unwrap().is_empty();
    assert_eq!(run.code, Some(if has_relations { 0 } else { 3 }), "{}", run.err);
    (["seed", "generations"].map(|key| results["run"][key].as_u64().unwrap()), run)
}

/// A file that is refused: the message.
fn refused(test: &str, settings: &str) -> String {
    let folder = repository(test, settings);
    let run = run(&folder, "", &["explain"], &[]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{settings}\n{}", run.err);
    run.err
}

#[test]
fn a_flag_is_before_a_variable_is_before_a_section_is_before_the_top() {
    let folder = repository(
        "config-order",
        "seed = 2\ngenerations = 2\npopulation = 50\n[evolve]\nseed = 3\n[score]\ntier = \"native\"\n",
    );
    let variable = [("GENMORPH_SEED", "4")];
    assert_eq!(searched(&folder, &["--seed", "5"], &variable).0, [5, 2]);
    assert_eq!(searched(&folder, &[], &variable).0, [4, 2]);
    assert_eq!(searched(&folder, &[], &[]).0, [3, 2]);
    folder.write("genmorph.toml", "seed = 2\ngenerations = 2\npopulation = 50\n");
    assert_eq!(searched(&folder, &[], &[]).0, [2, 2]);
    let fewer = ["--no-config", "--generations", "3", "--population", "50"];
    assert_eq!(searched(&folder, &fewer, &[]).0, [1, 3]);
}

#[test]
fn every_long_flag_of_every_command_is_a_variable_in_its_help() {
    for name in commands() {
        let help = succeeds(&[&name, "--help"]);
        // A flag is under its short form, or under the place for one.
        let flag = |line: &str| {
            let long = line.get(6..).filter(|_| line.starts_with("  "))?.strip_prefix("--")?;
            let end = |c: char| !c.is_ascii_lowercase() && c != '-';
            Some(long.split(end).next().unwrap_or(long).to_owned())
        };
        let flags: Vec<String> = help.lines().filter_map(flag).collect();
        assert!(
            flags.contains(&"quiet".to_owned()) && flags.contains(&"help".to_owned()),
            "{help}"
        );
        for flag in flags.iter().filter(|flag| *flag != "help") {
            let variable = format!("[env: GENMORPH_{}]", flag.to_uppercase().replace('-', "_"));
            assert!(help.contains(&variable), "{name}: {variable}");
        }
    }
}

#[test]
fn what_conflicts_with_the_command_line_gives_way() {
    let folder = repository("config-conflict", "[evolve]\npopulation = 60\ngenerations = 2\n");
    let first = searched(&folder, &["--seed", "8"], &[]).0;
    // --resume takes no --population: the run has its own.
    let args = ["evolve", "--example", "-o", "out", "--resume", "--generations", "4"];
    let resumed = run(&folder, "", &args, &[("GENMORPH_SEED", "9")]);
    assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    assert!(resumed.out.contains("4 generations"), "{}", resumed.out);
    assert!(resumed.out.contains("seed 8"), "{}", resumed.out);
    assert_eq!(first, [8, 2]);
}

#[test]
fn a_flag_that_is_off_is_in_nobodys_way() {
    let folder = repository(
        "config-off",
        "population = 70\ngenerations = 2\n[evolve]\nresume = false\npaper = true\n",
    );
    let (found, run) = searched(&folder, &["-v"], &[("GENMORPH_PAPER", "0")]);
    assert_eq!(found, [1, 2]);
    assert!(run.err.contains("--population=70") && !run.err.contains("--paper"), "{}", run.err);
}

#[test]
fn what_needs_a_flag_that_is_not_there_is_passed_over() {
    let folder =
        repository("config-needs", "force = true\nmaven = \"a:b:1\"\n[check]\nforce = false\n");
    // --force needs --output there, and --maven a Java method.
    let filter =
        ["filter", "NumericAddition(1) on e => e_f > e_s", "--hunt", "50", "--fresh", "500"];
    let filtered = run(&folder, "", &filter, &[("GENMORPH_CLASSPATH", "x.jar")]);
    assert_eq!(filtered.code, Some(0), "{}", filtered.err);
    for code in [0, 0] {
        let written = run(&folder, "", &[&filter[..], &["-o", "refuted.json"]].concat(), &[]);
        assert_eq!(written.code, Some(code), "{}", written.err);
    }
    // The other way round, a setting is what a flag needs.
    folder.write("genmorph.toml", "java = \"no.such.Type#f(int)\"\n");
    let java = run(&folder, "", &[&filter[..], &["--classpath", "x.jar"]].concat(), &[]);
    assert!(!java.err.contains("--java"), "{}", java.err);
}

#[test]
fn wrong_usage_names_what_was_set_elsewhere() {
    let folder = repository("config-refused", "[evolve]\nresume = true\npopulation = 70\n");
    let run = run(&folder, "", &["evolve", "--example"], &[]);
    assert_eq!(run.code, Some(2));
    let expected = "set elsewhere:\n  genmorph.toml, line 3, column 14: --population=70\n  \
                    genmorph.toml, line 2, column 10: --resume\n";
    assert!(run.err.ends_with(expected), "{}", run.err);
}

#[test]
fn no_file_is_read_if_none_is_wanted_whatever_the_variables() {
    let folder = repository("config-unwanted", "no-ir = true\n");
    let variable = [("GENMORPH_CONFIG", "genmorph.toml")];
    let shows = |args: &[&str], variables: &[(&str, &str)]| {
        let run = run(&folder, "", &[&["explain"], args].concat(), variables);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out.contains("Cranelift IR")
    };
    assert!(!shows(&[], &variable));
    assert!(shows(&["--no-config"], &variable));
    assert!(shows(&[], &[("GENMORPH_NO_CONFIG", "1")]));
    assert!(!shows(&["--config", "genmorph.toml"], &[("GENMORPH_NO_CONFIG", "1")]));
}

#[test]
fn the_file_is_found_above_up_to_the_root_of_the_repository() {
    let outer = repository("config-above", "no-ir = true\ncolor = \"never\"\n");
    outer.write("src/deep/code.c", "");
    let explained = |within: &str, args: &[&str]| {
        let run = run(&outer, within, &[&["explain"], args].concat(), &[]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.out.contains("Cranelift IR")
    };
    assert!(!explained("src/deep", &[]));
    assert!(explained("src/deep", &["--no-config"]));
    outer.write("src/other/genmorph.toml", "no-ir = false\n");
    assert!(explained("src/other", &[]));
    assert!(explained("src/deep", &["--config", "../other/genmorph.toml"]));
    // The root of a repository within the other one.
    outer.write("inner/.git/HEAD", "");
    assert!(explained("inner", &[]));
    let missing = run(&outer, "", &["explain", "--config", "none.toml"], &[]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.starts_with("error: cannot read none.toml"), "{}", missing.err);
}

#[test]
fn paths_are_from_the_folder_of_the_file() {
    let folder = repository("config-paths", "[evolve]\noutput = \"runs/pow\"\ngenerations = 2\n");
    folder.write("src/code.c", "");
    let run = run(&folder, "src", &["evolve", "--example", "--population", "50"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(folder.path().join("runs/pow/relations.json").is_file());
}

#[test]
fn a_slip_is_pointed_at_and_the_nearest_key_is_named() {
    let err = refused("config-key", "jobs = 1\n\n[check]\nbugdet = \"3s\"\n");
    let expected = "\
error: genmorph.toml, line 4, column 1: unknown key `bugdet` for `check`; did you mean `budget`?

    bugdet = \"3s\"
    ^
";
    assert_eq!(err, expected);
    let cases = [
        (
            "max_size = 3",
            "line 1, column 1: unknown key `max_size` for `genmorph`; did you mean `max-size`?",
        ),
        (
            "[explian]\ntier = 1",
            "line 1, column 2: there is no command `explian`; did you mean `explain`?",
        ),
        (
            "[score]\npopulation = 3",
            "unknown key `population` for `score`; it is one of evolve, generate",
        ),
        ("[seed]", "`seed` is a flag, and a section is for a command; write `seed = …`"),
        ("explain = 3", "settings of a command are in a section, [explain]"),
        ("zzz = 3", "keys are the long flags that `genmorph COMMAND --help` shows"),
        (
            "config = \"other.toml\"",
            "`config` chooses the settings file, so it cannot be set in it",
        ),
        ("no-ir = 1", "line 1, column 9: `no-ir` is a flag: it is true or false"),
        ("tier = [[1]]", "line 1, column 9: `tier` is a list of texts or numbers"),
        ("tier = 1979-05-27", "line 1, column 8: `tier` is a text or a number"),
        (
            "tolerance = \"tiny\"",
            "line 1, column 13: invalid value 'tiny' for '--tolerance <paper|ABS,REL>'",
        ),
        ("[explain]\ntier = \"gpu\"", "line 2, column 8: invalid value 'gpu' for '--tier"),
        ("tier = ", "line 1, column 8: "),
        ("tier = \"native\"\ntier = \"native\"", "line 2, column 1: duplicate key"),
    ];
    for (settings, expected) in cases {
        let err = refused("config-slips", settings);
        assert!(err.contains(expected), "{settings}\n{err}");
        assert!(err.starts_with("error: genmorph.toml, line "), "{err}");
    }
}

#[test]
fn flags_are_variables_that_are_true_or_false() {
    let folder = Folder::of("config-switches");
    let explained = |value: &str| run(&folder, "", &["explain"], &[("GENMORPH_NO_IR", value)]);
    for (value, shows) in [("1", false), ("true", false), ("0", true), ("false", true), ("", true)]
    {
        assert_eq!(explained(value).out.contains("Cranelift IR"), shows, "{value}");
    }
    let wrong = explained("perhaps");
    assert_eq!((wrong.code, wrong.out.as_str()), (Some(2), ""));
    assert!(
        wrong.err.contains("GENMORPH_NO_IR: `perhaps` is neither true nor false"),
        "{}",
        wrong.err
    );
    let unknown = run(&folder, "", &["explain"], &[("GENMORPH_TEIR", "native")]);
    assert_eq!(unknown.code, Some(0));
    let warning = "warning: GENMORPH_TEIR is set, and means nothing; did you mean GENMORPH_TIER?\n";
    assert_eq!(unknown.err, warning);
    let none = run(&folder, "", &["explain"], &[("GENMORPH_NO_CONFIG", "1")]);
    assert_eq!((none.code, none.err.as_str()), (Some(0), ""));
}

#[test]
fn quiet_says_nothing_and_verbose_says_where_settings_are_from() {
    let folder = repository("config-loud", "no-ir = true\n");
    let unknown = [("GENMORPH_TEIR", "native")];
    let quiet = run(&folder, "", &["explain", "--quiet"], &unknown);
    assert_eq!((quiet.code, quiet.err.as_str()), (Some(0), ""));
    assert!(quiet.out.contains("the tiers agree"), "{}", quiet.out);
    let verbose = run(&folder, "", &["-v", "explain"], &[("GENMORPH_TIER", "native")]);
    let expected = "GENMORPH_TIER: --tier=native\ngenmorph.toml, line 1, column 9: --no-ir\n";
    assert_eq!((verbose.err.as_str(), quiet.code), (expected, Some(0)));
    let failed = run(&folder, "", &["-q", "explain", "k_x"], &[]);
    assert_eq!(failed.code, Some(2));
    assert!(failed.err.starts_with("error: "), "{}", failed.err);
    assert_eq!(run(&folder, "", &["explain", "-q", "-v"], &[]).code, Some(2));
}

#[test]
fn colours_are_for_terminals_or_those_who_ask() {
    let folder = Folder::of("config-colour");
    let said = |args: &[&str], variables: &[(&str, &str)]| run(&folder, "", args, variables).err;
    let escape = '\u{1b}';
    for wrong in [&["explain", "k_x"][..], &["explain", "--nope"]] {
        assert!(!said(wrong, &[]).contains(escape));
        let always = said(&[wrong, &["--color", "always"]].concat(), &[("NO_COLOR", "1")]);
        assert!(always.contains("\u{1b}[1m\u{1b}[31merror:"), "{always:?}");
        let forced = said(wrong, &[("CLICOLOR_FORCE", "1")]);
        assert!(forced.contains(escape), "{forced:?}");
        let never = [wrong, &["--color=never"]].concat();
        assert!(!said(&never, &[("CLICOLOR_FORCE", "1")]).contains(escape));
        assert!(!said(wrong, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains(escape));
    }
}
