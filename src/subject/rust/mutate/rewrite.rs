//! The source with all its mutants, and which bytes of it belong to which.
//!
//! The versions stand in a `match`, the original first: the other arms have to be of its type, and the compiler says of
//! each that is not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::site::{Arm, Changes, Insert, InsertOf, Piece, Site, Watch};

/// How much of what could be done at a place is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Mutants, and distances of conditions.
    #[default]
    All,
    /// Mutants only: nothing is watched.
    Unwatched,
    /// The place stays as it is.
    Nothing,
}

/// A place of a file that something is done at, by its bytes in the source.
pub(crate) type Place = (usize, usize);

/// The owner of bytes of the rewritten source, who is blamed if the compiler refuses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// A mutant, by its number.
    Mutant(u32),
    /// A place with mutants, but none of them in particular.
    Place(Place),
    /// Code that calls a function, by its number.
    Call(usize),
}

/// A source with mutants.
#[derive(Clone, Debug, Default)]
pub(crate) struct MutatedSource {
    pub(crate) text: String,
    /// By bytes of the text; those within others come first.
    pub(crate) regions: Vec<(Range<usize>, Region)>,
    /// Where pieces of the source begin: in the text, and in the source.
    origins: Vec<(usize, usize)>,
}

/// What is not done of all that could be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cuts {
    /// Mutants that are left out.
    pub(crate) dropped: BTreeSet<u32>,
    /// Functions that stay as they are, by their numbers.
    pub(crate) untouched: BTreeSet<usize>,
    /// Functions that are not called, by their numbers.
    pub(crate) uncalled: BTreeSet<usize>,
}

impl MutatedSource {
    /// Whom bytes belong to: the smallest region around them.
    pub(crate) fn owner(&self, bytes: &Range<usize>) -> Option<&Region> {
        let around = self
            .regions
            .iter()
            .filter(|(region, _)| region.start <= bytes.start && bytes.end <= region.end);
        around.min_by_key(|(region, _)| region.len()).map(|(_, owner)| owner)
    }

    /// The byte of the source that is near a byte of the text.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let next = self.origins.partition_point(|(there, _)| *there <= at);
        let Some((there, from)) = next.checked_sub(1).and_then(|last| self.origins.get(last))
        else {
            return 0;
        };
        // What was put after a piece is near its end.
        let end = self.origins.get(next).map_or(usize::MAX, |(_, from)| *from);
        (from + (at - there)).min(end.max(*from))
    }

    /// The mutants within bytes.
    pub(crate) fn within(&self, bytes: &Range<usize>) -> impl Iterator<Item = u32> {
        self.regions.iter().filter_map(move |(region, owner)| match owner {
            Region::Mutant(number) if bytes.start <= region.start && region.end <= bytes.end => {
                Some(*number)
            }
            _ => None,
        })
    }
}

/// Writes a source with its changes, but for those that are cut and places that are left alone.
pub(crate) fn rewrite(
    text: &str,
    changes: &Changes,
    cuts: &Cuts,
    levels: &BTreeMap<Place, Level>,
) -> MutatedSource {
    let is_touched = |range: &Range<usize>| {
        cuts.untouched.is_empty()
            || changes
                .function_at(range.start)
                .is_none_or(|number| !cuts.untouched.contains(&number))
    };
    let is_there = |insert: &&Insert| match &insert.of {
        InsertOf::Copy => true,
        InsertOf::Call(number) => !cuts.uncalled.contains(number),
        InsertOf::Function | InsertOf::Mutant(_) => is_touched(&insert.at),
    };
    let mut items: Vec<Item<'_>> =
        changes.inserts.iter().filter(is_there).map(Item::Insert).collect();
    let sites = changes.sites.iter().filter(|(range, _)| is_touched(range));
    items.extend(sites.map(|(range, site)| Item::Site(range, site)));
    // What is put somewhere comes before what begins there; what is around something before what is in it.
    items.sort_by_key(|item| {
        let range = item.range();
        (range.start, !matches!(item, Item::Insert(_)), std::cmp::Reverse(range.end))
    });
    let dropped = &cuts.dropped;
    let mut writer = Writer { text, items, dropped, levels, out: MutatedSource::default() };
    writer.emit(0..text.len(), 0, Mode::Full);
    // What comes after the last byte is within nothing.
    let last = changes.inserts.iter().filter(|insert| insert.at.start == text.len());
    for insert in last.filter(is_there) {
        writer.insert(insert, Mode::Full);
    }
    writer.out
}

