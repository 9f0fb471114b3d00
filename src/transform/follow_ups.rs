//! The follow-ups of many source inputs at once, and which sources have one.
//!
//! A source that the transformation leaves as it is (a palindrome that is reversed, 0 * -1, an element that does not exist
//! removed) is its own follow-up: the input relation holds of them, and so they are a pair like any other.

use genmorph_jit::Value;

use super::Transform;
use crate::subject::{Inputs, Signature};

impl Transform {
    /// The follow-up inputs of all sources that have one, and the rows of these sources.
    ///
    /// A source has no follow-up only if the transformation leads out of the type or domain of a parameter, or computes with an
    /// element that the source does not have.
    ///
    /// # Panics
    /// If the inputs belong to another function than the one that the transformation is bound to.
    pub fn follow_ups(&self, sources: &Inputs, signature: &Signature) -> (Inputs, Vec<usize>) {
        assert_eq!(self.inputs.len(), signature.parameters.len(), "the inputs of another function");
        let mut follow_ups = Inputs::new(signature);
        let mut rows = Vec::new();
        for row in 0..sources.len() {
            let mut values: Vec<Value<'_>> = sources.row(row).collect();
            if !self.change(&mut values) {
                continue;
            }
            for &i in &self.indices {
                if signature.parameters[i].ty.scalar().integers().is_some() {
                    without_sign(&mut values[i]);
                }
            }
            let admitted = |&i: &usize| signature.parameters[i].admits(&values[i]);
            if self.indices.iter().all(admitted) && signature.satisfied_by(&values) {
                follow_ups.push(&values);
                rows.push(row);
            }
        }
        (follow_ups, rows)
    }
}

