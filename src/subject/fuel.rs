//! How much fuel a mutant may use, given what the original used on the same row.
//!
//! The only place with this rule. A mutant that needs more is taken to loop, so the limit has to be generous;
//! but every mutant that really loops uses up the whole limit.

use super::Deadline;

/// Where time is limited, a mutant gets more than this only if it needs it to do twice what the original does: no single call may
/// take all the time.
const TIMED: u64 = 10_000_000;

/// An upper bound for fuel that no call reaches.
const MOST: u64 = 1 << 62;

/// A linear limit: `factor` times the fuel of the original, plus `extra`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FuelRule {
    factor: u64,
    extra: u64,
}

impl FuelRule {
    /// WebAssembly and Rust: the fuel of a row depends on the row alone.
    pub(super) const PLAIN: FuelRule = FuelRule { factor: 10, extra: 500 };

    /// Java: a mutant is loaded again for every batch, so its first rows also pay for the static initialisers
    /// of the classes that they use, which have already run when the fuel of the original is measured.
    pub(super) const WITH_INITIALISERS: FuelRule = FuelRule { factor: 20, extra: 2_000 };

    /// The fuel of a mutant where the original used `original`.
    pub(super) fn limit(self, original: u64) -> u64 {
        original.saturating_mul(self.factor).saturating_add(self.extra)
    }

    /// The same for a call that may have a deadline.
    pub(super) fn within(self, original: u64, deadline: &Deadline) -> u64 {
        let limit = self.limit(original);
        match deadline.is_timed() {
            true => limit.min(TIMED.max(original.saturating_mul(2).saturating_add(self.extra))),
            false => limit,
        }
        .min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::FuelRule;

    #[test]
    fn the_limit_is_a_multiple_and_some_more_and_does_not_overflow() {
        assert_eq!(FuelRule::PLAIN.limit(7), 570);
        assert_eq!(FuelRule::WITH_INITIALISERS.limit(7), 2_140);
        assert_eq!(FuelRule::PLAIN.limit(u64::MAX), u64::MAX);
    }
}
