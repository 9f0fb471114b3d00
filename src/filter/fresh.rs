//! Inputs that had no part in finding relations: drawn in another way than source inputs, from a stream of their own.
//!
//! Every row decides anew where each of its values comes from: the bits of the type, orders of magnitude, the domain, special
//! values, constants of the function, values that were seen and small changes of them; many have to do with another value of their
//! row. Knows nothing of what the function does. A batch is found from its number alone, so that batches can be made in any order, on any thread.

use genmorph_jit::{Column, Value};

use crate::inputs::related;
use crate::subject::{Constant, Domain, Inputs, Parameter, Scalar, Signature, Type};
use crate::support::seed::{Rng, Seed};

/// Rows of a batch.
pub const BATCH: usize = 1024;

/// The longest sequences where no domain says otherwise: usual ones, long ones, and very long ones, which are rare because the cost of
/// some functions grows with the square of the length.
const LONGEST: usize = 128;
const LONG: usize = 400;
const VERY_LONG: usize = 5_000;
/// One in this many sequences is long, and one in this many very long.
const LONG_ONES: usize = 100;
const VERY_LONG_ONES: usize = 4_000;
/// One in this many texts has a number in it.
const SPELLED: usize = 12;
/// One in this many rows has values that have to do with each other on purpose.
const RELATED: usize = 3;

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
    values: Vec<Values<'o>>,
    seen: &'o Inputs,
}

