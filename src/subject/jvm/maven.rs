//! Jars by their Maven coordinates: from repositories on this machine, then by the user's `mvn`.
//!
//! Knows nothing of what jars are for. Dependencies of an artifact are not looked for: name them too.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

/// Names an artifact of Maven: `group:artifact:version`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    group: String,
    artifact: String,
    version: String,
}

/// Where jars may be.
#[derive(Clone, Debug, Default)]
pub struct Repositories {
    /// Folders with the layout of a Maven repository.
    pub local: Vec<PathBuf>,
    /// Folders with jars, such as `/usr/share/java`.
    pub flat: Vec<PathBuf>,
    /// The user's `mvn`, if there is one.
    pub mvn: Option<PathBuf>,
    /// Where `mvn` puts what it fetches.
    pub fetched: PathBuf,
}

/// Coordinates that cannot be read, or an artifact that cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MavenError {
    /// Coordinates that are not of the form `group:artifact:version`.
    #[error(
        "`{0}` are no Maven coordinates: write group:artifact:version, such as org.apache.commons:commons-math3:3.6.1"
    )]
    Coordinates(String),
    /// No repository here has it, and there is no `mvn`.
    #[error(
        "{coordinates} is in none of {looked}, and there is no mvn to fetch it: install Maven, or give the jar with --classpath"
    )]
    NoMaven {
        /// The artifact that is nowhere.
        coordinates: Coordinates,
        /// Where it was looked for.
        looked: String,
    },
    /// `mvn` did not bring it.
    #[error("{} could not fetch {coordinates}: {message}", mvn.display())]
    Fetch {
        /// The artifact that was asked for.
        coordinates: Coordinates,
        /// The Maven that was started.
        mvn: PathBuf,
        /// What Maven printed, or why it could not be started.
        message: String,
    },
}

impl FromStr for Coordinates {
    type Err = MavenError;

    fn from_str(text: &str) -> Result<Coordinates, MavenError> {
        let parts: Vec<&str> = text.split(':').collect();
        // They become parts of paths and an argument of a program.
        let plain = |part: &&str| {
            let first = part.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            first && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
        };
        match parts[..] {
            [group, artifact, version] if parts.iter().all(plain) => Ok(Coordinates {
                group: group.to_owned(),
                artifact: artifact.to_owned(),
                version: version.to_owned(),
            }),
            _ => Err(MavenError::Coordinates(text.to_owned())),
        }
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)
    }
}

impl Coordinates {
    fn jar(&self) -> String {
        format!("{}-{}.jar", self.artifact, self.version)
    }
}

impl Repositories {
    /// The usual places of a user.
    pub fn usual(home: Option<&Path>, mvn: Option<PathBuf>, fetched: PathBuf) -> Repositories {
        let own = home.map(|home| home.join(".m2/repository"));
        Repositories {
            local: own.into_iter().chain([PathBuf::from("/usr/share/maven-repo")]).collect(),
            flat: vec![PathBuf::from("/usr/share/java")],
            mvn,
            fetched,
        }
    }

    /// The jar, if it is on this machine.
    pub fn look_up(&self, coordinates: &Coordinates) -> Option<PathBuf> {
        let Coordinates { group, artifact, version } = coordinates;
        let inside: PathBuf = group.split('.').chain([artifact.as_str(), version]).collect();
        let local = self.local.iter().map(|folder| folder.join(&inside));
        let flat = self.flat.iter().cloned();
        local
            .chain(flat)
            .chain([self.fetched.clone()])
            .map(|folder| folder.join(coordinates.jar()))
            .find(|jar| jar.is_file())
    }

    /// The jar; `mvn` is asked if it is not on this machine.
    ///
    /// # Errors
    /// When `mvn` is not there, or does not bring it.
    pub fn jar(&self, coordinates: &Coordinates) -> Result<PathBuf, MavenError> {
        if let Some(jar) = self.look_up(coordinates) {
            return Ok(jar);
        }
        let Some(mvn) = &self.mvn else {
            let looked =
                self.local.iter().chain(&self.flat).map(|folder| folder.display().to_string());
            let looked = looked.collect::<Vec<_>>().join(", ");
            return Err(MavenError::NoMaven { coordinates: coordinates.clone(), looked });
        };
        let failed = |message: String| MavenError::Fetch {
            coordinates: coordinates.clone(),
            mvn: mvn.clone(),
            message,
        };
        fs::create_dir_all(&self.fetched)
            .map_err(|error| failed(format!("cannot make {}: {error}", self.fetched.display())))?;
        let output = Command::new(mvn)
            .args(["-q", "-B", "dependency:copy"])
            .arg(format!("-Dartifact={coordinates}"))
            .arg(format!("-DoutputDirectory={}", self.fetched.display()))
            .current_dir(&self.fetched)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        self.look_up(coordinates).ok_or_else(|| {
            let said = String::from_utf8_lossy(&output.stdout);
            let errors = said.lines().filter_map(|line| line.strip_prefix("[ERROR] "));
            let error = errors.map(str::trim).find(|line| !line.is_empty());
            failed(error.unwrap_or("it does not say why").to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_three_plain_parts() {
        let written = "org.apache.commons:commons-math3:3.6.1";
        assert_eq!(written.parse::<Coordinates>().unwrap().to_string(), written);
        for bad in ["", "a:b", "a:b:c:d", "a:b:", "a:../b:1", "a:b:-Dx", "a:b c:1"] {
            assert!(bad.parse::<Coordinates>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_local_repository_is_asked_before_a_folder_of_jars() {
        let root = super::super::scratch("maven");
        let coordinates: Coordinates = "org.x:lib:1.0".parse().unwrap();
        let mut repositories = Repositories {
            local: vec![root.join("repo")],
            flat: vec![root.join("flat")],
            mvn: None,
            fetched: root.join("fetched"),
        };
        let error = repositories.jar(&coordinates).unwrap_err().to_string();
        assert!(error.contains("org.x:lib:1.0 is in none of"), "{error}");
        for folder in ["flat", "repo/org/x/lib/1.0"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("lib-1.0.jar"), "").unwrap();
        }
        assert!(repositories.jar(&coordinates).unwrap().starts_with(root.join("repo")));
        repositories.local.clear();
        assert!(repositories.jar(&coordinates).unwrap().starts_with(root.join("flat")));
    }

    #[test]
    fn a_mvn_that_fails_is_quoted() {
        let root = super::super::scratch("maven-fails");
        let repositories =
            Repositories { mvn: Some("false".into()), fetched: root, ..Repositories::default() };
        let error = repositories.jar(&"a:b:1".parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("could not fetch a:b:1"), "{error}");
    }
}
