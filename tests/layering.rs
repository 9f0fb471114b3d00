//! Who may use what, and the form that every file has. `src/ARCHITECTURE.md` gives the reasons.
//!
//! [`ROOMS`] and [`CORE`] list every edge between the rooms of the library and between the modules of the core; the code has
//! these and no others, and there is no cycle. [`RULES`] says where a few words may stand: packages, the clock, processes.

mod code;
mod edges;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use self::code::{code, words};
use self::edges::{Crate, Edges, cycle};

/// A room, and the rooms that it uses.
type Row = (&'static str, &'static [&'static str]);

/// The rooms of the library in the order of `lib.rs`, which is that of the data, then the command. `jit` is the core.
const ROOMS: &[Row] = &[
    ("jit", &[]),
    ("support", &["jit"]),
    ("subject", &["jit", "support"]),
    ("inputs", &["jit", "support", "subject"]),
    ("transform", &["jit", "support", "subject"]),
    ("executions", &["jit", "support", "subject", "transform"]),
    ("evolve", &["jit", "support", "executions", "simplify"]),
    ("explore", &["jit", "support", "subject", "executions", "simplify"]),
    ("simplify", &["jit", "support", "subject", "executions"]),
    ("record", &["jit", "support", "subject", "executions", "evolve"]),
    ("claims", &["jit", "support", "subject", "transform", "record"]),
    ("filter", &["jit", "support", "subject", "inputs", "transform", "record", "claims"]),
    (
        "show",
        &[
            "jit",
            "support",
            "subject",
            "transform",
            "executions",
            "evolve",
            "record",
            "claims",
            "filter",
        ],
    ),
    ("export", &["jit", "subject", "transform", "executions", "record", "claims", "show"]),
    (
        "assess",
        &[
            "jit",
            "support",
            "subject",
            "inputs",
            "transform",
            "executions",
            "record",
            "filter",
            "export",
        ],
    ),
    (
        "run",
        &[
            "jit",
            "support",
            "subject",
            "inputs",
            "transform",
            "executions",
            "evolve",
            "explore",
            "simplify",
            "record",
            "filter",
            "assess",
        ],
    ),
    (
        "sweep",
        &[
            "jit",
            "support",
            "subject",
            "inputs",
            "transform",
            "executions",
            "evolve",
            "record",
            "assess",
            "run",
        ],
    ),
    ("guide", &[]),
    (
        "cli",
        &[
            "jit",
            "support",
            "subject",
            "inputs",
            "transform",
            "executions",
            "evolve",
            "explore",
            "record",
            "claims",
            "filter",
            "show",
            "export",
            "assess",
            "run",
            "sweep",
        ],
    ),
];

/// The modules of the core, those of `engine` each for itself. A module may use the one that it is in without being listed.
const CORE: &[Row] = &[
    ("hash", &[]),
    ("mask", &[]),
    ("tolerance", &[]),
    ("interval", &["tolerance"]),
    ("op", &["tolerance"]),
    ("schema", &["op"]),
    ("expr", &["op", "schema"]),
    ("term", &["op", "schema", "expr"]),
    ("table", &["hash", "mask", "tolerance", "interval", "op", "schema"]),
    ("engine::scalar", &["mask", "tolerance", "op", "schema", "expr", "table"]),
    ("engine::reference", &["mask", "op", "expr", "term", "table", "engine::scalar"]),
    ("program", &["tolerance", "interval", "op", "schema", "expr", "table"]),
    ("engine::kernels", &["mask", "tolerance", "op", "table", "program"]),
    ("engine::slices", &["mask", "tolerance", "op", "program", "engine::kernels"]),
    (
        "engine::columns",
        &["hash", "mask", "op", "expr", "term", "table", "engine::kernels", "engine::slices"],
    ),
    ("engine::logic", &["schema", "program", "engine::kernels"]),
    (
        "engine::native",
        &[
            "hash",
            "mask",
            "tolerance",
            "op",
            "schema",
            "expr",
            "table",
            "program",
            "engine::kernels",
        ],
    ),
    ("engine::step", &["op", "program", "engine::kernels"]),
    ("engine::fuse", &["op", "schema", "table", "program", "engine::kernels", "engine::step"]),
    ("engine::sequences", &["mask", "op", "table", "program", "engine::kernels", "engine::step"]),
    (
        "engine::lookups",
        &["mask", "op", "table", "program", "engine::kernels", "engine::sequences", "engine::step"],
    ),
    (
        "engine::bytecode",
        &[
            "mask",
            "schema",
            "table",
            "program",
            "engine::kernels",
            "engine::logic",
            "engine::step",
            "engine::fuse",
            "engine::lookups",
            "engine::sequences",
        ],
    ),
    (
        "engine::batch",
        &[
            "hash",
            "mask",
            "tolerance",
            "interval",
            "op",
            "schema",
            "expr",
            "table",
            "program",
            "engine::kernels",
            "engine::logic",
            "engine::bytecode",
        ],
    ),
    (
        "engine",
        &[
            "mask",
            "expr",
            "term",
            "table",
            "engine::reference",
            "program",
            "engine::kernels",
            "engine::slices",
            "engine::columns",
            "engine::native",
            "engine::bytecode",
            "engine::batch",
        ],
    ),
    ("text", &["op", "schema", "expr", "term"]),
    (
        "oracle",
        &[
            "mask",
            "tolerance",
            "op",
            "schema",
            "expr",
            "term",
            "table",
            "engine::reference",
            "program",
            "engine",
            "text",
        ],
    ),
];

/// Words that may only stand in some places.
struct Rule {
    /// A file or folder, and everything in it.
    room: &'static str,
    /// Whole identifiers of the code; one that ends in `*` stands for all that contain what is before it, in whatever case.
    words: &'static [&'static str],
    /// The beginnings of paths.
    only_in: &'static [&'static str],
    because: &'static str,
}

