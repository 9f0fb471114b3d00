//! The code that calls a function with the values of a row, and gives what it returns.
//!
//! It stands in the module of the function, so that it reaches private ones. The words that it uses are those of
//! `harness/worker.rs.in`.

use std::fmt::Write;

use super::callee::Callee;
use super::types::{
    Form, ParameterMode, ParameterType, Part, Primitive, ResultForm, ResultType, Wrapper,
};
use crate::subject::{Scalar, Signature, Type};

/// The name of the function that calls.
pub(super) fn name(number: usize) -> String {
    format!("__genmorph_call_{number}")
}

/// How columns of a type are sent.
pub(super) fn kind(ty: Type) -> u8 {
    match ty {
        Type::Scalar(Scalar::Bool) => 1,
        Type::Scalar(_) => 0,
        Type::String => 2,
        Type::List(_) => 3,
    }
}

/// The kinds of the parameters and of the outputs.
pub(super) fn kinds(signature: &Signature) -> (Vec<u8>, Vec<u8>) {
    let inputs = signature.parameters.iter().map(|p| kind(p.ty)).collect();
    (inputs, signature.outputs().iter().map(|(_, ty)| kind(*ty)).collect())
}

/// The function that calls `callee`, as an item of its module.
pub(super) fn item(name: &str, callee: &Callee, signature: &Signature) -> String {
    let mut code = format!(
        "\n#[allow(warnings)]\npub(crate) fn {name}(gm_in: &crate::__genmorph_worker::Input, gm_row: usize, \
         gm_out: &mut crate::__genmorph_worker::Output) -> u8 {{\n"
    );
    let mut arguments = Vec::new();
    let mut changed = Vec::new();
    let mut column = 0;
    for (_, ty) in &callee.parameters {
        match ty {
            ParameterType::One(part) => {
                let (bound, passed) = argument(*part, column);
                code.push_str(&bound);
                if let (ParameterMode::Mutable, Form::Slice(p) | Form::Vec(p) | Form::Array(p, _)) =
                    (part.passing, part.form)
                {
                    changed.push((column, p));
                }
                arguments.push(passed);
                column += 1;
            }
            ParameterType::Some(part) => {
                let (bound, passed) = argument(*part, column);
                code.push_str(&bound);
                arguments.push(format!(
                    "if gm_in.is_absent({column}) {{ core::option::Option::None }} \
                     else {{ core::option::Option::Some({passed}) }}"
                ));
                column += 1;
            }
            ParameterType::Tuple(parts) => {
                let mut values = String::new();
                for primitive in parts {
                    let _ = write!(values, "{}, ", single(*primitive, column));
                    column += 1;
                }
                arguments.push(format!("({values})"));
            }
        }
    }
    let _ = writeln!(code, "    let gm_result = {}({});", named(callee), arguments.join(", "));
    let mut output = 0;
    if let Some(result) = &callee.result {
        code.push_str(&returned(result));
        output += 1;
    }
    for (column, primitive) in changed {
        let each = number(primitive, "*gm_e");
        let _ = writeln!(code, "    gm_out.list({output}, gm_{column}.iter().map(|gm_e| {each}));");
        output += 1;
    }
    debug_assert_eq!((column, output), (signature.parameters.len(), signature.outputs().len()));
    code.push_str("    0\n}\n");
    code
}

/// What the function is called in its own module.
pub(super) fn named(callee: &Callee) -> String {
    format!("{}{}", callee.call, callee.turbofish)
}

/// What has to be made before the call, and what is passed.
fn argument(part: Part, column: usize) -> (String, String) {
    let name = format!("gm_{column}");
    let list = |primitive| format!("({column}, gm_row, |gm_e| {})", element(primitive));
    let made = match part.form {
        Form::Single(primitive) => single(primitive, column),
        Form::Str => format!("gm_in.text({column}, gm_row)"),
        Form::String => {
            format!("crate::__gm_std::string::String::from(gm_in.text({column}, gm_row))")
        }
        Form::Slice(primitive) | Form::Vec(primitive) => format!("gm_in.list{}", list(primitive)),
        Form::Array(primitive, length) => {
            format!("gm_in.array::<{}, {length}>{}", primitive.name(), list(primitive))
        }
    };
    (format!("    let mut {name} = {made};\n"), passed(part, &name))
}

/// How a variable is passed that holds what a parameter needs.
pub(super) fn passed(part: Part, name: &str) -> String {
    let is_slice = matches!(part.form, Form::Slice(_));
    match part.passing {
        ParameterMode::Value if is_slice => format!("&{name}[..]"),
        ParameterMode::Value => name.to_owned(),
        ParameterMode::Reference(count) if is_slice => format!("{}&{name}[..]", "&".repeat(count)),
        ParameterMode::Reference(count) => format!("{}{name}", "&".repeat(count)),
        ParameterMode::Mutable if is_slice => format!("&mut {name}[..]"),
        ParameterMode::Mutable => format!("&mut {name}"),
    }
}

fn single(primitive: Primitive, column: usize) -> String {
    match primitive {
        Primitive::Bool => format!("gm_in.truth({column}, gm_row)"),
        Primitive::Char => format!("crate::__genmorph::character(gm_in.number({column}, gm_row))"),
        other => format!("gm_in.number({column}, gm_row) as {}", other.name()),
    }
}

fn element(primitive: Primitive) -> String {
    match primitive {
        Primitive::Bool => "gm_e != 0.0".to_owned(),
        Primitive::Char => "crate::__genmorph::character(gm_e)".to_owned(),
        other => format!("gm_e as {}", other.name()),
    }
}

/// A value as a number.
fn number(primitive: Primitive, value: &str) -> String {
    match primitive {
        Primitive::Bool => format!("({value}) as u8 as f64"),
        Primitive::Char => format!("({value}) as u32 as f64"),
        _ => format!("({value}) as f64"),
    }
}

/// The code that hands the result over.
fn returned(result: &ResultType) -> String {
    let mut code = match result.wrapper {
        Wrapper::None => String::new(),
        Wrapper::Option => "    let core::option::Option::Some(gm_result) = gm_result else { return crate::__genmorph::NONE };\n".to_owned(),
        Wrapper::Result => "    let core::result::Result::Ok(gm_result) = gm_result else { return crate::__genmorph::ERR };\n".to_owned(),
    };
    let line = match &result.form {
        ResultForm::Single(primitive, references) => {
            let value = format!("{}gm_result", "*".repeat(*references));
            match primitive {
                Primitive::Bool => format!("gm_out.truth(0, {value})"),
                other => format!("gm_out.number(0, {})", number(*other, &value)),
            }
        }
        ResultForm::Text => {
            "gm_out.text(0, core::convert::AsRef::<str>::as_ref(&gm_result))".to_owned()
        }
        ResultForm::List(primitive) => format!(
            "gm_out.list(0, core::convert::AsRef::<[{}]>::as_ref(&gm_result).iter().map(|gm_e| {}))",
            primitive.name(),
            number(*primitive, "*gm_e")
        ),
        ResultForm::Tuple(parts) => {
            let values: Vec<String> =
                (0..parts.len()).map(|i| number(parts[i], &format!("gm_result.{i}"))).collect();
            format!("gm_out.list(0, core::iter::IntoIterator::into_iter([{}]))", values.join(", "))
        }
    };
    let _ = writeln!(code, "    {line};");
    code
}
