//! The values that a parameter may have, and how they are drawn: many small and simple ones, few extreme
//! ones. Knows nothing of what the function does with them.

use std::f64::consts::PI;

use genmorph_jit::Value;

use super::error::InputsError;
use super::row::Row;
use crate::subject::{Constant, Domain, Parameter, Scalar, Type};
use crate::support::seed::Rng;

/// The greatest constant that suggests a length.
const LONGEST: usize = 100;
/// The longest sequence that is drawn if the domain has no bound.
const LONG: usize = 300;

/// The values of one parameter.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) parameter: Parameter,
    scalar: Scalar,
    /// Bounds of all numbers or elements; infinite for floats without a domain.
    least: f64,
    most: f64,
    shortest: usize,
    longest: usize,
    /// The only allowed elements, if the domain has an alphabet.
    alphabet: Option<Vec<f64>>,
    /// Constants of the function, their neighbours and negatives.
    constants: Vec<f64>,
    /// The ends of the type and of the domain, and special values in between.
    limits: Vec<f64>,
    /// Lengths that the constants suggest.
    lengths: Vec<usize>,
    /// Some number that is allowed.
    one: f64,
}

impl Space {
    /// The values of a parameter of a function whose code has these constants.
    ///
    /// # Errors
    /// When the domain has no values.
    pub(super) fn new(parameter: &Parameter, constants: &[Constant]) -> Result<Space, InputsError> {
        let scalar = parameter.ty.scalar();
        let Domain { range, max_len, min_len, alphabet, .. } = &parameter.domain;
        let whole = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        // A truth value has two values, whatever the domain says.
        let range = if parameter.ty == Type::Scalar(Scalar::Bool) { None } else { *range };
        let (least, most) = range.unwrap_or(whole);
        let (mut least, mut most) = (least.max(whole.0), most.min(whole.1));
        if scalar.integers().is_some() {
            (least, most) = (least.ceil(), most.floor());
        }
        let shortest = min_len.unwrap_or(0);
        let mut space = Space {
            parameter: parameter.clone(),
            scalar,
            least,
            most,
            shortest,
            longest: max_len.unwrap_or(LONG.max(shortest.saturating_add(20))),
            alphabet: None,
            constants: Vec::new(),
            limits: Vec::new(),
            lengths: Vec::new(),
            one: 0.0,
        };
        if let Some(alphabet) = alphabet
            && (scalar == Scalar::Char || space.is_sequence())
        {
            let codes = alphabet.iter().map(|&c| f64::from(u32::from(c)));
            space.alphabet = Some(codes.filter(|&code| space.admits(code)).collect());
        }
        let nothing = || InputsError::Domain { parameter: Box::new(parameter.clone()) };
        if space.is_sequence() && space.shortest > space.longest {
            return Err(nothing());
        }
        space.limits = space.find_limits();
        match space.limits.first() {
            Some(&one) => space.one = one,
            None if space.is_sequence() && space.shortest == 0 => space.longest = 0,
            None => return Err(nothing()),
        }
        space.find_constants(constants);
        Ok(space)
    }

    fn is_sequence(&self) -> bool {
        !matches!(self.parameter.ty, Type::Scalar(_))
    }

    /// Whether elements are characters.
    pub(super) fn has_characters(&self) -> bool {
        self.scalar == Scalar::Char
    }

    fn is_float(&self) -> bool {
        matches!(self.scalar, Scalar::F32 | Scalar::F64)
    }

    /// Whether a number may be a value, or an element of one.
    pub(super) fn admits(&self, number: f64) -> bool {
        let domain = &self.parameter.domain;
        let odd = number.is_nan() && domain.range.is_none() || domain.names(number);
        let within = (self.least..=self.most).contains(&number) || odd;
        let spelled = self.alphabet.as_ref().is_none_or(|codes| codes.contains(&number));
        within && spelled && self.scalar.admits(number)
    }

    fn find_limits(&self) -> Vec<f64> {
        if let Some(alphabet) = &self.alphabet {
            return alphabet.clone();
        }
        let characters = [
            97.0,
            122.0,
            65.0,
            90.0,
            48.0,
            57.0,
            32.0,
            45.0,
            46.0,
            9.0,
            10.0,
            0.0,
            127.0,
            128.0,
            233.0,
            2047.0,
            2048.0,
            8364.0,
            55295.0,
            57344.0,
            65535.0,
            65536.0,
            128_512.0,
            1_114_111.0,
        ];
        let common = [0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 10.0, 100.0];
        let floats = [
            -0.0,
            0.5,
            -0.5,
            PI,
            -PI / 2.0,
            PI / 4.0,
            1e-9,
            1e9,
            -1e9,
            f64::from(f32::EPSILON),
            f64::from(f32::MAX),
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ];
        let ends = [self.least, self.most, self.least + 1.0, self.most - 1.0, self.middle()];
        let mut limits: Vec<f64> = Vec::new();
        let special = match self.scalar {
            Scalar::Char => &characters[..],
            _ => &common[..],
        };
        let floats = if self.is_float() { &floats[..] } else { &[] };
        let named = &self.parameter.domain.also;
        for &number in special.iter().chain(&ends).chain(named).chain(floats) {
            let number = self.rounded(number);
            if self.admits(number) && !limits.iter().any(|l| l.to_bits() == number.to_bits()) {
                limits.push(number);
            }
        }
        limits
    }