impl Rule {
    fn is_about(&self, word: &str) -> bool {
        self.words.iter().any(|rule| matches(rule, word))
    }
}

const KERNELS: &str = "jit/src/engine/kernels";
const NATIVE: &str = "jit/src/engine/native/";
/// Starts itself in a process that may not have executable memory.
const NATIVE_TESTS: &str = "jit/src/engine/native/tests.rs";
const JVM: &str = "src/subject/jvm/";
const RUST: &str = "src/subject/rust/";
const PYTHON: &str = "src/subject/python/";
const WORKER: &str = "src/subject/worker/";
const PIT: &str = "src/assess/pit/";

const RULES: &[Rule] = &[
    Rule {
        room: "jit/src/",
        words: &["unsafe"],
        only_in: &[NATIVE, KERNELS],
        because: "unsafe code is in native/ and the kernels only",
    },
    Rule {
        room: "jit/src/",
        words: &["cranelift*"],
        only_in: &[NATIVE],
        because: "Cranelift is known in native/ only",
    },
    Rule {
        room: "jit/src/",
        words: &["arch", "wide", "is_x86_feature_detected", "_mm*"],
        only_in: &[KERNELS],
        because: "SIMD is in the kernels only",
    },
    Rule {
        room: "jit/src/",
        words: &[
            "fs",
            "net",
            "process",
            "env",
            "File",
            "Command",
            "println",
            "eprintln",
            "stdout",
            "stderr",
            "dbg",
            "rand",
            "RandomState",
            "Instant",
            "SystemTime",
            "rayon",
            "spawn",
            "available_parallelism",
            "clap",
            "serde",
        ],
        only_in: &[NATIVE_TESTS],
        because: "the core has no files, processes, streams, clock, randomness or threads of its own",
    },
    Rule {
        room: "jit/src/",
        words: &["FP", "FN", "mutant*", "mutation*", "false_positive*", "false_negative*"],
        only_in: &[],
        because: "the core knows rows and bits, not what they are for",
    },
    Rule {
        room: "src/",
        words: &["clap", "indicatif", "ctrlc", "anstream", "anstyle", "ExitCode", "exit"],
        only_in: &["src/cli/", "src/main.rs", "src/bin/"],
        because: "flags, terminals, signals and exit codes are known in cli/ only",
    },
    Rule {
        room: "src/",
        words: &["println", "eprintln", "print", "eprint", "dbg"],
        only_in: &["src/cli/", "src/bin/", "src/guide/examples/", "src/subject/jvm/tests/"],
        because: "only cli/ and the examples of the guide print",
    },
    Rule {
        room: "src/cli/",
        words: &["eprintln", "eprint"],
        only_in: &["src/cli/talk.rs"],
        because: "messages go through talk.rs, which knows how loud to be",
    },
    Rule {
        room: "src/",
        words: &["Command", "UnixStream", "TcpStream"],
        only_in: &["src/cli/", "src/bin/", WORKER, JVM, PYTHON, RUST, PIT],
        because: "processes and sockets are for subjects, PIT and the command line only",
    },
    Rule {
        room: "src/",
        words: &["landlock", "seccompiler", "libc"],
        only_in: &["src/subject/worker/sandbox/"],
        because: "what the kernel keeps workers from is decided in one place",
    },
    Rule {
        room: "src/",
        words: &["rayon", "available_parallelism"],
        only_in: &["src/support/threads.rs"],
        because: "threads are in threads.rs, which keeps the order of results",
    },
    Rule {
        room: "src/",
        words: &["Instant", "SystemTime"],
        only_in: &[
            "src/cli/",
            "src/evolve/stop.rs",
            "src/run/budget.rs",
            "src/subject/deadline.rs",
            "src/sweep/journal.rs",
            // A worker that does nothing is stopped by the clock.
            "src/subject/jvm/doctor.rs",
            "src/subject/python/doctor.rs",
            WORKER,
        ],
        because: "results have no clock in them: effort is counted, and a caller with a clock says when to stop",
    },
    Rule {
        room: "src/",
        words: &["rand", "RandomState"],
        only_in: &["src/support/seed.rs"],
        because: "random numbers come from a seed, by support/seed.rs",
    },
    Rule {
        room: "src/",
        words: &["fs", "File"],
        only_in: &[
            "src/cli/",
            "src/executions/",
            "src/inputs/read.rs",
            "src/show/report/folder.rs",
            "src/subject/",
            "src/sweep/",
            PIT,
        ],
        because: "files are read and written at the edges only",
    },
    Rule {
        room: "src/",
        words: &["serde", "serde_json"],
        only_in: &[
            "src/assess/",
            "src/claims/",
            "src/cli/",
            "src/evolve/",
            "src/executions/",
            "src/export/selection.rs",
            "src/filter/recheck/",
            "src/inputs/read.rs",
            "src/record/",
            "src/show/",
            "src/subject/",
            "src/support/digest.rs",
            "src/sweep/",
        ],
        because: "support, transformations, simplification, the filter and exporters compute; others write that down",
    },
    Rule {
        room: "src/",
        words: &["parquet*"],
        only_in: &["src/executions/", "src/sweep/", "src/cli/sweep/"],
        because: "what an executions file looks like is known in executions/ only; a sweep writes tables of its own",
    },
    Rule {
        room: "src/",
        words: &["rusqlite"],
        only_in: &["src/sweep/database.rs"],
        because: "SQLite is known in one file only",
    },
    Rule {
        room: "src/",
        words: &["egg"],
        only_in: &["src/simplify/"],
        because: "e-graphs are known in simplify/ only",
    },
    Rule {
        room: "src/",
        words: &["cranelift*", "wasmtime"],
        only_in: &["src/subject/wasm/engine/"],
        because: "engines for subjects are behind one interface; how relations are evaluated is the core's",
    },
    Rule {
        room: "src/filter/fresh/",
        words: &["Sources", "Space", "Spaces", "generate", "vary"],
        only_in: &[],
        because: "fresh inputs are drawn in another way than source inputs",
    },
];