#[derive(Clone, Copy)]
enum Item<'i> {
    Insert(&'i Insert),
    Site(&'i Range<usize>, &'i Site),
}

impl Item<'_> {
    fn range(&self) -> Range<usize> {
        match self {
            Item::Insert(insert) => insert.at.clone(),
            Item::Site(range, _) => (*range).clone(),
        }
    }
}

/// What is written of changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The switch between all mutants of the place.
    Full,
    /// Those that are in every version: within the arm of a mutant, no other mutant is on.
    Plain,
}

struct Writer<'w> {
    text: &'w str,
    items: Vec<Item<'w>>,
    dropped: &'w BTreeSet<u32>,
    levels: &'w BTreeMap<Place, Level>,
    out: MutatedSource,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    /// Bytes of the source, with the items from this one on that are within them.
    fn emit(&mut self, range: Range<usize>, from: usize, mode: Mode) {
        let mut at = range.start;
        let mut next =
            from.max(self.items.partition_point(|item| item.range().start < range.start));
        while let Some(item) = self.items.get(next).copied() {
            let place = item.range();
            if place.start >= range.end {
                break;
            }
            if place.start >= at && place.end <= range.end {
                self.copied(at..place.start);
                match item {
                    Item::Insert(insert) => self.insert(insert, mode),
                    Item::Site(..) => self.site(next, mode),
                }
                at = place.end;
            }
            next += 1;
        }
        self.copied(at..range.end);
    }

    /// A piece of the source as it is.
    fn copied(&mut self, range: Range<usize>) {
        self.out.origins.push((self.out.text.len(), range.start));
        self.out.text.push_str(&self.text[range]);
    }

    fn insert(&mut self, insert: &Insert, mode: Mode) {
        let start = self.out.text.len();
        match &insert.of {
            InsertOf::Copy | InsertOf::Function => self.push(&insert.text),
            InsertOf::Mutant(arm) => {
                if mode == Mode::Full && !self.dropped.contains(&arm.number) {
                    self.push(&insert.text);
                    self.region(start, Region::Mutant(arm.number));
                }
            }
            InsertOf::Call(number) => {
                self.push(&insert.text);
                self.region(start, Region::Call(*number));
            }
        }
    }

    fn region(&mut self, start: usize, owner: Region) {
        self.out.regions.push((start..self.out.text.len(), owner));
    }

    fn site(&mut self, index: usize, mode: Mode) {
        let Item::Site(range, site) = self.items[index] else { return };
        let range = range.clone();
        let place = (range.start, range.end);
        let level = match mode {
            Mode::Full => self.levels.get(&place).copied().unwrap_or_default(),
            Mode::Plain => Level::Nothing,
        };
        let start = self.out.text.len();
        // What takes fuel stays as long as it can.
        let around = site.around.as_ref().filter(|_| level == Level::All || mode == Mode::Plain);
        if let Some((before, _)) = around {
            self.push(before);
        }
        let watched = level == Level::All;
        let branch = site.branch.filter(|_| watched);
        if let Some(branch) = branch {
            self.push(&format!("crate::__genmorph::branch({branch}, "));
        }
        let live = |arms: &[Arm], dropped: &BTreeSet<u32>| {
            let live =
                arms.iter().filter(|arm| level < Level::Nothing && !dropped.contains(&arm.number));
            live.cloned().collect::<Vec<Arm>>()
        };
        let results = live(&site.results, self.dropped);
        let arms = live(&site.arms, self.dropped);
        if !results.is_empty() {
            self.push(if site.is_macro { "(match ({ " } else { "(match (" });
        }
        let (open, close) = if site.is_statement { ("{ ", " }") } else { ("(", ")") };
        if arms.is_empty() {
            self.base(index, mode, watched);
        } else {
            self.push(if site.is_statement { "" } else { "(" });
            self.push(&format!(
                "match crate::__genmorph::m() {{ gm_k if {} => {open}",
                others(&arms)
            ));
            self.base(index, mode, watched);
            self.push(close);
            for (place, arm) in arms.iter().enumerate() {
                let pattern =
                    if place + 1 == arms.len() { "_".to_owned() } else { arm.number.to_string() };
                self.push(&format!(", {pattern} => "));
                self.arm(arm, open, close);
            }
            self.push(if site.is_statement { " }" } else { " })" });
        }
        if !results.is_empty() {
            self.push(if site.is_macro { " }" } else { "" });
            self.push(&format!(
                ") {{ gm_v => match crate::__genmorph::m() {{ gm_k if {} => gm_v",
                others(&results)
            ));
            for (place, arm) in results.iter().enumerate() {
                let pattern = if place + 1 == results.len() {
                    "_".to_owned()
                } else {
                    arm.number.to_string()
                };
                self.push(&format!(", {pattern} => "));
                self.arm(arm, "(", ")");
            }
            self.push(" } })");
        }
        if branch.is_some() {
            self.push(")");
        }
        if let Some((_, after)) = around {
            self.push(after);
        }
        if mode == Mode::Full {
            self.region(start, Region::Place(place));
        }
    }

    fn arm(&mut self, arm: &Arm, open: &str, close: &str) {
        let start = self.out.text.len();
        self.push(open);
        for piece in &arm.pieces {
            match piece {
                Piece::Source(range) => self.emit(range.clone(), 0, Mode::Plain),
                Piece::Text(text) => self.push(text),
            }
        }
        self.push(close);
        self.region(start, Region::Mutant(arm.number));
    }

    /// The original, with the mutants that are within it.
    fn base(&mut self, index: usize, mode: Mode, watched: bool) {
        let Item::Site(range, site) = self.items[index] else { return };
        let watch = site.watch.as_ref().filter(|_| watched);
        let inner = index + 1;
        match watch {
            None => self.emit(range.clone(), inner, mode),
            Some(Watch::Truth) => {
                self.push("crate::__genmorph::truth(");
                self.emit(range.clone(), inner, mode);
                self.push(")");
            }
            Some(Watch::Not(operand)) => {
                self.push("{ let gm_n = !(");
                self.emit(operand.clone(), inner, mode);
                self.push("); crate::__genmorph::not(); gm_n }");
            }
            Some(Watch::Joined { left, right, is_and }) => {
                self.push("match (");
                self.emit(left.clone(), inner, mode);
                self.push(") { gm_l => { let gm_d = crate::__genmorph::held(); if gm_l { ");
                self.push(if *is_and { "let gm_r = (" } else { "true } else { let gm_r = (" });
                self.emit(right.clone(), inner, mode);
                self.push(if *is_and {
                    "); crate::__genmorph::and(gm_d); gm_r } else { false } } }"
                } else {
                    "); crate::__genmorph::or(gm_d); gm_r } } }"
                });
            }
            Some(Watch::Compared { left, right, op }) => {
                self.push("match (&(");
                self.emit(left.clone(), inner, mode);
                self.push("), &(");
                self.emit(right.clone(), inner, mode);
                let number =
                    ["==", "!=", "<", "<=", ">", ">="].iter().position(|o| o == op).unwrap_or(0);
                self.push(&format!(
                    ")) {{ (gm_l, gm_r) => {{ let gm_c = *gm_l {op} *gm_r; if crate::__genmorph::probing() {{ \
                     use crate::__genmorph::{{Far as _, Near as _}}; crate::__genmorph::compared({number}, \
                     (&crate::__genmorph::Both(gm_l, gm_r)).difference(), gm_c); }} gm_c }} }}"
                ));
            }
        }
    }
}

/// The condition under which none of these mutants is on.
fn others(arms: &[Arm]) -> String {
    let different: Vec<String> = arms.iter().map(|arm| format!("gm_k != {}", arm.number)).collect();
    different.join(" && ")
}