    fn middle(&self) -> f64 {
        if self.least.is_finite() && self.most.is_finite() {
            self.least / 2.0 + self.most / 2.0
        } else {
            0.0
        }
    }

    fn find_constants(&mut self, constants: &[Constant]) {
        for constant in constants {
            let c = constant.value;
            if (0.0..=LONGEST as f64).contains(&c) && c.fract() == 0.0 {
                let c = c as usize;
                self.lengths.extend([c, c + 1, c.saturating_sub(1)]);
            }
            // Small numbers in code are hardly ever control characters.
            if self.scalar == Scalar::Char && c < 32.0 && ![9.0, 10.0, 13.0].contains(&c) {
                continue;
            }
            for number in [c, c + 1.0, c - 1.0, -c, c / 2.0, c * 2.0] {
                let number = if self.is_float() { self.rounded(number) } else { number };
                if self.admits(number) && !self.constants.contains(&number) {
                    self.constants.push(number);
                }
            }
        }
        let (shortest, longest) = (self.shortest, self.longest);
        self.lengths.retain(|length| (shortest..=longest).contains(length));
        self.lengths.sort_unstable();
        self.lengths.dedup();
    }

    /// Rounds a number to the type: to an integer, or to 24 bits.
    fn rounded(&self, number: f64) -> f64 {
        match self.scalar {
            Scalar::F64 => number,
            Scalar::F32 => f64::from(number as f32),
            _ => number.round(),
        }
    }

    /// An allowed number: this one, one like it, or any.
    pub(super) fn fit(&self, number: f64, rng: &mut Rng) -> f64 {
        if self.admits(number) {
            return number;
        }
        for number in [self.rounded(number), self.rounded(-number)] {
            if self.admits(number) {
                return number;
            }
        }
        for _ in 0..4 {
            let number = self.anywhere(rng);
            if self.admits(number) {
                return number;
            }
        }
        self.one
    }

    /// A number drawn evenly between the bounds; for floats without bounds, around 0.
    fn anywhere(&self, rng: &mut Rng) -> f64 {
        if let Some(alphabet) = &self.alphabet {
            return if alphabet.is_empty() { self.one } else { rng.pick(alphabet) };
        }
        let least = self.least.max(-1e6);
        let most = self.most.min(1e6);
        let (least, most) = if least <= most { (least, most) } else { (self.least, self.most) };
        let share = rng.unit();
        if self.is_float() {
            self.rounded(least * (1.0 - share) + most * share)
        } else {
            (least + (share * (most - least + 1.0)).floor()).min(most)
        }
    }

    /// Draws a number, or an element of a sequence.
    pub(super) fn number(&self, rng: &mut Rng) -> f64 {
        if self.limits.is_empty() {
            // No element is allowed, so the only sequence is the empty one.
            return self.one;
        }
        let bounded = self.parameter.domain.range.is_some() || self.alphabet.is_some();
        let number = match self.scalar {
            _ if bounded && rng.chance(0.25) => self.anywhere(rng),
            _ if !self.constants.is_empty() && rng.chance(0.12) => rng.pick(&self.constants),
            Scalar::Bool => rng.below(2) as f64,
            Scalar::Char => character(rng),
            Scalar::F32 | Scalar::F64 => float(rng, &self.limits),
            _ => integer(rng, &self.limits),
        };
        self.fit(number, rng)
    }

