//! Coordinates of Maven artifacts: `group:artifact:version`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::MavenError;

/// Names an artifact of Maven: `group:artifact:version`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coordinates {
    pub(super) group: String,
    pub(super) artifact: String,
    pub(super) version: String,
}

impl FromStr for Coordinates {
    type Err = MavenError;

    fn from_str(text: &str) -> Result<Coordinates, MavenError> {
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            [group, artifact, version] => Coordinates::new(group, artifact, version),
            _ => None,
        }
        .ok_or_else(|| MavenError::Coordinates(text.to_owned()))
    }
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.artifact, self.version)
    }
}

impl Coordinates {
    /// Coordinates of three plain parts; none if a part has other characters: they become parts of paths, of files for Maven
    /// and of arguments of a program.
    pub(super) fn new(group: &str, artifact: &str, version: &str) -> Option<Coordinates> {
        let plain = |part: &str| {
            let first = part.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            first && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
        };
        [group, artifact, version].into_iter().all(plain).then(|| Coordinates {
            group: group.to_owned(),
            artifact: artifact.to_owned(),
            version: version.to_owned(),
        })
    }

    /// The name of one of its files, such as `commons-lang3-3.12.0.jar`.
    pub(super) fn file(&self, ending: &str) -> String {
        format!("{}-{}{ending}", self.artifact, self.version)
    }

    /// Its folder in a Maven repository.
    pub(super) fn folder(&self) -> PathBuf {
        let Coordinates { group, artifact, version } = self;
        group.split('.').chain([artifact.as_str(), version]).collect()
    }

    /// Whether it is the same artifact, perhaps of another version.
    pub(super) fn is_version_of(&self, other: &Coordinates) -> bool {
        (&self.group, &self.artifact) == (&other.group, &other.artifact)
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
}