/// -3 * 0 is -0 in floats; integers have no -0.
fn without_sign(value: &mut Value<'_>) {
    match value {
        Value::Num(number) => *number += 0.0,
        Value::Seq(elements) => {
            let is_signed = |element: &f64| *element == 0.0 && element.is_sign_negative();
            if elements.iter().any(is_signed) {
                elements.to_mut().iter_mut().for_each(|element| *element += 0.0);
            }
        }
        Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::Instance;
    use super::*;
    use crate::subject::{Domain, Parameter, Scalar, Type};

    fn signature() -> Signature {
        let parameter = |(name, ty, range): (&str, Type, Option<(f64, f64)>)| Parameter {
            name: name.to_owned(),
            ty,
            domain: Domain { range, ..Domain::default() },
        };
        Signature {
            function: "f".to_owned(),
            parameters: [
                ("u", Type::Scalar(Scalar::U8), None),
                ("v", Type::Scalar(Scalar::U8), Some((0.0, 10.0))),
                ("x", Type::Scalar(Scalar::F64), None),
                ("z", Type::Scalar(Scalar::F32), None),
                ("s", Type::List(Scalar::S32), None),
                ("p", Type::Scalar(Scalar::Bool), None),
            ]
            .map(parameter)
            .to_vec(),
            result: None,
            changed: Vec::new(),
            ..Signature::default()
        }
    }

    /// The rows of the given values that have a follow-up, with the follow-up's value of the parameter.
    fn pairs(
        text: &str,
        parameter: usize,
        values: &[Value<'static>],
    ) -> Vec<(usize, Value<'static>)> {
        let signature = signature();
        let usual = [1.0, 2.0, 3.0, 4.0].map(Value::Num).into_iter();
        let usual: Vec<Value<'static>> =
            usual.chain([Value::Seq(vec![1.0, 2.0].into()), Value::Bool(true)]).collect();
        let row = |value: &Value<'static>| {
            let mut row = usual.clone();
            row[parameter] = value.clone();
            row
        };
        let rows: Vec<Vec<Value<'static>>> = values.iter().map(row).collect();
        let sources = Inputs::from_rows(&signature, rows.iter().map(Vec::as_slice));
        let transform: Instance = text.parse().unwrap();
        let transform = transform.bind(&signature.of_executions()).unwrap();
        let (follow_ups, from) = transform.follow_ups(&sources, &signature);
        assert_eq!(follow_ups.len(), from.len());
        let pair = |(i, &row): (usize, &usize)| {
            let expected = transform.apply(&rows[row]).unwrap();
            assert_eq!(follow_ups.row(i).collect::<Vec<_>>(), expected, "{text}");
            (row, expected[parameter].clone())
        };
        from.iter().enumerate().map(pair).collect()
    }

    fn nums(values: &[f64]) -> Vec<Value<'static>> {
        values.iter().map(|&value| Value::Num(value)).collect()
    }

    #[test]
    fn what_the_type_cannot_represent_is_no_pair() {
        let down = pairs("NumericAddition(-1) on u", 0, &nums(&[0.0, 1.0, 255.0]));
        assert_eq!(down, [(1, Value::Num(0.0)), (2, Value::Num(254.0))]);
        let thrice = pairs("NumericMultiplication(3) on u", 0, &nums(&[0.0, 85.0, 86.0]));
        assert_eq!(thrice, [(0, Value::Num(0.0)), (1, Value::Num(255.0))]);
        let none = pairs("NumericMultiplication(0) on u", 0, &nums(&[3.0]));
        assert_eq!(none, [(0, Value::Num(0.0))]);
        // 1000 + 0.1f32 is not an f32.
        let tenth = f64::from(0.1_f32);
        let single = pairs("NumericAddition(1000) on z", 3, &nums(&[0.5, tenth]));
        assert_eq!(single, [(0, Value::Num(1000.5))]);
    }

    #[test]
    fn what_the_domain_forbids_is_no_pair() {
        let up = pairs("NumericAddition(1) on v", 1, &nums(&[9.0, 10.0]));
        assert_eq!(up, [(0, Value::Num(10.0))]);
        // v is 2, and 11 is outside v's domain.
        let exchanged = pairs("PermuteParameters on u, v", 0, &nums(&[2.0, 7.0, 11.0]));
        assert_eq!(exchanged, [(0, Value::Num(2.0)), (1, Value::Num(2.0))]);
    }

    #[test]
    fn a_number_that_stays_what_it_is_or_overflows_is_a_pair() {
        let odd = [f64::INFINITY, 1e300, 0.25, f64::MAX];
        let up = pairs("NumericAddition(1) on x", 2, &nums(&odd));
        let infinity = f64::INFINITY;
        assert_eq!(
            up.into_iter().map(|pair| pair.1).collect::<Vec<_>>(),
            nums(&[infinity, 1e300, 1.25, f64::MAX])
        );
        let twice = pairs("NumericMultiplication(2) on x", 2, &nums(&odd));
        assert_eq!(
            twice.into_iter().map(|pair| pair.1).collect::<Vec<_>>(),
            nums(&[infinity, 2e300, 0.5, infinity])
        );
        // 0 of an integer has no sign.
        let opposite = pairs("NumericMultiplication(-1) on u", 0, &nums(&[0.0, 1.0]));
        assert_eq!(opposite, [(0, Value::Num(0.0))]);
    }

    #[test]
    fn sequences_that_stay_what_they_are_are_pairs() {
        let sequences = [&[][..], &[5.0], &[5.0, 5.0], &[5.0, 6.0]];
        let sequences = sequences.map(|elements| Value::Seq(elements.to_vec().into()));
        let rows = |text| -> Vec<usize> {
            pairs(text, 4, &sequences).into_iter().map(|pair| pair.0).collect()
        };
        assert_eq!(rows("SequenceRemove(-2) on s"), [0, 1, 2, 3]);
        assert_eq!(rows("SequenceFlip on s"), [0, 1, 2, 3]);
        assert_eq!(pairs("BooleanFlip on p", 5, &[Value::Bool(true)]), [(0, Value::Bool(false))]);
    }
}