    /// Draws a value of the parameter.
    pub(super) fn value(&self, rng: &mut Rng) -> Value<'static> {
        match self.parameter.ty {
            Type::Scalar(Scalar::Bool) => Value::Bool(rng.chance(0.5)),
            Type::Scalar(_) => Value::Num(self.number(rng)),
            Type::String | Type::List(_) => Value::Seq(self.sequence(rng).into()),
        }
    }

    /// Draws a length, mostly at most 20.
    pub(super) fn length(&self, rng: &mut Rng) -> usize {
        let length = match rng.below(100) {
            0..5 => 0,
            5..15 => 1,
            15..50 => 2 + rng.below(4),
            50..85 => 6 + rng.below(15),
            85..92 if !self.lengths.is_empty() => rng.pick(&self.lengths),
            85..97 => 2 + rng.below(19),
            97 if self.parameter.domain.max_len.is_none() => 100 + rng.below(LONG - 100),
            _ => 21 + rng.below(80),
        };
        if (self.shortest..=self.longest).contains(&length) {
            return length;
        }
        let most = self.longest.min(self.shortest.saturating_add(20));
        self.shortest + rng.below(most - self.shortest + 1)
    }

    fn sequence(&self, rng: &mut Rng) -> Vec<f64> {
        let length = self.length(rng);
        let style = rng.below(100);
        let base = self.number(rng);
        let mut elements: Vec<f64> = (0..length)
            .map(|_| {
                let element = match (self.scalar, style) {
                    (Scalar::Bool, _) | (_, 90..) => return self.number(rng),
                    (Scalar::Char, 0..30) => 97.0 + rng.below(26) as f64,
                    (Scalar::Char, 30..50) => rng.pick(LETTERS),
                    (Scalar::Char, 50..65) => rng.pick(WORDS),
                    (Scalar::Char, 65..75) => 48.0 + rng.below(10) as f64,
                    (Scalar::Char, 75..) => 32.0 + rng.below(95) as f64,
                    (_, 0..45) => rng.below(41) as f64 - 20.0,
                    (_, 45..60) => base + rng.below(4) as f64,
                    (_, 60..75) => rng.below(2001) as f64 - 1000.0,
                    (_, 75..) => return self.number(rng),
                };
                self.fit(element, rng)
            })
            .collect();
        self.shape(&mut elements, rng);
        elements
    }

    /// Sometimes sorts the elements, or makes some of them equal.
    fn shape(&self, elements: &mut [f64], rng: &mut Rng) {
        let length = elements.len();
        if length < 2 {
            return;
        }
        match rng.below(100) {
            0..12 => elements.sort_by(f64::total_cmp),
            12..18 => elements.sort_by(|a, b| b.total_cmp(a)),
            18..22 => elements.fill(elements[0]),
            22..34 => {
                // Keep only up to three different elements.
                let different = 1 + rng.below(3);
                for i in different..length {
                    elements[i] = elements[rng.below(different)];
                }
            }
            34..38 => (0..length / 2).for_each(|i| elements[length - 1 - i] = elements[i]),
            38..43 => {
                elements.sort_by(f64::total_cmp);
                elements.swap(rng.below(length), rng.below(length));
            }
            _ => {}
        }
    }

    /// The first values to try.
    pub(super) fn first(&self, rng: &mut Rng) -> Vec<Value<'static>> {
        match self.parameter.ty {
            Type::Scalar(Scalar::Bool) => vec![Value::Bool(false), Value::Bool(true)],
            Type::Scalar(_) => {
                self.constants.iter().chain(&self.limits).map(|&n| Value::Num(n)).collect()
            }
            Type::String | Type::List(_) => {
                let numbers: Vec<f64> =
                    self.constants.iter().chain(&self.limits).copied().collect();
                let mut firsts: Vec<Vec<f64>> = vec![Vec::new()];
                firsts.extend(numbers.iter().map(|&n| vec![n]));
                firsts.extend(numbers.iter().map(|&n| vec![self.number(rng), n]));
                firsts.extend(numbers.iter().map(|&n| vec![n, self.number(rng), n]));
                for &length in &self.lengths {
                    firsts.push((0..length).map(|_| self.number(rng)).collect());
                }
                let fits = |s: &Vec<f64>| (self.shortest..=self.longest).contains(&s.len());
                firsts.into_iter().filter(fits).map(|s| Value::Seq(s.into())).collect()
            }
        }
    }

    /// Whether a sequence may have this length.
    pub(super) fn fits(&self, length: usize) -> bool {
        (self.shortest..=self.longest).contains(&length)
    }

    /// A constant of the function, or a special number.
    pub(super) fn special(&self, rng: &mut Rng) -> f64 {
        match (self.constants.is_empty(), self.limits.is_empty()) {
            (false, _) if rng.chance(0.6) => rng.pick(&self.constants),
            (_, false) => rng.pick(&self.limits),
            (_, true) => self.one,
        }
    }

    /// The largest step that is worth trying.
    pub(super) fn span(&self) -> f64 {
        (self.most - self.least).min(1e18)
    }

    /// Whether the type has fractions.
    pub(super) fn has_fractions(&self) -> bool {
        self.is_float()
    }
}

const LETTERS: &[f64] = &{
    let mut letters = [0.0; 52];
    let mut i = 0;
    while i < 26 {
        letters[i] = (65 + i) as f64;
        letters[i + 26] = (97 + i) as f64;
        i += 1;
    }
    letters
};

