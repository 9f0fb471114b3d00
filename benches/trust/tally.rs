//! Results of the bench: a line for each function and seed in a file, so that a run that was ended goes on where it was.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

/// Relations that were reported, and how many of them the judge refuted.
#[derive(Clone, Copy, Default)]
pub struct Count {
    pub reported: u64,
    pub refuted: u64,
}

impl Count {
    pub fn add(&mut self, other: Count) {
        self.reported += other.reported;
        self.refuted += other.refuted;
    }

    /// The largest share of false relations that these counts do not speak against, with a confidence of 95 %: one-sided, by Clopper and
    /// Pearson.
    pub fn bound(self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        if self.reported == 0 || self.refuted >= self.reported {
            return 1.0;
        }
        for _ in 0..60 {
            let share: f64 = (low + high) / 2.0;
            if at_most(self.refuted, self.reported, share) > 0.05 {
                low = share;
            } else {
                high = share;
            }
        }
        high
    }
}

/// The probability of at most `k` of `n`, each with this probability.
fn at_most(k: u64, n: u64, share: f64) -> f64 {
    let mut term = n as f64 * (1.0 - share).ln();
    let mut sum = term.exp();
    for i in 0..k {
        term += ((n - i) as f64 / (i + 1) as f64).ln() + (share / (1.0 - share)).ln();
        sum += term.exp();
    }
    sum
}

/// The file of results, and what it has.
pub struct Results {
    path: PathBuf,
    pub counts: BTreeMap<(String, u64), Count>,
}

impl Results {
    /// Reads a file of results, if it is there. Lines that were cut off are done again.
    pub fn open(path: PathBuf) -> Results {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let line = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, seed, reported, refuted] = fields[..] else { return None };
            let count = Count { reported: reported.parse().ok()?, refuted: refuted.parse().ok()? };
            Some(((name.to_owned(), seed.parse().ok()?), count))
        };
        Results { path, counts: text.lines().filter_map(line).collect() }
    }

    /// Adds a result and writes it down at once.
    pub fn add(&mut self, name: &str, seed: u64, count: Count) {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .expect("the file of results can be written");
        writeln!(file, "{name}\t{seed}\t{}\t{}", count.reported, count.refuted)
            .expect("the file of results can be written");
        self.counts.insert((name.to_owned(), seed), count);
    }
}
