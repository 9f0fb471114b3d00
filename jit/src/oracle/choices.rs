//! Where the decisions of a generated case come from.

/// A source of decisions: a seed, or the bytes of a fuzzer.
///
/// 0 is always the decision that ends things (the leaf, the empty list, the plain number).
#[derive(Clone, Debug)]
pub struct Choices<'a>(Source<'a>);

#[derive(Clone, Debug)]
enum Source<'a> {
    Bytes(&'a [u8]),
    /// Bytes, and the seed for when they are used up.
    Then(&'a [u8], u64),
    /// The state of splitmix64.
    Seed(u64),
}

impl<'a> Choices<'a> {
    /// Decisions from bytes, a few bits of them at a time; zeros when they are used up.
    pub fn from_bytes(bytes: &'a [u8]) -> Choices<'a> {
        Choices(Source::Bytes(bytes))
    }

    /// Decisions from the bytes of a fuzzer. The first byte says what comes when the others are used up: zeros
    /// if it is 0, which is what the least failing case looks like; else decisions from that seed. Zeros
    /// alone are no test: the bytes of a fuzzer are few, and what is equal to itself is always so.
    pub fn from_fuzzer(bytes: &'a [u8]) -> Choices<'a> {
        match *bytes {
            [] => Choices::from_bytes(&[]),
            [0, ref rest @ ..] => Choices::from_bytes(rest),
            [tail, ref rest @ ..] => Choices(Source::Then(rest, u64::from(tail))),
        }
    }

    /// Decisions without end from a seed.
    pub fn from_seed(seed: u64) -> Choices<'static> {
        Choices(Source::Seed(seed))
    }

    /// Whether there are only zeros to come. A seed never ends.
    pub fn is_exhausted(&self) -> bool {
        matches!(self.0, Source::Bytes([]))
    }

    /// Decisions that are fixed by one decision here: for what is too long to spell out in the bytes
    /// of a fuzzer.
    pub fn fork(&mut self) -> Choices<'static> {
        Choices::from_seed(self.bits(32))
    }

    /// The lowest `count` bits are arbitrary, the others 0.
    pub fn bits(&mut self, count: u32) -> u64 {
        if let Source::Then([], seed) = self.0 {
            self.0 = Source::Seed(seed);
        }
        let all = match &mut self.0 {
            Source::Bytes(bytes) | Source::Then(bytes, _) => {
                let taken = bytes.len().min(count.div_ceil(8) as usize);
                let (head, tail) = bytes.split_at(taken);
                *bytes = tail;
                head.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
            }
            Source::Seed(state) => splitmix64(state),
        };
        if count == 0 { 0 } else { all & (!0 >> (64 - count.min(64))) }
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = n as u64;
        match n {
            0 | 1 => 0,
            2..=256 if !matches!(self.0, Source::Seed(_)) => (self.bits(8) % n) as usize,
            _ => (self.bits(32) % n) as usize,
        }
    }

    /// A number in `low..=high`.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True half of the time.
    pub fn bool(&mut self) -> bool {
        self.below(2) == 1
    }

    /// True one time in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) + 1 == n
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// The index of one of the weights, in proportion to them.
    ///
    /// # Panics
    /// If they are all 0.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        let mut chosen = None;
        for (i, &weight) in weights.iter().enumerate() {
            if left < weight {
                chosen = Some(i);
                break;
            }
            left -= weight;
        }
        chosen.expect("some weight is not 0")
    }
}

fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_up_bytes_decide_zero_for_ever() {
        let mut choices = Choices::from_bytes(&[7, 1]);
        assert_eq!(choices.below(10), 7);
        assert!(choices.bool());
        assert!(choices.is_exhausted());
        assert_eq!(choices.below(10), 0);
        assert_eq!(choices.bits(64), 0);
        assert!(!choices.one_in(2));
        assert_eq!(choices.pick(&[3, 4]), 3);
    }

    #[test]
    fn the_first_byte_of_a_fuzzer_says_what_follows_the_others() {
        let draw = |bytes| {
            let mut choices = Choices::from_fuzzer(bytes);
            (0..50).map(|_| choices.below(10)).collect::<Vec<_>>()
        };
        assert_eq!(draw(&[0, 7, 3])[..4], [7, 3, 0, 0]);
        assert_eq!(draw(&[]), draw(&[0]));
        assert_eq!(draw(&[9, 7, 3])[..2], [7, 3]);
        assert_eq!(draw(&[9])[..48], draw(&[9, 7, 3])[2..]);
        assert!(draw(&[9]).iter().any(|&drawn| drawn > 5));
        assert_ne!(draw(&[9]), draw(&[8]));
    }

    #[test]
    fn a_seed_decides_the_same_every_time_and_reaches_everything() {
        let draw = || {
            let mut choices = Choices::from_seed(1);
            (0..400).map(|_| choices.below(5)).collect::<Vec<_>>()
        };
        assert_eq!(draw(), draw());
        for n in 0..5 {
            assert!(draw().contains(&n));
        }
        let mut choices = Choices::from_seed(2);
        let drawn: Vec<usize> = (0..400).map(|_| choices.weighted(&[1, 0, 3])).collect();
        let count = |n: usize| drawn.iter().filter(|drawn| **drawn == n).count();
        assert_eq!(count(1), 0);
        assert!(count(2) > 2 * count(0));
    }
}
