//! Domains that are small enough to be gone through: every input once, in an order that is spread over all of them.
//!
//! A relation that holds on all inputs there are is not a guess any more.

use genmorph_jit::Value;

use crate::subject::{Domain, Inputs, Parameter, Scalar, Signature, Type};

/// The most inputs that a domain may have to be gone through.
const MOST: usize = 1 << 18;

/// All inputs of a function.
#[derive(Debug)]
pub(super) struct Whole {
    /// The values of each parameter.
    values: Vec<Vec<Value<'static>>>,
    count: usize,
}

impl Whole {
    /// All inputs, if there are few enough of them.
    pub(super) fn of(signature: &Signature) -> Option<Whole> {
        let mut count = 1_usize;
        let mut values = Vec::new();
        for parameter in &signature.parameters {
            let all = all(parameter, MOST / count)?;
            count *= all.len();
            values.push(all);
        }
        (count > 0).then_some(Whole { values, count })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Some of them: those with these numbers, as far as there are as many.
    pub(super) fn inputs(&self, signature: &Signature, from: usize, count: usize) -> Inputs {
        let mut inputs = Inputs::new(signature);
        let step = stride(self.count);
        let mut row = Vec::with_capacity(self.values.len());
        for number in from..self.count.min(from.saturating_add(count)) {
            let mut place = (number as u64 * step as u64 % self.count as u64) as usize;
            row.clear();
            for values in &self.values {
                row.push(values[place % values.len()].clone());
                place /= values.len();
            }
            if signature.satisfied_by(&row) {
                inputs.push(&row);
            }
        }
        inputs
    }
}

/// All values of a parameter, if there are at most `most`.
fn all(parameter: &Parameter, most: usize) -> Option<Vec<Value<'static>>> {
    let Parameter { ty, domain, .. } = parameter;
    let Type::Scalar(scalar) = *ty else {
        // The empty sequence alone; others are too many to be worth the trouble.
        return (domain.max_len == Some(0)).then(|| vec![Value::Seq(Vec::new().into())]);
    };
    if scalar == Scalar::Bool {
        return (most >= 2).then(|| vec![Value::Bool(false), Value::Bool(true)]);
    }
    let Domain { range, alphabet, .. } = domain;
    let mut numbers: Vec<f64> = match (scalar, alphabet) {
        (Scalar::Char, Some(alphabet)) => {
            alphabet.iter().map(|&c| f64::from(u32::from(c))).collect()
        }
        _ => {
            let (low, high) = scalar.integers()?;
            let (least, most_of_range) = range.unwrap_or((low, high));
            let (least, greatest) = (least.max(low).ceil(), most_of_range.min(high).floor());
            if greatest - least >= most as f64 {
                return None;
            }
            (0..=(greatest - least).max(-1.0) as i64).map(|i| least + i as f64).collect()
        }
    };
    numbers.retain(|&number| parameter.admits(&Value::Num(number)));
    (numbers.len() <= most).then(|| numbers.into_iter().map(Value::Num).collect())
}

/// A step that visits all of `count` places, each far from the one before.
fn stride(count: usize) -> usize {
    // Near the golden section, so that the first few are spread evenly.
    let mut step = (count as f64 * 0.618_033_988_75) as usize | 1;
    while gcd(step, count) != 1 {
        step += 2;
    }
    step
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn signature(parameters: &[(Type, Domain)]) -> Signature {
        let parameter = |(i, (ty, domain)): (usize, &(Type, Domain))| Parameter {
            name: format!("p{i}"),
            ty: *ty,
            domain: domain.clone(),
        };
        Signature {
            function: "f".to_owned(),
            parameters: parameters.iter().enumerate().map(parameter).collect(),
            result: None,
            changed: Vec::new(),
            ..Signature::default()
        }
    }

    fn range(least: f64, most: f64) -> Domain {
        Domain { range: Some((least, most)), ..Domain::default() }
    }

    #[test]
    fn every_input_is_there_once() {
        let integers = Type::Scalar(Scalar::S32);
        let letters = Domain { alphabet: Some(vec!['a', 'é']), ..Domain::default() };
        let signature = signature(&[
            (integers, range(-3.5, 20.0)),
            (Type::Scalar(Scalar::Bool), Domain::default()),
            (Type::Scalar(Scalar::Char), letters),
            (Type::Scalar(Scalar::U8), Domain::default()),
        ]);
        let whole = Whole::of(&signature).unwrap();
        assert_eq!(whole.count(), 24 * 2 * 2 * 256);
        let inputs = whole.inputs(&signature, 0, usize::MAX);
        let rows: HashSet<String> =
            (0..inputs.len()).map(|r| format!("{:?}", inputs.row(r).collect::<Vec<_>>())).collect();
        assert_eq!(rows.len(), whole.count());
        for row in 0..inputs.len() {
            assert!(signature.parameters.iter().zip(inputs.row(row)).all(|(p, v)| p.admits(&v)));
        }
        let some = whole.inputs(&signature, 100, 5);
        assert_eq!(some.len(), 5);
        assert!(some.row(0).eq(inputs.row(100)));
    }

    #[test]
    fn what_is_too_large_is_not_gone_through() {
        let none = |ty: Type, domain: Domain| Whole::of(&signature(&[(ty, domain)])).is_none();
        assert!(none(Type::Scalar(Scalar::S32), Domain::default()));
        assert!(none(Type::Scalar(Scalar::F64), range(0.0, 1.0)));
        assert!(none(Type::String, Domain::default()));
        let large = (Type::Scalar(Scalar::S32), range(0.0, 999.0));
        assert!(Whole::of(&signature(&[large.clone(), large.clone()])).is_none());
        assert!(Whole::of(&signature(&[large])).is_some());
    }
}
