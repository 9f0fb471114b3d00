//! The lock of an output folder, so that two runs do not mix their files.
//!
//! A file in the folder that the system locks for this process: the lock goes with the process, however it ends. The file is
//! removed when the run ends; one that a killed run has left behind locks nothing.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::whole::cannot;
use super::{Failure, warn};

/// The name of the file.
pub(super) const LOCK: &str = ".genmorph.lock";

/// A folder that this process alone writes into.
#[derive(Debug)]
pub(super) struct Lock {
    folder: PathBuf,
    file: Handle,
}

impl Lock {
    /// Locks a folder, which has to be there.
    ///
    /// # Errors
    /// When another process has locked it, or nothing can be written into it.
    pub(super) fn of(folder: &Path) -> Result<Lock, Failure> {
        let path = folder.join(LOCK);
        let failed = |error: io::Error| cannot("write to", folder, &error);
        loop {
            let mut options = File::options();
            let file = options.write(true).create(true).truncate(false).open(&path);
            let file = file.map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(Failure::Input(format!(
                        "another genmorph is writing to {} just now\n\
                         wait until it has ended, or use -o for another folder",
                        folder.display()
                    )));
                }
                Err(TryLockError::Error(error)) => warn(&format_args!(
                    "{} cannot be locked ({error}): make sure that no other genmorph writes to it",
                    folder.display()
                )),
            }
            let file = Handle::from_file(file).map_err(failed)?;
            let lock = Lock { folder: folder.to_owned(), file };
            // The process that had locked the file before may have removed it meanwhile.
            if lock.is_there() {
                return Ok(lock);
            }
        }
    }

    /// Whether the folder is still the one that was locked.
    fn is_there(&self) -> bool {
        Handle::from_path(self.folder.join(LOCK)).is_ok_and(|there| there == self.file)
    }

    /// Fails if the folder was removed or replaced since it was locked.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.is_there() {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!(
                "{} was removed or replaced during the run, and what was found is lost\n\
                 start again, with -o for a folder that stays",
                self.folder.display()
            ),
        ))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_there() {
            // What is left of it locks nothing.
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
    }
}
