//! The identity of a subject: digests of everything that its results depend on.
//!
//! A run that is resumed and a sweep on many machines both use it to make sure that the subject is still the same.
//! The parts are kept apart so that an error can name what changed. Knows nothing of languages: who defines a
//! subject says what its definition, domain, scope and code are.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::signature::{Domain, Signature};
use crate::support::digest::{Digest, Fields};

/// The identity of a subject. Paths are no part of it: a subject that is moved stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The digest of the whole: the text of the definition, which has domain and scope in it, and the code.
    pub subject: Digest,
    /// The text of the definition: the file, or what flags say.
    pub definition: Digest,
    /// The domains of the parameters.
    pub domain: Digest,
    /// The functions and source files that mutants are made in, as far as the definition names them.
    pub scope: Digest,
    /// The code: a module, classes and jars, or sources and a lock file.
    pub code: Digest,
}

impl Identity {
    /// The identity of a function with a second one, which has this role.
    #[must_use]
    pub fn and(&self, second: &Identity, role: &str) -> Identity {
        let both = |of: fn(&Identity) -> Digest| {
            let [first, second] = [of(self), of(second)].map(|digest| digest.to_string());
            Fields::of("genmorph two functions 1").and(first).and(role).and(second).digest()
        };
        Identity {
            subject: both(|identity| identity.subject),
            definition: both(|identity| identity.definition),
            domain: both(|identity| identity.domain),
            scope: both(|identity| identity.scope),
            code: both(|identity| identity.code),
        }
    }

    /// The same subject on the inputs that satisfy a condition, which its definition does not have.
    #[must_use]
    pub fn on(&self, condition: &str) -> Identity {
        let with = |digest: &Digest| {
            Fields::of("genmorph condition 1").and(digest.to_string()).and(condition).digest()
        };
        Identity { subject: with(&self.subject), domain: with(&self.domain), ..*self }
    }

    /// The parts that differ from those of an earlier identity, in words; none if the subject is the same.
    pub fn changes_since(&self, before: &Identity) -> Vec<&'static str> {
        let Identity { subject, definition, domain, scope, code } = self;
        let parts = [
            ("the domain of the subject", domain != &before.domain),
            ("the scope of the subject", scope != &before.scope),
            ("the code of the subject", code != &before.code),
        ];
        let mut changes: Vec<&str> =
            parts.into_iter().filter(|(_, changed)| *changed).map(|(part, _)| part).collect();
        let other = definition != &before.definition || subject != &before.subject;
        if changes.is_empty() && other {
            changes.push("the definition of the subject");
        }
        changes
    }
}

/// Takes in the parts of a subject, one after the other, and computes its identity.
#[derive(Clone, Debug)]
pub struct IdentityBuilder {
    subject: Fields,
    definition: Digest,
    domain: Fields,
    scope: Fields,
    code: Fields,
}

impl IdentityBuilder {
    /// Begins with the text of the definition.
    pub fn new(definition: &str) -> IdentityBuilder {
        IdentityBuilder {
            // Manifests of sweeps have this digest: it must not change.
            subject: Fields::of("genmorph subject 1").and(definition),
            definition: Fields::of("genmorph definition 1").and(definition).digest(),
            domain: Fields::of("genmorph domain 1"),
            scope: Fields::of("genmorph scope 1"),
            code: Fields::of("genmorph code 1"),
        }
    }

    /// Adds the domain of a parameter.
    #[must_use]
    pub fn domain(mut self, parameter: &str, domain: &Domain) -> IdentityBuilder {
        let Domain { range, also, max_len, min_len, alphabet } = domain;
        let text = format!("{range:?} {also:?} {max_len:?} {min_len:?} {alphabet:?}");
        self.domain = self.domain.and(parameter).and(text);
        self
    }

    /// Adds the domains of all parameters of a signature.
    #[must_use]
    pub fn domains_of(self, signature: &Signature) -> IdentityBuilder {
        let parameters = signature.parameters.iter();
        parameters.fold(self, |builder, p| builder.domain(&p.name, &p.domain))
    }

    /// Adds domains by the names of their parameters.
    #[must_use]
    pub fn domains(self, domains: &BTreeMap<String, Domain>) -> IdentityBuilder {
        domains.iter().fold(self, |builder, (name, domain)| builder.domain(name, domain))
    }

    /// Adds a function or source file that mutants are made in.
    #[must_use]
    pub fn scope(mut self, item: &str) -> IdentityBuilder {
        self.scope = self.scope.and(item);
        self
    }

    /// Adds a piece of code, or the name of one.
    #[must_use]
    pub fn code(mut self, code: impl AsRef<[u8]>) -> IdentityBuilder {
        self.subject = self.subject.and(&code);
        self.code = self.code.and(&code);
        self
    }

    /// Adds a jar, or all class files in a folder.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn classes(self, path: &Path) -> io::Result<IdentityBuilder> {
        if path.is_dir() { self.folder(path) } else { Ok(self.code(fs::read(path)?)) }
    }

    /// Adds the class files in a folder, each after its name. Other files are left out, since classes do not see
    /// them, and the results of a run may be among them.
    fn folder(mut self, folder: &Path) -> io::Result<IdentityBuilder> {
        for entry in entries(folder)? {
            let path = entry.path();
            if is_class(&path) || has_classes(&entry)? {
                self = self.code(entry.file_name().to_string_lossy().as_bytes());
                self = self.classes(&path)?;
            }
        }
        Ok(self)
    }

    /// The identity of all that was added.
    pub fn finish(self) -> Identity {
        let IdentityBuilder { subject, definition, domain, scope, code } = self;
        Identity {
            subject: subject.digest(),
            definition,
            domain: domain.digest(),
            scope: scope.digest(),
            code: code.digest(),
        }
    }
}

fn entries(folder: &Path) -> io::Result<Vec<fs::DirEntry>> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    Ok(entries)
}

fn is_class(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "class") && path.is_file()
}

/// Whether an entry is a folder with a class somewhere in it. Links to folders may lead in circles: they have none.
fn has_classes(entry: &fs::DirEntry) -> io::Result<bool> {
    if !entry.file_type()?.is_dir() {
        return Ok(false);
    }
    for entry in entries(&entry.path())? {
        if is_class(&entry.path()) || has_classes(&entry)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(definition: &str, range: (f64, f64), scope: &str, code: &str) -> Identity {
        let domain = Domain { range: Some(range), ..Domain::default() };
        IdentityBuilder::new(definition).domain("e", &domain).scope(scope).code(code).finish()
    }

    #[test]
    fn changes_are_named() {
        let before = identity("d", (0.0, 20.0), "f", "c");
        let changes = |now: Identity| now.changes_since(&before).join(", ");
        assert_eq!(changes(before), "");
        assert_eq!(changes(identity("d2", (0.0, 20.0), "f", "c")), "the definition of the subject");
        assert_eq!(changes(identity("d2", (0.0, 9.0), "f", "c")), "the domain of the subject");
        assert_eq!(changes(identity("d2", (0.0, 20.0), "g", "c")), "the scope of the subject");
        assert_eq!(changes(identity("d", (0.0, 20.0), "f", "x")), "the code of the subject");
        let all = "the domain of the subject, the scope of the subject, the code of the subject";
        assert_eq!(changes(identity("d2", (1.0, 20.0), "g", "x")), all);
    }

    #[test]
    fn the_digest_is_the_one_that_manifests_have() {
        let subject = Fields::of("genmorph subject 1").and("text").and("module").digest();
        assert_eq!(IdentityBuilder::new("text").code("module").finish().subject, subject);
    }
}
