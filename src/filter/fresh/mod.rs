//! Inputs that had no part in finding relations: drawn in another way than source inputs, from a stream of their own.
//!
//! Every row decides anew where each of its values comes from: the bits of the type, orders of magnitude, the domain, special
//! values, constants of the function, values that were seen and small changes of them; many have to do with another value of their
//! row. Knows nothing of what the function does. A batch is found from its number alone, so that batches can be made in any order, on any thread.

mod numbers;
mod sequences;
mod special;
mod values;

use genmorph_jit::Value;

use self::values::Values;
use crate::inputs::related;
use crate::subject::{Constant, Inputs, Scalar, Signature};
use crate::support::seed::{Rng, Seed};

/// Rows of a batch.
pub const BATCH: usize = 1024;
/// One in this many rows has values that have to do with each other on purpose.
const RELATED: usize = 3;

/// How often a row is drawn again that does not satisfy the condition on inputs; then there is a row less.
const TRIES: usize = 16;

/// Draws as many rows as asked for: the batches from 0 on. All values are of the types and within the domains, of which each
/// must have some: `inputs::generate` refuses those that have none.
pub fn inputs(
    signature: &Signature,
    constants: &[Constant],
    seen: &Inputs,
    seed: Seed,
    count: usize,
) -> Inputs {
    let origin = Origin::new(signature, constants, seen);
    let mut inputs = Inputs::new(signature);
    for index in 0..count.div_ceil(BATCH) {
        let rows = BATCH.min(count - index * BATCH);
        origin.fill(&mut inputs, seed, index, rows);
    }
    inputs
}

/// Draws one batch of [`BATCH`] rows, by its number.
pub fn batch(
    signature: &Signature,
    constants: &[Constant],
    seen: &Inputs,
    seed: Seed,
    index: usize,
) -> Inputs {
    let mut inputs = Inputs::new(signature);
    Origin::new(signature, constants, seen).fill(&mut inputs, seed, index, BATCH);
    inputs
}

/// What rows are drawn from.
struct Origin<'o> {
    signature: &'o Signature,
    values: Vec<Values<'o>>,
    seen: &'o Inputs,
}

