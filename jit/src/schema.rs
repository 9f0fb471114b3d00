//! The variables of a table, and the only ones a relation over it may name.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::op::Type;

/// Words that the text form uses itself. A variable cannot have one of these names. The names of later
/// operators are not among them: the text form tells them from variables by what stands beside them.
pub const RESERVED: [&str; 17] = [
    "abs", "and", "false", "flip", "iff", "implies", "inf", "length", "nan", "not", "or", "remove",
    "sum", "toString", "true", "truncate", "xor",
];

/// The index of a variable in its [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u16);

impl Var {
    /// The index as a position in lists that run parallel to the schema.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Named, typed variables in a fixed order. Cheap to clone.
#[derive(Clone)]
pub struct Schema(Arc<Inner>);

struct Inner {
    variables: Vec<(String, Type)>,
    by_name: BTreeMap<String, Var>,
}

/// A schema that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Not an identifier, or a word of the language.
    #[error(
        "`{0}` cannot name a variable: use letters, digits, `_` and `$`, not first a digit, and none of the language's own words"
    )]
    Name(String),
    /// The same name twice.
    #[error("the variable `{0}` is declared twice")]
    Twice(String),
    /// More variables than an index can count.
    #[error("{0} variables are too many: at most 65,535")]
    TooMany(usize),
}

impl Schema {
    /// A schema of these variables, in this order.
    pub fn new<N: Into<String>>(
        variables: impl IntoIterator<Item = (N, Type)>,
    ) -> Result<Schema, SchemaError> {
        let variables: Vec<(String, Type)> =
            variables.into_iter().map(|(name, ty)| (name.into(), ty)).collect();
        if variables.len() > usize::from(u16::MAX) {
            return Err(SchemaError::TooMany(variables.len()));
        }
        let mut by_name = BTreeMap::new();
        for (i, (name, _)) in variables.iter().enumerate() {
            if !is_identifier(name) || is_reserved(name) {
                return Err(SchemaError::Name(name.clone()));
            }
            if by_name.insert(name.clone(), Var(i as u16)).is_some() {
                return Err(SchemaError::Twice(name.clone()));
            }
        }
        Ok(Schema(Arc::new(Inner { variables, by_name })))
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.0.variables.len()
    }

    /// Whether there are no variables at all.
    pub fn is_empty(&self) -> bool {
        self.0.variables.is_empty()
    }

    /// The variable of this name.
    pub fn var(&self, name: &str) -> Option<Var> {
        self.0.by_name.get(name).copied()
    }

    /// The type of a variable, if the schema has it.
    #[inline]
    pub fn type_of(&self, var: Var) -> Option<Type> {
        self.0.variables.get(var.index()).map(|(_, ty)| *ty)
    }

    /// The name of a variable, if the schema has it.
    pub fn name(&self, var: Var) -> Option<&str> {
        self.0.variables.get(var.index()).map(|(name, _)| name.as_str())
    }

    /// All variables in order: index, name and type.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &str, Type)> {
        self.0
            .variables
            .iter()
            .enumerate()
            .map(|(i, (name, ty))| (Var(i as u16), name.as_str(), *ty))
    }

    /// The declared name nearest to a mistyped one, if any is near.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        self.0
            .variables
            .iter()
            .map(|(known, _)| (edits(name, known), known.as_str()))
            .filter(|(distance, known)| *distance <= 1 + known.chars().count() / 3)
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, known)| known)
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.variables == other.0.variables
    }
}

impl Eq for Schema {}

impl Hash for Schema {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.variables.hash(state);
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.variables.iter().map(|(name, ty)| (name, ty))).finish()
    }
}

pub(crate) fn starts_identifier(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

pub(crate) fn continues_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn is_identifier(name: &str) -> bool {
    name.chars().next().is_some_and(starts_identifier) && name.chars().all(continues_identifier)
}

pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Levenshtein distance, of the first 64 characters: names are short, hostile ones are not.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_unique() {
        let schema = |names: &[&str]| Schema::new(names.iter().map(|n| (*n, Type::Num)));
        assert!(schema(&["k_s", "_", "$x", "größe", "x1"]).is_ok());
        assert_eq!(schema(&["1x"]), Err(SchemaError::Name("1x".into())));
        assert_eq!(schema(&[""]), Err(SchemaError::Name(String::new())));
        assert_eq!(schema(&["xor"]), Err(SchemaError::Name("xor".into())));
        assert_eq!(schema(&["a b"]), Err(SchemaError::Name("a b".into())));
        assert_eq!(schema(&["a", "a"]), Err(SchemaError::Twice("a".into())));
    }

    #[test]
    fn a_mistyped_name_finds_its_neighbour() {
        let schema = Schema::new([("out_s", Type::Num), ("k_s", Type::Num)]).unwrap();
        assert_eq!(schema.nearest("ot_s"), Some("out_s"));
        assert_eq!(schema.nearest("completely_else"), None);
    }
}
