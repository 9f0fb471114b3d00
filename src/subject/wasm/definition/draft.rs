//! Drafts the definition of a subject: what the module reveals, and comments on the rest.
//!
//! Makes text only, and writes no file.

use std::fmt::Write as _;

use crate::subject::signature::{Parameter, Scalar, Signature, Type};
use crate::subject::wasm::Export;

/// A definition for an export of a module; `module` is its path relative to the folder of the definition.
pub fn draft(module: &str, export: &Export) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut text, module, export);
    text
}

fn write(text: &mut String, module: &str, export: &Export) -> std::fmt::Result {
    let known = match (&export.described, &export.inferred) {
        (Some(Ok(signature)), _) | (None, Some(signature)) => Some(signature),
        (Some(Err(_)), _) | (None, None) => None,
    };
    writeln!(text, "# A subject of genmorph. Whatever is a comment here can be left out.\n")?;
    writeln!(text, "# The module, from the folder of this file, and the function in it.")?;
    writeln!(text, "module = {}", quoted(module))?;
    writeln!(text, "export = {}\n", quoted(&export.function))?;
    writeln!(
        text,
        "# What it takes and gives, in the types of WIT: bool, s8, u8, … s64, u64, f32, f64,"
    )?;
    writeln!(
        text,
        "# char, string, list<T>. A string or list is two i32 as a parameter (address and"
    )?;
    writeln!(text, "# length), and one i32 as a result (the address of both).")?;
    match (&export.described, known) {
        (Some(_), Some(signature)) => {
            writeln!(text, "# The module says it by itself.")?;
            writeln!(text, "# signature = {}\n", quoted(&signature.to_string()))?;
        }
        (_, Some(signature)) => {
            writeln!(
                text,
                "# By its core types, {}; change it if some of these are addresses.",
                export.core
            )?;
            writeln!(text, "signature = {}\n", quoted(&signature.to_string()))?;
        }
        (_, None) => {
            writeln!(text, "# Its core types are {}. Say what they mean:", export.core)?;
            writeln!(text, "# signature = \"func(a: list<s32>)\"\n")?;
        }
    }
    let list = known.map_or(Some("a"), first_list);
    if let Some(list) = list {
        writeln!(text, "# Lists that it changes in place: they are outputs after the call.")?;
        writeln!(text, "# changed = [{}]\n", quoted(list))?;
    }
    writeln!(text, "# The functions and source files that mutants are made in.")?;
    writeln!(text, "# scope = [{}]\n", quoted(&export.function))?;
    writeln!(
        text,
        "# Which inputs make sense. Without bounds, all that a type has is tried: give bounds to"
    )?;
    writeln!(text, "# sizes and exponents. An alphabet is a text, or a list of texts and ranges.")?;
    writeln!(text, "[domain]")?;
    let parameters = known.map_or(&[][..], |signature| &signature.parameters);
    // A truth value needs no bounds.
    let bounded = parameters.iter().filter(|p| p.ty != Type::Scalar(Scalar::Bool));
    for parameter in bounded {
        writeln!(text, "# {} = {{ {} }}", key(&parameter.name), bounds(parameter))?;
    }
    Ok(())
}

fn first_list(signature: &Signature) -> Option<&str> {
    let list = |p: &&Parameter| matches!(p.ty, Type::List(_));
    signature.parameters.iter().find(list).map(|p| p.name.as_str())
}

/// An example domain for a parameter.
fn bounds(parameter: &Parameter) -> String {
    let range = match parameter.ty.scalar() {
        Scalar::Bool => return "max_len = 12".to_owned(),
        Scalar::Char => "alphabet = [\"a-z\", \" \"]",
        Scalar::S8 | Scalar::S16 | Scalar::S32 | Scalar::S64 => "range = [-100, 100]",
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => "range = [0, 100]",
        Scalar::F32 | Scalar::F64 => "range = [-100.0, 100.0]",
    };
    match parameter.ty {
        Type::Scalar(_) => range.to_owned(),
        Type::String | Type::List(_) => format!("max_len = 12, {range}"),
    }
}

/// A TOML key: bare if possible, otherwise quoted.
fn key(name: &str) -> String {
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if bare { name.to_owned() } else { quoted(name) }
}

/// A quoted TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
