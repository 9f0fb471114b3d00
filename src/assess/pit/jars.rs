//! The jars of PIT and JUnit, by their Maven coordinates.

use std::path::PathBuf;

use crate::subject::jvm::{Coordinates, MavenError, Repositories};

/// PIT in the version of the paper, whose mutants are those of group B.
pub const PIT: [&str; 3] = [
    "org.pitest:pitest:1.7.4",
    "org.pitest:pitest-entry:1.7.4",
    "org.pitest:pitest-command-line:1.7.4",
];
/// JUnit 4, without the Hamcrest jar that it needs.
pub const JUNIT_4: &str = "junit:junit:4.13.2";
/// Hamcrest, which JUnit 4 needs.
pub const HAMCREST: &str = "org.hamcrest:hamcrest-core:1.3";
/// JUnit 5 with all its dependencies, and a launcher.
pub const JUNIT_5: &str = "org.junit.platform:junit-platform-console-standalone:1.9.3";

/// Finds jars in the local repositories, or downloads them with `mvn`.
///
/// # Errors
/// When a jar cannot be found or downloaded.
pub fn fetch(
    coordinates: &[&str],
    repositories: &Repositories,
) -> Result<Vec<PathBuf>, MavenError> {
    let jar = |text: &&str| repositories.jar(&text.parse::<Coordinates>()?);
    coordinates.iter().map(jar).collect()
}
