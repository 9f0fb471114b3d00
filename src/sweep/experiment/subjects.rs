//! The methods of the paper's table, and WebAssembly functions that resemble some of them.
//!
//! They are part of the program, so that the experiment can be repeated wherever the program runs.

/// A function of the experiment.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name of the method in the paper's table.
    pub method: &'static str,
    /// The name of its definition file.
    pub definition: &'static str,
    /// Path and content of each of its files.
    pub files: &'static [(&'static str, &'static str)],
}

macro_rules! methods {
    ($($name:literal),* $(,)?) => {
        &[$(Example {
            method: $name,
            definition: concat!($name, ".toml"),
            files: &[(concat!($name, ".toml"), include_str!(concat!("../../../tests/subjects/paper/", $name, ".toml")))],
        }),*]
    };
}

macro_rules! embedded {
    ($($method:literal: $name:literal),* $(,)?) => {
        &[$(Example {
            method: $method,
            definition: concat!($name, "/subject.toml"),
            files: &[
                (concat!($name, "/subject.toml"), include_str!(concat!("../../../tests/subjects/", $name, "/subject.toml"))),
                (concat!($name, "/", $name, ".wat"), include_str!(concat!("../../../tests/subjects/", $name, "/", $name, ".wat"))),
            ],
        }),*]
    };
}

/// The 23 methods, in the order of the table. They need a JVM and their libraries.
pub const METHODS: &[Example] = methods![
    "nextPrime",
    "isPrime",
    "gcd",
    "pow",
    "stirling",
    "acos",
    "log10",
    "sin",
    "sinh",
    "tan",
    "abbreviate",
    "capitalize",
    "center",
    "difference",
    "isSorted",
    "indexOf",
    "join",
    "meanOf",
    "min",
    "padStart",
    "repeat",
    "sort",
    "truncate",
];

/// WebAssembly functions that resemble 16 of the methods and need no JVM. Their mutants are not PIT's, so
/// their scores can be compared with each other but not with the paper's.
pub const EMBEDDED: &[Example] = embedded![
    "nextPrime": "next_prime",
    "isPrime": "is_prime",
    "gcd": "gcd",
    "pow": "pow",
    "stirling": "stirling2",
    "log10": "log10",
    "sin": "sin",
    "capitalize": "capitalise",
    "isSorted": "is_sorted",
    "indexOf": "index_of",
    "meanOf": "mean",
    "min": "min",
    "padStart": "pad_start",
    "repeat": "repeat",
    "sort": "sort_range",
    "truncate": "truncate",
];

#[cfg(test)]
mod tests {
    use super::super::published;
    use super::*;

    #[test]
    fn the_methods_are_those_of_the_table() {
        let published = published().into_iter().map(|row| row.method);
        assert!(published.eq(METHODS.iter().map(|example| example.method.to_owned())));
        let is_known = |example: &&Example| METHODS.iter().any(|m| m.method == example.method);
        assert_eq!(EMBEDDED.iter().filter(is_known).count(), 16);
    }
}
