//! Follow-ups in Java, which is given inputs with a follow-up only.

use super::*;
use crate::export::java;
use crate::subject::{Domain, Parameter, Scalar};

/// The statements in Java, of parameters of these types.
fn java(instance: &str, types: &[(&str, Type, &str)]) -> Option<String> {
    let parameters: Vec<Parameter> = types
        .iter()
        .map(|&(name, ty, _)| Parameter { name: name.to_owned(), ty, domain: Domain::default() })
        .collect();
    let fields: Vec<Field<'_>> = types
        .iter()
        .zip(&parameters)
        .map(|(&(name, ty, written), parameter)| Field {
            name: name.to_owned(),
            ty: NamedType { ty, name: written.to_owned(), element: "" },
            parameter,
        })
        .collect();
    let mut helpers = Helpers::of(&java::JAVA);
    let lines = statements(&instance.parse().unwrap(), &fields, &mut helpers);
    lines.map(|lines| lines.join(" "))
}

#[test]
fn numbers_are_computed_as_the_evaluator_does() {
    let one =
        |instance, scalar, name| java(instance, &[("x", Type::Scalar(scalar), name)]).unwrap();
    let int = |instance| one(instance, Scalar::S32, "int");
    assert_eq!(int("NumericAddition(-1) on x"), "int x_f = x_s - 1;");
    assert_eq!(int("NumericMultiplication(0.5) on x"), "int x_f = (int) (x_s * 0.5);");
    assert_eq!(int("NumericMultiplication(-3) on x"), "int x_f = x_s * -3;");
    let long = one("NumericAddition(2) on x", Scalar::S64, "long");
    assert_eq!(long, "long x_f = (long) (x_s + 2.0);");
    let byte = one("NumericAddition(2) on x", Scalar::S8, "byte");
    assert_eq!(byte, "byte x_f = (byte) (x_s + 2);");
    let double = one("NumericAddition(0.1) on x", Scalar::F64, "double");
    assert_eq!(double, "double x_f = x_s + 0.1;");
    let float = one("NumericMultiplication(2) on x", Scalar::F32, "float");
    assert_eq!(float, "float x_f = (float) (x_s * 2.0);");
}

#[test]
fn parameters_that_stay_are_copied() {
    let types =
        [("a", Type::List(Scalar::S32), "int[]"), ("l", Type::List(Scalar::S64), "List<Long>")];
    let text = java("SequenceFlip on a", &types).unwrap();
    assert_eq!(text, "int[] a_f = reversed(a_s); List<Long> l_f = new ArrayList<Long>(l_s);");
}

#[test]
fn only_what_java_converts_is_exchanged() {
    let numbers =
        [("a", Type::Scalar(Scalar::S32), "int"), ("b", Type::Scalar(Scalar::S64), "long")];
    let text = java("PermuteParameters on a, b", &numbers).unwrap();
    assert_eq!(text, "int a_f = (int) b_s; long b_f = (long) a_s;");
    let arrays =
        [("a", Type::List(Scalar::S32), "int[]"), ("b", Type::List(Scalar::S64), "long[]")];
    assert_eq!(java("PermuteParameters on a, b", &arrays), None);
}

#[test]
fn other_parameters_and_elements_are_operands() {
    let numbers =
        [("a", Type::Scalar(Scalar::S32), "int"), ("b", Type::Scalar(Scalar::S64), "long")];
    let text = java("NumericAddition(b) on a", &numbers).unwrap();
    assert_eq!(text, "int a_f = (int) (a_s + (double) b_s); long b_f = b_s;");
    let text = java("NumericComplement(10) on a", &numbers).unwrap();
    assert_eq!(text, "int a_f = 10 - a_s; long b_f = b_s;");
    let lists = [("a", Type::List(Scalar::S32), "int[]"), ("s", Type::String, "String")];
    let text = java("SequenceAppend(a[-1]) on a", &lists).unwrap();
    let joined = "int[] a_f = joined(a_s, new int[] {a_s[place(a_s.length, -1)]});";
    assert_eq!(text, format!("{joined} String s_f = s_s;"));
    let text = java("SequenceAppend('x') on s", &lists).unwrap();
    assert_eq!(text, "int[] a_f = a_s.clone(); String s_f = s_s + \"x\";");
    let text = java("SequenceFlip on a, s", &lists).unwrap();
    assert_eq!(text, "int[] a_f = reversed(a_s); String s_f = reversed(s_s);");
}

#[test]
fn java_does_not_compute_with_texts_that_stand_for_numbers() {
    let texts = [("l", Type::List(Scalar::S32), "List<String>")];
    for instance in ["SequenceSort on l", "SequenceAdd(1) on l", "SequenceAppend(1) on l"] {
        assert_eq!(java(instance, &texts), None, "{instance}");
    }
    let text = java("SequenceAppend(l[0]) on l", &texts).unwrap();
    let element = "Collections.singletonList(l_s.get(place(l_s.size(), 0)))";
    assert_eq!(text, format!("List<String> l_f = joined(l_s, {element});"));
}
