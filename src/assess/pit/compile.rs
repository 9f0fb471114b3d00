//! Compiles test classes as users of Java 8 would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{PitError, at, joined};
use crate::export::java::Suite;
use crate::subject::jvm::Jdk;

/// Writes the sources of test classes into a folder, and compiles them there.
///
/// # Errors
/// When files cannot be written, or the compiler refuses the sources.
pub fn compile(
    jdk: &Jdk,
    suites: &[&Suite],
    classpath: &[PathBuf],
    folder: &Path,
) -> Result<(), PitError> {
    let mut command = Command::new(&jdk.javac);
    let entries: Vec<&PathBuf> = classpath.iter().collect();
    // Java 11 is the latest release that compiles for Java 8 without a warning.
    command.args(["--release", "8", "-Xlint:-options", "-proc:none", "-nowarn", "-cp"]);
    command.arg(joined(&entries)?).arg("-d").arg(folder);
    fs::create_dir_all(folder).map_err(at(folder))?;
    for suite in suites {
        let path = folder.join(&suite.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        fs::write(&path, &suite.source).map_err(at(&path))?;
        command.arg(path);
    }
    let output = command.stdin(Stdio::null()).output().map_err(at(&jdk.javac))?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    Err(PitError::Compiler { javac: jdk.javac.clone(), message })
}
