//! Names of what calls throw.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;

/// The class of an exception that a call threw. Small and comparable: names are kept once for the life of the
/// process, which meets few of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thrown(&'static str);

/// Further names are all the same: a subject may make classes as it goes.
const MOST: usize = 4_096;

static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

impl Thrown {
    /// The exception of a name, such as `java.lang.ArithmeticException`.
    pub fn new(name: &str) -> Thrown {
        let mut names = NAMES.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(known) = names.get(name) {
            return Thrown(known);
        }
        if names.len() >= MOST {
            return Thrown("an exception");
        }
        let kept: &'static str = Box::leak(name.into());
        names.insert(kept);
        Thrown(kept)
    }

    /// The full name of the class.
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_equal_and_kept_once() {
        let (a, b) = (Thrown::new("x.Y"), Thrown::new(&String::from("x.Y")));
        assert_eq!(a, b);
        assert!(std::ptr::eq(a.name(), b.name()));
        assert_ne!(a, Thrown::new("x.Z"));
    }
}
