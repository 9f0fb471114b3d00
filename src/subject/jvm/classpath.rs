//! Class files in jars and folders.
//!
//! Entries come first served. Classes for particular Java versions (`META-INF/versions`) are not looked at.
//! Knows nothing of what is in a class file.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use zip::ZipArchive;

use super::error::JvmError;

/// A class file with more bytes is not read: the format cannot have it.
const LARGEST: u64 = 64 << 20;

/// Jars and folders, in the order in which they are asked.
#[derive(Debug)]
pub struct ClassPath {
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Jar { path: PathBuf, archive: Mutex<ZipArchive<BufReader<File>>> },
    Folder(PathBuf),
}

impl ClassPath {
    /// Opens all of them.
    ///
    /// # Errors
    /// When one is not there, or is neither a folder nor a jar that can be read.
    pub fn open(paths: &[PathBuf]) -> Result<ClassPath, JvmError> {
        let entry = |path: &PathBuf| -> Result<Entry, JvmError> {
            let failed = |message| JvmError::ClassPath { path: path.clone(), message };
            if path.is_dir() {
                return Ok(Entry::Folder(path.clone()));
            }
            let file = File::open(path).map_err(|error| failed(error.to_string()))?;
            let archive = ZipArchive::new(BufReader::new(file))
                .map_err(|error| failed(format!("it is no jar that can be read: {error}")))?;
            Ok(Entry::Jar { path: path.clone(), archive: Mutex::new(archive) })
        };
        Ok(ClassPath { entries: paths.iter().map(entry).collect::<Result<_, _>>()? })
    }

    /// The class file of a class, by its name with slashes.
    ///
    /// # Errors
    /// When it is there, but cannot be read.
    pub fn find(&self, class: &str) -> Result<Option<Vec<u8>>, JvmError> {
        let name = format!("{class}.class");
        for entry in &self.entries {
            let (path, bytes) = match entry {
                Entry::Jar { path, archive } => (path, in_jar(archive, &name)),
                Entry::Folder(path) => (path, in_folder(path, &name)),
            };
            match bytes {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(error) => {
                    let message = format!("{name} in it: {error}");
                    return Err(JvmError::ClassPath { path: path.clone(), message });
                }
            }
        }
        Ok(None)
    }

    /// The names of all classes, with slashes.
    pub fn classes(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for entry in &self.entries {
            match entry {
                Entry::Jar { archive, .. } => {
                    let archive = archive.lock().unwrap_or_else(|broken| broken.into_inner());
                    names.extend(archive.file_names().flatten().filter_map(|name| class(&name)));
                }
                Entry::Folder(path) => walk(path, path, &mut names),
            }
        }
        names
    }
}

fn in_jar(
    archive: &Mutex<ZipArchive<BufReader<File>>>,
    name: &str,
) -> Result<Option<Vec<u8>>, String> {
    let mut archive = archive.lock().unwrap_or_else(|broken| broken.into_inner());
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(zip::result::ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(Some(bytes))
}

fn in_folder(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
    let path = folder.join(name);
    // Where a file system takes `foo.class` for `Foo.class`, the JVM would be given the wrong class; it then says so.
    match path.is_file() {
        true => fs::read(path).map(Some).map_err(|error| error.to_string()),
        false => Ok(None),
    }
}

/// The class that a file is of.
fn class(file: &str) -> Option<String> {
    let name = file.strip_suffix(".class")?;
    let of_code = !name.starts_with("META-INF/") && !name.ends_with("-info");
    of_code.then(|| name.to_owned())
}

fn walk(root: &Path, folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // Links to folders may lead in circles.
        if entry.file_type().is_ok_and(|ty| ty.is_dir()) {
            walk(root, &path, names);
        } else if let Ok(relative) = path.strip_prefix(root) {
            names.extend(class(&relative.to_string_lossy().replace('\\', "/")));
        }
    }
}
