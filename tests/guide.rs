//! The commands of the guide, of README.md and of CONTRIBUTING.md: those that are shown with their output are run, and all others exist, with every flag.
//!
//! A block ```` ```console ```` has commands after `$`, and their output; a line `…` stands for any number of lines, and `…` within a line for any text. They are run one after the other in
//! a folder of the page's own, with the subjects of this folder beside it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cli::succeeds;
use super::folder::Folder;

/// A page, by its path from the root.
struct Page {
    name: String,
    text: String,
}

/// A command with what it prints, as a page shows it.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Vec<Page> {
    let guide = fs::read_dir(root().join("src/guide")).unwrap();
    let mut paths: Vec<PathBuf> = guide.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.extend(["README.md", ".github/CONTRIBUTING.md"].map(|name| root().join(name)));
    let page = |path: PathBuf| Page {
        name: path.strip_prefix(root()).unwrap().display().to_string(),
        text: fs::read_to_string(&path).unwrap(),
    };
    paths.into_iter().map(page).collect()
}

/// The blocks of a page that are in a language, each without its fences.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    let block = |rest: &'a str| rest.split_once("```").expect("the block ends").0;
    text.split(fence.as_str()).skip(1).map(block).collect()
}

/// The commands of a block, each with what it prints.
fn shown(block: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => {
                all.push(Shown { command: command.to_owned(), output: Vec::new() });
            }
            (None, Some(last)) => last.output.push(line.to_owned()),
            (None, None) => panic!("a block of a console begins with a command: {line}"),
        }
    }
    all
}

/// Whether lines are those that are shown, where `…` is any number of them.
fn is_as_shown(lines: &[&str], shown: &[String]) -> bool {
    match shown.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=lines.len()).any(|skipped| is_as_shown(&lines[skipped..], rest))
        }
        Some((first, rest)) => match lines.split_first() {
            Some((line, lines)) => is_line(line, first) && is_as_shown(lines, rest),
            None => false,
        },
    }
}

/// Whether a line is as it is shown, where `…` is any text.
fn is_line(line: &str, shown: &str) -> bool {
    let Some((start, rest)) = shown.split_once('…') else { return line == shown };
    let Some(line) = line.strip_prefix(start) else { return false };
    line.char_indices().any(|(at, _)| is_line(&line[at..], rest)) || is_line("", rest)
}

#[test]
fn commands_with_output_print_what_is_shown() {
    let programs = Path::new(env!("CARGO_BIN_EXE_genmorph")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let mut count = 0;
    for page in pages() {
        let name = page.name.replace(['/', '.'], "-");
        let folder = Folder::of(&format!("guide{name}"));
        fs::create_dir(folder.path().join("tests")).unwrap();
        let subjects = root().join("tests/subjects");
        symlink(subjects, folder.path().join("tests/subjects")).unwrap();
        for Shown { command, output } in blocks(&page.text, "console").into_iter().flat_map(shown) {
            count += 1;
            let ran = Command::new("bash")
                .args(["-c", &format!("{command} 2>&1")])
                .current_dir(folder.path())
                .env("PATH", format!("{}:{path}", programs.display()))
                .output()
                .unwrap();
            let said = String::from_utf8(ran.stdout).unwrap();
            let lines: Vec<&str> = said.lines().collect();
            assert!(
                ran.status.success() && is_as_shown(&lines, &output),
                "{}: `{command}` prints something else:\n{said}",
                page.name
            );
        }
    }
    assert!(count >= 5, "only {count} commands were run");
}

/// The words of a line of a shell, without its comment; quotes are kept together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            '#' if !quoted && words.last().is_some_and(String::is_empty) => break,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("there is one").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The arguments of `genmorph` in a line, if that is what it runs.
fn arguments(line: &str) -> Option<Vec<String>> {
    let line = line.trim().trim_start_matches("$ ").trim_start_matches("- run: ");
    let words = words(line);
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let skipped = match texts[..] {
        ["genmorph", ..] => 1,
        ["cargo", "run", "--release", "--", ..] => 4,
        _ => return None,
    };
    Some(words[skipped..].to_vec())
}

#[test]
fn every_command_and_every_flag_exists() {
    let mut count = 0;
    for page in pages() {
        let languages = ["sh", "console", "yaml"];
        let blocks = languages.iter().flat_map(|language| blocks(&page.text, language));
        for block in blocks {
            let block = block.replace("\\\n", " ");
            for arguments in block.lines().filter_map(arguments) {
                count += 1;
                check(&page.name, &arguments);
            }
        }
    }
    assert!(count >= 25, "only {count} commands were found");
}

/// The commands that arguments begin with have a help, and it has their flags.
fn check(page: &str, arguments: &[String]) {
    let mut commands: Vec<&str> = Vec::new();
    for word in arguments {
        let help = succeeds(&[&commands[..], &["--help"]].concat());
        let lists = help.lines().any(|line| {
            line.starts_with("  ") && line.split_whitespace().next() == Some(word.as_str())
        });
        if !(help.contains("Commands:\n") && lists) {
            break;
        }
        commands.push(word);
    }
    assert!(!commands.is_empty() || arguments[0].starts_with('-'), "{page}: no `{arguments:?}`");
    let help = succeeds(&[&commands[..], &["--help"]].concat());
    let known: Vec<&str> =
        help.split(|c: char| c.is_whitespace() || c == ',' || c == '`').collect();
    for flag in arguments.iter().filter(|word| word.starts_with('-') && word.len() > 1) {
        let flag = flag.split('=').next().expect("a part");
        assert!(known.contains(&flag), "{page}: `genmorph {}` has no {flag}", commands.join(" "));
    }
}

#[test]
fn every_link_to_a_file_leads_somewhere() {
    for page in pages().into_iter().chain([results()]) {
        let folder = root().join(&page.name).parent().unwrap().to_owned();
        for rest in page.text.split("](").skip(1) {
            let target = rest.split([')', '#']).next().expect("a part");
            let elsewhere = ["http", "crate::", "mailto:"];
            if target.is_empty() || elsewhere.iter().any(|start| target.starts_with(start)) {
                continue;
            }
            assert!(folder.join(target).exists(), "{}: {target} is missing", page.name);
        }
    }
}

fn results() -> Page {
    let name = "benches/RESULTS.md".to_owned();
    Page { text: fs::read_to_string(root().join(&name)).unwrap(), name }
}

#[test]
fn the_readme_is_short_enough_to_be_read() {
    let readme = include_str!("../README.md");
    assert!(readme.lines().count() <= 150, "{} lines", readme.lines().count());
}

#[test]
fn lines_that_are_left_out_may_be_any_number() {
    let shown: Vec<String> = ["a", "…", "d"].map(str::to_owned).to_vec();
    assert!(is_as_shown(&["a", "b", "c", "d"], &shown) && is_as_shown(&["a", "d"], &shown));
    assert!(is_line("a 12 b", "a … b") && is_line("a 12", "a …") && !is_line("a 12 c", "a … b"));
    assert!(!is_as_shown(&["a", "b", "c"], &shown) && !is_as_shown(&["b", "d"], &shown));
}
