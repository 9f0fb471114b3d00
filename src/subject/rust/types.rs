//! The types that parameters and results of Rust functions may have, and what they are to relations.
//!
//! | Rust | to relations |
//! |---|---|
//! | `i8` … `u64`, `isize`, `usize`, `i128`, `u128`, `f32`, `f64`, `char` | a number |
//! | `bool` | a truth value |
//! | `&str`, `String`, `Cow<str>`, `Box<str>` | a text |
//! | `&[T]`, `Vec<T>`, `[T; N]`, `Box<[T]>` of the above | a sequence |
//! | `&T`, `&&T` | what `T` is; `&mut [T]` and `&mut Vec<T>` are outputs too |
//! | a tuple of numbers and truth values | several parameters; as a result, a sequence of numbers |
//! | `Option<T>` | a parameter is always `Some`; a result `None` is as if the function had thrown |
//! | `Result<T, E>` | a result `Err` is as if the function had thrown |
//!
//! Knows nothing of modules and of calls.

use std::collections::BTreeMap;

use crate::subject::{Scalar, Type};
use crate::support::named::named;

named! {
    /// A type whose values are numbers, characters or truth values.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names are those of Rust")]
    pub enum Primitive {
        I8 = "i8",
        U8 = "u8",
        I16 = "i16",
        U16 = "u16",
        I32 = "i32",
        U32 = "u32",
        I64 = "i64",
        U64 = "u64",
        I128 = "i128",
        U128 = "u128",
        Isize = "isize",
        Usize = "usize",
        F32 = "f32",
        F64 = "f64",
        Bool = "bool",
        Char = "char",
    }
}

/// What holds the values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number, a character or a truth value.
    Single(Primitive),
    /// `str`, behind a reference.
    Str,
    /// A `String`, by value or behind a reference.
    String,
    /// `[T]`, behind a reference.
    Slice(Primitive),
    /// A `Vec<T>`, by value or behind a reference.
    Vec(Primitive),
    /// An array `[T; N]`.
    Array(Primitive, usize),
}

/// How a function takes a parameter; its arguments in an exported test are another matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterMode {
    /// As it is; `&str` and `&[T]` are.
    Value,
    /// Behind this many further references.
    Reference(usize),
    /// `&mut`: what it is afterwards is an output.
    Mutable,
}

/// A part of a parameter that is one to relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What holds the values.
    pub form: Form,
    /// How it is passed.
    pub passing: ParameterMode,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// One value, text or sequence.
    One(Part),
    /// An `Option`, which is `Some` in all rows that relations see.
    Some(Part),
    /// A tuple of single values.
    Tuple(Vec<Primitive>),
}

/// What a result is wrapped in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// The value without a wrapper.
    None,
    /// An `Option` of the value.
    Option,
    /// A `Result` of the value.
    Result,
}

/// What a result is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultForm {
    /// A single value, behind this many references.
    Single(Primitive, usize),
    /// Whatever is a `str`, by itself or by dereferencing.
    Text,
    /// Whatever is a slice of these.
    List(Primitive),
    /// A tuple of single values.
    Tuple(Vec<Primitive>),
}

/// The type of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultType {
    /// What it is wrapped in.
    pub wrapper: Wrapper,
    /// The form of the value.
    pub form: ResultForm,
    /// Who owns the value.
    pub ownership: Ownership,
}

/// Who owns a result, as far as callers have to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// As a single value, a `String` or a `Vec`.
    Owned,
    /// Behind one reference, as `&str` or `&[T]`.
    Borrowed,
    /// Otherwise: a `Cow`, a `Box`, an array, a tuple, several references.
    Otherwise,
}

/// What type parameters stand for, by name; as they are written.
pub type Arguments = BTreeMap<String, String>;

