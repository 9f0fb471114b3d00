//! The plan of a sweep: the list of its units, in the same order for all tasks.
//!
//! The file is JSON, with one line for each subject, variant of settings and unit. Readers compute all ids
//! again, so a manifest that was edited, or that another version wrote, is refused.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{SweepError, reading};
use super::settings::Variant;
use super::unit::{Identity, Unit};
use crate::support::digest::{Digest, Fields};

/// The version of the format. Readers refuse other versions.
pub const VERSION: u32 = 1;

/// The plan of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The version of genmorph that planned the sweep, and that has to run it.
    pub tool: String,
    /// The kind of work done for each unit, such as `generate`.
    pub work: String,
    /// The functions to find relations for.
    pub subjects: Vec<SweepSubject>,
    /// The settings of the searches.
    pub settings: Vec<Variant>,
    /// All units, ordered by subject, then settings, then seed, then transformation.
    pub units: Vec<Unit>,
    /// Identifies the sweep. Depends on the units and on the names of subjects, not on where files are.
    pub digest: Digest,
}

/// A function of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepSubject {
    /// The name in results; unique within the sweep.
    pub name: String,
    /// Path of its definition, relative to the folder of the manifest; `None` for the built-in example.
    pub file: Option<PathBuf>,
    /// Digest of its definition and its code.
    pub content: Digest,
}

/// The axes of a sweep, whose combinations are its units.
#[derive(Clone, Debug)]
pub struct Axes {
    /// The kind of work done for each unit.
    pub work: String,
    /// The functions, each with its transformations.
    pub subjects: Vec<(SweepSubject, Vec<String>)>,
    /// The settings of the searches.
    pub settings: Vec<Variant>,
    /// The seeds of the searches.
    pub seeds: Vec<u64>,
}

/// The manifest as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestFile {
    #[expect(dead_code, reason = "it is read before everything else, which depends on it")]
    version: u32,
    digest: Digest,
    tool: String,
    work: String,
    subjects: Vec<SweepSubject>,
    settings: Vec<Variant>,
    units: Vec<Unit>,
}

impl Manifest {
    /// The file's name in the folder of a sweep.
    pub const FILE: &str = "manifest.json";

    /// Plans a sweep over all combinations.
    ///
    /// # Errors
    /// When there are no units, or two units are the same.
    pub fn new(axes: Axes) -> Result<Manifest, SweepError> {
        let Axes { work, subjects, settings, seeds } = axes;
        let (subjects, transformations): (Vec<SweepSubject>, Vec<Vec<String>>) =
            subjects.into_iter().unzip();
        let tool = crate::VERSION.to_owned();
        let mut units = Vec::new();
        let mut known = BTreeSet::new();
        for (subject, planned) in subjects.iter().enumerate() {
            for (place, variant) in settings.iter().enumerate() {
                for &seed in &seeds {
                    for transformation in &transformations[subject] {
                        let identity = Identity {
                            work: &work,
                            tool: &tool,
                            content: planned.content,
                            settings: &variant.settings,
                            transformation,
                            seed,
                        };
                        let id = identity.digest();
                        if !known.insert(id) {
                            let what = format!(
                                "{}, settings {}, seed {seed}, {transformation}",
                                planned.name, variant.name
                            );
                            return Err(SweepError::Twice(what));
                        }
                        let transformation = transformation.clone();
                        units.push(Unit { id, subject, settings: place, transformation, seed });
                    }
                }
            }
        }
        let empty = [
            ("subjects", subjects.is_empty()),
            ("settings", settings.is_empty()),
            ("seeds", seeds.is_empty()),
            ("transformations", units.is_empty()),
        ];
        if let Some((what, _)) = empty.into_iter().find(|(_, is_empty)| *is_empty) {
            return Err(SweepError::Empty(what));
        }
        let digest = digest(&tool, &work, &subjects, &settings, &units);
        Ok(Manifest { tool, work, subjects, settings, units, digest })
    }

