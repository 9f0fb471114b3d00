//! Which module uses which: the `mod` declarations of a crate followed from its root, and the paths in each file.
//!
//! Code that is compiled for tests only does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::code::{code, tokens, without_tests};

/// A module as a path from the root of its crate.
type Module = Vec<String>;

/// The modules that each room uses, with a file that does.
pub type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// A crate as the test sees it.
pub struct Crate<'a> {
    /// Names by which the crate and others are known in paths, and the module that each stands for.
    pub names: &'a [(&'a str, &'a str)],
    /// Modules whose children are rooms of their own.
    pub divided: &'a [&'a str],
}

impl Crate<'_> {
    /// All edges between the rooms of the modules that a file declares, and of those that they declare.
    pub fn edges(&self, root: &Path, file: &Path, module: &[String]) -> Edges {
        let mut edges = Edges::new();
        let mut todo = vec![(file.to_path_buf(), module.to_vec())];
        while let Some((file, module)) = todo.pop() {
            let text = fs::read_to_string(&file).unwrap();
            let code = code(&text);
            let tokens = without_tests(&tokens(&code));
            let children: Vec<&str> = declared(&tokens).collect();
            let from = self.room(&module);
            let name = file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            for path in paths(&tokens) {
                let Some(used) = self.resolve(&path, &module, &children) else { continue };
                let to = self.room(&used);
                // A module sees the one that it is in: its types are what the module is made of.
                let is_own = from == to || from.starts_with(&format!("{to}::"));
                if !to.is_empty() && !from.is_empty() && !is_own {
                    edges.entry(from.clone()).or_default().entry(to).or_insert(name.clone());
                }
            }
            for child in children {
                let mut inner = module.clone();
                inner.push(child.to_owned());
                todo.push((place(&file, module.is_empty(), child), inner));
            }
        }
        edges
    }

    /// The module that a path leads to, if it leads to one of ours.
    fn resolve(&self, path: &[&str], of: &[String], children: &[&str]) -> Option<Module> {
        let first = *path.first()?;
        let (base, rest) = if let Some((_, module)) = self.names.iter().find(|n| n.0 == first) {
            let base = module.split("::").filter(|part| !part.is_empty()).map(str::to_owned);
            (base.collect(), &path[1..])
        } else if first == "super" {
            let up = path.iter().take_while(|part| **part == "super").count();
            (of[..of.len().saturating_sub(up)].to_vec(), &path[up..])
        } else if first == "self" {
            (of.to_vec(), &path[1..])
        } else if children.contains(&first) {
            (of.to_vec(), path)
        } else {
            return None;
        };
        Some(base.into_iter().chain(rest.iter().map(|&part| part.to_owned())).collect())
    }

    /// The room that a module is in; nothing for the root.
    fn room(&self, module: &[String]) -> String {
        // A constant or a type of the root is in no room.
        let is_module = |name: &&String| name.starts_with(char::is_lowercase);
        let Some(first) = module.first().filter(is_module) else { return String::new() };
        match module.get(1) {
            Some(inner) if self.divided.contains(&&*format!("{first}::{inner}")) => {
                format!("{first}::{inner}")
            }
            _ => first.clone(),
        }
    }
}

/// The modules that a file declares in files of their own.
fn declared<'a>(tokens: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    tokens.windows(3).filter(|three| three[0] == "mod" && three[2] == ";").map(|three| three[1])
}

/// The file of a module that is declared in another.
fn place(parent: &Path, is_root: bool, name: &str) -> PathBuf {
    let folder = if is_root || parent.ends_with("mod.rs") {
        parent.parent().expect("a file is in a folder").to_path_buf()
    } else {
        parent.with_extension("")
    };
    let file = folder.join(format!("{name}.rs"));
    if file.is_file() { file } else { folder.join(name).join("mod.rs") }
}

/// All paths of at least two parts; each branch of `a::{b, c::d}` is a path of its own.
fn paths<'a>(tokens: &[&'a str]) -> BTreeSet<Vec<&'a str>> {
    let mut paths = BTreeSet::new();
    let mut at = 0;
    while at + 1 < tokens.len() {
        // A path does not begin in the middle of another.
        if tokens[at + 1] == "::" && is_word(tokens[at]) {
            at += path(&tokens[at..], &[], &mut paths);
        } else {
            at += 1;
        }
    }
    paths
}

/// Reads the path that tokens begin with, and all its branches; returns how many tokens that took.
fn path<'a>(tokens: &[&'a str], before: &[&'a str], paths: &mut BTreeSet<Vec<&'a str>>) -> usize {
    let mut parts = before.to_vec();
    let mut at = 0;
    while at < tokens.len() && is_word(tokens[at]) {
        parts.push(tokens[at]);
        at += 1;
        if tokens.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    if tokens.get(at) == Some(&"{") && at > 0 && tokens[at - 1] == "::" {
        at += 1;
        while at < tokens.len() && tokens[at] != "}" {
            at += match tokens[at] {
                "as" => 2,
                token if is_word(token) => path(&tokens[at..], &parts, paths),
                _ => 1,
            };
        }
        return at + 1;
    }
    paths.insert(parts);
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// A cycle among edges, if there is one: the rooms on it, in order.
pub fn cycle(edges: &BTreeMap<&str, Vec<&str>>) -> Option<Vec<String>> {
    // What uses no room that is left is done; what is never done is on a cycle, or leads to one.
    let mut left: BTreeSet<&str> = edges.keys().copied().collect();
    let next = |room: &str, left: &BTreeSet<&str>| {
        edges[room].iter().copied().find(|used| left.contains(used)).map(str::to_owned)
    };
    while let Some(done) = left.iter().copied().find(|room| next(room, &left).is_none()) {
        left.remove(done);
    }
    let mut way = vec![(*left.first()?).to_owned()];
    loop {
        let used = next(way.last()?, &left)?;
        if let Some(start) = way.iter().position(|room| *room == used) {
            way.push(used);
            return Some(way.split_off(start));
        }
        way.push(used);
    }
}

#[test]
fn every_branch_of_a_use_is_a_path() {
    let text = "use crate::{a as x, b::{c, d::E}, self}; fn f(x: crate::g::H) -> std::io::Result<()> { super::i() }";
    let tokens = tokens(text);
    let found: Vec<String> = paths(&tokens).into_iter().map(|path| path.join("::")).collect();
    let expected = [
        "crate::a",
        "crate::b::c",
        "crate::b::d::E",
        "crate::g::H",
        "crate::self",
        "std::io::Result",
        "super::i",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_cycle_is_found_and_named() {
    let edges = |list: &[(&'static str, &[&'static str])]| {
        list.iter().map(|(room, used)| (*room, used.to_vec())).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(cycle(&edges(&[("a", &["b"]), ("b", &[]), ("c", &["a", "b"])])), None);
    let found = cycle(&edges(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])])).unwrap();
    assert_eq!(found, ["b", "c", "b"]);
}
