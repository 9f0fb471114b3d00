//! The condition on inputs that a user gives: `where = "length(p1) == length(p2)"` in `[domain]`, or a flag.
//!
//! It can only be read when the types of the parameters are known, so its text is kept with the place where it is written.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use genmorph_jit::text::ParseErrorKind;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use toml::Spanned;

use crate::subject::{Condition, Signature};
use crate::support::pointer::Pointer;

/// The key of the condition; a parameter of this name has no domain in a file.
const WHERE: &str = "where";

/// A condition as a user writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenCondition {
    text: String,
    /// The text of the file, and where the condition begins in it, in bytes.
    place: Option<(String, usize)>,
}

/// A condition that cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{origin}, line {line}, column {column}: {kind}\n\n{pointer}\n\nparameters: {parameters}")]
pub struct BadCondition {
    /// The file or the flag.
    pub origin: String,
    /// The line in it, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: Box<ParseErrorKind>,
    /// The line with a mark under the place.
    pub pointer: Pointer,
    /// The parameters with their types.
    pub parameters: String,
}

impl GivenCondition {
    /// The condition that a flag gives.
    pub fn flag(text: &str) -> GivenCondition {
        GivenCondition { text: text.to_owned(), place: None }
    }

    /// The condition in a definition: its value, and the bytes that this takes in the file.
    fn written(file: &str, text: &str, span: Range<usize>) -> GivenCondition {
        // After a quotation mark, or three. A text with escapes is not there as it is: its beginning is named then.
        let begins = file.get(span.clone()).and_then(|value| value.find(text));
        let place = Some((file.to_owned(), span.start + begins.unwrap_or_default()));
        GivenCondition { text: text.to_owned(), place }
    }

    /// Reads it for a function; errors name `origin`, a file or a flag.
    ///
    /// # Errors
    /// When it is no condition on the parameters.
    pub fn read(&self, origin: &str, signature: &Signature) -> Result<Condition, BadCondition> {
        Condition::parse(&self.text, signature).map_err(|error| {
            let (mut line, mut column, mut shown) = (error.line, error.column, &self.text);
            if let Some((file, begins)) = &self.place {
                let before = &file[..*begins];
                if error.line == 1 {
                    column += before.chars().rev().take_while(|&c| c != '\n').count();
                }
                line += before.matches('\n').count();
                shown = file;
            }
            let parameters = signature.parameters.iter();
            let parameters = parameters.map(|p| format!("{}: {}", p.name, p.ty));
            BadCondition {
                origin: origin.to_owned(),
                line,
                column,
                kind: Box::new(error.kind),
                pointer: Pointer::at(shown, line, column),
                parameters: parameters.collect::<Vec<_>>().join(", "),
            }
        })
    }
}

/// The section `[domain]`: limits by parameter, and the condition.
#[derive(Debug)]
pub(in crate::subject) struct DomainSection<L> {
    pub(in crate::subject) limits: BTreeMap<Spanned<String>, L>,
    condition: Option<Spanned<String>>,
}

impl<L> Default for DomainSection<L> {
    fn default() -> DomainSection<L> {
        DomainSection { limits: BTreeMap::new(), condition: None }
    }
}

impl<L> DomainSection<L> {
    /// The condition, as it is in the text of the file.
    pub(in crate::subject) fn condition(&self, file: &str) -> Option<GivenCondition> {
        let written = self.condition.as_ref()?;
        Some(GivenCondition::written(file, written.get_ref(), written.span()))
    }
}

impl<'de, L: Deserialize<'de>> Deserialize<'de> for DomainSection<L> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_map(SectionVisitor(PhantomData))
    }
}

struct SectionVisitor<L>(PhantomData<L>);

impl<'de, L: Deserialize<'de>> Visitor<'de> for SectionVisitor<L> {
    type Value = DomainSection<L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("domains of parameters, such as `n = { range = [0, 20] }`, or `where = \"n < length(s)\"`")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut section = DomainSection::default();
        while let Some(name) = map.next_key::<Spanned<String>>()? {
            match name.get_ref().as_str() {
                WHERE => section.condition = Some(map.next_value()?),
                _ => {
                    let limits = map.next_value()?;
                    section.limits.insert(name, limits);
                }
            }
        }
        Ok(section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct File {
        domain: DomainSection<BTreeMap<String, u8>>,
    }

    fn condition(text: &str) -> Result<Condition, BadCondition> {
        let file: File = toml::from_str(text).unwrap();
        let signature = Signature::parse("f", "func(n: s32, s: string) -> s32").unwrap();
        file.domain.condition(text).expect("there is one").read("subject.toml", &signature)
    }

    #[test]
    fn a_condition_stands_beside_the_domains_of_parameters() {
        let text = "[domain]\nn = { least = 3 }\nwhere = \"n < length(s)\"\n";
        assert_eq!(condition(text).unwrap().text(), "n < length(s)");
        let file: File = toml::from_str(text).unwrap();
        assert_eq!(file.domain.limits.len(), 1);
    }

    #[test]
    fn an_error_names_the_line_and_the_column_of_the_file() {
        let error = condition("[domain]\nn = {}\nwhere = \"n < length(t)\"\n").unwrap_err();
        assert_eq!((error.line, error.column), (3, 21), "{error}");
        let error = condition("[domain]\nwhere = '''\nn < 3 and\nlength(t) < 3'''\n").unwrap_err();
        assert_eq!((error.line, error.column), (4, 8), "{error}");
        assert!(error.to_string().contains("parameters: n: s32, s: string"), "{error}");
        assert!(condition("[domain]\nwhere = \"n + 1\"\n").is_err());
    }
}
