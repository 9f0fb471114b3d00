//! The second function that a `subject.toml` or a flag names: by `inverse`, `same_as` or `then`.

use crate::subject::together::Role;

/// Which second function, and what it is to the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondName {
    /// What it is to the first.
    pub role: Role,
    /// A Java method, the export of a module, a Rust function, or the file that defines it (`decode.toml`).
    pub name: String,
}

impl SecondName {
    /// The only one of three that is named.
    ///
    /// # Errors
    /// When several are.
    pub fn only(
        inverse: Option<&str>,
        same_as: Option<&str>,
        then: Option<&str>,
    ) -> Result<Option<SecondName>, String> {
        let all = [(Role::Inverse, inverse), (Role::SameAs, same_as), (Role::Then, then)];
        let mut named = all.into_iter().filter_map(|(role, name)| {
            name.map(|name| SecondName { role, name: name.trim().to_owned() })
        });
        match (named.next(), named.next()) {
            (Some(one), Some(other)) => Err(format!(
                "`{}` and `{}` name a second function each: a run has one",
                one.role.key(),
                other.role.key()
            )),
            (Some(one), None) if one.name.is_empty() => {
                Err(format!("`{}` is empty: name the second function", one.role.key()))
            }
            (one, _) => Ok(one),
        }
    }

    /// The file that defines it, if it is in one.
    pub fn file(&self) -> Option<&str> {
        Some(&*self.name).filter(|name| name.ends_with(".toml"))
    }
}