impl Primitive {
    /// The type of this name.
    pub fn named(name: &str) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|known| known.name() == name)
    }

    /// What it is in WIT. Relations compute with doubles: of wide integers they have those up to 2^53.
    pub fn scalar(self) -> Scalar {
        match self {
            Primitive::I8 => Scalar::S8,
            Primitive::U8 => Scalar::U8,
            Primitive::I16 => Scalar::S16,
            Primitive::U16 => Scalar::U16,
            Primitive::I32 => Scalar::S32,
            Primitive::U32 => Scalar::U32,
            Primitive::I64 | Primitive::I128 | Primitive::Isize => Scalar::S64,
            Primitive::U64 | Primitive::U128 | Primitive::Usize => Scalar::U64,
            Primitive::F32 => Scalar::F32,
            Primitive::F64 => Scalar::F64,
            Primitive::Bool => Scalar::Bool,
            Primitive::Char => Scalar::Char,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Primitive::F32 | Primitive::F64 | Primitive::Bool | Primitive::Char)
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(
            self,
            Primitive::I8
                | Primitive::I16
                | Primitive::I32
                | Primitive::I64
                | Primitive::I128
                | Primitive::Isize
                | Primitive::F32
                | Primitive::F64
        )
    }
}

impl Form {
    /// What it is to relations.
    pub fn ty(self) -> Type {
        match self {
            Form::Single(primitive) => Type::Scalar(primitive.scalar()),
            Form::Str | Form::String => Type::String,
            Form::Slice(primitive) | Form::Vec(primitive) | Form::Array(primitive, _) => {
                Type::List(primitive.scalar())
            }
        }
    }
}

impl ResultForm {
    /// What it is to relations.
    pub fn ty(&self) -> Type {
        match self {
            ResultForm::Single(primitive, _) => Type::Scalar(primitive.scalar()),
            ResultForm::Text => Type::String,
            ResultForm::List(primitive) => Type::List(primitive.scalar()),
            ResultForm::Tuple(_) => Type::List(Scalar::F64),
        }
    }
}

/// The type of a parameter, or why it cannot be one.
pub(super) fn parameter(ty: &syn::Type, with: &Arguments) -> Result<ParameterType, String> {
    let ty = plain(ty);
    if let syn::Type::Tuple(tuple) = ty {
        let parts = tuple.elems.iter().map(|e| single(e, with));
        return match parts.collect::<Option<Vec<_>>>() {
            Some(parts) if !parts.is_empty() => Ok(ParameterType::Tuple(parts)),
            _ => Err("a tuple may have numbers and truth values only".to_owned()),
        };
    }
    if let Some(("Option", [inner])) = generic(ty).as_ref().map(|(n, a)| (n.as_str(), a.as_slice()))
    {
        return match part(inner, with)? {
            Part { passing: ParameterMode::Mutable, .. } => {
                Err("an optional `&mut` is not supported".to_owned())
            }
            part => Ok(ParameterType::Some(part)),
        };
    }
    part(ty, with).map(ParameterType::One)
}

/// The type of a result; none if it is `()`.
pub(super) fn result(ty: &syn::Type, with: &Arguments) -> Result<Option<ResultType>, String> {
    let ty = plain(ty);
    if matches!(ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty()) {
        return Ok(None);
    }
    let wrapped = generic(ty);
    let (wrapper, inner) = match wrapped.as_ref().map(|(n, a)| (n.as_str(), a.as_slice())) {
        Some(("Option", [inner])) => (Wrapper::Option, *inner),
        Some(("Result", [inner, ..])) => (Wrapper::Result, *inner),
        _ => (Wrapper::None, ty),
    };
    let inner = plain(inner);
    if let syn::Type::Tuple(tuple) = inner {
        let parts = tuple.elems.iter().map(|e| single(e, with)).collect::<Option<Vec<_>>>();
        return match parts {
            Some(parts) if !parts.is_empty() => {
                let form = ResultForm::Tuple(parts);
                Ok(Some(ResultType { wrapper, form, ownership: Ownership::Otherwise }))
            }
            Some(_) => Err("it returns nothing but success".to_owned()),
            None => {
                Err("a tuple that is returned may have numbers and truth values only".to_owned())
            }
        };
    }
    let form = match cow(inner) {
        Some(borrowed) => held(borrowed, with).map(|form| (form, 0)),
        None => dereferenced(inner, with),
    };
    let ownership = match form {
        _ if cow(inner).is_some() => Ownership::Otherwise,
        Some((Form::Single(_) | Form::String | Form::Vec(_), 0)) => Ownership::Owned,
        Some((Form::Single(_) | Form::Str | Form::Slice(_), 1)) => Ownership::Borrowed,
        _ => Ownership::Otherwise,
    };
    let form = match form {
        Some((Form::Single(primitive), references)) => ResultForm::Single(primitive, references),
        Some((Form::Str | Form::String, _)) => ResultForm::Text,
        Some((Form::Slice(primitive) | Form::Vec(primitive) | Form::Array(primitive, _), _)) => {
            ResultForm::List(primitive)
        }
        None => return Err(format!("it returns `{}`; {SUPPORTED}", written(inner))),
    };
    Ok(Some(ResultType { wrapper, form, ownership }))
}

