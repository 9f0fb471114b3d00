//! How a test calls a Rust function: by its path, or by a closure where its types need more than that.

use genmorph::export::rust::{Argument, ArgumentMode, Callee, Function, ReturnStyle};
use genmorph::subject::rust::{
    Callee as Called, Form, Ownership, ParameterMode, ParameterType, Part, Primitive, ResultForm,
    ResultType, Wrapper,
};

/// The function as a test has it, from where it is known by this path.
pub(super) fn callee(called: &Called, path: &str) -> Callee {
    let path = format!("{path}{}", called.turbofish);
    let is_plain = called.parameters.iter().all(|(_, ty)| plain(ty).is_some())
        && called.result.as_ref().is_none_or(is_plain_result);
    let mut parameters = Vec::new();
    for (_, ty) in &called.parameters {
        match ty {
            ParameterType::One(part) | ParameterType::Some(part) => {
                let by_path = plain(ty).unwrap_or(ArgumentMode::Value);
                let passing = match part.passing {
                    ParameterMode::Mutable => ArgumentMode::Mutable,
                    ParameterMode::Value | ParameterMode::Reference(_) if is_plain => by_path,
                    ParameterMode::Value | ParameterMode::Reference(_) => ArgumentMode::Value,
                };
                parameters.push(Argument { passing, is_size: is_size(element(part.form)) });
            }
            ParameterType::Tuple(parts) => {
                let argument = |p: &Primitive| Argument {
                    passing: ArgumentMode::Value,
                    is_size: is_size(Some(*p)),
                };
                parameters.extend(parts.iter().map(argument));
            }
        }
    }
    let size = called.result.as_ref().is_some_and(|result| match &result.form {
        ResultForm::Single(primitive, _) | ResultForm::List(primitive) => is_size(Some(*primitive)),
        ResultForm::Text | ResultForm::Tuple(_) => false,
    });
    if is_plain {
        let returned = ReturnStyle {
            is_borrowed: called.result.as_ref().is_some_and(|r| r.ownership == Ownership::Borrowed),
            is_fallible: called.result.as_ref().is_some_and(|r| r.wrapper != Wrapper::None),
            is_size: size,
        };
        return Callee { function: Function::Path(path), parameters, returned };
    }
    let returned = ReturnStyle { is_borrowed: false, is_fallible: false, is_size: size };
    Callee { function: Function::Closure(closure(called, &path)), parameters, returned }
}

/// How a parameter is passed that needs no closure.
fn plain(ty: &ParameterType) -> Option<ArgumentMode> {
    let ParameterType::One(Part { form, passing }) = ty else { return None };
    match (form, passing) {
        (Form::Single(Primitive::I128 | Primitive::U128), _) => None,
        (
            Form::Slice(Primitive::I128 | Primitive::U128)
            | Form::Vec(Primitive::I128 | Primitive::U128),
            _,
        ) => None,
        (Form::Array(..), _) => None,
        (_, ParameterMode::Mutable) => Some(ArgumentMode::Mutable),
        (Form::Str | Form::Slice(_), ParameterMode::Value) => Some(ArgumentMode::Reference),
        (Form::Single(_) | Form::String | Form::Vec(_), ParameterMode::Value) => {
            Some(ArgumentMode::Value)
        }
        (Form::Single(_) | Form::String | Form::Vec(_), ParameterMode::Reference(1)) => {
            Some(ArgumentMode::Reference)
        }
        (_, ParameterMode::Reference(_)) => None,
    }
}

fn is_plain_result(result: &ResultType) -> bool {
    let is_wide = match &result.form {
        ResultForm::Single(primitive, _) | ResultForm::List(primitive) => is_wide(*primitive),
        ResultForm::Text | ResultForm::Tuple(_) => false,
    };
    result.ownership != Ownership::Otherwise && !is_wide
}

fn is_wide(primitive: Primitive) -> bool {
    matches!(primitive, Primitive::I128 | Primitive::U128)
}

fn is_size(primitive: Option<Primitive>) -> bool {
    matches!(primitive, Some(Primitive::Usize | Primitive::Isize))
}

fn element(form: Form) -> Option<Primitive> {
    match form {
        Form::Single(primitive)
        | Form::Slice(primitive)
        | Form::Vec(primitive)
        | Form::Array(primitive, _) => Some(primitive),
        Form::Str | Form::String => None,
    }
}