/// Letters that are frequent in words, and spaces.
const WORDS: &[f64] =
    &[97.0, 101.0, 105.0, 111.0, 116.0, 110.0, 115.0, 114.0, 84.0, 65.0, 32.0, 32.0, 46.0, 44.0];

fn character(rng: &mut Rng) -> f64 {
    match rng.below(100) {
        0..40 => 97.0 + rng.below(26) as f64,
        40..55 => 65.0 + rng.below(26) as f64,
        55..65 => 48.0 + rng.below(10) as f64,
        65..72 => 32.0,
        72..92 => 32.0 + rng.below(95) as f64,
        92..94 => rng.below(32) as f64,
        94..97 => 160.0 + rng.below(600) as f64,
        97..99 => 0x4e00 as f64 + rng.below(5000) as f64,
        _ => 0x1f600 as f64 + rng.below(60) as f64,
    }
}

fn integer(rng: &mut Rng, limits: &[f64]) -> f64 {
    let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
    match rng.below(100) {
        0..45 => rng.below(41) as f64 - 20.0,
        45..75 => rng.below(201) as f64 - 100.0,
        75..90 => rng.below(2001) as f64 - 1000.0,
        90..94 => sign * (2.0_f64.powi(rng.below(33) as i32) + rng.below(3) as f64 - 1.0),
        94..98 => sign * (rng.unit() * 21.0).exp().floor(),
        _ => rng.pick(limits),
    }
}

fn float(rng: &mut Rng, limits: &[f64]) -> f64 {
    let sign = if rng.chance(0.5) { 1.0 } else { -1.0 };
    match rng.below(100) {
        0..22 => rng.below(41) as f64 - 20.0,
        22..34 => (rng.below(321) as f64 - 160.0) / 8.0,
        34..54 => rng.unit() * 20.0 - 10.0,
        54..66 => rng.unit() * 2.0 - 1.0,
        66..74 => (rng.below(97) as f64 - 48.0) * (PI / 12.0),
        74..86 => rng.unit() * 2000.0 - 1000.0,
        86..95 => sign * (rng.unit() * 28.0 - 14.0).exp(),
        95..97 => sign * 10.0_f64.powf(rng.unit() * 600.0 - 300.0),
        _ => rng.pick(limits),
    }
}

/// The values of all parameters of a function.
#[derive(Clone, Debug)]
pub(super) struct Spaces(pub(super) Vec<Space>);

impl Spaces {
    /// The values of the parameters of a function whose code has these constants.
    ///
    /// # Errors
    /// When the domain of a parameter has no values.
    pub(super) fn new(
        parameters: &[Parameter],
        constants: &[Constant],
    ) -> Result<Spaces, InputsError> {
        let spaces = parameters.iter().map(|parameter| Space::new(parameter, constants));
        spaces.collect::<Result<_, _>>().map(Spaces)
    }

    /// Replaces -0 by 0 in integers, which have no -0.
    pub(super) fn tidy(&self, row: &mut Row) {
        let integers = |(space, _): &(&Space, _)| !space.is_float();
        for (_, value) in self.0.iter().zip(row).filter(integers) {
            match value {
                Value::Num(number) => *number += 0.0,
                Value::Bool(_) => {}
                Value::Seq(elements) if elements.iter().any(|e| e.to_bits() == 1 << 63) => {
                    elements.to_mut().iter_mut().for_each(|element| *element += 0.0);
                }
                Value::Seq(_) => {}
            }
        }
    }

    /// Draws a row at random.
    pub(super) fn row(&self, rng: &mut Rng) -> Row {
        let mut row: Row = self.0.iter().map(|space| space.value(rng)).collect();
        if row.len() > 1 && rng.chance(0.25) {
            super::vary::relate(self, &mut row, rng);
        }
        row
    }

    /// The first rows to try: special values of each parameter, alone and together.
    pub(super) fn first(&self, most: usize, rng: &mut Rng) -> Vec<Row> {
        let values: Vec<Vec<Value<'static>>> =
            self.0.iter().map(|space| space.first(rng)).collect();
        let mut rows = Vec::new();
        let times = if self.0.len() > 1 { 3 } else { 1 };
        for (i, values) in values.iter().enumerate() {
            for value in values {
                for _ in 0..times {
                    let mut row = self.row(rng);
                    row[i] = value.clone();
                    rows.push(row);
                }
            }
        }
        if self.0.len() > 1 && values.iter().all(|values| !values.is_empty()) {
            let together = most.saturating_sub(rows.len()).min(2 * rows.len());
            rows.extend((0..together).map(|_| {
                values.iter().map(|values| values[rng.below(values.len())].clone()).collect()
            }));
        }
        rows.truncate(most);
        rows
    }
}