/// The types that there are, for people.
const SUPPORTED: &str = "it may be an integer, a float, bool, char, str, String, a slice, Vec or array of these, \
                         an Option or Result of them, or a tuple of numbers";

fn part(ty: &syn::Type, with: &Arguments) -> Result<Part, String> {
    let ty = plain(ty);
    if let syn::Type::Reference(reference) = ty
        && reference.mutability.is_some()
    {
        return match held(&reference.elem, with) {
            Some(form @ (Form::Slice(_) | Form::Vec(_) | Form::Array(..))) => {
                Ok(Part { form, passing: ParameterMode::Mutable })
            }
            _ => Err(format!(
                "it is `{}`; only slices, arrays and Vecs can be changed in place",
                written(ty)
            )),
        };
    }
    let found = dereferenced(ty, with);
    let Some((form, references)) = found else {
        return Err(match ty {
            syn::Type::ImplTrait(_) => {
                format!(
                    "it is `{}`: write a function with a type that is known, and name that",
                    written(ty)
                )
            }
            syn::Type::FnPtr(_) => {
                "it is a function, and relations have no word for functions".to_owned()
            }
            _ => format!("it is `{}`; {SUPPORTED}", written(ty)),
        });
    };
    // What has no size is behind a reference anyway.
    let own = usize::from(matches!(form, Form::Str | Form::Slice(_)));
    let passing = match references.checked_sub(own) {
        Some(0) => ParameterMode::Value,
        Some(more) => ParameterMode::Reference(more),
        None => return Err(format!("it is `{}`; {SUPPORTED}", written(ty))),
    };
    Ok(Part { form, passing })
}

/// What is behind all references, and how many there are.
fn dereferenced(ty: &syn::Type, with: &Arguments) -> Option<(Form, usize)> {
    match plain(ty) {
        syn::Type::Reference(reference) if reference.mutability.is_none() => {
            dereferenced(&reference.elem, with).map(|(form, count)| (form, count + 1))
        }
        ty => held(ty, with).map(|form| (form, 0)),
    }
}

fn held(ty: &syn::Type, with: &Arguments) -> Option<Form> {
    let ty = plain(ty);
    match ty {
        syn::Type::Slice(slice) => return single(&slice.elem, with).map(Form::Slice),
        syn::Type::Array(array) => {
            let element = single(&array.elem, with)?;
            let length = match &array.len {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(length), .. }) => {
                    length.base10_parse().ok()?
                }
                syn::Expr::Path(path) => {
                    with.get(&path.path.get_ident()?.to_string())?.parse().ok()?
                }
                _ => return None,
            };
            return Some(Form::Array(element, length));
        }
        _ => {}
    }
    if let Some(primitive) = single(ty, with) {
        return Some(Form::Single(primitive));
    }
    let (name, arguments) = generic(ty)?;
    match (name.as_str(), arguments.as_slice()) {
        ("str", []) => Some(Form::Str),
        ("String", []) => Some(Form::String),
        ("Vec", [element]) => single(element, with).map(Form::Vec),
        _ => {
            let given = syn::parse_str::<syn::Type>(with.get(&name)?).ok()?;
            held(&given, &Arguments::new())
        }
    }
}

/// What is in a `Cow` or a `Box`: only of results, which are dereferenced.
fn cow(ty: &syn::Type) -> Option<&syn::Type> {
    let (name, arguments) = generic(ty)?;
    match (name.as_str(), arguments.as_slice()) {
        ("Cow" | "Box", [inner]) => Some(inner),
        _ => None,
    }
}

fn single(ty: &syn::Type, with: &Arguments) -> Option<Primitive> {
    let (name, arguments) = generic(plain(ty))?;
    if !arguments.is_empty() {
        return None;
    }
    let given = with.get(&name);
    Primitive::named(given.unwrap_or(&name).trim())
}

