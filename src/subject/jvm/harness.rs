//! The Java side of a worker: its source is part of this program, and compiled once on each machine.
//!
//! The compiled classes are kept in a folder that is named by the hash of the source. They appear there at once and
//! whole, so that several processes may need them at the same time. Knows nothing of what the harness does.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::JvmError;
use super::jdk::Jdk;
use crate::support::hash::fnv;

/// The sources of the harness: name and text.
const SOURCES: [(&str, &str); 9] = [
    ("Batch.java", include_str!("harness/gm/Batch.java")),
    ("Channel.java", include_str!("harness/gm/Channel.java")),
    ("Column.java", include_str!("harness/gm/Column.java")),
    ("In.java", include_str!("harness/gm/In.java")),
    ("Library.java", include_str!("harness/gm/Library.java")),
    ("Out.java", include_str!("harness/gm/Out.java")),
    ("Rt.java", include_str!("harness/gm/Rt.java")),
    ("Version.java", include_str!("harness/gm/Version.java")),
    ("Worker.java", include_str!("harness/gm/Worker.java")),
];

/// Flags of the compiler. Texts are put together without `invokedynamic`, which a JVM is slow to set up
/// at every start.
const FLAGS: [&str; 7] =
    ["--release", "17", "-proc:none", "-g:none", "-nowarn", "-XDstringConcat=inline", "-d"];

/// The folder with the classes of the harness; compiles them if they are not there.
///
/// # Errors
/// When the folder cannot be written, or the compiler fails.
pub fn install(jdk: &Jdk, cache: &Path) -> Result<PathBuf, JvmError> {
    let folder = cache.join(format!("harness-{:016x}", hash()));
    if whole(&folder) {
        return Ok(folder);
    }
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = cache.join(format!(".harness-{}-{number}", process::id()));
    let result = compile(jdk, &beside, &folder);
    // What is left of it is of no use to anyone; if it cannot be removed, it does no harm.
    let _ = fs::remove_dir_all(&beside);
    result.map(|()| folder)
}

fn compile(jdk: &Jdk, beside: &Path, folder: &Path) -> Result<(), JvmError> {
    let io = |source| JvmError::Cache { folder: folder.to_owned(), source };
    let classes = beside.join("classes");
    fs::create_dir_all(&classes).map_err(io)?;
    let mut command = Command::new(&jdk.javac);
    command.args(FLAGS).arg(&classes).stdin(Stdio::null());
    for (name, text) in SOURCES {
        let path = beside.join(name);
        fs::write(&path, text).map_err(io)?;
        command.arg(path);
    }
    let failed = |message| JvmError::Compiler { javac: jdk.javac.clone(), message };
    let output = command.output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()));
    }
    publish(&classes, folder).map_err(io)
}

/// Gives finished classes their name.
fn publish(classes: &Path, folder: &Path) -> io::Result<()> {
    for _ in 0..3 {
        match fs::rename(classes, folder) {
            Ok(()) => return Ok(()),
            // Somebody else was faster.
            Err(_) if whole(folder) => return Ok(()),
            // Somebody took classes out of it.
            Err(_) if folder.is_dir() => fs::remove_dir_all(folder)?,
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("another process keeps removing it"))
}

/// Whether all classes are there.
fn whole(folder: &Path) -> bool {
    let class = |(name, _): &(&str, &str)| folder.join("gm").join(name.replace(".java", ".class"));
    SOURCES.iter().all(|source| class(source).is_file())
}

/// FNV-1a of all that decides what the classes are.
fn hash() -> u64 {
    let texts = SOURCES.iter().flat_map(|(name, text)| [*name, *text]).chain(FLAGS);
    fnv(texts.flat_map(|text| text.bytes().chain([0])))
}
