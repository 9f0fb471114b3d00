//! A share of the units, for one task.
//!
//! Units with the same subject, settings and seed share their preparation, so they stay together as long as
//! there are enough such groups for all shards. Groups are dealt in turn, so that every shard gets about as
//! much of every subject.

use std::fmt;
use std::str::FromStr;

use super::unit::Unit;

/// Shard `k` of `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, counted from 0.
    place: usize,
    of: usize,
}

/// A text or number that is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The text does not have the form K/N.
    #[error("`{0}` is not a shard: write K/N, such as 3/10, counted from 1")]
    Form(String),
    /// The number is greater than the number of shards.
    #[error("there is no shard {k} of {n}: shards are counted from 1 to {n}")]
    Beyond {
        /// The number of the shard.
        k: usize,
        /// The number of shards.
        n: usize,
    },
}

impl Shard {
    /// The only shard of one, which has all units.
    pub const ALL: Shard = Shard { place: 0, of: 1 };

    /// The shard with this number, counted from 0 as job schedulers do.
    ///
    /// # Errors
    /// When there is no such shard.
    pub fn at(place: usize, of: usize) -> Result<Shard, ShardError> {
        if place < of {
            Ok(Shard { place, of })
        } else {
            Err(ShardError::Beyond { k: place.saturating_add(1), n: of })
        }
    }

    /// Whether the shard has the item at this position if items are dealt in turn.
    pub fn has(self, place: usize) -> bool {
        place % self.of == self.place
    }

    /// The units of this shard, in their order.
    pub fn of(self, units: &[Unit]) -> Vec<&Unit> {
        let groups: Vec<&[Unit]> = units.chunk_by(Unit::is_prepared_like).collect();
        if groups.len() >= self.of {
            groups.into_iter().skip(self.place).step_by(self.of).flatten().collect()
        } else {
            units.iter().skip(self.place).step_by(self.of).collect()
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.place + 1, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let form = || ShardError::Form(text.to_owned());
        let (k, n) = text.split_once('/').ok_or_else(form)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| form());
        let (k, n) = (number(k)?, number(n)?);
        let place = k.checked_sub(1).ok_or(ShardError::Beyond { k, n })?;
        Shard::at(place, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::manifest::tests::small;

    #[test]
    fn shards_have_every_unit_once() {
        let units = small().units;
        for n in 1..=20 {
            let of = |place| Shard::at(place, n).unwrap().of(&units);
            let mut all: Vec<&Unit> = (0..n).flat_map(of).collect();
            all.sort_by_key(|unit| units.iter().position(|other| other == *unit));
            assert!(all.iter().copied().eq(&units), "{n}");
        }
    }

    #[test]
    fn what_is_prepared_together_stays_together_if_it_can() {
        // Six groups of two units.
        let units = small().units;
        let sizes = |n| {
            (0..n).map(|place| Shard::at(place, n).unwrap().of(&units).len()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(4), [4, 4, 2, 2]);
        assert_eq!(sizes(8), [2, 2, 2, 2, 1, 1, 1, 1]);
        let first = Shard::at(0, 4).unwrap().of(&units);
        assert!(first[0].is_prepared_like(first[1]) && first[0].subject != first[2].subject);
    }

    #[test]
    fn a_shard_that_there_is_not_is_refused() {
        assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
        for text in ["5/4", "0/4", "1/0"] {
            assert!(text.parse::<Shard>().unwrap_err().to_string().contains("counted from 1"));
        }
        for text in ["", "3", "a/b", "-1/2", "1/2/3"] {
            assert!(text.parse::<Shard>().unwrap_err().to_string().contains("K/N"), "{text}");
        }
    }
}
