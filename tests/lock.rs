//! Output folders that another run writes into, or that vanish during a run.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cli::{genmorph, refuses};
use crate::folder::{Folder, subject};
use crate::generate::SHORT;
use crate::wait;

/// Starts a run that has searches to do for a while.
fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_genmorph"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("cargo has built the command")
}

/// Flags of a run that nobody waits for.
const LONG: [&str; 4] = ["--generations", "1000000", "--population", "100"];

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let scratch = Folder::of("lock-two");
    let gcd = subject("gcd/subject.toml");
    let example = ["evolve", "--example"];
    for (name, command) in [("generate", &["generate", &gcd][..]), ("evolve", &example)] {
        let out = scratch.at(name);
        let to = ["-o", &out];
        let paper = if name == "evolve" { &["--paper"][..] } else { &[] };
        let mut first = start(&[command, &to, &LONG, paper].concat());
        let settings = Path::new(&out).join("run.json");
        wait::while_running(&mut first, "the run has begun", || settings.exists());
        let short = if name == "evolve" { &SHORT[..4] } else { &SHORT };
        let forced = [command, &to, short, &["--force"]].concat();
        let resumed = [command, &to, &["--resume", "--generations", "1000000"]].concat();
        for args in [&forced, &resumed] {
            let said = refuses(args);
            let expected = format!("another genmorph is writing to {out} just now");
            assert!(said.contains(&expected) && said.contains("-o for another"), "{said}");
        }
        assert!(settings.exists());
        // The lock goes with the process, whatever ends it.
        first.kill().unwrap();
        first.wait().unwrap();
        let second = genmorph(&forced);
        assert_eq!(second.code, Some(0), "{}", second.err);
        let hidden: Vec<String> = fs::read_dir(&out)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with('.'))
            .collect();
        assert_eq!(hidden, [""; 0]);
    }
}

#[test]
fn a_folder_that_vanishes_during_the_run_is_an_error() {
    let scratch = Folder::of("lock-vanished");
    let gcd = subject("gcd/subject.toml");
    // It is removed; it is removed and made anew.
    for is_made_anew in [false, true] {
        let out = scratch.at(&format!("out-{is_made_anew}"));
        let few = "--generations 40 --population 200 --transformations 2 --sources 100 --fresh 2000 --hunt 2000";
        let args: Vec<&str> =
            ["generate", &gcd, "-o", &out].into_iter().chain(few.split_whitespace()).collect();
        let mut run = start(&args);
        wait::while_running(&mut run, "the run has begun", || {
            Path::new(&out).join("sources.ndjson").exists()
        });
        wait::until("the folder is gone", || fs::remove_dir_all(&out).is_ok());
        if is_made_anew {
            fs::create_dir(&out).unwrap();
        }
        let ended = run.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(said.contains("was removed or replaced during the run"), "{said}");
        assert_eq!(Path::new(&out).exists(), is_made_anew);
    }
}
