//! What a test file brings along: the functions that it calls, and those that they call.

use std::collections::BTreeSet;

/// A function that a test file of some language can bring along. They are written in their order.
pub trait Calls: Ord + Sized {
    /// The one that compares two numbers.
    const EQ: Self;

    /// The other one that it calls, if it does.
    fn calls(&self) -> Option<Self>;
}

/// The helpers that a test file needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helpers<H>(BTreeSet<H>);

impl<H> Default for Helpers<H> {
    fn default() -> Self {
        Helpers(BTreeSet::new())
    }
}

impl<H: Calls> Helpers<H> {
    /// Notes a helper, and those that it calls.
    pub fn need(&mut self, helper: H) {
        if let Some(called) = helper.calls() {
            self.need(called);
        }
        self.0.insert(helper);
    }

    /// Whether numbers are compared.
    pub fn compare(&self) -> bool {
        self.0.contains(&H::EQ)
    }

    /// All of them, in the order in which they are written.
    pub(super) fn iter(&self) -> impl Iterator<Item = &H> {
        self.0.iter()
    }
}
