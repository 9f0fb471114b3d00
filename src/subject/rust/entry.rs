//! The code that calls a function in a sandbox: exports in the canonical ABI, by the macro that users of WebAssembly have too.
//!
//! ```text
//!  run    func(gm_mutant: u32, gm_fuel: u64, gm_end: list<u64>, …) -> …
//!  trace  the same, with gm_hits: list<u32>, gm_far: list<f64> for the sides of branches
//! ```
//!
//! What a call left of its fuel, and whether it returned `None` or `Err`, is in `gm_end` afterwards.

use std::fmt::Write;

use super::call::{named, passed};
use super::callee::Callee;
use super::types::{
    Form, ParameterMode, ParameterType, Part, Primitive, ResultForm, ResultType, Wrapper, rust_name,
};
use crate::subject::{Domain, Parameter, Scalar, Signature, Type};

/// The exports, by name.
pub(super) const RUN: &str = "__genmorph_run";
pub(super) const TRACE: &str = "__genmorph_trace";
/// The name of a function that does nothing: a scope without mutants.
pub(super) const NOTHING: &str = "__genmorph_nothing";

/// What an export has before the parameters of the function.
pub(super) fn signature(of: &Signature, name: &str) -> Signature {
    let parameter =
        |name: &str, ty| Parameter { name: name.to_owned(), ty, domain: Domain::default() };
    let mut parameters = vec![
        parameter("gm_mutant", Type::Scalar(Scalar::U32)),
        parameter("gm_fuel", Type::Scalar(Scalar::U64)),
        parameter("gm_end", Type::List(Scalar::U64)),
    ];
    let mut changed = vec![2];
    if name == TRACE {
        changed.extend([3, 4]);
        parameters.push(parameter("gm_hits", Type::List(Scalar::U32)));
        parameters.push(parameter("gm_far", Type::List(Scalar::F64)));
    }
    let before = parameters.len();
    changed.extend(of.changed.iter().map(|index| before + index));
    for (number, own) in of.parameters.iter().enumerate() {
        parameters.push(parameter(&format!("gm_{number}"), own.ty));
    }
    Signature {
        function: name.to_owned(),
        parameters,
        result: of.result,
        changed,
        ..Signature::default()
    }
}

/// The exports, as items of the root.
pub(super) fn exports(module: &str, of: &Signature) -> String {
    let mut code = String::from("#[macro_use]\n#[allow(warnings)]\nmod genmorph;\n");
    for name in [RUN, TRACE] {
        let signature = signature(of, name);
        let _ = write!(
            code,
            "#[allow(warnings)]\nmod {name}_export {{ use crate::{module}{name}; genmorph! {{ {name}: {signature} }} }}\n"
        );
    }
    code
}

/// The functions that call `callee`, as items of its module.
pub(super) fn item(callee: &Callee, of: &Signature) -> Result<String, String> {
    let result = of.result.map(|ty| format!(" -> {}", owned(ty))).unwrap_or_default();
    let mut parameters = String::new();
    for (number, parameter) in of.parameters.iter().enumerate() {
        let _ = write!(parameters, ", gm_{number}: {}", borrowed(parameter.ty));
    }
    let body = body(callee)?;
    let before = "gm_mutant: u32, gm_fuel: u64, gm_end: &mut [u64]";
    Ok(format!(
        "\n#[allow(warnings)]\n#[inline(never)]\nfn __genmorph_call({before}{parameters}){result} {{\n{body}}}\n\
         #[allow(warnings)]\n#[inline(never)]\n#[unsafe(no_mangle)]\nextern \"C\" fn {NOTHING}(n: u32) -> u32 {{ core::hint::black_box(n) }}\n\
         #[allow(warnings)]\npub(crate) fn {RUN}({before}{parameters}){result} {{\n    \
         crate::__genmorph::begin(core::hint::black_box({NOTHING}(gm_mutant)), gm_fuel, 0);\n    \
         __genmorph_call({passed})\n}}\n\
         #[allow(warnings)]\npub(crate) fn {TRACE}({before}, gm_hits: &mut [u32], gm_far: &mut [f64]{parameters}){result} {{\n    \
         crate::__genmorph::begin(core::hint::black_box({NOTHING}(gm_mutant)), gm_fuel, gm_hits.len());\n    \
         let gm_value = __genmorph_call({passed});\n    \
         crate::__genmorph::traced(|hits, far| {{ gm_hits.copy_from_slice(hits); gm_far.copy_from_slice(far); }});\n    \
         gm_value\n}}\n",
        passed = std::iter::once("gm_mutant, gm_fuel, gm_end".to_owned())
            .chain((0..of.parameters.len()).map(|number| format!("gm_{number}")))
            .collect::<Vec<_>>()
            .join(", ")
    ))
}

