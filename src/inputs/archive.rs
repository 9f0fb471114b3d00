//! Decides which inputs are worth keeping: first those that do what no other does, then a fair share of the rest.
//!
//! A call has *traits*: each side that it takes with a rough count, the combination of all sides, how the
//! call ends, and the classes of its outputs. An input that shows a new trait is kept. All others go into
//! *cells* of calls that behaved alike, and the places that are left are given to the cells in turn.

use std::collections::{HashMap, HashSet};

use genmorph_jit::Value;

use super::row::{Hash, Row};
use crate::subject::{Outcome, Traces};
use crate::support::seed::Rng;

/// How an input was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Drawn at random, or varied from an input that was.
    Plain,
    /// Made to come near a branch side that is not covered.
    Search,
}

/// The most important new thing that a call showed, least important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum News {
    /// Every trait was seen before.
    #[default]
    None,
    /// A new combination of sides.
    Path,
    /// A new class of outputs, a new outcome, or a new count for a known side.
    Trait,
    /// A side that no call had taken.
    Side,
}

/// An input with what is known about its call.
#[derive(Clone, Debug)]
struct Entry {
    row: Row,
    news: News,
    returned: bool,
    /// Whether the call used more fuel than the limit.
    costly: bool,
    origin: Origin,
}

/// All inputs seen so far that may be kept.
#[derive(Debug)]
pub(super) struct Archive {
    /// Number of inputs to keep in the end.
    count: usize,
    /// Calls that use more fuel than this are costly.
    fuel: u64,
    entries: Vec<Entry>,
    traits: HashSet<u64>,
    paths: HashSet<u64>,
    /// The cell of each behaviour, and the entries of each cell.
    cells: HashMap<u64, usize>,
    members: Vec<Vec<usize>>,
    /// Entries that showed something new and returned.
    seeds: Vec<usize>,
    /// Number of plain inputs on which the function returned.
    plain: usize,
}

impl Archive {
    pub(super) fn new(count: usize, fuel: u64) -> Archive {
        Archive {
            count,
            fuel,
            entries: Vec::new(),
            traits: HashSet::new(),
            paths: HashSet::new(),
            cells: HashMap::new(),
            members: Vec::new(),
            seeds: Vec::new(),
            plain: 0,
        }
    }

    /// Adds an input, whose call is one row of the traces, and returns what was new about it.
    pub(super) fn add(&mut self, input: &Row, traces: &Traces, row: usize, origin: Origin) -> News {
        let returned = traces.outcomes.is_returned(row);
        let (mut news, path) = self.sides(traces.hits(row));
        let outputs = self.outputs(input, traces, row);
        news = news.max(outputs.0);
        // Loops over data have endlessly many paths: only a quarter of the places is for new paths.
        if self.paths.len() < self.count / 4 && self.paths.insert(path) {
            news = news.max(News::Path);
        }
        let id = self.entries.len();
        let mut cell = Hash::default();
        cell.add(path);
        cell.add(outputs.1);
        let known = self.cells.len();
        let mut stored = news > News::None;
        if returned {
            let most = 2 * self.count / (known + 1) + 4;
            let next = if known < self.count { known } else { 0 };
            let cell = *self.cells.entry(cell.get()).or_insert(next);
            if cell == self.members.len() {
                self.members.push(Vec::new());
            }
            let plain = origin == Origin::Plain;
            stored |= plain && self.plain < 2 * self.count;
            if self.members[cell].len() < most {
                self.members[cell].push(id);
                stored = true;
            }
            self.plain += usize::from(plain);
            if news > News::None {
                self.seeds.push(id);
            }
        }
        if stored {
            let costly = traces.outcomes.fuel()[row] > self.fuel;
            self.entries.push(Entry { row: input.clone(), news, returned, costly, origin });
        }
        news
    }

    /// Notes which sides a call took, and how often; returns the news and a hash of this combination of sides.
    fn sides(&mut self, hits: &[u32]) -> (News, u64) {
        let mut news = News::None;
        let mut path = Hash::default();
        for (side, &hits) in hits.iter().enumerate().filter(|(_, hits)| **hits > 0) {
            path.add(side as u64);
            // 1, 2, 3-4, 5-8, …
            let bucket = u64::from(32 - (hits - 1).leading_zeros());
            let side = (side as u64) << 8;
            if self.traits.insert(side | 255) {
                news = News::Side;
            }
            if self.traits.insert(side | bucket) {
                news = news.max(News::Trait);
            }
        }
        (news, path.get())
    }

    /// Notes how a call ended, and the classes of its outputs; returns the news and a hash of their combination.
    fn outputs(&mut self, input: &Row, traces: &Traces, row: usize) -> (News, u64) {
        let mut news = News::None;
        let mut all = Hash::default();
        let mut note = |a: u64, b: u64| {
            let mut class = Hash::default();
            [1, a, b].into_iter().for_each(|number| class.add(number));
            if self.traits.insert(class.get()) {
                news = News::Trait;
            }
        };
        let outcome = traces.outcomes.outcomes()[row];
        if outcome != Outcome::Returned {
            let name = outcome.to_string();
            note(0, name.bytes().fold(0, |sum, byte| sum * 31 % 1_000_003 + u64::from(byte)));
            return (news, 0);
        }
        for (i, output) in traces.outcomes.row(row).enumerate() {
            let place = 16 * (i as u64 + 1);
            note(place, class(&output));
            all.add(coarse_class(&output));
            if let Some(same) = input.iter().position(|input| *input == output) {
                note(place + 1, same as u64);
                all.add(same as u64);
            }
            if let Value::Seq(output) = &output {
                let shapes = input.iter().enumerate().filter_map(|(j, input)| match input {
                    Value::Seq(input) => Some((j, output.len().cmp(&input.len()) as i8 + 1)),
                    Value::Num(_) | Value::Bool(_) => None,
                });
                shapes.for_each(|(j, order)| note(place + 2, (4 * j) as u64 + order as u64));
            }
        }
        (news, all.get())
    }