    /// Reads the manifest in the folder of a sweep.
    ///
    /// # Errors
    /// When there is none, when it was edited, or when another version planned it.
    pub fn read(folder: &Path) -> Result<Manifest, SweepError> {
        let file = folder.join(Manifest::FILE);
        let text = fs::read_to_string(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => SweepError::NoManifest(folder.to_owned()),
            _ => reading(&file)(error),
        })?;
        Manifest::parse(&text).map_err(|problem| SweepError::Manifest { file, problem })
    }

    fn parse(text: &str) -> Result<Manifest, String> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let damaged = |error: serde_json::Error| {
            format!("this is not a manifest, or it is damaged: {error}; plan the sweep again")
        };
        let Version { version } = serde_json::from_str(text).map_err(damaged)?;
        if version != VERSION {
            return Err(format!("a manifest of version {version}; this genmorph reads {VERSION}"));
        }
        let written: ManifestFile = serde_json::from_str(text).map_err(damaged)?;
        let ManifestFile { tool, work, subjects, settings, units, .. } = written;
        if tool != crate::VERSION {
            return Err(format!(
                "planned by genmorph {tool}, but this is {}: results of both must not be mixed; \
                 run it with the genmorph that planned it, or plan it again",
                crate::VERSION
            ));
        }
        let edited =
            |what: &str| format!("{what} was changed after planning; plan the sweep again");
        for (place, unit) in units.iter().enumerate() {
            let known = subjects.get(unit.subject).zip(settings.get(unit.settings));
            let id = known.map(|(subject, variant)| {
                let identity = Identity {
                    work: &work,
                    tool: &tool,
                    content: subject.content,
                    settings: &variant.settings,
                    transformation: &unit.transformation,
                    seed: unit.seed,
                };
                identity.digest()
            });
            if id != Some(unit.id) {
                return Err(edited(&format!("unit {} ({})", place + 1, unit.id)));
            }
        }
        let digest = digest(&tool, &work, &subjects, &settings, &units);
        if digest != written.digest {
            return Err(edited("the list of units"));
        }
        Ok(Manifest { tool, work, subjects, settings, units, digest })
    }

    /// The content of the manifest file.
    pub fn text(&self) -> String {
        fn line(value: &impl Serialize) -> String {
            serde_json::to_string(value).expect("numbers, names and texts")
        }
        let lines = |lines: Vec<String>| lines.join(",\n");
        let mut text = String::new();
        let _ = write!(
            text,
            "{{\"version\":{VERSION},\"digest\":{},\"tool\":{},\"work\":{},\n\"subjects\":[\n{}\n],\n\"settings\":[\n{}\n],\n\"units\":[\n{}\n]}}\n",
            line(&self.digest),
            line(&self.tool),
            line(&self.work),
            lines(self.subjects.iter().map(line).collect()),
            lines(self.settings.iter().map(line).collect()),
            lines(self.units.iter().map(line).collect()),
        );
        text
    }

    /// Describes a unit to people.
    pub fn describe(&self, unit: &Unit) -> String {
        let subject = &self.subjects[unit.subject].name;
        let Unit { transformation, seed, .. } = unit;
        let settings = match self.settings.len() {
            1 => String::new(),
            _ => format!(", {}", self.settings[unit.settings].name),
        };
        format!("{subject}, {transformation}, seed {seed}{settings}")
    }
}

/// The digest that identifies the sweep.
fn digest(
    tool: &str,
    work: &str,
    subjects: &[SweepSubject],
    settings: &[Variant],
    units: &[Unit],
) -> Digest {
    let mut fields = Fields::of("genmorph sweep 1").and(tool).and(work);
    for SweepSubject { name, content, .. } in subjects {
        fields = fields.and(name).and(content.to_string());
    }
    for Variant { name, .. } in settings {
        fields = fields.and(name);
    }
    for unit in units {
        fields = fields.and(unit.id.to_string());
    }
    fields.digest()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::sweep::Settings;

    /// A sweep over two subjects, two transformations and three seeds.
    pub(crate) fn small() -> Manifest {
        let subject = |name: &str| SweepSubject {
            name: name.to_owned(),
            file: Some(PathBuf::from(format!("../{name}/subject.toml"))),
            content: Fields::of("test").and(name).digest(),
        };
        let transformations =
            vec!["NumericAddition(1) on x".to_owned(), "SequenceFlip on s".to_owned()];
        let settings = Settings::default().vary(&[]).unwrap();
        Manifest::new(Axes {
            work: "generate".to_owned(),
            subjects: ["gcd", "pow"].map(|name| (subject(name), transformations.clone())).to_vec(),
            settings,
            seeds: vec![1, 2, 3],
        })
        .unwrap()
    }

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let manifest = small();
        assert_eq!(manifest.units.len(), 12);
        assert_eq!(manifest, small());
        assert_eq!(Manifest::parse(&manifest.text()), Ok(manifest));
    }

    #[test]
    fn ids_depend_on_everything_but_the_place_of_files() {
        let manifest = small();
        let ids: BTreeSet<Digest> = manifest.units.iter().map(|unit| unit.id).collect();
        assert_eq!(ids.len(), manifest.units.len());
        let mut moved = manifest.clone();
        moved.subjects[0].file = Some(PathBuf::from("elsewhere.toml"));
        assert_eq!(Manifest::parse(&moved.text()), Ok(moved));
    }

    #[test]
    fn an_edited_manifest_is_refused() {
        let text = small().text();
        let refused = |from: &str, to: &str| {
            let edited = text.replacen(from, to, 1);
            assert_ne!(edited, text, "{from}");
            Manifest::parse(&edited).unwrap_err()
        };
        assert!(refused("\"seed\":2", "\"seed\":4").contains("unit 3"));
        assert!(refused("\"fresh\":100000", "\"fresh\":1").contains("unit 1"));
        assert!(refused("\"name\":\"gcd\"", "\"name\":\"lcm\"").contains("the list of units"));
        assert!(refused("\"subject\":1", "\"subject\":7").contains("unit 7"));
        assert!(refused("\"version\":1", "\"version\":2").contains("version 2"));
        assert!(refused("\"tool\":\"", "\"tool\":\"9").contains("planned by genmorph 9"));
        assert!(refused("\"units\"", "\"parts\"").contains("damaged"));
        let last = small().text().lines().rev().nth(1).unwrap().to_owned();
        assert!(refused(&format!(",\n{last}"), "").contains("the list of units"));
    }

    #[test]
    fn nothing_and_the_same_thing_twice_are_refused() {
        let manifest = small();
        let axes = |seeds: Vec<u64>| Axes {
            work: "generate".to_owned(),
            subjects: vec![(manifest.subjects[0].clone(), vec!["SequenceFlip on s".to_owned()])],
            settings: manifest.settings.clone(),
            seeds,
        };
        assert!(matches!(Manifest::new(axes(vec![])), Err(SweepError::Empty("seeds"))));
        assert!(matches!(Manifest::new(axes(vec![1, 1])), Err(SweepError::Twice(_))));
    }
}
