//! What is noted of a place: mutants, branches, constants, and code that is left alone.

use std::ops::Range;

use super::Survey;
use crate::subject::rule::Rule;
use crate::subject::rust::mutate::inventory::{Candidate, Fork, OpaqueCode};
use crate::subject::rust::mutate::site::{Arm, Insert, InsertOf, Piece, Watch};

impl<'s> Survey<'s> {
    /// The text of something.
    pub(in crate::subject::rust::mutate) fn source(&self, range: &Range<usize>) -> &'s str {
        &self.text[range.clone()]
    }

    /// A mutant that has other text in a place.
    pub(in crate::subject::rust::mutate) fn replace(
        &mut self,
        range: &Range<usize>,
        rule: Rule,
        pieces: Vec<Piece>,
    ) {
        let new = self.written(&pieces);
        let old = self.source(range);
        let change = format!("`{}` instead of `{}`", short(&new), short(old));
        self.arm(range, rule, pieces, new, change, false);
    }

    /// A mutant that has other text in a part of a place.
    pub(in crate::subject::rust::mutate) fn replace_part(
        &mut self,
        range: &Range<usize>,
        part: &Range<usize>,
        rule: Rule,
        text: &str,
    ) {
        let (before, after) = (range.start..part.start, part.end..range.end);
        let text = Piece::Text(text.to_owned());
        self.replace(range, rule, vec![Piece::Source(before), text, Piece::Source(after)]);
    }

    /// A mutant that has another value in place of `gm_v`, the value of an expression.
    pub(super) fn result(&mut self, range: &Range<usize>, code: &str, words: &str) {
        let old = self.source(range);
        let change = format!("{words} instead of returning `{}`", short(old));
        let new = words.replace("returning ", "");
        self.arm(range, Rule::Ret, vec![Piece::Text(code.to_owned())], new, change, true);
    }

    pub(super) fn arm(
        &mut self,
        range: &Range<usize>,
        rule: Rule,
        pieces: Vec<Piece>,
        new: String,
        change: String,
        is_result: bool,
    ) {
        if plain(&new) == plain(self.source(range)) {
            return;
        }
        let number = self.number();
        let site = self.changes.site(range);
        let arms = if is_result { &mut site.results } else { &mut site.arms };
        // The same code twice is one mutant.
        if arms.iter().any(|arm| arm.change == change) {
            return;
        }
        arms.push(Arm { number, rule, pieces, change: change.clone() });
        self.candidate(number, rule, range.clone(), new, change);
    }

    pub(super) fn number(&self) -> u32 {
        self.inventory.candidates.len() as u32 + 1
    }

    pub(super) fn candidate(
        &mut self,
        number: u32,
        rule: Rule,
        range: Range<usize>,
        new: String,
        change: String,
    ) {
        let (line, column) = place(self.text, range.start);
        let (function, file, home) = (self.function.clone(), self.file, self.home);
        self.inventory.candidates.push(Candidate {
            number,
            rule,
            function,
            home,
            file,
            range,
            new,
            change,
            line,
            column,
        });
    }

    /// The text of pieces.
    fn written(&self, pieces: &[Piece]) -> String {
        let parts = pieces.iter().map(|piece| match piece {
            Piece::Source(range) => self.source(range),
            Piece::Text(text) => text,
        });
        parts.collect()
    }

    pub(super) fn insert(&mut self, at: usize, text: String) {
        self.changes.inserts.push(Insert { at: at..at, text, of: InsertOf::Function });
    }

    pub(super) fn fork(&mut self, at: usize) -> usize {
        let (line, column) = place(self.text, at);
        let (function, file, home) = (self.function.clone(), self.file, self.home);
        self.inventory.forks.push(Fork { function, home, file, at, line, column });
        self.inventory.forks.len() - 1
    }

    pub(in crate::subject::rust::mutate) fn constant(&mut self, value: f64) {
        *self.inventory.constants.entry((self.home, value.to_bits())).or_default() += 1;
    }

    pub(super) fn opaque(&mut self, what: String, span: proc_macro2::Span) {
        let (home, file, line) = (self.home, self.file, span.start().line);
        self.inventory.opaque.push(OpaqueCode { what, home, file, line });
    }

    pub(super) fn watch(&mut self, range: &Range<usize>, watch: Watch) {
        if self.in_condition {
            self.changes.site(range).watch = Some(watch);
        }
    }
}

/// The line and column of a byte, counted from 1.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line as u32, before[start..].chars().count() as u32 + 1)
}

/// On one line, and not too long.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST {
        line
    } else {
        line.chars().take(MOST).chain(['…']).collect()
    }
}

/// A text without spaces, so that layout makes no difference.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}
