//! Randomness that can be repeated: a seed, and streams of numbers derived from it by name and place.
//!
//! Nobody shares a stream. Whoever needs random numbers derives a stream from where it stands (a name,
//! a generation, a slot), so the numbers do not depend on threads, on order, or on what others
//! drew, and nothing has to be kept to go on later. The generator is written out here: the same
//! seed gives the same numbers with every version of every library.

use std::fmt;

/// The one number that a run is repeated from.
///
/// ```
/// use genmorph::support::seed::Seed;
/// let slot = |slot| Seed(7).stream("evolve").at(3).at(slot).rng();
/// assert_eq!(slot(0).next(), slot(0).next());
/// assert_ne!(slot(0).next(), slot(1).next());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// The stream of this name.
    pub fn stream(self, name: &str) -> Stream {
        let start = Stream(mix(self.0));
        name.bytes().fold(start.at(name.len() as u64), |stream, byte| stream.at(u64::from(byte)))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A place from which random numbers, or further streams, can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream(u64);

impl Stream {
    /// The stream of a numbered place within this one.
    #[inline]
    pub fn at(self, place: u64) -> Stream {
        Stream(mix(self.0 ^ mix(place.wrapping_add(GOLDEN))))
    }

    /// The numbers of this stream.
    #[inline]
    pub fn rng(self) -> Rng {
        Rng(self.0)
    }
}

/// A generator of random numbers: SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, with Stafford's constants).
#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Rng {
    /// Any 64 bits.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "a generator never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// One of `0..bound`.
    ///
    /// # Panics
    /// If the bound is 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is nothing below 0");
        // The high half of the product; its bias is below bound / 2^64.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_never_change() {
        let mut rng = Seed(1).stream("evolve").at(2).rng();
        let numbers = [rng.next(), rng.next()];
        assert_eq!(numbers, [2_060_781_920_761_868_570, 8_412_232_203_036_969_771]);
    }

    #[test]
    fn streams_differ_by_seed_name_and_place() {
        let all = [
            Seed(1).stream("a"),
            Seed(2).stream("a"),
            Seed(1).stream("b"),
            Seed(1).stream("ab"),
            Seed(1).stream("a").at(0),
            Seed(1).stream("a").at(1),
            Seed(1).stream("a").at(0).at(0),
            Seed(1).stream(""),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b), "{i}");
        }
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let mut rng = Seed(5).stream("test").rng();
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[rng.below(10)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        let hits = (0..100_000).filter(|_| rng.chance(0.3)).count();
        assert!((29_000..31_000).contains(&hits), "{hits}");
    }
}
