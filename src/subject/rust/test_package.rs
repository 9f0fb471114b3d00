//! A package that has a test file of a crate and nothing else, so that running it builds no other tests and none of the
//! dependencies that these need.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::{self, RustError};
use super::package::Package;

impl Package {
    /// Writes the package, and says where it is.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn test_package(
        &self,
        name: &str,
        file: &Path,
        has_proptest: bool,
    ) -> Result<PathBuf, RustError> {
        let folder = self.target.join("genmorph").join(format!("test-{name}"));
        fs::create_dir_all(&folder).map_err(error::file("create", &folder))?;
        let file = std::path::absolute(file).map_err(error::file("find", file))?;
        let mut text = format!(
            "[package]\nname = \"genmorph-test-{name}\"\nversion = \"0.0.0\"\nedition = {:?}\npublish = false\n\n\
             [workspace]\n\n[[test]]\nname = {name:?}\npath = {:?}\n\n[dependencies.{:?}]\npath = {:?}\n\
             default-features = {}\nfeatures = {:?}\n",
            self.edition(),
            file.display().to_string(),
            self.name,
            self.folder.display().to_string(),
            !self.no_default_features,
            self.features,
        );
        if has_proptest && let Some(proptest) = self.test_dependency("proptest") {
            text.push_str(&proptest);
        }
        let checks = self.profile.overflow_checks.unwrap_or(true);
        let assertions = self.profile.debug_assertions.unwrap_or(true);
        let _ = write!(
            text,
            "\n[profile.dev]\ndebug = false\noverflow-checks = {checks}\ndebug-assertions = {assertions}\n{}",
            self.patches
        );
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).map_err(error::file("write", &path))
        };
        write("Cargo.toml", text.as_bytes())?;
        // The versions are those of the workspace; Cargo leaves out what is not needed.
        if let Ok(lock) = fs::read(&self.lock) {
            write("Cargo.lock", &lock)?;
        }
        Ok(folder)
    }
}
