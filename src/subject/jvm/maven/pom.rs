//! POMs: what an artifact depends on, as far as its jar is used by others.
//!
//! Reads texts; knows nothing of where POMs and jars are. Profiles and plug-ins are not looked at: they are for building.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::coordinates::Coordinates;

/// How often a property may stand for another.
const DEEPEST: usize = 10;

/// A POM as it is written, without what its parents say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Pom {
    /// The POM that says the rest.
    pub(super) parent: Option<[String; 3]>,
    /// What `${…}` stands for.
    properties: BTreeMap<String, String>,
    /// Versions and scopes of dependencies that say nothing themselves.
    managed: Vec<Declared>,
    /// What it depends on.
    declared: Vec<Declared>,
}

/// A dependency as a POM has it; an empty text says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
struct Declared {
    group: String,
    artifact: String,
    version: String,
    scope: String,
    kind: String,
    classifier: String,
    optional: String,
    exclusions: Vec<[String; 2]>,
}

/// Something that an artifact needs when it runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dependency {
    pub(super) coordinates: Coordinates,
    /// Which of several jars of the artifact; mostly empty.
    pub(super) classifier: String,
    /// What it depends on itself, and does not bring along: group and artifact, `*` for any.
    pub(super) exclusions: Vec<[String; 2]>,
}

impl Pom {
    /// Reads a POM; none if it is no XML.
    pub(super) fn parse(text: &str) -> Option<Pom> {
        let document = Document::parse(text).ok()?;
        let project = document.root_element();
        let mut properties = BTreeMap::new();
        for property in child(project, "properties").into_iter().flat_map(elements) {
            properties.insert(property.tag_name().name().to_owned(), text_of(property));
        }
        let parent = child(project, "parent");
        let parent = parent.map(|p| ["groupId", "artifactId", "version"].map(|name| said(p, name)));
        for name in ["groupId", "artifactId", "version"] {
            let own = said(project, name);
            let inherited = child(project, "parent").map(|p| said(p, name)).unwrap_or_default();
            let value = if own.is_empty() && name != "artifactId" { inherited } else { own };
            for prefix in ["project.", "pom.", ""] {
                properties.insert(format!("{prefix}{name}"), value.clone());
            }
        }
        if let Some(parent) = &parent {
            for (name, value) in ["groupId", "artifactId", "version"].iter().zip(parent) {
                properties.insert(format!("project.parent.{name}"), value.clone());
            }
        }
        let management = child(project, "dependencyManagement");
        let managed = management.map(dependencies).unwrap_or_default();
        Some(Pom { parent, properties, managed, declared: dependencies(project) })
    }

    /// Takes over what a parent says and this POM does not.
    pub(super) fn inherit(&mut self, parent: Pom) {
        for (name, value) in parent.properties {
            self.properties.entry(name).or_insert(value);
        }
        self.managed.extend(parent.managed);
        let own = std::mem::take(&mut self.declared);
        let is_new = |theirs: &Declared| !own.iter().any(|ours| ours.is_about(theirs));
        let inherited: Vec<Declared> = parent.declared.into_iter().filter(is_new).collect();
        self.declared = own.into_iter().chain(inherited).collect();
    }

    /// The POMs whose managed versions it takes over.
    pub(super) fn imports(&self) -> Vec<[String; 3]> {
        let imported = self.managed.iter().filter(|managed| managed.scope == "import");
        let texts = |managed: &Declared| {
            [&managed.group, &managed.artifact, &managed.version].map(|text| self.filled(text))
        };
        imported.map(texts).collect()
    }

    /// Takes over the versions that an imported POM manages.
    pub(super) fn import(&mut self, imported: &Pom) {
        let managed = imported.managed.iter().map(|managed| imported.filled_in(managed));
        self.managed.extend(managed);
    }

    /// What the jar needs when it runs; that nothing is optional or for tests only.
    pub(super) fn dependencies(&self) -> Vec<Dependency> {
        let needed = |declared: &Declared| {
            let mut declared = self.filled_in(declared);
            if let Some(managed) = self.managed_for(&declared) {
                let fill = |own: &mut String, managed: String| {
                    if own.is_empty() {
                        *own = managed;
                    }
                };
                fill(&mut declared.version, managed.version);
                fill(&mut declared.scope, managed.scope);
                fill(&mut declared.optional, managed.optional);
                declared.exclusions.extend(managed.exclusions);
            }
            let is_run = ["", "compile", "runtime"].contains(&declared.scope.as_str());
            let is_jar = ["", "jar", "bundle", "eclipse-plugin"].contains(&declared.kind.as_str());
            if !is_run || !is_jar || declared.optional == "true" {
                return None;
            }
            let Declared { group, artifact, version, classifier, exclusions, .. } = declared;
            // A version in brackets is asked for as it is, and its first border is a version.
            let version = version.trim_start_matches(['[', '(']);
            let version = version.split([',', ']', ')']).find(|part| !part.is_empty())?;
            let coordinates = Coordinates::new(&group, &artifact, version)?;
            Some(Dependency { coordinates, classifier, exclusions })
        };
        self.declared.iter().filter_map(needed).collect()
    }

