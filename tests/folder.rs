//! Folders for tests to write in.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of a test's own, empty at first, kept for a look after the test.
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of the test of this name.
    pub fn of(test: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the target folder can be written");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in it, as an argument.
    pub fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("paths of tests are UTF-8").to_owned()
    }

    /// Writes a file, and returns its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).unwrap();
        fs::write(path, bytes).unwrap();
        self.at(name)
    }

    /// The names of all files in it, hidden ones too.
    pub fn files(&self) -> Vec<String> {
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }
}

/// The recorded executions of a subject.
pub fn subject(name: &str) -> String {
    format!("{}/tests/subjects/{name}", env!("CARGO_MANIFEST_DIR"))
}