impl<'o> Origin<'o> {
    fn new(signature: &'o Signature, constants: &[Constant], seen: &'o Inputs) -> Origin<'o> {
        let parameters = signature.parameters.iter().zip(seen.columns());
        let values =
            parameters.map(|(parameter, column)| Values::new(parameter, constants, column));
        Origin { values: values.collect(), seen }
    }

    fn fill(&self, inputs: &mut Inputs, seed: Seed, index: usize, rows: usize) {
        let stream = seed.stream("fresh").at(index as u64);
        let mut row: Vec<Value<'static>> = Vec::with_capacity(self.values.len());
        for place in 0..rows {
            let mut rng = stream.at(place as u64).rng();
            row.clear();
            // A third of the rows is a row that was seen with one value drawn anew: the others fit together.
            let base = rng.below(3) == 0 && !self.seen.is_empty() && self.values.len() > 1;
            let base = base.then(|| rng.below(self.seen.len()));
            let changed = rng.below(self.values.len().max(1));
            for (i, values) in self.values.iter().enumerate() {
                row.push(match base {
                    Some(base) if i != changed => values.seen(base),
                    Some(_) | None => values.draw(&mut rng),
                });
            }
            // Values that have to do with each other are rare by chance, and often special.
            if row.len() > 1 && rng.below(RELATED) == 0 {
                self.relate(&mut row, &mut rng);
                if rng.chance(0.3) {
                    self.relate(&mut row, &mut rng);
                }
            }
            inputs.push(&row);
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

/// What values of a parameter are drawn from.
struct Values<'o> {
    parameter: &'o Parameter,
    scalar: Scalar,
    column: &'o Column,
    /// Ends of the domain, or of the type; infinite for floats.
    least: f64,
    most: f64,
    /// Whether numbers may be anything that the type has.
    is_free: bool,
    shortest: usize,
    longest: usize,
    alphabet: Option<Vec<f64>>,
    /// Special numbers of the type, and constants with their neighbours: all are allowed.
    special: Vec<f64>,
    harvested: Vec<f64>,
}

impl<'o> Values<'o> {
    fn new(parameter: &'o Parameter, constants: &[Constant], column: &'o Column) -> Values<'o> {
        let scalar = parameter.ty.scalar();
        let Domain { range, also, max_len, min_len, alphabet } = &parameter.domain;
        let (low, high) = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let (least, most) = range.unwrap_or((low, high));
        let (mut least, mut most) = (least.max(low), most.min(high));
        if scalar.integers().is_some() {
            (least, most) = (least.ceil(), most.floor());
        }
        let shortest = min_len.unwrap_or(0);
        let mut values = Values {
            parameter,
            scalar,
            column,
            least,
            most,
            is_free: range.is_none(),
            shortest,
            longest: max_len.unwrap_or(LONGEST.max(shortest)).max(shortest),
            alphabet: None,
            special: Vec::new(),
            harvested: Vec::new(),
        };
        if let Some(alphabet) = alphabet
            && (scalar == Scalar::Char || !matches!(parameter.ty, Type::Scalar(_)))
        {
            let codes = alphabet.iter().map(|&c| f64::from(u32::from(c)));
            values.alphabet = Some(codes.filter(|&code| values.admits(code)).collect());
        }
        let special = SPECIAL.iter().copied().chain([least, most, least + 1.0, most - 1.0]);
        let special = special.chain(also.iter().copied());
        values.special = special.filter(|&number| values.admits(number)).collect();
        let around = constants.iter().flat_map(|c| [c.value, c.value + 1.0, c.value - 1.0]);
        values.harvested = around.filter(|&number| values.admits(number)).collect();
        values
    }

    fn admits(&self, number: f64) -> bool {
        let odd = self.is_free && number.is_nan() || self.parameter.domain.names(number);
        let within = (self.least..=self.most).contains(&number) || odd;
        let spelled = self.alphabet.as_ref().is_none_or(|codes| codes.contains(&number));
        within && spelled && self.scalar.admits(number)
    }

    /// The value of a row that was seen.
    fn seen(&self, row: usize) -> Value<'static> {
        match self.column {
            Column::Num(values) => Value::Num(values[row]),
            Column::Bool(values) => Value::Bool(values[row]),
            Column::Seq(values) => Value::Seq(values.get(row).to_vec().into()),
        }
    }

    fn draw(&self, rng: &mut Rng) -> Value<'static> {
        match self.parameter.ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(rng.next() & 1 == 1),
            Type::Scalar(_) => Value::Num(self.number(rng)),
            Type::String | Type::List(_) => Value::Seq(self.sequence(rng).into()),
        }
    }

    /// A number that was seen: a value, or an element of one.
    fn seen_number(&self, rng: &mut Rng) -> Option<f64> {
        if self.column.is_empty() {
            return None;
        }
        let row = rng.below(self.column.len());
        match self.column {
            Column::Num(values) => Some(values[row]),
            Column::Bool(_) => None,
            Column::Seq(values) => {
                let elements = values.get(row);
                (!elements.is_empty()).then(|| rng.pick(elements))
            }
        }
    }

    fn number(&self, rng: &mut Rng) -> f64 {
        for _ in 0..8 {
            let number = match rng.below(16) {
                0..2 => self.of_bits(rng),
                2..6 => self.of_magnitude(rng),
                6..9 => self.of_domain(rng),
                9 if !self.special.is_empty() => rng.pick(&self.special),
                10..12 if !self.harvested.is_empty() => rng.pick(&self.harvested),
                12..14 => match self.seen_number(rng) {
                    Some(number) => number + rng.below(7) as f64 - 3.0,
                    None => continue,
                },
                14 => match self.seen_number(rng) {
                    Some(number) => number * rng.pick(&[-1.0, 0.5, 2.0, 10.0]),
                    None => continue,
                },
                _ => rng.below(33) as f64 - 16.0,
            };
            let number = match self.scalar {
                Scalar::F64 => number,
                Scalar::F32 => f64::from(number as f32),
                // Integers have no -0.
                _ => number + 0.0,
            };
            if self.admits(number) {
                return number;
            }
        }
        self.any(rng)
    }

    /// A number that is allowed, when others were not.
    fn any(&self, rng: &mut Rng) -> f64 {
        for _ in 0..32 {
            let number = self.of_domain(rng);
            if self.admits(number) {
                return number;
            }
        }
        let known = self.special.first().or(self.harvested.first()).copied();
        known.or_else(|| self.seen_number(rng)).unwrap_or(0.0)
    }

    /// Any bits of the type.
    fn of_bits(&self, rng: &mut Rng) -> f64 {
        let bits = rng.next();
        match self.scalar {
            Scalar::F64 => f64::from_bits(bits),
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::S8 => f64::from(bits as i8),
            Scalar::U8 => f64::from(bits as u8),
            Scalar::S16 => f64::from(bits as i16),
            Scalar::U16 => f64::from(bits as u16),
            Scalar::S32 => f64::from(bits as i32),
            Scalar::U32 => f64::from(bits as u32),
            // As many as are f64s.
            Scalar::S64 => (bits as i64 >> 10) as f64,
            Scalar::U64 => (bits >> 11) as f64,
            Scalar::Bool => (bits & 1) as f64,
            Scalar::Char => (bits % 0x11_0000) as f64,
        }
    }

    /// All orders of magnitude alike: of integers up to the end of the type, of floats around 1.
    fn of_magnitude(&self, rng: &mut Rng) -> f64 {
        let sign = if rng.next() & 1 == 1 { 1.0 } else { -1.0 };
        match self.scalar.integers() {
            Some((_, most)) => {
                let size = (rng.unit() * (most + 1.0).ln()).exp().floor();
                if self.least >= 0.0 { size } else { sign * size }
            }
            None => sign * (rng.unit() * 40.0 - 20.0).exp(),
        }
    }

    /// Evenly within the domain; without one, within what is usual.
    fn of_domain(&self, rng: &mut Rng) -> f64 {
        if let Some(alphabet) = &self.alphabet {
            return if alphabet.is_empty() { 0.0 } else { rng.pick(alphabet) };
        }
        if self.scalar == Scalar::Char && self.is_free {
            // Letters, digits and signs; sometimes any of the first plane below the surrogates.
            let plane = if rng.below(8) == 0 { 0xd7ff - 32 } else { 95 };
            return 32.0 + rng.below(plane) as f64;
        }
        let usual = if self.is_free { 500.0 } else { f64::MAX };
        let (least, most) = (self.least.max(-usual), self.most.min(usual));
        let share = rng.unit();
        let number = least * (1.0 - share) + most * share;
        if self.scalar.integers().is_none() {
            return if self.scalar == Scalar::F32 { f64::from(number as f32) } else { number };
        }
        (least + (share * (most - least + 1.0)).floor()).min(most)
    }

    fn length(&self, rng: &mut Rng) -> usize {
        if self.parameter.domain.max_len.is_none() && rng.below(LONG_ONES) == 0 {
            let most = if rng.below(VERY_LONG_ONES / LONG_ONES) == 0 { VERY_LONG } else { LONG };
            return (LONGEST + rng.below(most - LONGEST + 1)).max(self.shortest);
        }
        let length = match rng.below(10) {
            0 => rng.below(3),
            1 => self.shortest,
            2 => rng.below(self.longest + 1),
            3 if !self.column.is_empty() => match self.column {
                Column::Seq(values) => values.get(rng.below(values.len())).len(),
                Column::Num(_) | Column::Bool(_) => 1,
            },
            _ => 1 + rng.below(12),
        };
        length.clamp(self.shortest, self.longest)
    }

    fn sequence(&self, rng: &mut Rng) -> Vec<f64> {
        let can_be_filled =
            self.alphabet.as_ref().is_none_or(|codes| !codes.is_empty()) && self.least <= self.most;
        if !can_be_filled {
            return Vec::new();
        }
        if self.scalar == Scalar::Char && rng.below(SPELLED) == 0 {
            let elements = self.spelled(rng);
            if self.parameter.admits(&Value::Seq(elements.as_slice().into())) {
                return elements;
            }
        }
        let mut elements = match (rng.below(4), self.column) {
            (0, Column::Seq(seen)) if !seen.is_empty() => {
                let mut elements = seen.get(rng.below(seen.len())).to_vec();
                self.edit(&mut elements, rng);
                elements
            }
            (1, _) => {
                // Few different elements.
                let some = [self.number(rng), self.number(rng), self.number(rng)];
                let kinds = 1 + rng.below(3);
                (0..self.length(rng)).map(|_| some[rng.below(kinds)]).collect()
            }
            (2, _) => (0..self.length(rng)).map(|_| self.any(rng)).collect(),
            _ => (0..self.length(rng)).map(|_| self.number(rng)).collect(),
        };
        match rng.below(12) {
            0 => elements.sort_by(f64::total_cmp),
            1 => elements.sort_by(|a, b| b.total_cmp(a)),
            2 => elements.reverse(),
            3 if elements.len() > 1 => {
                let last = elements.len() - 1;
                elements[last] = elements[0];
            }
            _ => {}
        }
        elements
    }

    /// A text with a number in it.
    fn spelled(&self, rng: &mut Rng) -> Vec<f64> {
        let number = match rng.below(3) {
            0 => rng.below(10) as f64,
            1 => rng.below(2_001) as f64 - 1_000.0,
            _ if !self.harvested.is_empty() => rng.pick(&self.harvested),
            _ => rng.below(100) as f64,
        };
        let some = |rng: &mut Rng| -> Vec<f64> {
            let count = if rng.chance(0.5) { 0 } else { 1 + rng.below(2) };
            (0..count).map(|_| self.any(rng)).collect()
        };
        [some(rng), related::spelled(number), some(rng)].concat()
    }

    /// A few small changes that leave the length within its bounds.
    fn edit(&self, elements: &mut Vec<f64>, rng: &mut Rng) {
        for _ in 0..1 + rng.below(3) {
            let length = elements.len();
            match rng.below(5) {
                0 if length < self.longest => {
                    elements.insert(rng.below(length + 1), self.number(rng));
                }
                1 if length > self.shortest => drop(elements.remove(rng.below(length))),
                2 if length > 0 => elements[rng.below(length)] = self.number(rng),
                3 if length > 0 => elements.swap(rng.below(length), rng.below(length)),
                4 if length > 0 && 2 * length <= self.longest => elements.extend_from_within(..),
                _ => {}
            }
        }
    }
}

/// Numbers on which functions go wrong, of all types.
const SPECIAL: [f64; 51] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    10.0,
    31.0,
    32.0,
    63.0,
    64.0,
    127.0,
    128.0,
    -128.0,
    255.0,
    256.0,
    32_767.0,
    -32_768.0,
    65_535.0,
    65_536.0,
    2_147_483_647.0,
    -2_147_483_648.0,
    4_294_967_295.0,
    4_294_967_296.0,
    9_007_199_254_740_992.0,
    -9_007_199_254_740_992.0,
    48.0,
    57.0,
    65.0,
    97.0,
    8364.0,
    128_512.0,
    // Letters whose upper or lower case has another length or is shared with another letter: ß, ﬁ, İ, ſ, K (Kelvin).
    223.0,
    64_257.0,
    304.0,
    383.0,
    8490.0,
    // A subnormal number.
    1e-310,
    -0.0,
    0.5,
    -1.5,
    1e-300,
    1e300,
    f64::EPSILON,
    f64::MAX,
    f64::MIN_POSITIVE,
    // The least numbers above and below zero.
    5e-324,
    -5e-324,
    std::f64::consts::PI,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

#[cfg(test)]
mod tests {
    use super::*;

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
