//! `genmorph diff`: what two versions of a function do differently, said by relations and by calls.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use genmorph::record::relations::RelationKind;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::interrupt::on_interrupt;
use super::itself::{changes, genmorph, kinds, refuted, report};
use super::{Ending, Failure, budget, print, whole};

const MORE: &str = "\
OLD and NEW are definitions (subject.toml), or with --java two jars, folders of classes or Maven coordinates, or with --rust two folders
of crates. Relations are found on both versions. Those of the old one are checked on the new one, and those of the new one on the old
one; calls of the old one are made again on the new one. Each difference has a simple input.

Examples:
  genmorph diff old/subject.toml new/subject.toml
  genmorph diff --java 'org.x.Numbers#gcd(int,int)' build/numbers-1.jar build/numbers-2.jar
  genmorph diff --java 'org.apache.commons.lang3.StringUtils#unwrap(String,char)' \\
      org.apache.commons:commons-lang3:3.9 org.apache.commons:commons-lang3:3.10
  genmorph diff --rust my_module::pad_start ../released .

Exit codes:
  0    no difference was found
  1    a result could not be written
  2    wrong usage or bad input: a version without the function, …
  4    the versions differ
  130  interrupted by Ctrl-C";

/// Say what two versions of a function do differently: laws of one that the other breaks, calls that end otherwise
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// The old version
    old: String,

    /// The new version
    new: String,

    /// The static Java method, if the versions are jars, folders of classes or Maven coordinates
    #[arg(long, value_name = "METHOD", conflicts_with = "rust")]
    java: Option<String>,

    /// The Rust function, if the versions are folders of crates
    #[arg(long, value_name = "FUNCTION")]
    rust: Option<String>,

    /// The time in which relations are found, half of it for each version
    #[arg(long, value_name = "TIME", default_value = "40s", value_parser = budget::parse)]
    budget: Duration,

    /// The number that all that is random comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The folder for the two runs; it must not be there, unless --force is given
    #[arg(short, long, value_name = "DIR", default_value = "genmorph.diff")]
    output: PathBuf,

    /// Replace the runs in the output folder
    #[arg(long)]
    force: bool,

    /// Print an object for machines
    #[arg(long)]
    json: bool,
}

/// What two versions do differently.
#[derive(Serialize, JsonSchema)]
pub(super) struct Differences {
    /// Relations of the old version that are false of the new one.
    broken: Vec<BrokenRelation>,
    /// Relations of the new version that are false of the old one.
    gained: Vec<BrokenRelation>,
    /// Calls of the old version that end otherwise in the new one, and how many return other values.
    calls: Json,
}

/// A relation that one of the versions breaks.
#[derive(Serialize, JsonSchema)]
struct BrokenRelation {
    /// The transformation that makes follow-up inputs.
    transformation: String,
    /// The relation.
    relation: String,
    /// Whether it is a law or a detector.
    kind: RelationKind,
    /// The source inputs and outputs of the version that breaks it.
    source: Json,
    /// The follow-up inputs and outputs of the version that breaks it.
    follow_up: Json,
}

