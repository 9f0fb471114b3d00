//! The Hypothesis strategies of a property: one per parameter, from its domain.

use super::language::PYTHON;
use crate::export::bounds::Bounds;
use crate::subject::{Parameter, Scalar, ScalarClass, Type};

/// The strategy of a parameter.
pub(super) fn strategy(parameter: &Parameter) -> String {
    let bounds = Bounds::of(parameter);
    let (least, most) = bounds.lengths();
    let sizes = format!("min_size={least}, max_size={most}");
    match parameter.ty {
        Type::Scalar(_) => single(&bounds),
        Type::String => match &bounds.alphabet {
            Some(alphabet) if alphabet.is_empty() => "st.just(\"\")".to_owned(),
            Some(alphabet) => format!("st.text({}, {sizes})", characters(alphabet)),
            None if bounds.is_narrow => format!("st.text({}, {sizes})", single(&bounds)),
            None => format!("st.text({sizes})"),
        },
        Type::List(_) => format!("st.lists({}, {sizes})", single(&bounds)),
    }
}

fn characters(alphabet: &[char]) -> String {
    let codes: Vec<f64> = alphabet.iter().map(|&c| f64::from(u32::from(c))).collect();
    (PYTHON.literals.text)(&codes)
}

/// The strategy of single values: of the parameter, or of its elements.
fn single(bounds: &Bounds) -> String {
    let mut all = match (bounds.scalar.class(), bounds.range) {
        (ScalarClass::Bool, _) => vec!["st.booleans()".to_owned()],
        (ScalarClass::Char, range) => vec![match (&bounds.alphabet, range) {
            (Some(alphabet), _) if alphabet.is_empty() => "st.nothing()".to_owned(),
            (Some(alphabet), _) => format!("st.sampled_from({})", characters(alphabet)),
            (None, Some((least, most))) => format!(
                "st.characters(min_codepoint={least}, max_codepoint={most}, exclude_categories=(\"Cs\",))"
            ),
            (None, None) => unreachable!("characters have codes"),
        }],
        (ScalarClass::Float, range) => floats(range, bounds.scalar),
        (ScalarClass::Integer, range) => {
            let (least, most) = range.expect("integers have bounds");
            vec![format!("st.integers({}, {})", least as i64, most as i64)]
        }
    };
    let named = |&number: &f64| {
        format!("st.just({})", PYTHON.literals.element(number, bounds.scalar, true))
    };
    all.extend(bounds.also.iter().map(named));
    all.join(" | ")
}

/// Strategies of floats: whole numbers too, which are easier to read where a relation is false.
fn floats(range: Option<(f64, f64)>, scalar: Scalar) -> Vec<String> {
    let width = if scalar == Scalar::F32 { "width=32" } else { "width=64" };
    let Some((least, most)) = range else {
        return vec!["st.integers(-100, 100).map(float)".to_owned(), format!("st.floats({width})")];
    };
    let mut all = Vec::new();
    let (low, high) = (least.max(-100.0).ceil(), most.min(100.0).floor());
    if low < high {
        all.push(format!("st.integers({low}, {high}).map(float)"));
    }
    let (least, most) = match scalar {
        Scalar::F32 => (inward(least), -inward(-most)),
        _ => (least, most),
    };
    let float = |number| PYTHON.literals.double.write(number);
    all.push(format!("st.floats({}, {}, {width})", float(least), float(most)));
    all
}

/// The least number of single precision that is at least this.
fn inward(least: f64) -> f64 {
    let near = least as f32;
    f64::from(if f64::from(near) < least { near.next_up() } else { near })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Domain;

    #[test]
    fn strategies_are_those_of_the_domain() {
        let of = |ty, domain| strategy(&Parameter { name: "x".to_owned(), ty, domain });
        let range = |least, most| Domain { range: Some((least, most)), ..Domain::default() };
        assert_eq!(of(Type::Scalar(Scalar::S32), range(-2.0, 12.0)), "st.integers(-2, 12)");
        let also = Domain { also: vec![f64::NAN], ..range(0.25, 0.5) };
        assert_eq!(
            of(Type::Scalar(Scalar::F64), also),
            "st.floats(0.25, 0.5, width=64) | st.just(math.nan)"
        );
        // A tenth is no number of single precision.
        assert_eq!(
            of(Type::Scalar(Scalar::F32), range(0.1, 0.5)),
            "st.floats(0.10000000149011612, 0.5, width=32)"
        );
        let alphabet = Some(vec!['b', '"']);
        let domain = Domain { alphabet, min_len: Some(1), ..Domain::default() };
        assert_eq!(of(Type::String, domain), "st.text(\"b\\\"\", min_size=1, max_size=32)");
        assert_eq!(
            of(Type::List(Scalar::Bool), Domain { max_len: Some(3), ..Domain::default() }),
            "st.lists(st.booleans(), min_size=0, max_size=3)"
        );
    }
}
