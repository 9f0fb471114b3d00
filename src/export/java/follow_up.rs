//! A transformation in Java: how follow-up inputs are computed from source inputs, in code and in words.

use super::helper::{Helper, Helpers};
use crate::subject::jvm::{Element, Form, JavaType};
use crate::transform::{Instance, Template};

/// The declarations of all follow-up inputs, one per line; nothing if two parameters that are exchanged have types that
/// Java does not convert.
pub(super) fn declarations(
    instance: &Instance,
    names: &[String],
    types: &[JavaType],
    helpers: &mut Helpers,
) -> Option<Vec<String>> {
    let place = |name: &String| names.iter().position(|known| known == name);
    let changed: Vec<usize> = instance.parameters.iter().filter_map(place).collect();
    let mut lines = Vec::new();
    for (i, (name, &ty)) in names.iter().zip(types).enumerate() {
        let value = match changed.iter().position(|&place| place == i) {
            None => copied(&format!("{name}_s"), ty),
            Some(at) => match instance.template {
                Template::PermuteParameters => {
                    let other = changed[1 - at];
                    exchanged(&format!("{}_s", names[other]), types[other], ty)?
                }
                template => changed_value(template, &format!("{name}_s"), ty, helpers),
            },
        };
        lines.push(format!("{ty} {name}_f = {value};"));
    }
    Some(lines)
}

/// A value that a call may change without anybody noticing.
pub(super) fn copied(name: &str, ty: JavaType) -> String {
    match ty.form {
        Form::Single | Form::Text => name.to_owned(),
        Form::Array => format!("{name}.clone()"),
        Form::List => format!("new Array{ty}({name})"),
    }
}

/// A value in the place of one of another type. It has been checked that it is of both.
fn exchanged(name: &str, from: JavaType, to: JavaType) -> Option<String> {
    if from == to {
        return Some(copied(name, to));
    }
    let numbers = from.element != Element::Boolean && to.element != Element::Boolean;
    let both_single = from.form == Form::Single && to.form == Form::Single;
    (both_single && numbers).then(|| format!("({to}) {name}"))
}

fn changed_value(template: Template, name: &str, ty: JavaType, helpers: &mut Helpers) -> String {
    match template {
        Template::BooleanFlip => format!("!{name}"),
        Template::NumericAddition(c) if c < 0.0 || c == 0.0 && c.is_sign_negative() => {
            computed(name, "-", -c, ty)
        }
        Template::NumericAddition(c) => computed(name, "+", c, ty),
        Template::NumericMultiplication(c) => computed(name, "*", c, ty),
        Template::SequenceRemove(index) => {
            helpers.need(Helper::Without(ty.to_string()));
            format!("without({name}, {index})")
        }
        Template::SequenceFlip => {
            helpers.need(Helper::Reversed(ty.to_string()));
            format!("reversed({name})")
        }
        Template::PermuteParameters => unreachable!("it has two parameters"),
    }
}

/// The evaluator computes with doubles. On ints whose result is an int that is Java's own arithmetic.
fn computed(name: &str, symbol: &str, constant: f64, ty: JavaType) -> String {
    let is_int = constant.fract() == 0.0 && constant.abs() <= f64::from(i32::MAX);
    match ty.element {
        Element::Int if is_int => format!("{name} {symbol} {constant}"),
        Element::Byte | Element::Short | Element::Char if is_int && symbol != "*" => {
            format!("({ty}) ({name} {symbol} {constant})")
        }
        Element::Double => format!("{name} {symbol} {constant:?}"),
        Element::Boolean
        | Element::Byte
        | Element::Short
        | Element::Char
        | Element::Int
        | Element::Long
        | Element::Float
        | Element::Text => format!("({ty}) ({name} {symbol} {constant:?})"),
    }
}

/// What is done to the inputs, in words: `1 is subtracted from e`.
pub(super) fn words(instance: &Instance) -> String {
    let name = &instance.parameters[0];
    match instance.template {
        Template::PermuteParameters => {
            format!("{} are exchanged", instance.parameters.join(" and "))
        }
        Template::BooleanFlip => format!("{name} becomes its opposite"),
        Template::NumericAddition(c) if c < 0.0 => format!("{} is subtracted from {name}", -c),
        Template::NumericAddition(c) => format!("{c} is added to {name}"),
        Template::NumericMultiplication(c) => format!("{name} is multiplied by {c}"),
        Template::SequenceRemove(0) => format!("{name} loses its first element"),
        Template::SequenceRemove(-1) => format!("{name} loses its last element"),
        Template::SequenceRemove(index) => format!("{name} loses its element at index {index}"),
        Template::SequenceFlip => format!("{name} is reversed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(instance: &str, types: &[(&str, Form, Element)]) -> Option<String> {
        let names: Vec<String> = types.iter().map(|(name, ..)| (*name).to_owned()).collect();
        let types: Vec<JavaType> =
            types.iter().map(|&(_, form, element)| JavaType { form, element }).collect();
        let instance = instance.parse().unwrap();
        let lines = declarations(&instance, &names, &types, &mut Helpers::default());
        lines.map(|lines| lines.join(" "))
    }

    #[test]
    fn numbers_are_computed_as_the_evaluator_does() {
        use Element::{Byte, Double, Float, Int, Long};
        let one = |instance: &str, element| declared(instance, &[("x", Form::Single, element)]);
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(one("NumericAddition(-1) on x", Int), is("int x_f = x_s - 1;"));
        assert_eq!(one("NumericMultiplication(0.5) on x", Int), is("int x_f = (int) (x_s * 0.5);"));
        assert_eq!(one("NumericMultiplication(-3) on x", Int), is("int x_f = x_s * -3;"));
        assert_eq!(one("NumericAddition(2) on x", Long), is("long x_f = (long) (x_s + 2.0);"));
        assert_eq!(one("NumericAddition(2) on x", Byte), is("byte x_f = (byte) (x_s + 2);"));
        assert_eq!(one("NumericAddition(0.1) on x", Double), is("double x_f = x_s + 0.1;"));
        let float = "float x_f = (float) (x_s * 2.0);";
        assert_eq!(one("NumericMultiplication(2) on x", Float), is(float));
    }

    #[test]
    fn what_is_not_changed_is_copied() {
        let types = [("a", Form::Array, Element::Int), ("l", Form::List, Element::Long)];
        let text = declared("SequenceFlip on a", &types).unwrap();
        assert_eq!(text, "int[] a_f = reversed(a_s); List<Long> l_f = new ArrayList<Long>(l_s);");
    }

    #[test]
    fn only_what_java_converts_is_exchanged() {
        let numbers = [("a", Form::Single, Element::Int), ("b", Form::Single, Element::Long)];
        let text = declared("PermuteParameters on a, b", &numbers).unwrap();
        assert_eq!(text, "int a_f = (int) b_s; long b_f = (long) a_s;");
        let arrays = [("a", Form::Array, Element::Int), ("b", Form::Array, Element::Long)];
        assert_eq!(declared("PermuteParameters on a, b", &arrays), None);
    }
}