    /// Number of plain inputs on which the function returned.
    pub(super) fn plain(&self) -> usize {
        self.plain
    }

    /// An input to vary: one that showed something new, or one from a random cell, so that rare behaviour
    /// gets as many neighbours as common behaviour. `None` if no call has returned.
    pub(super) fn parent(&self, rng: &mut Rng) -> Option<&Row> {
        let id = if self.members.is_empty() || (rng.chance(0.5) && !self.seeds.is_empty()) {
            (!self.seeds.is_empty()).then(|| rng.pick(&self.seeds))
        } else {
            let cell = rng.below(self.members.len());
            Some(rng.pick(&self.members[cell]))
        };
        id.map(|id| &self.entries[id].row)
    }

    /// Chooses at most `room` inputs to keep, without those that the user supplied. At most one input fails
    /// for every four that return.
    pub(super) fn choose(&self, supplied: &HashSet<u64>, room: usize) -> Vec<Row> {
        let fresh = |id: &usize| !supplied.contains(&super::row::key(&self.entries[*id].row));
        let mut failing: Vec<usize> = (0..self.entries.len())
            .filter(|&id| !self.entries[id].returned && self.entries[id].news > News::None)
            .filter(fresh)
            .collect();
        // The most important news first; the sort is stable, so earlier inputs win ties.
        failing.sort_by_key(|&id| std::cmp::Reverse(self.entries[id].news));
        failing.truncate(room / 5);
        let room = room - failing.len();
        let mut chosen = Vec::new();
        let mut taken = vec![false; self.entries.len()];
        let mut take = |id: usize, chosen: &mut Vec<usize>| {
            if chosen.len() < room && !std::mem::replace(&mut taken[id], true) && fresh(&id) {
                chosen.push(id);
            }
        };
        let mut news: Vec<usize> = self.seeds.clone();
        news.sort_by_key(|&id| std::cmp::Reverse(self.entries[id].news));
        let cheap = |id: &usize| !self.entries[*id].costly;
        let telling = |id: &usize| cheap(id) || self.entries[*id].news == News::Side;
        news.into_iter().filter(telling).for_each(|id| take(id, &mut chosen));
        // Every mutant runs on every input, with ten times the fuel: costly inputs are used only where
        // there are few others.
        for (costly, most) in [(false, room), (true, room / 10)] {
            let wanted = |id: &usize| self.entries[*id].costly == costly;
            let mut cells = self.in_turn().filter(wanted);
            let mut plain = (0..self.entries.len()).filter(wanted).filter(|&id| {
                self.entries[id].returned && self.entries[id].origin == Origin::Plain
            });
            while chosen.len() < most {
                let next = [cells.next(), cells.next(), plain.next()];
                next.into_iter().flatten().for_each(|id| take(id, &mut chosen));
                if next == [None; 3] {
                    break;
                }
            }
        }
        failing.truncate(chosen.len() / 4);
        chosen.extend(failing);
        chosen.into_iter().map(|id| self.entries[id].row.clone()).collect()
    }

    /// The members of all cells in turn: the first of each, then the second of each, …
    fn in_turn(&self) -> impl Iterator<Item = usize> {
        let longest = self.members.iter().map(Vec::len).max().unwrap_or(0);
        (0..longest)
            .flat_map(|i| self.members.iter().filter_map(move |members| members.get(i)))
            .copied()
    }
}

/// A rough class of a value, for cells: with a cell per order of magnitude, huge numbers would fill them all.
fn coarse_class(value: &Value<'_>) -> u64 {
    match value {
        Value::Num(number) if number.is_finite() => {
            let sizes = [0.0, 1.0, 16.0, 1_000.0].map(|size| u64::from(number.abs() > size));
            2 * sizes.iter().sum::<u64>() + u64::from(*number < 0.0)
        }
        Value::Num(_) => 100 + class(value),
        Value::Bool(_) => class(value),
        Value::Seq(elements) => elements.len().min(2) as u64,
    }
}

/// The class of a value, for traits.
fn class(value: &Value<'_>) -> u64 {
    match value {
        Value::Bool(truth) => u64::from(*truth),
        Value::Num(number) => magnitude(*number),
        Value::Seq(elements) => {
            let sorted = elements.is_sorted();
            let length = usize::BITS - elements.len().leading_zeros();
            u64::from(2 * length + u32::from(sorted))
        }
    }
}

/// Sign and order of magnitude; 0, 1, -1, NaN and the infinities have classes of their own, and
/// integers differ from fractions.
fn magnitude(number: f64) -> u64 {
    let sign = u64::from(number.is_sign_negative());
    let class = if number.is_nan() {
        return 0;
    } else if number == 0.0 {
        1
    } else if number.abs() == 1.0 {
        2
    } else if number.is_infinite() {
        3
    } else {
        let power = (number.abs().log2().floor() / 2.0).clamp(-40.0, 40.0) + 50.0;
        2 * power as u64 + u64::from(number.fract() == 0.0)
    };
    2 * class + sign
}