fn body(callee: &Callee) -> Result<String, String> {
    let mut code = String::new();
    let mut arguments = Vec::new();
    let mut changed = String::new();
    let mut column = 0;
    for (name, ty) in &callee.parameters {
        match ty {
            ParameterType::One(part) | ParameterType::Some(part) => {
                let variable = format!("gm_v{column}");
                let _ = writeln!(code, "    let mut {variable} = {};", made(*part, column));
                if part.passing == ParameterMode::Mutable {
                    if matches!(part.form, Form::Vec(_)) {
                        return Err(format!(
                            "`{name}` is a `&mut Vec`, which may become longer; that needs a process, not a sandbox"
                        ));
                    }
                    let _ = writeln!(
                        changed,
                        "    for (gm_to, gm_from) in gm_{column}.iter_mut().zip(gm_v{column}.iter()) {{ *gm_to = *gm_from as _; }}"
                    );
                }
                let passed = passed(*part, &variable);
                let is_optional = matches!(ty, ParameterType::Some(_));
                arguments.push(if is_optional {
                    format!("core::option::Option::Some({passed})")
                } else {
                    passed
                });
                column += 1;
            }
            ParameterType::Tuple(parts) => {
                let mut values = String::new();
                for primitive in parts {
                    let _ = write!(values, "gm_{column} as {}, ", primitive.name());
                    column += 1;
                }
                arguments.push(format!("({values})"));
            }
        }
    }
    let _ = writeln!(code, "    let gm_result = {}({});", named(callee), arguments.join(", "));
    code.push_str("    gm_end[1] = gm_fuel - crate::__genmorph::fuel().min(gm_fuel);\n");
    code.push_str(&changed);
    if let Some(result) = &callee.result {
        code.push_str(&returned(result));
    }
    Ok(code)
}

/// What a parameter needs, of what the host has passed.
fn made(part: Part, column: usize) -> String {
    let list = |primitive: Primitive| {
        let element = match primitive {
            Primitive::Bool | Primitive::Char => "*gm_e".to_owned(),
            other => format!("*gm_e as {}", other.name()),
        };
        format!(
            "gm_{column}.iter().map(|gm_e| {element}).collect::<crate::__gm_std::vec::Vec<_>>()"
        )
    };
    match part.form {
        Form::Single(primitive) => format!("gm_{column} as {}", primitive.name()),
        Form::Str => format!("&*gm_{column}"),
        Form::String => format!("crate::__gm_std::string::String::from(gm_{column})"),
        Form::Slice(primitive) | Form::Vec(primitive) => list(primitive),
        Form::Array(primitive, length) => format!(
            "<[{}; {length}] as core::convert::TryFrom<_>>::try_from({}).ok().unwrap()",
            primitive.name(),
            list(primitive)
        ),
    }
}

/// The result, as the host takes it.
fn returned(result: &ResultType) -> String {
    let mut code = String::new();
    let unwrapped = match result.wrapper {
        Wrapper::None => None,
        Wrapper::Option => Some(("core::option::Option::Some", "NONE")),
        Wrapper::Result => Some(("core::result::Result::Ok", "ERR")),
    };
    if let Some((variant, end)) = unwrapped {
        let _ = writeln!(
            code,
            "    let {variant}(gm_result) = gm_result else {{ gm_end[0] = crate::__genmorph::{end} as u64; \
             return core::default::Default::default() }};"
        );
    }
    let value = match &result.form {
        ResultForm::Single(primitive, references) => {
            let value = format!("{}gm_result", "*".repeat(*references));
            format!("({value}) as {}", rust_name(primitive.scalar()))
        }
        ResultForm::Text => {
            "crate::__gm_std::string::String::from(core::convert::AsRef::<str>::as_ref(&gm_result))"
                .to_owned()
        }
        ResultForm::List(primitive) => format!(
            "core::convert::AsRef::<[{}]>::as_ref(&gm_result).iter().map(|gm_e| *gm_e as {}).collect()",
            primitive.name(),
            rust_name(primitive.scalar())
        ),
        ResultForm::Tuple(parts) => {
            let values: Vec<String> = parts
                .iter()
                .enumerate()
                .map(|(i, primitive)| match primitive {
                    Primitive::Bool => format!("gm_result.{i} as u8 as f64"),
                    Primitive::Char => format!("gm_result.{i} as u32 as f64"),
                    _ => format!("gm_result.{i} as f64"),
                })
                .collect();
            format!("[{}].to_vec()", values.join(", "))
        }
    };
    let _ = writeln!(code, "    {value}");
    code
}

fn owned(ty: Type) -> String {
    match ty {
        Type::Scalar(scalar) => rust_name(scalar).to_owned(),
        Type::String => "crate::__gm_std::string::String".to_owned(),
        Type::List(scalar) => format!("crate::__gm_std::vec::Vec<{}>", rust_name(scalar)),
    }
}

fn borrowed(ty: Type) -> String {
    match ty {
        Type::Scalar(scalar) => rust_name(scalar).to_owned(),
        Type::String => "&str".to_owned(),
        Type::List(scalar) => format!("&mut [{}]", rust_name(scalar)),
    }
}
