//! Finds a JDK: a `java` and a `javac` of version 17 or newer.
//!
//! Looks at files and asks `java` only if they do not tell. Knows nothing of what a JDK is used for.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The oldest version that will do.
pub const OLDEST: u32 = 17;

/// The folders that systems install JDKs in.
const INSTALLED: [&str; 4] =
    ["/usr/lib/jvm", "/usr/java", "/opt", "/Library/Java/JavaVirtualMachines"];

/// Where to look, in this order; then in the usual places.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What the user asks for: nothing else is looked at.
    pub asked: Option<PathBuf>,
    /// The value of `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
    /// Folders with a JDK in each of their folders; if none, the usual ones.
    pub installed: Option<Vec<PathBuf>>,
}

/// A Java development kit that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// The folder that it is installed in.
    pub home: PathBuf,
    /// The path of its launcher, `java`.
    pub java: PathBuf,
    /// The path of its compiler, `javac`.
    pub javac: PathBuf,
    /// Its version, such as `17.0.15`.
    pub version: String,
    /// The name of its vendor.
    pub vendor: String,
}

/// No JDK that will do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JdkError {
    /// No JDK was found.
    #[error(
        "no JDK found: Java methods need one of version {OLDEST} or newer (Debian: apt install openjdk-17-jdk-headless), \
         on the PATH, or named by JAVA_HOME or --java-home"
    )]
    None,
    /// There is no java in a folder.
    #[error("{} is no JDK: there is no bin/java in it", .0.display())]
    NotOne(PathBuf),
    /// There is no compiler.
    #[error(
        "{} is a JRE, without javac: install a JDK of version {OLDEST} or newer (Debian: apt install openjdk-17-jdk-headless)",
        .0.display()
    )]
    Jre(PathBuf),
    /// It is too old.
    #[error("{} is Java {version}: version {OLDEST} or newer is needed", home.display())]
    Old {
        /// The folder of the JDK.
        home: PathBuf,
        /// Its version, as it says itself.
        version: String,
    },
    /// It does not say what it is.
    #[error("{} does not run, or does not say its version", .0.display())]
    Mute(PathBuf),
}

impl Jdk {
    /// The JDK to be used.
    ///
    /// # Errors
    /// When there is none; the error is about the first that was found, if any was.
    pub fn find(search: &Search) -> Result<Jdk, JdkError> {
        if let Some(home) = search.asked.as_ref().or(search.java_home.as_ref()) {
            return Jdk::at(home);
        }
        let mut first = None;
        if let Some(home) = on_path(&search.path) {
            match Jdk::at(&home) {
                Ok(jdk) => return Ok(jdk),
                Err(error) => first = Some(error),
            }
        }
        let usual = INSTALLED.map(PathBuf::from);
        let folders = search.installed.as_deref().unwrap_or(&usual);
        let mut found: Vec<Jdk> = Vec::new();
        for home in folders.iter().flat_map(|folder| homes(folder)) {
            match Jdk::at(&home) {
                Ok(jdk) => found.push(jdk),
                Err(JdkError::NotOne(_)) => {}
                Err(error) => {
                    first.get_or_insert(error);
                }
            }
        }
        found.sort_by_key(|jdk| numbers(&jdk.version));
        found.pop().ok_or(first.unwrap_or(JdkError::None))
    }

    /// The JDK in a folder.
    fn at(home: &Path) -> Result<Jdk, JdkError> {
        let tool = |name: &str| {
            [home.join("bin").join(name), home.join("bin").join(format!("{name}.exe"))]
                .into_iter()
                .find(|path| path.is_file())
        };
        let java = tool("java").ok_or_else(|| JdkError::NotOne(home.to_owned()))?;
        let (version, vendor) =
            released(home).or_else(|| asked(&java)).ok_or_else(|| JdkError::Mute(java.clone()))?;
        if major(&version) < OLDEST {
            return Err(JdkError::Old { home: home.to_owned(), version });
        }
        let javac = tool("javac").ok_or_else(|| JdkError::Jre(home.to_owned()))?;
        Ok(Jdk { home: home.to_owned(), java, javac, version, vendor })
    }
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Java {} ({}) in {}", self.version, self.vendor, self.home.display())
    }
}

/// The home of the `java` that a shell would run.
fn on_path(path: &[PathBuf]) -> Option<PathBuf> {
    let java = path.iter().map(|folder| folder.join("java")).find(|java| java.is_file())?;
    // Links lead from /usr/bin to the folder that it is installed in.
    let real = fs::canonicalize(java).ok()?;
    Some(real.parent()?.parent()?.to_owned())
}

