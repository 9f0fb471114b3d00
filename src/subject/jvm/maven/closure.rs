//! All that an artifact needs, found by the POMs of repositories on this machine.
//!
//! Of several versions of an artifact the one that is nearest to what was asked for is taken, as Maven does.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;

use super::Repositories;
use super::coordinates::Coordinates;
use super::pom::{Dependency, Pom};

/// The most POMs above a POM.
const PARENTS: usize = 20;
/// The most artifacts of a closure; more are a circle of names.
const MOST: usize = 2_000;

/// An artifact, with all that it needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Closure {
    /// The jars, that of the artifact first.
    pub(super) jars: Vec<PathBuf>,
    /// What is needed and not on this machine.
    pub(super) absent: Vec<Coordinates>,
}

impl Repositories {
    /// What the POMs on this machine say that an artifact needs; none if they say nothing of it.
    pub(super) fn closure(&self, wanted: &Coordinates) -> Option<Closure> {
        let mut poms = BTreeMap::new();
        self.pom(wanted, &mut poms, 0)?;
        let mut found = Closure::default();
        let mut seen: Vec<Coordinates> = Vec::new();
        let root = Dependency {
            coordinates: wanted.clone(),
            classifier: String::new(),
            exclusions: Vec::new(),
        };
        let mut queue = VecDeque::from([(root, Vec::new())]);
        while let Some((Dependency { coordinates, classifier, exclusions }, above)) =
            queue.pop_front()
        {
            if seen.iter().any(|known| known.is_version_of(&coordinates)) || seen.len() >= MOST {
                continue;
            }
            seen.push(coordinates.clone());
            match self.look_up_classified(&coordinates, &classifier) {
                Some(jar) => found.jars.push(jar),
                None => found.absent.push(coordinates.clone()),
            }
            let excluded: Vec<[String; 2]> = above.iter().cloned().chain(exclusions).collect();
            let pom = self.pom(&coordinates, &mut poms, 0);
            for needed in pom.map(|pom| pom.dependencies()).unwrap_or_default() {
                let Coordinates { group, artifact, .. } = &needed.coordinates;
                let matches = |pattern: &str, name: &str| pattern == "*" || pattern == name;
                let is_out = |[g, a]: &[String; 2]| matches(g, group) && matches(a, artifact);
                if !excluded.iter().any(is_out) {
                    queue.push_back((needed, excluded.clone()));
                }
            }
        }
        Some(found)
    }

    /// The POM of an artifact with all that its parents and imports say.
    fn pom(
        &self,
        coordinates: &Coordinates,
        known: &mut BTreeMap<Coordinates, Option<Pom>>,
        depth: usize,
    ) -> Option<Pom> {
        if let Some(pom) = known.get(coordinates) {
            return pom.clone();
        }
        // What refers to itself finds nothing.
        known.insert(coordinates.clone(), None);
        let file = coordinates.folder().join(coordinates.file(".pom"));
        let text = self.local.iter().find_map(|folder| fs::read_to_string(folder.join(&file)).ok());
        let mut pom = Pom::parse(&text?)?;
        if depth < PARENTS {
            let other = |[group, artifact, version]: [String; 3]| {
                Coordinates::new(&group, &artifact, &version)
            };
            if let Some(parent) = pom.parent.clone().and_then(other)
                && let Some(parent) = self.pom(&parent, known, depth + 1)
            {
                pom.inherit(parent);
            }
            for imported in pom.imports().into_iter().filter_map(other) {
                if let Some(imported) = self.pom(&imported, known, depth + 1) {
                    pom.import(&imported);
                }
            }
        }
        known.insert(coordinates.clone(), Some(pom.clone()));
        Some(pom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// An artifact in a repository, which depends on others.
    fn publish(repository: &Path, written: &str, needs: &[&str]) {
        let coordinates: Coordinates = written.parse().unwrap();
        let folder = repository.join(coordinates.folder());
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(coordinates.file(".jar")), "").unwrap();
        let needs: String = needs
            .iter()
            .map(|needed| {
                let parts: Vec<&str> = needed.split(':').collect();
                format!(
                    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>",
                    parts[0], parts[1], parts[2]
                )
            })
            .collect();
        let Coordinates { group, artifact, version } = &coordinates;
        let pom = format!(
            "<project><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>\
             <dependencies>{needs}</dependencies></project>"
        );
        fs::write(folder.join(coordinates.file(".pom")), pom).unwrap();
    }

    #[test]
    fn the_nearest_version_of_what_is_needed_is_taken_once() {
        let root = crate::subject::jvm::scratch("closure");
        publish(&root, "g:a:1", &["g:b:1", "g:c:2"]);
        publish(&root, "g:b:1", &["g:c:1", "g:d:1"]);
        publish(&root, "g:c:1", &[]);
        publish(&root, "g:c:2", &["g:a:1"]);
        let repositories = Repositories { local: vec![root.clone()], ..Repositories::default() };
        let closure = repositories.closure(&"g:a:1".parse().unwrap()).unwrap();
        let names: Vec<_> =
            closure.jars.iter().map(|jar| jar.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a-1.jar", "b-1.jar", "c-2.jar"]);
        assert_eq!(closure.absent, ["g:d:1".parse().unwrap()]);
        assert_eq!(repositories.closure(&"g:z:1".parse().unwrap()), None);
    }
}
