//! The functions that a test file brings along: those that it calls, and those that they call.
//!
//! Their sources are real files, one per language: `java/Helpers.java`, `rust/helpers.rs`, `python/helpers.py`.

use std::collections::BTreeSet;

use genmorph_jit::Tolerance;

use super::language::Language;
use super::template::fill;

/// The file with the helper functions of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct HelperFile {
    /// The text of the whole file.
    pub(super) source: &'static str,
    /// How a comment begins. The comment `[name type: called]` begins a function.
    pub(super) comment: &'static str,
    /// Blank lines before each function of a test file.
    pub(super) gap: &'static str,
}

/// A function of the file; some are for values of one type, or for a kind of types.
#[derive(Clone, Copy, Debug)]
struct Function {
    name: &'static str,
    ty: &'static str,
    /// The names of those that it calls, with commas between them.
    calls: &'static str,
    text: &'static str,
}

/// The helper functions that a test file needs.
#[derive(Clone, Debug)]
pub struct Helpers {
    /// The language of the test file.
    pub(super) language: &'static Language,
    all: Vec<Function>,
    /// The place of each name in the file, and the type.
    needed: BTreeSet<(usize, String)>,
    /// What is written for the line `// texts` of a helper.
    texts: String,
}

impl Helpers {
    /// The helpers of a language, of which none is needed yet.
    pub fn of(language: &'static Language) -> Helpers {
        let all = language.helpers.functions();
        Helpers { language, all, needed: BTreeSet::new(), texts: String::new() }
    }

    /// Sets the lines that are written for the line `// texts` of a helper.
    pub(super) fn set_texts(&mut self, lines: String) {
        self.texts = lines;
    }

    /// Notes a helper and those that it calls; returns the name of its function.
    ///
    /// # Panics
    /// If the language has no such helper.
    pub fn need(&mut self, name: &str) -> &'static str {
        self.need_for(name, "")
    }

    /// Notes a helper for values of a type, and those that it calls; returns the name of its function.
    pub(super) fn need_for(&mut self, name: &str, ty: &str) -> &'static str {
        let place = self.all.iter().position(|known| known.name == name);
        let place = place.unwrap_or_else(|| panic!("{} has no helper {name}", self.language.name));
        let ty = if self.all[place].ty.is_empty() { "" } else { ty };
        let function = self.function(place, ty);
        self.needed.insert((place, ty.to_owned()));
        for called in function.called() {
            self.need(called);
        }
        function.declared()
    }

    /// The function for a type: the one of that type, or of its kind. `int[]` stands for all arrays, `List<T>` for all lists.
    fn function(&self, place: usize, ty: &str) -> Function {
        let name = self.all[place].name;
        let of = |ty: &str| self.all.iter().find(|known| known.name == name && known.ty == ty);
        let kind = if ty.ends_with("[]") { "int[]" } else { "List<T>" };
        *of(ty).or_else(|| of(kind)).unwrap_or_else(|| panic!("no helper {name} for {ty}"))
    }

    /// Whether numbers are compared, which needs the tolerance.
    pub fn compare(&self) -> bool {
        self.needed.iter().any(|&(place, _)| self.all[place].name == "eq")
    }

    /// The constants of the tolerance, by a template with `{abs}` and `{rel}`; empty if no numbers are compared.
    pub(super) fn tolerance(&self, tolerance: Tolerance, template: &str) -> String {
        if !self.compare() {
            return String::new();
        }
        let [abs, rel] = [tolerance.abs(), tolerance.rel()]
            .map(|number| self.language.literals.double.write(number));
        fill(template, &[("abs", &abs), ("rel", &rel)])
    }

    /// The sources of all helpers, in the order of the file.
    pub fn source(&self) -> String {
        let mut written: Vec<String> = Vec::new();
        for (place, ty) in &self.needed {
            let function = self.function(*place, ty);
            let mut text = function.text.replace("        // texts", &self.texts);
            if let Some(element) = ty.strip_suffix("[]").filter(|_| function.ty == "int[]") {
                text = text.replace("int[", &format!("{element}["));
            }
            // One function may serve several types.
            if !written.contains(&text) {
                written.push(text);
            }
        }
        let gap = self.language.helpers.gap;
        written.iter().map(|text| format!("{gap}{text}\n")).collect()
    }
}