impl<'o> Origin<'o> {
    fn new(signature: &'o Signature, constants: &[Constant], seen: &'o Inputs) -> Origin<'o> {
        let parameters = signature.parameters.iter().zip(seen.columns());
        let values =
            parameters.map(|(parameter, column)| Values::new(parameter, constants, column));
        Origin { signature, values: values.collect(), seen }
    }

    fn fill(&self, inputs: &mut Inputs, seed: Seed, index: usize, rows: usize) {
        let stream = seed.stream("fresh").at(index as u64);
        let mut row: Vec<Value<'static>> = Vec::with_capacity(self.values.len());
        for place in 0..rows {
            let mut rng = stream.at(place as u64).rng();
            for _ in 0..TRIES {
                self.draw(&mut row, &mut rng);
                self.signature.fit(&mut row);
                if self.signature.satisfied_by(&row) {
                    inputs.push(&row);
                    break;
                }
            }
        }
    }

    /// Draws the values of all parameters.
    fn draw(&self, row: &mut Vec<Value<'static>>, rng: &mut Rng) {
        row.clear();
        // A third of the rows is a row that was seen with one value drawn anew: the others fit together.
        let base = rng.below(3) == 0 && !self.seen.is_empty() && self.values.len() > 1;
        let base = base.then(|| rng.below(self.seen.len()));
        let changed = rng.below(self.values.len().max(1));
        for (i, values) in self.values.iter().enumerate() {
            row.push(match base {
                Some(base) if i != changed => values.seen(base),
                Some(_) | None => values.draw(rng),
            });
        }
        // Values that have to do with each other are rare by chance, and often special.
        if row.len() > 1 && rng.below(RELATED) == 0 {
            self.relate(row, rng);
            if rng.chance(0.3) {
                self.relate(row, rng);
            }
        }
    }

    /// Replaces a value by one that has to do with another of the row.
    fn relate(&self, row: &mut [Value<'static>], rng: &mut Rng) {
        let at = rng.below(row.len());
        let from = (at + 1 + rng.below(row.len() - 1)) % row.len();
        let values = &self.values[at];
        let (own, of) = (&row[at], &row[from]);
        let are_characters = values.scalar == Scalar::Char;
        let draw = &mut |rng: &mut Rng| values.number(rng);
        let value = related::value(own, of, are_characters, draw, rng);
        if let Some(value) = value.filter(|value| values.parameter.admits(value)) {
            row[at] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::Column;

    use super::*;
    use crate::subject::{Domain, Parameter, Type};

    fn signature(parameters: &[(&str, Type, Domain)]) -> Signature {
        let parameter = |(name, ty, domain): &(&str, Type, Domain)| Parameter {
            name: (*name).to_owned(),
            ty: *ty,
            domain: domain.clone(),
        };
        Signature {
            function: "f".to_owned(),
            parameters: parameters.iter().map(parameter).collect(),
            result: None,
            changed: Vec::new(),
            ..Signature::default()
        }
    }

    const CONSTANTS: [Constant; 2] =
        [Constant { value: 4_711.0, count: 1 }, Constant { value: 0.125, count: 2 }];

    /// A row that is allowed, as something that was seen.
    fn seen(signature: &Signature) -> Inputs {
        let none = Inputs::new(signature);
        inputs(signature, &[], &none, Seed(99), 50)
    }

    #[test]
    fn values_of_all_types_are_within_their_domains() {
        let mut rng = Seed(3).stream("test").rng();
        for round in 0..200 {
            let parameters: Vec<(&str, Type, Domain)> = ["a", "b", "c"]
                .into_iter()
                .map(|name| {
                    let scalar = rng.pick(&Scalar::ALL);
                    let ty = match rng.below(3) {
                        0 => Type::String,
                        1 => Type::List(scalar),
                        _ => Type::Scalar(scalar),
                    };
                    let least = rng.below(200) as f64 - 100.5;
                    let domain = Domain {
                        // Of truth values there are two.
                        range: (rng.chance(0.5) && ty.scalar() != Scalar::Bool)
                            .then(|| (least.max(0.0), least.max(0.0) + 2.0 + rng.unit() * 100.0)),
                        min_len: rng.chance(0.3).then(|| rng.below(5)),
                        also: if rng.chance(0.3) { vec![7.0] } else { Vec::new() },
                        max_len: rng.chance(0.3).then(|| 5 + rng.below(5)),
                        alphabet: None,
                    };
                    (name, ty, domain)
                })
                .collect();
            let signature = signature(&parameters);
            let fresh = inputs(&signature, &CONSTANTS, &seen(&signature), Seed(round), 300);
            for row in 0..fresh.len() {
                for (parameter, value) in signature.parameters.iter().zip(fresh.row(row)) {
                    assert!(parameter.admits(&value), "{parameter:?}: {value:?}");
                }
            }
        }
    }

    #[test]
    fn an_alphabet_is_kept_to() {
        let domain =
            Domain { alphabet: Some(vec!['x', 'é']), min_len: Some(1), ..Domain::default() };
        let signature = signature(&[("s", Type::String, domain)]);
        let fresh = inputs(&signature, &CONSTANTS, &seen(&signature), Seed(1), 1_000);
        let allowed = |row| fresh.row(row).all(|v| signature.parameters[0].admits(&v));
        assert!((0..1_000).all(allowed));
    }

    #[test]
    fn a_batch_is_found_from_its_number() {
        let signature = signature(&[
            ("x", Type::Scalar(Scalar::F64), Domain::default()),
            ("s", Type::String, Domain::default()),
        ]);
        let seen = seen(&signature);
        let all = inputs(&signature, &CONSTANTS, &seen, Seed(5), 3 * BATCH);
        let third = batch(&signature, &CONSTANTS, &seen, Seed(5), 2);
        for row in 0..BATCH {
            let both = [all.row(2 * BATCH + row), third.row(row)].map(|row| {
                let bits = |value: Value<'_>| match value {
                    Value::Num(number) => vec![number.to_bits()],
                    Value::Bool(truth) => vec![u64::from(truth)],
                    Value::Seq(elements) => elements.iter().map(|e| e.to_bits()).collect(),
                };
                row.map(bits).collect::<Vec<_>>()
            });
            assert_eq!(both[0], both[1], "{row}");
        }
        let other = inputs(&signature, &CONSTANTS, &seen, Seed(6), BATCH);
        assert_ne!(other, batch(&signature, &CONSTANTS, &seen, Seed(5), 0));
    }

    #[test]
    fn numbers_are_of_all_sizes_and_kinds() {
        let signature = signature(&[
            ("i", Type::Scalar(Scalar::S32), Domain::default()),
            ("x", Type::Scalar(Scalar::F64), Domain::default()),
            ("a", Type::List(Scalar::S32), Domain::default()),
        ]);
        let fresh = inputs(&signature, &CONSTANTS, &seen(&signature), Seed(2), 10_000);
        let [Column::Num(integers), Column::Num(floats), Column::Seq(lists)] = fresh.columns()
        else {
            panic!("two columns of numbers and one of sequences");
        };
        let share = |numbers: &[f64], kind: fn(f64) -> bool| {
            numbers.iter().filter(|n| kind(**n)).count() as f64 / numbers.len() as f64
        };
        assert!(share(integers, |n| n.abs() <= 20.0) > 0.2);
        assert!(share(integers, |n| n.abs() > 1e6) > 0.1);
        assert!(share(integers, |n| (n - 4_711.0).abs() <= 1.0) > 0.01);
        assert!(share(floats, f64::is_nan) > 0.0005);
        assert!(share(floats, |n| n.fract() != 0.0) > 0.2);
        let lists: Vec<&[f64]> = lists.iter().collect();
        let some = |kind: fn(&[f64]) -> bool| lists.iter().filter(|list| kind(list)).count();
        assert!(some(<[f64]>::is_empty) > 100);
        assert!(some(|list| list.len() > 40) > 100);
        assert!(some(|list| list.len() > 3 && list.is_sorted()) > 300);
        assert!(some(|list| list.len() > 3 && list.iter().all(|e| *e == list[0])) > 100);
    }
}
