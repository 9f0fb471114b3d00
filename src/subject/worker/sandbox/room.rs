//! A temporary folder for one worker: the only place where it can write. It is removed with the worker.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// A temporary folder that nobody else can look into.
#[derive(Debug)]
pub(in crate::subject::worker) struct Room {
    path: PathBuf,
}

impl Room {
    /// Makes a new folder.
    pub(in crate::subject::worker) fn new() -> io::Result<Room> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = std::path::absolute(std::env::temp_dir())?;
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("genmorph-worker-{}-{number}", process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Room { path }),
                // Another process had the same number, on another day or in another container.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => {
                    let message = format!("cannot make the folder {}: {error}", path.display());
                    return Err(io::Error::new(error.kind(), message));
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // The system empties its folder for temporary files, should this fail.
        let _ = fs::remove_dir_all(&self.path);
    }
}
