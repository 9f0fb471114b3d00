//! The jars of PIT and of JUnit, by their coordinates.

use std::path::PathBuf;

use crate::subject::jvm::{Coordinates, MavenError, Repositories};

/// PIT: the version of the paper, which has the mutants that group B has.
pub const PIT: [&str; 3] = [
    "org.pitest:pitest:1.7.4",
    "org.pitest:pitest-entry:1.7.4",
    "org.pitest:pitest-command-line:1.7.4",
];
/// JUnit 4.
pub const JUNIT_4: &str = "junit:junit:4.13.2";
/// What JUnit 4 needs.
pub const HAMCREST: &str = "org.hamcrest:hamcrest-core:1.3";
/// JUnit 5 with all that it needs, and a launcher.
pub const JUNIT_5: &str = "org.junit.platform:junit-platform-console-standalone:1.9.3";

/// Jars from the repositories of this machine, or by `mvn`.
///
/// # Errors
/// When one is nowhere to be had.
pub fn fetch(
    coordinates: &[&str],
    repositories: &Repositories,
) -> Result<Vec<PathBuf>, MavenError> {
    let jar = |text: &&str| repositories.jar(&text.parse::<Coordinates>()?);
    coordinates.iter().map(jar).collect()
}
