//! Jars by their Maven coordinates, with all that they need: from repositories on this machine, then by the user's `mvn`.
//!
//! Knows nothing of what jars are for.

mod closure;
mod coordinates;
mod pom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub use self::coordinates::Coordinates;

/// Where jars may be.
#[derive(Clone, Debug, Default)]
pub struct Repositories {
    /// Folders with the layout of a Maven repository.
    pub local: Vec<PathBuf>,
    /// Folders with jars, such as `/usr/share/java`.
    pub flat: Vec<PathBuf>,
    /// The user's `mvn`, if there is one.
    pub mvn: Option<PathBuf>,
    /// Where `mvn` says what it fetched.
    pub fetched: PathBuf,
}

/// The jars of an artifact and of what it needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jars {
    /// The jars, that of the artifact first.
    pub jars: Vec<PathBuf>,
    /// What it needs and is not on this machine.
    pub absent: Vec<Coordinates>,
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
        self.look_up_classified(coordinates, "")
    }

    /// One of several jars of an artifact, if it is on this machine.
    fn look_up_classified(&self, coordinates: &Coordinates, classifier: &str) -> Option<PathBuf> {
        let inside = coordinates.folder();
        let name = match classifier {
            "" => coordinates.file(".jar"),
            classifier => coordinates.file(&format!("-{classifier}.jar")),
        };
        let local = self.local.iter().map(|folder| folder.join(&inside));
        let flat = self.flat.iter().cloned();
        let folders = local.chain(flat).chain([self.fetched.clone()]);
        folders.map(|folder| folder.join(&name)).find(|jar| jar.is_file())
    }

    /// The jar of an artifact alone; `mvn` is asked if it is not on this machine.
    ///
    /// # Errors
    /// When `mvn` is not there, or does not bring it.
    pub fn jar(&self, coordinates: &Coordinates) -> Result<PathBuf, MavenError> {
        match self.look_up(coordinates) {
            Some(jar) => Ok(jar),
            None => self.fetch(coordinates).map(|mut all| all.swap_remove(0)),
        }
    }

    /// The jar of an artifact with those of all that it needs when it runs. The POMs on this machine say what that is; `mvn` is
    /// asked if the jar is not here, or was brought without a POM.
    ///
    /// # Errors
    /// When the jar itself is not on this machine and `mvn` does not bring it. What else is missing is only listed: most code runs without.
    pub fn jars(&self, coordinates: &Coordinates) -> Result<Jars, MavenError> {
        let jar = self.look_up(coordinates);
        if let (Some(_), Some(closure)) = (&jar, self.closure(coordinates)) {
            let closure::Closure { jars, absent } = closure;
            return Ok(Jars { jars, absent });
        }
        let is_fetched = jar.as_ref().is_some_and(|jar| jar.starts_with(&self.fetched));
        match jar {
            // A jar in a folder of jars has no POM: whoever put it there takes care of the others.
            Some(jar) if !is_fetched || self.mvn.is_none() => {
                Ok(Jars { jars: vec![jar], absent: Vec::new() })
            }
            _ => Ok(Jars { jars: self.fetch(coordinates)?, absent: Vec::new() }),
        }
    }

    /// The jars that `mvn` finds, that of the artifact first. It is asked once, as long as the jars stay where they are.
    fn fetch(&self, coordinates: &Coordinates) -> Result<Vec<PathBuf>, MavenError> {
        let folder = self.fetched.join(coordinates.to_string().replace(':', "_"));
        let list = folder.join("classpath.txt");
        let known = || {
            let listed = fs::read_to_string(&list).ok()?;
            let mut jars: Vec<PathBuf> = std::env::split_paths(listed.trim()).collect();
            let own = jars.iter().position(|jar| jar.ends_with(coordinates.file(".jar")))?;
            jars.swap(0, own);
            jars[1..].sort();
            jars.iter().all(|jar| jar.is_file()).then_some(jars)
        };
        if let Some(jars) = known() {
            return Ok(jars);
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
        let pom = folder.join("pom.xml");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&pom, user_of(coordinates)))
            .map_err(|error| failed(format!("cannot write {}: {error}", pom.display())))?;
        // Runs of the same moment write a list each, and all lists are the same.
        let draft = folder.join(format!("classpath-{}.txt", std::process::id()));
        let output = Command::new(mvn)
            .args(["-q", "-B", "dependency:build-classpath", "-DincludeScope=runtime"])
            .arg(format!("-Dmdep.outputFile={}", draft.display()))
            .arg("-f")
            .arg(&pom)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        // A list that cannot be kept is asked for again.
        let _ = fs::rename(&draft, &list);
        known().ok_or_else(|| {
            let said = String::from_utf8_lossy(&output.stdout);
            let errors = said.lines().filter_map(|line| line.split_once("[ERROR] "));
            let error = errors.map(|(_, error)| error.trim()).find(|line| !line.is_empty());
            failed(error.unwrap_or("it does not say why").to_owned())
        })
    }
}

/// A POM of something that needs an artifact.
fn user_of(Coordinates { group, artifact, version }: &Coordinates) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>genmorph</groupId><artifactId>user-of-{artifact}</artifactId><version>1</version>\
         <dependencies><dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
         <version>{version}</version></dependency></dependencies></project>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