/// The last name of a path, and the types that it is given.
fn generic(ty: &syn::Type) -> Option<(String, Vec<&syn::Type>)> {
    let syn::Type::Path(path) = plain(ty) else { return None };
    let last = path.path.segments.last().filter(|_| path.qself.is_none())?;
    let arguments = match &last.arguments {
        syn::PathArguments::AngleBracketed(given) => given
            .args
            .iter()
            .filter_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    Some((last.ident.to_string(), arguments))
}

/// The type without the parentheses around it.
fn plain(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(inner) => plain(&inner.elem),
        syn::Type::Group(inner) => plain(&inner.elem),
        ty => ty,
    }
}

/// A type as people write it.
pub(super) fn written(ty: &syn::Type) -> String {
    use quote::ToTokens;
    ty.to_token_stream()
        .to_string()
        .replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace("& ", "&")
}

/// The Rust type of a single value in WIT.
pub fn rust_name(scalar: Scalar) -> &'static str {
    // The first that is this in WIT: `i64` before `i128` and `isize`.
    let first = Primitive::ALL.into_iter().find(|primitive| primitive.scalar() == scalar);
    first.expect("Rust has all of them").name()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<ParameterType, String> {
        parameter(
            &syn::parse_str(text).unwrap(),
            &Arguments::from([("T".into(), "i16".into()), ("N".into(), "3".into())]),
        )
    }

    #[test]
    fn types_are_read_whatever_way_they_are_passed() {
        let one = |form, passing| Ok(ParameterType::One(Part { form, passing }));
        for (text, expected) in [
            ("i32", one(Form::Single(Primitive::I32), ParameterMode::Value)),
            ("&usize", one(Form::Single(Primitive::Usize), ParameterMode::Reference(1))),
            ("&'a str", one(Form::Str, ParameterMode::Value)),
            ("&&str", one(Form::Str, ParameterMode::Reference(1))),
            ("std::string::String", one(Form::String, ParameterMode::Value)),
            ("&String", one(Form::String, ParameterMode::Reference(1))),
            ("&[T]", one(Form::Slice(Primitive::I16), ParameterMode::Value)),
            ("&mut [u8]", one(Form::Slice(Primitive::U8), ParameterMode::Mutable)),
            ("Vec<char>", one(Form::Vec(Primitive::Char), ParameterMode::Value)),
            ("[f64; 4]", one(Form::Array(Primitive::F64, 4), ParameterMode::Value)),
            ("&[T; N]", one(Form::Array(Primitive::I16, 3), ParameterMode::Reference(1))),
            ("(i32, bool)", Ok(ParameterType::Tuple(vec![Primitive::I32, Primitive::Bool]))),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_a_parameter_is_named() {
        for (text, reason) in [
            ("impl Fn(i32) -> i32", "it is `impl Fn"),
            ("fn(i32) -> i32", "it is a function"),
            ("HashMap<i32, i32>", "it is `HashMap<i32"),
            ("&mut i32", "only slices, arrays and Vecs"),
            ("(String, i32)", "a tuple may have numbers"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn results_are_unwrapped() {
        let of = |text| result(&syn::parse_str(text).unwrap(), &Arguments::new());
        let of = |text| of(text).map(|ty| ty.map(|ty| (ty.wrapper, ty.form)));
        let ty = |wrapper, form| Ok(Some((wrapper, form)));
        assert_eq!(of("()"), Ok(None));
        assert_eq!(of("Option<u8>"), ty(Wrapper::Option, ResultForm::Single(Primitive::U8, 0)));
        assert_eq!(of("io::Result<String>"), ty(Wrapper::Result, ResultForm::Text));
        assert_eq!(
            of("Result<f64, Box<dyn Error>>"),
            ty(Wrapper::Result, ResultForm::Single(Primitive::F64, 0))
        );
        assert_eq!(of("Cow<'_, str>"), ty(Wrapper::None, ResultForm::Text));
        assert_eq!(of("&[i64]"), ty(Wrapper::None, ResultForm::List(Primitive::I64)));
        assert_eq!(of("Option<&u8>"), ty(Wrapper::Option, ResultForm::Single(Primitive::U8, 1)));
        assert_eq!(
            of("(i32, u8)"),
            ty(Wrapper::None, ResultForm::Tuple(vec![Primitive::I32, Primitive::U8]))
        );
        assert!(of("Result<(), String>").is_err());
        assert!(of("HashSet<u8>").unwrap_err().contains("HashSet<u8>"));
    }
}
