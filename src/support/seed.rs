//! Randomness that can be repeated: a seed, and streams of numbers derived from it by name and place.
//!
//! Nobody shares a stream. Whoever needs random numbers derives a stream from where it stands (a name,
//! a generation, a slot), so the numbers do not depend on threads, on order, or on what others
//! drew, and nothing has to be kept to go on later. The generator is written out here: the same
//! seed gives the same numbers with every version of every library.

use std::convert::Infallible;
use std::fmt;

use rand::rand_core::utils::fill_bytes_via_next_word;
use rand::{RngExt, TryRng};

use super::hash::{GOLDEN, mix};

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

/// A generator of random numbers: SplitMix64. It is a generator of `rand`, too, whose distributions can be drawn from it.
///
/// `below`, `chance` and `pick` are ours: those of `rand` draw other numbers from the same bits, and files of earlier versions
/// are repeated by the numbers that we draw.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl TryRng for Rng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

impl Rng {
    /// The next 64 random bits.
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
        self.random()
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
    fn distributions_of_rand_are_drawn_from_the_same_bits() {
        let rng = || Seed(1).stream("evolve").at(2).rng();
        assert_eq!(rand::Rng::next_u64(&mut rng()), rng().next());
        let unit = (rng().next() >> 11) as f64 / (1_u64 << 53) as f64;
        assert_eq!((rng().unit(), rng().random::<f64>()), (unit, unit));
        let mut bytes = [0; 8];
        rand::Rng::fill_bytes(&mut rng(), &mut bytes);
        assert_eq!(u64::from_le_bytes(bytes), rng().next());
        assert!((1..7).contains(&rng().random_range(1..7)));
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
