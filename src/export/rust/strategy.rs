//! The proptest strategies of a property: one per parameter, from its domain.

use super::language::RUST;
use crate::export::bounds::{Bounds, runs};
use crate::export::types::Field;
use crate::subject::{Scalar, ScalarClass, Type};

/// Ranges with more integers get a strategy of their own for small numbers, which would hardly ever be drawn by chance.
const WIDE: f64 = 2_000.0;
/// The greatest magnitude of a small number.
const SMALL: f64 = 100.0;

/// The strategy of a parameter.
pub(super) fn strategy(field: &Field<'_>) -> String {
    let bounds = Bounds::of(field.parameter);
    let (least, most) = bounds.lengths();
    match field.ty.ty {
        Type::Scalar(_) => single(field, &bounds),
        Type::String => match &bounds.alphabet {
            Some(alphabet) => format!("{:?}", format!("{}{{{least},{most}}}", class(alphabet))),
            None => {
                let any = format!(
                    "prop::collection::vec({}, {least}..={most}).prop_map(|text| text.into_iter().collect::<String>())",
                    single(field, &bounds)
                );
                format!("prop_oneof![\"[ -~]{{{least},{most}}}\", {any}]")
            }
        },
        Type::List(_) => {
            format!("prop::collection::vec({}, {least}..={most})", single(field, &bounds))
        }
    }
}

/// Characters as a class of a regular expression.
fn class(alphabet: &[char]) -> String {
    let escaped = |c: char| match c {
        '\\' | '[' | ']' | '^' | '-' | '&' | '~' => format!("\\{c}"),
        c if c.is_control() => format!("\\x{{{:x}}}", u32::from(c)),
        c => c.to_string(),
    };
    let run = |&(from, to): &(char, char)| match u32::from(to) - u32::from(from) {
        0 => escaped(from),
        1 => escaped(from) + &escaped(to),
        _ => format!("{}-{}", escaped(from), escaped(to)),
    };
    match alphabet {
        // A class cannot be empty; `lengths` is 0 then.
        [] => "a".to_owned(),
        _ => format!("[{}]", runs(alphabet).iter().map(run).collect::<String>()),
    }
}

/// The strategy of single values: of the parameter, or of its elements.
fn single(field: &Field<'_>, bounds: &Bounds) -> String {
    let literal = |number: f64| element(number, bounds.scalar);
    let ty = field.ty.element;
    let mut all = match (bounds.scalar.class(), bounds.range) {
        (ScalarClass::Bool, _) => vec!["any::<bool>()".to_owned()],
        (ScalarClass::Char, range) => vec![match (&bounds.alphabet, range) {
            (Some(alphabet), _) => {
                let characters: Vec<String> = alphabet.iter().map(|c| format!("{c:?}")).collect();
                format!("prop::sample::select(vec![{}])", characters.join(", "))
            }
            (None, Some((least, most))) if bounds.is_narrow => {
                format!("prop::char::range({}, {})", literal(least), literal(most))
            }
            (None, _) => "any::<char>()".to_owned(),
        }],
        (ScalarClass::Float, range) => floats(range, bounds.scalar, ty),
        (ScalarClass::Integer, range) => {
            let (least, most) = range.expect("integers have bounds");
            let mut all = vec![format!("{}_{ty}..={}", literal(least), literal(most))];
            if most - least > WIDE {
                let (low, high) = (least.max(-SMALL), most.min(SMALL));
                if low < high {
                    all.insert(0, format!("{}_{ty}..={}", literal(low), literal(high)));
                }
                all.push(format!("Just({})", literal(least)));
                all.push(format!("Just({})", literal(most)));
            }
            all
        }
    };
    let named = |&number: &f64| match number.is_nan() {
        true => format!("Just({ty}::NAN)"),
        false => format!("Just({})", literal(number)),
    };
    all.extend(bounds.also.iter().map(named));
    match &all[..] {
        [one] => one.clone(),
        many => format!("prop_oneof![{}]", many.join(", ")),
    }
}

/// A literal of a type.
fn element(number: f64, scalar: Scalar) -> String {
    RUST.literals.element(number, scalar, true)
}

/// Strategies of floats: whole numbers too, because a float is hardly ever one by chance.
fn floats(range: Option<(f64, f64)>, scalar: Scalar, ty: &str) -> Vec<String> {
    let literal = |number: f64| element(number, scalar);
    let any = format!("prop::num::{ty}::ANY");
    let Some((least, most)) = range else {
        return vec![
            format!("(-100_i8..=100).prop_map({ty}::from)"),
            format!("-1000.0_{ty}..=1000.0"),
            any,
        ];
    };
    let mut all = Vec::new();
    let (low, high) = (least.max(-SMALL).ceil(), most.min(SMALL).floor());
    if low < high {
        all.push(format!("({low}_i8..={high}).prop_map({ty}::from)"));
    }
    // Drawn evenly from what is wider, nearly all would be huge, and the width may be no float.
    if most - least <= 1e30 {
        all.push(format!("{}_{ty}..={}", literal(least), literal(most)));
    } else {
        let range = format!("{}..={}", literal(least), literal(most));
        all.push(format!("{any}.prop_filter(\"in the domain\", |x| ({range}).contains(x))"));
    }
    all.extend([least, most].map(|end| format!("Just({})", literal(end))));
    all
}

#[cfg(test)]
mod tests {
    use super::super::language::named;
    use super::*;
    use crate::subject::{Domain, Parameter};

    fn of(ty: Type, domain: Domain) -> String {
        let parameter = Parameter { name: "x".to_owned(), ty, domain };
        let ty = named(ty, false);
        strategy(&Field { name: "x".to_owned(), ty, parameter: &parameter })
    }

    #[test]
    fn strategies_are_those_of_the_domain() {
        let range = |least, most| Domain { range: Some((least, most)), ..Domain::default() };
        assert_eq!(of(Type::Scalar(Scalar::S32), range(-2.0, 12.0)), "-2_i32..=12");
        assert_eq!(
            of(Type::Scalar(Scalar::U16), Domain::default()),
            "prop_oneof![0_u16..=100, 0_u16..=65535, Just(0), Just(65535)]"
        );
        let alphabet = Some("a-bc^é".chars().collect());
        let domain = Domain { alphabet, max_len: Some(8), ..Domain::default() };
        assert_eq!(of(Type::String, domain.clone()), "\"[\\\\-\\\\^a-cé]{0,8}\"");
        assert_eq!(
            of(Type::List(Scalar::Char), domain),
            "prop::collection::vec(prop::sample::select(vec!['a', '-', 'b', 'c', '^', 'é']), 0..=8)"
        );
        let also = Domain { also: vec![f64::NAN, 9.5], ..range(0.25, 0.5) };
        assert_eq!(
            of(Type::Scalar(Scalar::F64), also),
            "prop_oneof![0.25_f64..=0.5, Just(0.25), Just(0.5), Just(f64::NAN), Just(9.5)]"
        );
    }
}
