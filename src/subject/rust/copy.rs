//! A copy of a package, in which files are changed. The package itself is never touched.
//!
//! The copy is kept under the target folder. Files that are as they should be are not written again, so that what
//! Cargo has built of them stays.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::{self, RustError};
use super::package::Package;
use crate::support::hash::fnv;

/// A copy that is locked against other processes.
#[derive(Debug)]
pub(super) struct Copy {
    /// The folder of the copy.
    pub(super) folder: PathBuf,
    /// Locked as long as it is open.
    _lock: fs::File,
}

/// Where programs are kept, in the folder of a copy.
const WORKER: &str = "worker";

/// Folders that no build needs.
const LEFT_OUT: [&str; 2] = ["target", "node_modules"];

impl Copy {
    /// Copies a package into a folder, but for some files, which the caller writes.
    pub(super) fn new(
        package: &Package,
        folder: PathBuf,
        own: &[PathBuf],
    ) -> Result<Copy, RustError> {
        fs::create_dir_all(&folder).map_err(error::file("create", &folder))?;
        let path = folder.join(".lock");
        let file = fs::File::create(&path).map_err(error::file("create", &path))?;
        file.lock().map_err(error::file("lock", &path))?;
        let copy = Copy { folder, _lock: file };
        let mut todo = vec![package.folder.clone()];
        while let Some(from) = todo.pop() {
            let entries = fs::read_dir(&from).map_err(error::file("read", &from))?;
            for entry in entries {
                let path = entry.map_err(error::file("read", &from))?.path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if path.is_dir() {
                    // A link may lead back to where it is.
                    let is_link = path.is_symlink();
                    let is_package = path.join("Cargo.toml").is_file();
                    let is_ours = path == package.target || copy.folder.starts_with(&path);
                    let is_needed = !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str());
                    if is_needed && !is_link && !is_package && !is_ours {
                        todo.push(path);
                    }
                } else if !own.contains(&path)
                    && !["Cargo.toml", "Cargo.lock"].contains(&name.as_str())
                {
                    let bytes = fs::read(&path).map_err(error::file("read", &path))?;
                    copy.write(package.relative(&path), &bytes)?;
                }
            }
        }
        copy.lock(package)?;
        Ok(copy)
    }

    /// Writes a file, by its path from the folder.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), RustError> {
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        let path = self.folder.join(path);
        if !is_inside {
            let outside = io::Error::other("it is outside of the copy");
            return Err(error::file("write", &path)(outside));
        }
        if fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(error::file("create", folder))?;
        }
        fs::write(&path, bytes).map_err(error::file("write", &path))
    }

    /// Keeps a program under a name that says what it was made of; older ones go.
    pub(super) fn keep<'t>(
        &self,
        program: &Path,
        made_of: impl Iterator<Item = &'t str>,
    ) -> Result<PathBuf, RustError> {
        let hash = fnv(made_of.flat_map(str::bytes));
        let kept = self.folder.join(format!("{WORKER}-{hash:016x}"));
        for entry in
            fs::read_dir(&self.folder).map_err(error::file("read", &self.folder))?.flatten()
        {
            let is_old =
                entry.file_name().to_string_lossy().starts_with(WORKER) && entry.path() != kept;
            if is_old {
                // Whoever runs it has it open.
                let _ = fs::remove_file(entry.path());
            }
        }
        let beside = self.folder.join(format!("new-{}", std::process::id()));
        fs::copy(program, &beside).map_err(error::file("copy", program))?;
        fs::rename(&beside, &kept).map_err(error::file("write", &kept))?;
        Ok(kept)
    }

    /// The versions of the dependencies are those of the workspace. Cargo leaves out of the file what the copy does not
    /// need, so it is compared with what we gave it.
    fn lock(&self, package: &Package) -> Result<(), RustError> {
        let Ok(bytes) = fs::read(&package.lock) else { return Ok(()) };
        let given = self.folder.join(".lock-of-workspace");
        if fs::read(&given).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        self.write(Path::new("Cargo.lock"), &bytes)?;
        self.write(Path::new(".lock-of-workspace"), &bytes)
    }
}
