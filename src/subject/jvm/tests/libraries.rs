//! The libraries of the paper's methods: fetched once by Maven into `target/`, unpacked by `jar`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::tools;

pub(super) const MATH: Library = Library("org.apache.commons", "commons-math3", "3.6.1");
pub(super) const LANG: Library = Library("org.apache.commons", "commons-lang3", "3.12.0");
pub(super) const GUAVA: Library = Library("com.google.guava", "guava", "31.1-jre");

/// Guava refers to it.
pub(super) const ACCESS: Library = Library("com.google.guava", "failureaccess", "1.0.1");

/// A library: group, artifact, version.
#[derive(Clone, Copy, Debug)]
pub(super) struct Library(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
);

/// Where things are kept between runs.
pub(super) fn cache() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/java-tests");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whether there is a JDK; if not, the test that asks is skipped.
pub(super) fn has_jdk() -> bool {
    tools::runs("jdk", "javac", "-version")
}

impl Library {
    /// All its classes, by name, such as `java/lang/String`; nothing that is for modules or other Java versions.
    pub(super) fn classes(self) -> BTreeMap<String, Vec<u8>> {
        // One at a time: tests run side by side.
        static UNPACKING: Mutex<()> = Mutex::new(());
        let guard = UNPACKING.lock();
        let folder = self.unpacked();
        drop(guard);
        let mut classes = BTreeMap::new();
        let mut todo = vec![folder.clone()];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            match name.strip_suffix(".class") {
                Some("module-info") | None => {}
                Some(name) if name.starts_with("META-INF") || name.ends_with("package-info") => {}
                Some(name) => drop(classes.insert(name.into(), fs::read(&path).unwrap())),
            }
        }
        classes
    }

    fn unpacked(self) -> PathBuf {
        let Library(_, artifact, version) = self;
        let folder = cache().join(format!("{artifact}-{version}"));
        if !folder.exists() {
            let jar = self.jar();
            let unfinished = cache().join(format!("{artifact}-{version}.{}", std::process::id()));
            fs::create_dir_all(&unfinished).unwrap();
            run(Command::new("jar").arg("xf").arg(jar).current_dir(&unfinished));
            if fs::rename(&unfinished, &folder).is_err() {
                fs::remove_dir_all(&unfinished).unwrap();
            }
        }
        folder
    }

    /// The jar, fetched if it is not there.
    pub(super) fn jar(self) -> PathBuf {
        let Library(group, artifact, version) = self;
        let name = format!("{artifact}-{version}.jar");
        let fetched = cache().join(&name);
        if fetched.exists() {
            return fetched;
        }
        let mut maven = Command::new("mvn");
        maven
            .args(["-q", "-B", "dependency:copy"])
            .arg(format!("-Dartifact={group}:{artifact}:{version}"))
            .arg(format!("-DoutputDirectory={}", cache().display()));
        // Without a network the jar of the distribution will do.
        let installed = Path::new("/usr/share/java").join(&name);
        if !maven.output().is_ok_and(|out| out.status.success()) && installed.exists() {
            return installed;
        }
        if !fetched.exists() {
            run(&mut maven);
        }
        fetched
    }
}

/// Runs a command that has to succeed.
pub(super) fn run(command: &mut Command) {
    let out = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{command:?}\n{}\n{}", text(&out.stdout), text(&out.stderr));
}
