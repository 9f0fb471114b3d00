//! How much fuel a mutant may spend, given what the original spent on the same row.
//!
//! The only place that has the rule. A mutant that needs more is taken to loop, so the limit has to be generous, but every
//! unit of it is paid for by each mutant that really loops.

/// A linear limit: so many times the fuel of the original, and some more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FuelRule {
    factor: u64,
    extra: u64,
}

impl FuelRule {
    /// WebAssembly and Rust: what a row spends depends on the row alone.
    pub(super) const PLAIN: FuelRule = FuelRule { factor: 10, extra: 500 };

    /// Java: a mutant is loaded anew for every batch, so its first rows also pay for the static initialisers of the classes
    /// that they use, which the original has behind it when its fuel is measured.
    pub(super) const WITH_INITIALISERS: FuelRule = FuelRule { factor: 20, extra: 2_000 };

    /// What a mutant may spend where the original spent `original`.
    pub(super) fn limit(self, original: u64) -> u64 {
        original.saturating_mul(self.factor).saturating_add(self.extra)
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
