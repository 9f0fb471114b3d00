//! How good a relation is, and the two orders by which populations judge.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// How good a relation is. Less is better in everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// False positives: correct rows where the relation is false.
    pub fp: u32,
    /// False negatives: incorrect rows where it is true.
    pub fn_: u32,
    /// What the false negatives weigh: this is what the orders compare.
    pub(crate) missed: u64,
    /// The number of nodes of the relation.
    pub size: u16,
    /// The soft constraint: both variables of some output occur in it.
    pub related: bool,
}

/// What a population asks for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Fewer false positives, then fewer false negatives, then fewer nodes.
    Fp,
    /// Fewer false negatives, then fewer false positives, then fewer nodes.
    Fn,
}

impl Order {
    /// The populations, in order.
    pub const BOTH: [Order; 2] = [Order::Fp, Order::Fn];

    /// Compares two relations: the better one is less.
    #[inline]
    pub fn compare(self, a: &Score, b: &Score) -> Ordering {
        let key = |s: &Score| {
            let fp = u64::from(s.fp);
            let (first, second) = match self {
                Order::Fp => (fp, s.missed),
                Order::Fn => (s.missed, fp),
            };
            (first, second, s.size)
        };
        key(a).cmp(&key(b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fp: u32, fn_: u32, size: u16) -> Score {
        Score { fp, fn_, missed: u64::from(fn_), size, related: true }
    }

    #[test]
    fn each_order_asks_for_its_own_first_and_size_decides_last() {
        let (alarms, misses) = (score(1, 0, 3), score(0, 9, 3));
        assert_eq!(Order::Fp.compare(&misses, &alarms), Ordering::Less);
        assert_eq!(Order::Fn.compare(&alarms, &misses), Ordering::Less);
        for order in Order::BOTH {
            assert_eq!(order.compare(&score(1, 2, 3), &score(1, 2, 4)), Ordering::Less);
            assert_eq!(order.compare(&alarms, &alarms), Ordering::Equal);
        }
    }
}