/// How long a run may take beyond its budget, or a check all in all.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    if args.output.exists() && !args.force {
        let folder = args.output.display();
        return Err(Failure::Input(format!(
            "{folder} is there already\nuse --force to replace its runs, or -o for another folder"
        )));
    }
    let [old, new] = [&args.old, &args.new].map(|version| flags(args, version));
    let (old, new) = (old?, new?);
    fs::create_dir_all(&args.output)
        .map_err(|error| whole::cannot("create", &args.output, &error))?;
    let cancelled = Arc::new(AtomicBool::new(false));
    on_interrupt(&cancelled)?;
    let is_cancelled = || cancelled.load(std::sync::atomic::Ordering::Relaxed);
    let run = |name: &str| args.output.join(name);
    for (name, version) in [("old", &old), ("new", &new)] {
        let half = args.budget / 2;
        let mut words: Vec<String> =
            ["generate", "--force", "--format", "json", "-o"].map(String::from).into();
        words.push(run(name).display().to_string());
        words.extend(["--budget".to_owned(), format!("{}s", half.as_secs_f64())]);
        words.extend(["--seed".to_owned(), args.seed.to_string()]);
        words.extend(version.iter().cloned());
        let ended = genmorph(&words, &args.output, name, 2 * half + PATIENCE, &cancelled)?;
        // 130: interrupted, as this process may be.
        if is_cancelled() || ended.code == Some(130) {
            return Ok(Ending::Interrupted);
        }
        if report(&run(name)).is_none() {
            return Err(Failure::Input(format!("the {name} version: {}", ended.said)));
        }
    }
    let check = |of: &str, on: &[String], name: &str| -> Result<Json, Failure> {
        let mut words: Vec<String> = vec!["check".to_owned(), run(of).display().to_string()];
        words.extend(["--format".to_owned(), "json".to_owned()]);
        words.extend(["--seed".to_owned(), args.seed.to_string()]);
        words.extend(on.iter().cloned());
        let ended = genmorph(&words, &args.output, name, PATIENCE, &cancelled)?;
        match serde_json::from_str(&ended.out) {
            Ok(json) => Ok(json),
            Err(_) => {
                Err(Failure::Input(format!("the relations of the {of} version: {}", ended.said)))
            }
        }
    };
    let forward = check("old", &new, "old-on-new")?;
    let back = check("new", &old, "new-on-old")?;
    if is_cancelled() {
        return Ok(Ending::Interrupted);
    }
    let broken = |checked: &Json, of: &Path| -> Vec<BrokenRelation> {
        let report = report(of);
        let mut all: Vec<BrokenRelation> = refuted(checked)
            .map(|violated| {
                let text = |field: &str| violated[field].as_str().unwrap_or_default().to_owned();
                let (transformation, relation) = (text("transformation"), text("relation"));
                let kind = report.iter().flat_map(kinds);
                let mut kind = kind.filter(|(t, r, _)| (*t, *r) == (&*transformation, &*relation));
                let kind = kind.next().map_or(RelationKind::Detector, |(_, _, kind)| kind);
                let (source, follow_up) =
                    (violated["source"].clone(), violated["follow_up"].clone());
                BrokenRelation { transformation, relation, kind, source, follow_up }
            })
            .collect();
        all.sort_by_key(|broken| broken.kind == RelationKind::Detector);
        all
    };
    let found = Differences {
        broken: broken(&forward, &run("old")),
        gained: broken(&back, &run("new")),
        calls: forward["calls"].clone(),
    };
    match args.json {
        true => print(&whole::json(&found))?,
        false => print(&found.text())?,
    }
    Ok(if found.is_nothing() { Ending::Done } else { Ending::Partly })
}

/// The flags that name one of the versions.
fn flags(args: &Args, version: &str) -> Result<Vec<String>, Failure> {
    let path = Path::new(version);
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    match (&args.java, &args.rust) {
        (Some(method), _) if path.exists() => {
            Ok(words(&["--java", method, "--classpath", version]))
        }
        (Some(method), _) => Ok(words(&["--java", method, "--maven", version])),
        (None, Some(function)) => {
            let manifest = if path.is_dir() { path.join("Cargo.toml") } else { path.to_owned() };
            let manifest = manifest.display().to_string();
            Ok(words(&["--rust", function, "--manifest-path", &manifest]))
        }
        (None, None) if path.extension().is_some_and(|e| e == "toml") => Ok(words(&[version])),
        (None, None) => Err(Failure::Input(format!(
            "{version} is no definition of a function: name a subject.toml (`genmorph init` writes one for a module), \
             or the function with --java or --rust"
        ))),
    }
}

impl Differences {
    fn is_nothing(&self) -> bool {
        let other_values = self.calls["other_values"].as_u64().unwrap_or(0);
        self.broken.is_empty()
            && self.gained.is_empty()
            && other_values == 0
            && changes(&self.calls).next().is_none()
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (title, who, list) in [
            ("laws and detectors of the old version that the new one breaks", "new", &self.broken),
            ("laws and detectors of the new version that the old one breaks", "old", &self.gained),
        ] {
            let _ = writeln!(text, "{title}: {}", list.len());
            for BrokenRelation { transformation, relation, kind, source, follow_up } in list {
                let _ = writeln!(
                    text,
                    "  {}  {transformation} => {relation}\n    {who} on {source}\n    {who} on {follow_up}",
                    kind.name()
                );
            }
        }
        let of_call = |example: &Json| {
            let word = |field: &str| example[field].as_str().unwrap_or_default().to_owned();
            format!("{}: old {}, new {}", example["inputs"], word("before"), word("now"))
        };
        let calls = &self.calls;
        for change in changes(calls) {
            let kind = change["kind"].as_str().unwrap_or_default().replace('_', " ");
            let what = change["what"].as_str().unwrap_or_default();
            let example = of_call(&change["example"]);
            let _ = writeln!(
                text,
                "{} of {} calls: {kind} ({what}), e.g. {example}",
                change["count"], calls["calls"]
            );
        }
        match calls["other_values"].as_u64().unwrap_or(0) {
            0 => {}
            count => {
                let example = of_call(&calls["value_example"]);
                let _ = writeln!(
                    text,
                    "{count} of {} calls return other values, e.g. {example}",
                    calls["calls"]
                );
            }
        }
        if self.is_nothing() {
            text.push_str("no difference was found\n");
        }
        text
    }
}
