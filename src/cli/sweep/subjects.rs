//! The subjects of a sweep: where they are, what they are called, and what they are.

use std::path::{Component, Path, PathBuf};

use genmorph::subject::{Definition, Subject as _};
use genmorph::support::digest::Digest;
use genmorph::sweep::{Manifest, Unit};

use super::super::{Failure, OrFailure, doctor, python};

/// What the built-in function is called.
const BUILT_IN: &str = "pow";

/// The digest of a subject: of its definition and the code that it names. Without a file, of the built-in one. No JVM is
/// started for it.
pub(super) fn content(file: Option<&Path>) -> Result<Digest, Failure> {
    let definition = match file {
        Some(file) => Definition::read(file).or_input()?,
        None => Definition::demo(),
    };
    let identity = match definition {
        Definition::Wasm(definition) => definition.identity(),
        Definition::Java(definition) => {
            let repositories = doctor::repositories(&doctor::cache()?);
            definition.identity(&repositories).or_input()?
        }
        Definition::Python(definition) => {
            let runtime = python::runtime(None, 1)?;
            *python::located(definition).subject(&runtime).or_input()?.identity()
        }
    };
    Ok(identity.subject)
}

/// Names for subjects, as short as they can be: that of the file, or of its folder if all files are called the same.
pub(super) fn names(files: &[Option<PathBuf>]) -> Vec<String> {
    let of = |file: &Option<PathBuf>, parts: usize| {
        let Some(file) = file else { return BUILT_IN.to_owned() };
        let stem = file.file_stem().unwrap_or_default();
        let folders = file.parent().into_iter().flat_map(Path::components).rev();
        let folders = folders.filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        let is_plain =
            stem == "subject" && file.parent().is_some_and(|folder| folder.file_name().is_some());
        let names = (!is_plain).then_some(stem).into_iter().chain(folders).take(parts);
        let mut names: Vec<String> =
            names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.reverse();
        names.join("/")
    };
    let mut parts = vec![1; files.len()];
    loop {
        let named: Vec<String> =
            files.iter().zip(&parts).map(|(file, parts)| of(file, *parts)).collect();
        let is_taken = |place: usize| {
            named.iter().enumerate().any(|(other, name)| other != place && *name == named[place])
        };
        let taken: Vec<usize> = (0..files.len()).filter(|&place| is_taken(place)).collect();
        // A name that does not grow any longer is that of the same file, which the plan refuses.
        let grows = |&place: &usize| of(&files[place], parts[place] + 1) != named[place];
        let grown: Vec<usize> = taken.into_iter().filter(grows).collect();
        if grown.is_empty() {
            return named;
        }
        grown.into_iter().for_each(|place| parts[place] += 1);
    }
}

/// The way from one folder to a file, both from the root.
pub(super) fn way(from: &Path, to: &Path) -> PathBuf {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    up.chain(to.components().skip(common)).collect()
}

/// Where a subject of a manifest is.
pub(super) fn file(sweep: &Path, manifest: &Manifest, subject: usize) -> Option<PathBuf> {
    manifest.subjects[subject].file.as_ref().map(|file| sweep.join(file))
}

/// Fails if the subject of a unit is not what it was when the sweep was planned.
pub(super) fn check(sweep: &Path, manifest: &Manifest, units: &[&Unit]) -> Result<(), Failure> {
    let mut subjects: Vec<usize> = units.iter().map(|unit| unit.subject).collect();
    subjects.dedup();
    for subject in subjects {
        let planned = &manifest.subjects[subject];
        let file = file(sweep, manifest, subject);
        if content(file.as_deref())? != planned.content {
            let place = match &file {
                Some(file) => file.display().to_string(),
                None => "the built-in function".to_owned(),
            };
            return Err(Failure::Input(format!(
                "{} has changed since the sweep was planned ({place}, or the code that it names): \
                 put it back, or plan anew into another folder",
                planned.name
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(files: &[&str]) -> Vec<String> {
        names(&files.iter().map(|file| Some(PathBuf::from(file))).collect::<Vec<_>>())
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        assert_eq!(named(&["/a/gcd/subject.toml", "/a/pow.toml"]), ["gcd", "pow"]);
        assert_eq!(named(&["/a/gcd/subject.toml", "/a/wide/gcd.toml"]), ["a/gcd", "wide/gcd"]);
        assert_eq!(named(&["/a/x/gcd.toml", "/b/x/gcd.toml"]), ["a/x/gcd", "b/x/gcd"]);
        assert_eq!(named(&["/gcd.toml", "/gcd.toml"]), ["gcd", "gcd"]);
        assert_eq!(named(&["/subject.toml"]), ["subject"]);
        assert_eq!(names(&[None, Some(PathBuf::from("/a/pow.toml"))]), ["pow", "a/pow"]);
    }

    #[test]
    fn a_way_goes_up_and_down() {
        let way = |from: &str, to: &str| way(from.as_ref(), to.as_ref()).display().to_string();
        assert_eq!(way("/a/sweep", "/a/gcd/subject.toml"), "../gcd/subject.toml");
        assert_eq!(way("/a", "/a/subject.toml"), "subject.toml");
        assert_eq!(way("/x/y", "/a/b.toml"), "../../a/b.toml");
    }
}
