//! The function that a test file calls, and how its arguments are passed.

use super::RustError;
use super::language::named;
use crate::export::types::NamedType;
use crate::subject::{Signature, Type};

/// A function of a crate, with how it takes arguments and returns its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callee {
    /// The path or the closure that is called.
    pub function: Function,
    /// Its parameters, in the order of the signature.
    pub parameters: Vec<Argument>,
    /// How it returns its result.
    pub returned: ReturnStyle,
}

/// The expression that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// The path of a function: `my_crate::pad_start`.
    Path(String),
    /// A closure that captures nothing: `|s, n, c| my_crate::pad_start(&s, n, c)`.
    Closure(String),
}

/// How a parameter takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// How it is passed.
    pub passing: ArgumentMode,
    /// Whether integers are `usize` or `isize`.
    pub is_size: bool,
}

/// What a test writes before an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentMode {
    /// `text`, a `String`, a `Vec<T>` or a single value.
    Value,
    /// `&text`, for `&str`, `&String`, `&[T]`, `&Vec<T>` or `&T`.
    Reference,
    /// `&mut a`: for a list that is changed in place.
    Mutable,
}

/// How a function returns its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReturnStyle {
    /// Whether the result is a `&str`, `&[T]` or `&T`.
    pub is_borrowed: bool,
    /// Whether the result is in an `Option` or a `Result`. `None` and `Err` count as a panic; an error must be `Debug`.
    pub is_fallible: bool,
    /// Whether integers are `usize` or `isize`.
    pub is_size: bool,
}

impl Callee {
    /// Reads a path, which gets texts as `&str` and lists as slices, or a closure, which gets all arguments by value. Lists that
    /// are changed in place are passed as `&mut`.
    ///
    /// # Errors
    /// When the text is neither a path nor a closure.
    pub fn read(text: &str, signature: &Signature) -> Result<Callee, RustError> {
        let text = text.trim();
        let is_closure = text.starts_with('|');
        if !is_closure && !is_path(text) {
            return Err(RustError::Call(text.to_owned()));
        }
        let passing = |(i, ty): (usize, Type)| match ty {
            _ if signature.changed.contains(&i) => ArgumentMode::Mutable,
            Type::String | Type::List(_) if !is_closure => ArgumentMode::Reference,
            Type::Scalar(_) | Type::String | Type::List(_) => ArgumentMode::Value,
        };
        let types = signature.parameters.iter().map(|parameter| parameter.ty).enumerate();
        let argument = |place| Argument { passing: passing(place), is_size: false };
        Ok(Callee {
            function: match is_closure {
                true => Function::Closure(text.to_owned()),
                false => Function::Path(text.to_owned()),
            },
            parameters: types.map(argument).collect(),
            returned: ReturnStyle::default(),
        })
    }

    /// The types of the parameters in Rust.
    pub(super) fn types(&self, signature: &Signature) -> Vec<NamedType> {
        let parameters = signature.parameters.iter().zip(&self.parameters);
        parameters.map(|(p, own)| named(p.ty, own.is_size)).collect()
    }
}

/// Names with `::` between them, the last ones perhaps with types: `my_crate::maths::gcd::<i32>`.
fn is_path(text: &str) -> bool {
    let (names, types) = match text.split_once("::<") {
        Some((names, types)) => (names, types.strip_suffix('>')),
        None => (text, Some("")),
    };
    let is_name = |name: &str| {
        let name = name.strip_prefix("r#").unwrap_or(name);
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_numeric())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    names.trim_start_matches("::").split("::").all(is_name)
        && types.is_some_and(|types| types.chars().all(|c| !";{}()\n".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_closures_are_callees() {
        let signature = Signature::parse("f", "func(s: string, n: s32) -> string").unwrap();
        let passed = |text| {
            let callee = Callee::read(text, &signature)?;
            Ok(callee.parameters.iter().map(|p| p.passing).collect::<Vec<_>>())
        };
        let by_path = Ok(vec![ArgumentMode::Reference, ArgumentMode::Value]);
        assert_eq!(passed("my_crate::f"), by_path);
        assert_eq!(passed("f::<i32>"), by_path);
        assert_eq!(passed(" |s, n| f(&s, n)"), Ok(vec![ArgumentMode::Value; 2]));
        for wrong in ["", "my crate", "a::", "f()", "a.b", "1x", "f::<i32"] {
            assert_eq!(passed(wrong), Err(RustError::Call(wrong.to_owned())), "{wrong}");
        }
    }
}
