//! The types of a function in Rust.

use super::helper::{Helper, Helpers};
use crate::subject::{Scalar, Type};

/// A type with the width of its integers, which WIT does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RustType {
    /// The type in WIT.
    pub(super) ty: Type,
    /// Whether its integers are `usize` or `isize`.
    pub(super) is_size: bool,
}

impl RustType {
    /// The type of single values.
    pub(super) fn element(self) -> &'static str {
        match self.ty.scalar() {
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 if self.is_size => "usize",
            Scalar::S8 | Scalar::S16 | Scalar::S32 | Scalar::S64 if self.is_size => "isize",
            Scalar::Bool => "bool",
            Scalar::S8 => "i8",
            Scalar::U8 => "u8",
            Scalar::S16 => "i16",
            Scalar::U16 => "u16",
            Scalar::S32 => "i32",
            Scalar::U32 => "u32",
            Scalar::S64 => "i64",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::Char => "char",
        }
    }

    /// The type as it is kept.
    pub(super) fn owned(self) -> String {
        match self.ty {
            Type::Scalar(_) => self.element().to_owned(),
            Type::String => "String".to_owned(),
            Type::List(_) => format!("Vec<{}>", self.element()),
        }
    }

    /// The type in a constant.
    pub(super) fn constant(self) -> String {
        match self.ty {
            Type::Scalar(_) => self.element().to_owned(),
            Type::String => "&str".to_owned(),
            Type::List(_) => format!("&[{}]", self.element()),
        }
    }

    /// What is kept, made of a constant.
    pub(super) fn kept(self, name: &str) -> String {
        match self.ty {
            Type::Scalar(_) => name.to_owned(),
            Type::String => format!("{name}: {name}.to_owned()"),
            Type::List(_) => format!("{name}: {name}.to_vec()"),
        }
    }

    /// Whether an integer of the type may have more bits than are exact in an f64.
    fn is_wide(self) -> bool {
        self.is_size || matches!(self.ty.scalar(), Scalar::S64 | Scalar::U64)
    }

    /// A single value as an f64, as relations see it.
    pub(super) fn number(self, value: &str) -> String {
        match self.ty.scalar() {
            Scalar::F64 => value.to_owned(),
            Scalar::Char => format!("f64::from(u32::from({value}))"),
            Scalar::Bool => format!("f64::from(u8::from({value}))"),
            Scalar::S8 | Scalar::U8 | Scalar::S16 | Scalar::U16 | Scalar::S32 | Scalar::U32
                if !self.is_wide() =>
            {
                format!("f64::from({value})")
            }
            Scalar::F32 => format!("f64::from({value})"),
            Scalar::S8
            | Scalar::U8
            | Scalar::S16
            | Scalar::U16
            | Scalar::S32
            | Scalar::U32
            | Scalar::S64
            | Scalar::U64 => format!("{value} as f64"),
        }
    }

    /// A sequence as relations see it, of a place that has one.
    pub(super) fn sequence(self, place: &str, helpers: &mut Helpers) -> String {
        match self.ty {
            Type::String => {
                helpers.need(Helper::Codes);
                format!("codes(&{place})")
            }
            Type::List(Scalar::F64) => format!("{place}.clone()"),
            Type::Scalar(_) | Type::List(_) => {
                format!("{place}.iter().map(|&x| {}).collect()", self.number("x"))
            }
        }
    }
}