/// The folders in a folder, in order, and where macOS has the JDK in them.
fn homes(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut homes: Vec<PathBuf> = entries
        .map(|entry| {
            let inner = entry.path().join("Contents/Home");
            if inner.is_dir() { inner } else { entry.path() }
        })
        .collect();
    homes.sort();
    homes
}

/// What the file `release` of a JDK says.
fn released(home: &Path) -> Option<(String, String)> {
    let text = fs::read_to_string(home.join("release")).ok()?;
    let value = |key: &str| {
        let mut lines = text.lines();
        let line = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
        Some(line.trim().trim_matches('"').to_owned())
    };
    let version = value("JAVA_VERSION").filter(|version| major(version) > 0)?;
    Some((version, value("IMPLEMENTOR").unwrap_or_else(|| "unknown vendor".to_owned())))
}

/// What `java` says when it is asked.
fn asked(java: &Path) -> Option<(String, String)> {
    let mut command = Command::new(java);
    command.args(["-XshowSettings:properties", "-version"]).stdin(Stdio::null());
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let value = |key: &str| {
        let mut lines = text.lines();
        lines.find_map(|line| Some(line.trim().strip_prefix(key)?.trim().strip_prefix('=')?.trim()))
    };
    let version = value("java.version").filter(|version| major(version) > 0)?;
    Some((version.to_owned(), value("java.vendor").unwrap_or("unknown vendor").to_owned()))
}

/// The numbers of a version.
fn numbers(version: &str) -> Vec<u32> {
    version.split(|c: char| !c.is_ascii_digit()).map_while(|n| n.parse().ok()).collect()
}

/// The feature release: 17 of `17.0.15`, 8 of `1.8.0_392`, 0 of a text that is not a version.
fn major(version: &str) -> u32 {
    match numbers(version)[..] {
        [1, minor, ..] => minor,
        [first, ..] => first,
        [] => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that looks like a JDK.
    fn pretend(name: &str, tools: &[&str], version: &str) -> PathBuf {
        let home = super::super::scratch(name);
        fs::create_dir_all(home.join("bin")).unwrap();
        for tool in tools {
            fs::write(home.join("bin").join(tool), "").unwrap();
        }
        let release = format!("IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"{version}\"\n");
        fs::write(home.join("release"), release).unwrap();
        home
    }

    #[test]
    fn the_first_number_of_a_version_counts() {
        for (version, expected) in
            [("17.0.15", 17), ("1.8.0_392", 8), ("25", 25), ("22-ea", 22), ("", 0), ("x", 0)]
        {
            assert_eq!(major(version), expected, "{version}");
        }
    }

    #[test]
    fn a_folder_without_java_is_no_jdk() {
        let home = pretend("jdk-empty", &[], "17");
        let search = Search { asked: Some(home.clone()), ..Search::default() };
        assert_eq!(Jdk::find(&search), Err(JdkError::NotOne(home)));
    }

    #[test]
    fn a_jre_is_not_enough_and_the_message_says_what_to_install() {
        let home = pretend("jdk-jre", &["java"], "21.0.1");
        let search = Search { java_home: Some(home.clone()), ..Search::default() };
        let error = Jdk::find(&search).unwrap_err();
        assert_eq!(error, JdkError::Jre(home));
        assert!(error.to_string().contains("openjdk-17-jdk-headless"), "{error}");
    }

    #[test]
    fn an_old_version_is_named() {
        let home = pretend("jdk-old", &["java", "javac"], "1.8.0_392");
        let search = Search { asked: Some(home), ..Search::default() };
        let error = Jdk::find(&search).unwrap_err().to_string();
        assert!(error.contains("is Java 1.8.0_392: version 17 or newer is needed"), "{error}");
    }

    #[test]
    fn without_any_jdk_the_message_says_where_one_is_looked_for() {
        let search = Search { installed: Some(Vec::new()), ..Search::default() };
        let error = Jdk::find(&search).unwrap_err();
        assert_eq!(error, JdkError::None);
        assert!(error.to_string().contains("JAVA_HOME"), "{error}");
    }

    #[test]
    fn the_newest_installed_jdk_is_taken() {
        let home = pretend("jdk-several/a", &["java", "javac"], "17.0.2");
        pretend("jdk-several/b", &["java", "javac"], "21.0.10");
        pretend("jdk-several/c", &["java"], "25");
        let folder = home.parent().unwrap().to_owned();
        let search = Search { installed: Some(vec![folder]), ..Search::default() };
        assert_eq!(Jdk::find(&search).unwrap().version, "21.0.10");
    }
}
