//! Prefix sums: the sum of any slice of a dictionary from two numbers.

/// Prefix sums of the first half of a dictionary: one more than it has codes. The sum of any slice is a
/// difference of two, and exact, so the order of its elements does not matter. Integers wrap: they are for
/// dictionaries in which no slice has a sum that they cannot hold. The fewer bytes, the less
/// of the cache a sum reads: with f64s, memory decided.
#[derive(Debug)]
pub(crate) enum Prefix {
    Short(Vec<i16>),
    Int(Vec<i32>),
    Float(Vec<f64>),
}

/// A number type in which prefix sums are kept.
pub(crate) trait Total: Copy {
    /// The sum from one place to another.
    fn between(first: Self, end: Self) -> f64;
}

impl Total for i16 {
    #[inline(always)]
    fn between(first: i16, end: i16) -> f64 {
        f64::from(end.wrapping_sub(first))
    }
}

impl Total for i32 {
    #[inline(always)]
    fn between(first: i32, end: i32) -> f64 {
        f64::from(end.wrapping_sub(first))
    }
}

impl Total for f64 {
    #[inline(always)]
    fn between(first: f64, end: f64) -> f64 {
        end - first
    }
}

impl Prefix {
    /// The sum of a slice of either half.
    pub(crate) fn sum(&self, start: u32, len: u32) -> f64 {
        fn sum<T: Total>(totals: &[T], start: u32, len: u32) -> f64 {
            let start = start.min(2 * (totals.len() as u32 - 1) - start - len) as usize;
            T::between(totals[start], totals[start + len as usize])
        }
        match self {
            Prefix::Short(totals) => sum(totals, start, len),
            Prefix::Int(totals) => sum(totals, start, len),
            Prefix::Float(totals) => sum(totals, start, len),
        }
    }
}