/// The packages that the core may build on.
const CORE_DEPENDENCIES: [&str; 9] = [
    "bumpalo",
    "cranelift-codegen",
    "cranelift-frontend",
    "cranelift-jit",
    "cranelift-module",
    "cranelift-native",
    "hashbrown",
    "thiserror",
    "wide",
];

/// A file with more lines wants to be two.
const MOST_LINES: usize = 900;

/// The edges between the rooms of the library and the command.
fn of_rooms() -> Edges {
    let names = [("crate", ""), ("genmorph", ""), ("genmorph_jit", "jit")];
    let package = Crate { names: &names, divided: &[] };
    let mut edges = package.edges(root(), &root().join("src/lib.rs"), &[]);
    edges.extend(package.edges(root(), &root().join("src/cli/mod.rs"), &["cli".to_owned()]));
    edges
}

/// The edges between the modules of the core.
fn of_core() -> Edges {
    let divided: Vec<&str> = CORE.iter().map(|(module, _)| *module).collect();
    let package = Crate { names: &[("crate", "")], divided: &divided };
    package.edges(root(), &root().join("jit/src/lib.rs"), &[])
}

/// Compares a list with the code, edge by edge.
fn compare(list: &[Row], real: &Edges) {
    let mut wrong = String::new();
    for (from, used) in real {
        let listed = list.iter().find(|(room, _)| room == from).map_or(&[][..], |(_, used)| used);
        for (to, file) in used.iter().filter(|(to, _)| !listed.contains(&to.as_str())) {
            let _ = writeln!(wrong, "{from} uses {to} in {file}: not in the list");
        }
    }
    for (from, used) in list {
        let is_real = |to: &&&str| real.get(*from).is_some_and(|used| used.contains_key(**to));
        for to in used.iter().filter(|to| !is_real(to)) {
            let _ = writeln!(wrong, "{from} does not use {to} (any more): strike it from the list");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn has_no_cycle(list: &[Row]) {
    let edges: BTreeMap<&str, Vec<&str>> =
        list.iter().map(|(room, used)| (*room, used.to_vec())).collect();
    assert_eq!(cycle(&edges).map(|rooms| rooms.join(" -> ")), None);
}

#[test]
fn rooms_use_the_rooms_that_the_list_gives_them() {
    compare(ROOMS, &of_rooms());
    has_no_cycle(ROOMS);
}

#[test]
fn modules_of_the_core_use_the_modules_that_the_list_gives_them() {
    compare(CORE, &of_core());
    has_no_cycle(CORE);
}

#[test]
fn every_room_is_in_the_list_in_the_order_of_lib_rs() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let declared = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let listed = ROOMS.iter().map(|(room, _)| *room).filter(|room| *room != "jit");
    assert_eq!(listed.collect::<Vec<_>>(), declared.chain(["cli"]).collect::<Vec<_>>());
}

/// The cells of the rows of the map that begin with the path of a folder.
fn rows(map: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = map.lines().filter(|line| line.starts_with("| `src/"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
}

#[test]
fn the_map_has_the_rooms_and_edges_of_the_list() {
    let map = fs::read_to_string(root().join("src/ARCHITECTURE.md")).unwrap();
    let in_map: Vec<(String, String)> = rows(&map)
        .filter(|cells| cells.len() == 3)
        .map(|cells| (cells[0].to_owned(), cells[2].to_owned()))
        .collect();
    let listed: Vec<(String, String)> = (ROOMS.iter().filter(|(room, _)| *room != "jit"))
        .map(|(room, used)| (format!("`src/{room}/`"), used.join(", ")))
        .collect();
    assert_eq!(in_map, listed);
}

#[test]
fn every_file_that_the_map_names_is_there() {
    let map = fs::read_to_string(root().join("src/ARCHITECTURE.md")).unwrap();
    let all: Vec<String> = files("").into_iter().map(|path| format!("/{path}")).collect();
    let mut missing = Vec::new();
    // Below a heading with a folder, the first column of a table names files from there.
    let mut folder = "";
    for line in map.lines() {
        if line.starts_with('#') {
            folder = line.split('`').nth(1).unwrap_or_default();
        }
        for (at, cell) in line.trim_start_matches('|').split('|').enumerate() {
            for name in cell.split('`').skip(1).step_by(2) {
                let is_path = [".rs", ".md", "/"].iter().any(|end| name.ends_with(end));
                let is_plain = name.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
                let is_there = if line.starts_with("| `") && at == 0 {
                    let path = Path::new(name);
                    let is_whole = path.starts_with("src") || path.starts_with("jit");
                    root().join(if is_whole { "" } else { folder }).join(name).exists()
                } else {
                    let (inside, end) = (format!("/{name}"), !name.ends_with('/'));
                    all.iter().any(|path| {
                        if end { path.ends_with(&inside) } else { path.contains(&inside) }
                    })
                };
                if is_path && is_plain && !is_there {
                    missing.push(format!("{folder}: {name}"));
                }
            }
        }
    }
    assert_eq!(missing, [""; 0]);
}

#[test]
fn words_stand_where_they_may_only() {
    let mut broken = Vec::new();
    for rule in RULES {
        let files = vocabulary().iter().filter(|(path, _)| path.starts_with(rule.room));
        for (path, words) in files {
            let may = rule.only_in.iter().any(|room| path.starts_with(room));
            for word in words.iter().filter(|word| !may && rule.is_about(word)) {
                broken.push(format!("{path} mentions `{word}`: {}", rule.because));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_rule_and_exception_is_about_files_that_have_these_words() {
    for rule in RULES {
        let inside = |room| vocabulary().iter().filter(move |(path, _)| path.starts_with(room));
        assert!(inside(rule.room).next().is_some(), "{} is not there", rule.room);
        for &room in rule.only_in {
            let needs_it =
                inside(room).any(|(_, words)| words.iter().any(|word| rule.is_about(word)));
            assert!(needs_it, "{room} has none of {:?}", rule.words);
        }
    }
}

#[test]
fn all_parts_of_the_root_package_forbid_unsafe_code() {
    for path in ["src/lib.rs", "src/main.rs", "src/bin/cargo-genmorph.rs"] {
        let text = fs::read_to_string(root().join(path)).unwrap();
        assert!(text.contains("\n#![forbid(unsafe_code)]\n"), "{path}");
    }
}

#[test]
fn the_core_depends_on_few_packages() {
    let manifest = fs::read_to_string(root().join("jit/Cargo.toml")).unwrap();
    let section = manifest.split("\n[").find_map(|part| part.strip_prefix("dependencies]"));
    let lines = section.expect("the core has dependencies").lines();
    let names =
        lines.filter_map(|line| line.split(['=', '.', ' ']).next()).filter(|name| !name.is_empty());
    for name in names.filter(|name| !name.starts_with('#')) {
        assert!(CORE_DEPENDENCIES.contains(&name), "{name}");
    }
}

#[test]
fn every_file_begins_by_saying_what_it_is_for() {
    for (path, text) in
        ["jit/", "src/", "tests/", "benches/", "fuzz/"].iter().flat_map(|room| sources(room))
    {
        let begins = ["//! ", "#![doc = include_str!("].iter().any(|start| text.starts_with(start));
        assert!(begins, "{path}");
    }
}

#[test]
fn no_file_is_too_long() {
    for (path, text) in
        ["jit/", "src/", "tests/", "benches/", "fuzz/"].iter().flat_map(|room| sources(room))
    {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{path} has {lines} lines");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a room, by their path from the root, in order.
fn files(room: &str) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    let mut todo: Vec<PathBuf> = vec![root().join(room)];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            // What tools leave behind is not ours.
            let ours = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let left = ["target", "corpus", "artifacts", "node_modules"];
                (!name.starts_with('.') || name == ".ci") && !left.contains(&&*name)
            };
            todo.extend(
                fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).filter(ours),
            );
        } else {
            let relative = path.strip_prefix(root()).unwrap();
            files.insert(relative.to_string_lossy().replace('\\', "/"));
        }
    }
    files
}

/// The Rust files of a room, by their path from the root, in order.
fn sources(room: &str) -> Vec<(String, String)> {
    let files = files(room).into_iter().filter(|path| path.ends_with(".rs"));
    let with_text = |path: String| {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        (path, text)
    };
    files.map(with_text).collect()
}

/// The words of the code of every file, by its path.
fn vocabulary() -> &'static BTreeMap<String, BTreeSet<String>> {
    static FILES: OnceLock<BTreeMap<String, BTreeSet<String>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let files = ["jit/src/", "src/"].iter().flat_map(|room| sources(room));
        let own = |text: String| words(&code(&text)).map(str::to_owned).collect();
        files.map(|(path, text)| (path, own(text))).collect()
    })
}

fn matches(rule: &str, word: &str) -> bool {
    match rule.strip_suffix('*') {
        Some(part) => word.to_lowercase().contains(part),
        None => word == rule,
    }
}

#[test]
fn a_word_of_a_rule_is_whole_or_a_part() {
    assert!(matches("FP", "FP") && !matches("FP", "FPS"));
    assert!(matches("mutant*", "KilledMutants") && !matches("mutant*", "mutable"));
}