impl HelperFile {
    fn functions(&self) -> Vec<Function> {
        let mut functions: Vec<Function> = Vec::new();
        let mut rest = self.source;
        while let Some((marker, after)) = self.next(rest) {
            let end = self.next(after).map_or(after.len(), |(_, later)| {
                let until = &after[..after.len() - later.len()];
                until.trim_end_matches('\n').rfind('\n').map_or(0, |line| line + 1)
            });
            let (head, calls) = match marker.split_once(": ") {
                Some((head, calls)) => (head, calls),
                None => (marker, ""),
            };
            let (name, ty) = head.split_once(' ').unwrap_or((head, ""));
            functions.push(Function { name, ty, calls, text: after[..end].trim_matches('\n') });
            rest = after;
        }
        // What follows the last function closes the file.
        functions.retain(|function| function.name != "end");
        functions
    }

    /// What the next marker says, and the text after its line.
    fn next(&self, text: &'static str) -> Option<(&'static str, &'static str)> {
        let mut rest = text;
        while let Some((line, after)) = rest.split_once('\n') {
            rest = after;
            let comment = line.trim_start().strip_prefix(self.comment);
            let Some(marker) = comment.and_then(|comment| comment.strip_prefix(" [")) else {
                continue;
            };
            // A remark may follow.
            let marker = marker.split_once("] ").map_or(marker, |(marker, _)| marker);
            return Some((marker.strip_suffix(']').unwrap_or(marker), rest));
        }
        None
    }
}

impl Function {
    /// The helpers that it calls.
    fn called(self) -> impl Iterator<Item = &'static str> {
        self.calls.split(", ").filter(|name| !name.is_empty())
    }

    /// The name that the source gives it.
    fn declared(self) -> &'static str {
        let is_comment = |line: &&str| line.trim_start().starts_with('/');
        let mut lines = self.text.lines().filter(|line| !is_comment(line));
        let before = lines.find_map(|line| line.split_once('(')).map_or("", |(before, _)| before);
        before.rsplit(' ').next().unwrap_or(before)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{java, python, rust};
    use super::*;

    #[test]
    fn a_helper_brings_those_that_it_calls() {
        for (language, begins) in [
            (&java::JAVA, ["boolean eq(double a", "boolean le(", "boolean ge(", "boolean lt("]),
            (&rust::RUST, ["fn eq(a: f64", "fn le(", "fn ge(", "fn lt("]),
            (&python::PYTHON, ["def eq(a", "def le(", "def ge(", "def lt("]),
        ] {
            let mut helpers = Helpers::of(language);
            assert_eq!(helpers.need("ge"), "ge");
            let source = helpers.source();
            let has = begins.map(|begin| source.contains(begin));
            assert_eq!(has, [true, true, true, false], "{source}");
            assert!(helpers.compare());
        }
    }

    #[test]
    fn helpers_are_written_as_the_file_has_them() {
        let mut helpers = Helpers::of(&python::PYTHON);
        assert_eq!((helpers.need("to_text"), helpers.need("sum")), ("to_text", "total"));
        let source = helpers.source();
        assert!(source.starts_with("\n\ndef total(s):\n"), "{source}");
        assert!(source.contains("\n\n\ndef index(n):\n"), "{source}");
        assert!(source.ends_with("str(index(n))]\n"), "{source}");
        assert!(!helpers.compare());
    }

    #[test]
    fn lists_of_all_numbers_share_one() {
        let mut helpers = Helpers::of(&java::JAVA);
        for ty in ["List<Integer>", "List<Long>", "List<Boolean>", "short[]"] {
            helpers.need_for("seq", ty);
            helpers.need_for("whole", ty);
        }
        let source = helpers.source();
        assert_eq!(source.matches("double[] seq(").count(), 2, "{source}");
        assert_eq!(source.matches("double[] seq(short[] ").count(), 1, "{source}");
        assert_eq!(source.matches("double[] seqOfBooleans(").count(), 1, "{source}");
        assert_eq!(source.matches(" whole(").count(), 2, "{source}");
    }

    #[test]
    fn every_function_calls_what_it_says() {
        for language in [&java::JAVA, &rust::RUST, &python::PYTHON] {
            let all = Helpers::of(language).all;
            assert!(all.len() > 15, "{}", all.len());
            for function in &all {
                let called = |other: &&Function| {
                    let call = format!("{}(", other.declared());
                    let mut calls = function.text.match_indices(&call);
                    let is_name = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
                    calls.any(|(at, _)| !function.text[..at].ends_with(is_name))
                };
                let others = all.iter().filter(|other| other.declared() != function.declared());
                let calls: BTreeSet<&str> = others.filter(called).map(|f| f.name).collect();
                let said = function.called().filter(|name| !name.starts_with("eq")).collect();
                let calls: BTreeSet<&str> =
                    calls.into_iter().filter(|name| !name.starts_with("eq")).collect();
                assert_eq!(calls, said, "{}: {}", language.name, function.text);
            }
        }
    }
}