    fn managed_for(&self, declared: &Declared) -> Option<Declared> {
        let mut managed = self.managed.iter().map(|managed| self.filled_in(managed));
        managed.find(|managed| managed.is_about(declared) && managed.scope != "import")
    }

    fn filled_in(&self, declared: &Declared) -> Declared {
        let fill = |text: &String| self.filled(text);
        Declared {
            group: fill(&declared.group),
            artifact: fill(&declared.artifact),
            version: fill(&declared.version),
            scope: fill(&declared.scope),
            kind: fill(&declared.kind),
            classifier: fill(&declared.classifier),
            optional: fill(&declared.optional),
            exclusions: declared.exclusions.clone(),
        }
    }

    /// A text with properties replaced by what they stand for.
    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for _ in 0..DEEPEST {
            let Some(start) = text.find("${") else { break };
            let Some(end) = text[start..].find('}').map(|end| start + end) else { break };
            let Some(value) = self.properties.get(&text[start + 2..end]) else { break };
            let value = value.clone();
            text.replace_range(start..=end, &value);
        }
        text
    }
}

impl Declared {
    fn is_about(&self, other: &Declared) -> bool {
        let kind = |kind: &str| if kind.is_empty() { "jar".to_owned() } else { kind.to_owned() };
        (&self.group, &self.artifact, &self.classifier)
            == (&other.group, &other.artifact, &other.classifier)
            && kind(&self.kind) == kind(&other.kind)
    }
}

fn dependencies(of: Node<'_, '_>) -> Vec<Declared> {
    let list = child(of, "dependencies").into_iter().flat_map(elements);
    let declared = |node: Node<'_, '_>| {
        let said = |name: &str| said(node, name);
        let exclusions = child(node, "exclusions").into_iter().flat_map(elements);
        let exclusions =
            exclusions.map(|e| ["groupId", "artifactId"].map(|name| self::said(e, name)));
        Declared {
            group: said("groupId"),
            artifact: said("artifactId"),
            version: said("version"),
            scope: said("scope"),
            kind: said("type"),
            classifier: said("classifier"),
            optional: said("optional"),
            exclusions: exclusions.collect(),
        }
    };
    list.map(declared).collect()
}

fn elements<'a, 'd: 'a>(node: Node<'a, 'd>) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children().filter(Node::is_element)
}

fn child<'a, 'd>(node: Node<'a, 'd>, name: &str) -> Option<Node<'a, 'd>> {
    node.children().find(|child| child.is_element() && child.tag_name().name() == name)
}

fn said(node: Node<'_, '_>, name: &str) -> String {
    child(node, name).map(text_of).unwrap_or_default()
}

fn text_of(node: Node<'_, '_>) -> String {
    node.text().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(pom: &Pom) -> Vec<String> {
        pom.dependencies().iter().map(|d| d.coordinates.to_string()).collect()
    }

    #[test]
    fn only_what_runs_is_needed_and_properties_are_filled_in() {
        let pom = Pom::parse(
            "<project xmlns='http://maven.apache.org/POM/4.0.0'><groupId>g</groupId><artifactId>a</artifactId>
             <version>7</version><properties><x.version>1.${minor}</x.version><minor>2</minor></properties>
             <dependencies>
             <dependency><groupId>${project.groupId}</groupId><artifactId>own</artifactId><version>${project.version}</version></dependency>
             <dependency><groupId>x</groupId><artifactId>x</artifactId><version>${x.version}</version><scope>runtime</scope></dependency>
             <dependency><groupId>t</groupId><artifactId>t</artifactId><version>1</version><scope>test</scope></dependency>
             <dependency><groupId>o</groupId><artifactId>o</artifactId><version>1</version><optional>true</optional></dependency>
             <dependency><groupId>r</groupId><artifactId>r</artifactId><version>[3,4)</version></dependency>
             </dependencies></project>",
        )
        .unwrap();
        assert_eq!(coordinates(&pom), ["g:own:7", "x:x:1.2", "r:r:3"]);
    }

    #[test]
    fn a_parent_gives_versions_and_dependencies() {
        let mut pom = Pom::parse(
            "<project><parent><groupId>g</groupId><artifactId>p</artifactId><version>2</version></parent>
             <artifactId>a</artifactId><dependencies>
             <dependency><groupId>x</groupId><artifactId>x</artifactId></dependency></dependencies></project>",
        )
        .unwrap();
        assert_eq!(pom.parent, Some(["g", "p", "2"].map(String::from)));
        let parent = Pom::parse(
            "<project><groupId>g</groupId><artifactId>p</artifactId><version>2</version>
             <dependencyManagement><dependencies>
             <dependency><groupId>x</groupId><artifactId>x</artifactId><version>9</version></dependency>
             </dependencies></dependencyManagement>
             <dependencies><dependency><groupId>${project.groupId}</groupId><artifactId>all</artifactId><version>1</version></dependency></dependencies></project>",
        );
        pom.inherit(parent.unwrap());
        assert_eq!(coordinates(&pom), ["x:x:9", "g:all:1"]);
    }

    #[test]
    fn what_is_no_xml_is_no_pom() {
        assert_eq!(Pom::parse("not a POM"), None);
        assert_eq!(Pom::parse("<project>"), None);
    }
}