/// A closure that gets all by value, and gives what it returns by value.
fn closure(called: &Called, path: &str) -> String {
    let mut names = Vec::new();
    let mut arguments = Vec::new();
    for (name, ty) in &called.parameters {
        match ty {
            ParameterType::One(part) => {
                names.push(name.clone());
                arguments.push(argument(*part, name));
            }
            ParameterType::Some(part) => {
                names.push(name.clone());
                arguments.push(format!("Some({})", argument(*part, name)));
            }
            ParameterType::Tuple(parts) => {
                let own: Vec<String> = (0..parts.len()).map(|i| format!("{name}_{i}")).collect();
                let values: Vec<String> =
                    own.iter().zip(parts).map(|(name, p)| widened(*p, name)).collect();
                arguments.push(format!("({},)", values.join(", ")));
                names.extend(own);
            }
        }
    }
    let call = format!("{path}({})", arguments.join(", "));
    let Some(result) = &called.result else { return format!("|{}| {call}", names.join(", ")) };
    let unwrapped = if result.wrapper == Wrapper::None { "" } else { ".unwrap()" };
    let value = match &result.form {
        ResultForm::Single(primitive, references) => {
            let value = format!("{}{call}{unwrapped}", "*".repeat(*references));
            narrowed(*primitive, &value)
        }
        ResultForm::Text => format!("{call}{unwrapped}.to_string()"),
        ResultForm::List(primitive) if is_wide(*primitive) => {
            format!("{call}{unwrapped}.iter().map(|x| {}).collect()", narrowed(*primitive, "*x"))
        }
        ResultForm::List(_) => format!("{call}{unwrapped}.to_vec()"),
        ResultForm::Tuple(parts) => {
            let numbers: Vec<String> = parts
                .iter()
                .enumerate()
                .map(|(i, primitive)| match primitive {
                    Primitive::Bool => format!("f64::from(u8::from(r.{i}))"),
                    Primitive::Char => format!("f64::from(u32::from(r.{i}))"),
                    _ => format!("r.{i} as f64"),
                })
                .collect();
            format!("{{ let r = {call}{unwrapped}; vec![{}] }}", numbers.join(", "))
        }
    };
    format!("|{}| {value}", names.join(", "))
}

fn argument(part: Part, name: &str) -> String {
    let references = match part.passing {
        ParameterMode::Reference(count) => "&".repeat(count),
        ParameterMode::Value => String::new(),
        ParameterMode::Mutable => return name.to_owned(),
    };
    let value = match part.form {
        Form::Single(primitive) => widened(primitive, name),
        Form::Str | Form::Slice(_) => format!("&{name}"),
        Form::String | Form::Vec(_) => name.to_owned(),
        Form::Array(primitive, length) => {
            format!("<[{}; {length}]>::try_from({name}).unwrap()", primitive.name())
        }
    };
    format!("{references}{value}")
}

/// Of wide integers, tests have those of 64 bits.
fn widened(primitive: Primitive, value: &str) -> String {
    if is_wide(primitive) {
        format!("{}::from({value})", primitive.name())
    } else {
        value.to_owned()
    }
}

fn narrowed(primitive: Primitive, value: &str) -> String {
    match primitive {
        Primitive::I128 => format!("i64::try_from({value}).unwrap()"),
        Primitive::U128 => format!("u64::try_from({value}).unwrap()"),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(parameters: Vec<ParameterType>, result: ResultType) -> Called {
        let named = parameters.into_iter().enumerate().map(|(i, ty)| (format!("p{i}"), ty));
        Called::of("m::f", named.collect(), Some(result))
    }

    #[test]
    fn plain_types_need_no_closure() {
        let text = ParameterType::One(Part { form: Form::Str, passing: ParameterMode::Value });
        let size = ParameterType::One(Part {
            form: Form::Single(Primitive::Usize),
            passing: ParameterMode::Value,
        });
        let form = ResultForm::Text;
        let result = ResultType { wrapper: Wrapper::Option, form, ownership: Ownership::Borrowed };
        let callee = callee(&called(vec![text, size], result), "c::m::f");
        assert_eq!(callee.function, Function::Path("c::m::f".to_owned()));
        assert_eq!(callee.parameters[0].passing, ArgumentMode::Reference);
        assert!(
            callee.parameters[1].is_size
                && callee.returned.is_fallible
                && callee.returned.is_borrowed
        );
    }

    #[test]
    fn options_tuples_and_arrays_are_made_by_a_closure() {
        let some = ParameterType::Some(Part {
            form: Form::Single(Primitive::I32),
            passing: ParameterMode::Value,
        });
        let tuple = ParameterType::Tuple(vec![Primitive::I32, Primitive::U128]);
        let array = ParameterType::One(Part {
            form: Form::Array(Primitive::U8, 3),
            passing: ParameterMode::Reference(1),
        });
        let form = ResultForm::Tuple(vec![Primitive::I64, Primitive::Bool]);
        let result = ResultType { wrapper: Wrapper::Result, form, ownership: Ownership::Otherwise };
        let callee = callee(&called(vec![some, tuple, array], result), "c::f");
        let expected = "|p0, p1_0, p1_1, p2| { let r = c::f(Some(p0), (p1_0, u128::from(p1_1),), \
                        &<[u8; 3]>::try_from(p2).unwrap()).unwrap(); vec![r.0 as f64, f64::from(u8::from(r.1))] }";
        assert_eq!(callee.function, Function::Closure(expected.to_owned()));
        assert!(!callee.returned.is_fallible);
    }
}
