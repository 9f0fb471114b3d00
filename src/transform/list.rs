//! The transformations of a function: every template on every parameter that it fits, with the constants of
//! the paper's pool; and how a sample of them is drawn.

use std::collections::BTreeMap;

use super::{Instance, Template, TransformError};
use crate::subject::{Constant, Parameter, Scalar, Signature, Type};
use crate::support::numbers;
use crate::support::seed::Seed;

/// A transformation that the sample may contain.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The template with the parameters that it works on.
    pub instance: Instance,
    /// How strongly it is preferred: how often its constant occurs in the code. Transformations without a
    /// constant, and those with a constant that the paper's pool always contains, weigh more than all others.
    pub weight: f64,
}

/// Constants that are in every pool; paper, section "Input Transformations".
const FIXED: [f64; 2] = [1.0, -1.0];
/// The elements that are always tried for removal: the first and the last.
const ENDS: [i64; 2] = [0, -1];
/// The farthest element from either end that a constant of the pool may remove.
const FARTHEST: f64 = 16.0;

/// All transformations of a function whose code has these constants, parameter by parameter, permutations
/// last. Omits those that can never give a follow-up within the parameter's type and domain.
pub fn list(signature: &Signature, constants: &[Constant]) -> Vec<Candidate> {
    let pool = Pool::new(constants);
    let mut candidates = Vec::new();
    for parameter in &signature.parameters {
        let mut push = |template, weight| {
            let instance = Instance { template, parameters: vec![parameter.name.clone()] };
            candidates.push(Candidate { instance, weight });
        };
        match parameter.ty {
            Type::Scalar(Scalar::Bool) => push(Template::BooleanFlip, pool.top),
            Type::Scalar(scalar) => {
                for &(c, weight) in &pool.numbers {
                    if adds(parameter, scalar, c) {
                        push(Template::NumericAddition(c), weight);
                    }
                }
                for &(c, weight) in &pool.numbers {
                    if multiplies(parameter, scalar, c) {
                        push(Template::NumericMultiplication(c), weight);
                    }
                }
            }
            Type::String | Type::List(_) => {
                let least = parameter.domain.min_len.unwrap_or(0);
                let most = parameter.domain.max_len.unwrap_or(usize::MAX);
                for &(index, weight) in &pool.indices {
                    let needed = if index < 0 { index.unsigned_abs() } else { index as u64 + 1 };
                    if least < most && needed <= most as u64 {
                        push(Template::SequenceRemove(index), weight);
                    }
                }
                if most > 1 {
                    push(Template::SequenceFlip, pool.top);
                }
            }
        }
    }
    let parameters = &signature.parameters;
    for (i, a) in parameters.iter().enumerate() {
        for b in parameters[i + 1..].iter().filter(|b| b.ty == a.ty) {
            let parameters = vec![a.name.clone(), b.name.clone()];
            let instance = Instance { template: Template::PermuteParameters, parameters };
            candidates.push(Candidate { instance, weight: pool.top });
        }
    }
    candidates
}

/// The plainest transformations of a function, at most `count`: exchanges, opposites and reversals first, then small steps, then
/// doubling, then constants of the code, the most frequent first; bit patterns and limits never. Among equals the parameters take
/// turns, so that a run that ends early has changed each of them.
pub fn plainest(signature: &Signature, constants: &[Constant], count: usize) -> Vec<Candidate> {
    let mut candidates = list(signature, constants);
    let doubling = Template::NumericMultiplication(2.0);
    for parameter in &signature.parameters {
        let instance = Instance { template: doubling, parameters: vec![parameter.name.clone()] };
        let Type::Scalar(scalar) = parameter.ty else { continue };
        let is_number = !matches!(scalar, Scalar::Bool | Scalar::Char);
        let is_listed = candidates.iter().any(|candidate| candidate.instance == instance);
        if is_number && !is_listed && multiplies(parameter, scalar, 2.0) {
            candidates.push(Candidate { instance, weight: 1.0 });
        }
    }
    // Nobody computes with the codes of characters.
    let is_character = |candidate: &Candidate| {
        let is_it =
            |parameter: &&Parameter| candidate.instance.parameters.contains(&parameter.name);
        let ty = signature.parameters.iter().find(is_it).map(|parameter| parameter.ty);
        ty == Some(Type::Scalar(Scalar::Char))
    };
    let place = |candidate: &Candidate| match candidate.instance.template {
        Template::NumericAddition(_) | Template::NumericMultiplication(_)
            if is_character(candidate) =>
        {
            ODD
        }
        template => plainness(template),
    };
    candidates.retain(|candidate| plainness(candidate.instance.template) < ODD);
    // The first candidate of each parameter has turn 1, the second turn 2; each place and weight has turns of its own.
    let mut turns: BTreeMap<(u8, u64, Vec<String>), usize> = BTreeMap::new();
    let mut ordered: Vec<(u8, usize, Candidate)> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = place(&candidate);
        let parameters = candidate.instance.parameters.clone();
        let turn = turns.entry((place, candidate.weight.to_bits(), parameters)).or_default();
        *turn += 1;
        ordered.push((place, *turn, candidate));
    }
    ordered.sort_by(|(place, turn, a), (other_place, other_turn, b)| {
        let heavier = b.weight.total_cmp(&a.weight);
        place.cmp(other_place).then(heavier).then(turn.cmp(other_turn))
    });
    ordered.into_iter().map(|(_, _, candidate)| candidate).take(count).collect()
}

/// The plainness of transformations that nobody would think of.
const ODD: u8 = 5;

/// How soon a person would think of a template: smaller is sooner.
pub fn plainness(template: Template) -> u8 {
    /// Beyond this a constant of the code is a bit pattern or a limit.
    const LARGEST: f64 = 1e6;
    match template {
        Template::PermuteParameters => 0,
        Template::BooleanFlip | Template::SequenceFlip => 1,
        Template::NumericMultiplication(-1.0) => 1,
        Template::NumericAddition(c) if FIXED.contains(&c) => 2,
        Template::SequenceRemove(index) if ENDS.contains(&index) => 2,
        Template::NumericMultiplication(2.0) => 3,
        Template::NumericAddition(c) | Template::NumericMultiplication(c)
            if c.abs() > LARGEST || !numbers::is_plain(c) =>
        {
            ODD
        }
        Template::NumericAddition(_)
        | Template::NumericMultiplication(_)
        | Template::SequenceRemove(_) => 4,
    }
}

/// The constants with their weights, heaviest first.
struct Pool {
    top: f64,
    numbers: Vec<(f64, f64)>,
    indices: Vec<(i64, f64)>,
}

impl Pool {
    fn new(constants: &[Constant]) -> Pool {
        let mut pool: Vec<(f64, usize)> = Vec::new();
        for constant in constants.iter().filter(|constant| constant.value.is_finite()) {
            // Counts -0 as 0.
            let value = constant.value + 0.0;
            match pool.iter_mut().find(|(other, _)| *other == value) {
                Some((_, count)) => *count += constant.count,
                None => pool.push((value, constant.count)),
            }
        }
        pool.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.total_cmp(&b.0)));
        let top = pool.first().map_or(0, |(_, count)| *count) as f64 + 1.0;
        let mut numbers: Vec<(f64, f64)> = FIXED.map(|c| (c, top)).to_vec();
        let mut indices: Vec<(i64, f64)> = ENDS.map(|i| (i, top)).to_vec();
        for (c, count) in pool {
            if !FIXED.contains(&c) {
                numbers.push((c, count as f64));
            }
            let index = c as i64;
            if c.fract() == 0.0 && c.abs() <= FARTHEST && !ENDS.contains(&index) {
                indices.push((index, count as f64));
            }
        }
        Pool { top, numbers, indices }
    }
}

/// The least and the greatest value of a numeric parameter.
fn bounds(parameter: &Parameter, scalar: Scalar) -> (f64, f64) {
    let (least, most) = scalar.integers().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let (low, high) = parameter.domain.range.unwrap_or((least, most));
    (least.max(low), most.min(high))
}

/// Whether adding the constant can lead from one allowed value to another.
fn adds(parameter: &Parameter, scalar: Scalar, c: f64) -> bool {
    let (least, most) = bounds(parameter, scalar);
    c != 0.0 && is_representable(scalar, c) && c.abs() <= most - least
}

/// Whether multiplying by the constant can lead from one allowed value to another.
fn multiplies(parameter: &Parameter, scalar: Scalar, c: f64) -> bool {
    let (least, most) = bounds(parameter, scalar);
    if c == 1.0 || !is_representable(scalar, c) {
        return false;
    }
    let (a, b) = if c == 0.0 {
        if !(least..=most).contains(&0.0) {
            return false;
        }
        (least, most)
    } else {
        // Values between these have a product within the bounds.
        let (a, b) = (least / c, most / c);
        (least.max(a.min(b)), most.min(a.max(b)))
    };
    let (a, b) = if scalar.integers().is_some() { (a.ceil(), b.floor()) } else { (a, b) };
    // Multiplying 0 changes nothing, so 0 alone does not count.
    a <= b && (a != 0.0 || b != 0.0)
}

/// Whether a sum or product with this constant can be a value of the type: for integers, no fractions.
fn is_representable(scalar: Scalar, c: f64) -> bool {
    match scalar {
        Scalar::F64 => true,
        Scalar::F32 => f64::from(c as f32) == c,
        _ => c.fract() == 0.0,
    }
}

/// Refuses a transformation by a number that leads from no value of its parameter to another one, such as
/// `NumericAddition(1.5)` on an integer.
///
/// # Errors
/// When there is no such value.
pub fn check(instance: &Instance, signature: &Signature) -> Result<(), TransformError> {
    let (Template::NumericAddition(c) | Template::NumericMultiplication(c)) = instance.template
    else {
        return Ok(());
    };
    let is_named = |parameter: &&Parameter| instance.parameters.contains(&parameter.name);
    let Some(parameter) = signature.parameters.iter().find(is_named) else { return Ok(()) };
    let Type::Scalar(scalar) = parameter.ty else { return Ok(()) };
    let leads = match instance.template {
        Template::NumericAddition(_) => adds(parameter, scalar, c),
        _ => multiplies(parameter, scalar, c),
    };
    if leads {
        return Ok(());
    }
    let (least, most) = bounds(parameter, scalar);
    let range = match least.is_finite() && most.is_finite() {
        true => format!(" from {least} to {most}"),
        false => String::new(),
    };
    let (name, ty) = (&parameter.name, scalar.name());
    let problem =
        format!("`{name}` is of type {ty}{range}, and {c} leads from no value of it to another");
    Err(TransformError::Unreachable { instance: instance.to_string(), problem })
}

/// Draws `count` transformations, or all if there are fewer; the result keeps the order of the list. Every template
/// and every parameter occurs at least once if the count allows it; beyond that, heavier candidates are likelier.
pub fn sample(candidates: &[Candidate], count: usize, seed: Seed) -> Vec<Candidate> {
    let mut rng = seed.stream("transformations").rng();
    // Exponential keys: the smallest are a weighted sample without replacement.
    let mut order: Vec<(f64, usize)> = candidates
        .iter()
        .enumerate()
        .map(|(i, candidate)| (-(1.0 - rng.unit()).ln() / candidate.weight.max(1e-9), i))
        .collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut templates: Vec<&str> = Vec::new();
    let mut parameters: Vec<&str> = Vec::new();
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = order.into_iter().map(|(_, i)| i).collect();
    // First, candidates that add the most new templates and parameters; a template counts as much as a parameter.
    while chosen.len() < count {
        let news = |&i: &usize| {
            let instance = &candidates[i].instance;
            let names = instance.parameters.iter().filter(|p| !parameters.contains(&p.as_str()));
            usize::from(!templates.contains(&instance.template.name())) + names.count()
        };
        // Among equals, the first in the random order.
        let best = left.iter().enumerate().max_by_key(|(place, i)| (news(i), usize::MAX - place));
        let Some((place, &i)) = best else { break };
        left.remove(place);
        chosen.push(i);
        templates.push(candidates[i].instance.template.name());
        parameters.extend(candidates[i].instance.parameters.iter().map(String::as_str));
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|i| candidates[i].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Domain;

    fn signature(parameters: &[(&str, Type)]) -> Signature {
        let parameter = |&(name, ty): &(&str, Type)| Parameter {
            name: name.to_owned(),
            ty,
            domain: Domain::default(),
        };
        Signature {
            function: "f".to_owned(),
            parameters: parameters.iter().map(parameter).collect(),
            result: None,
            changed: Vec::new(),
        }
    }

    fn texts(candidates: &[Candidate]) -> Vec<String> {
        candidates.iter().map(|candidate| candidate.instance.to_string()).collect()
    }

    fn pool(constants: &[(f64, usize)]) -> Vec<Constant> {
        constants.iter().map(|&(value, count)| Constant { value, count }).collect()
    }

    const S32: Type = Type::Scalar(Scalar::S32);

    #[test]
    fn pow_has_the_transformations_of_the_paper() {
        let pow = signature(&[("k", S32), ("e", S32)]);
        let listed = list(&pow, &pool(&[(2.0, 3), (1.0, 5), (0.0, 2), (0.5, 9)]));
        assert_eq!(
            texts(&listed),
            [
                "NumericAddition(1) on k",
                "NumericAddition(-1) on k",
                "NumericAddition(2) on k",
                "NumericMultiplication(-1) on k",
                "NumericMultiplication(2) on k",
                "NumericMultiplication(0) on k",
                "NumericAddition(1) on e",
                "NumericAddition(-1) on e",
                "NumericAddition(2) on e",
                "NumericMultiplication(-1) on e",
                "NumericMultiplication(2) on e",
                "NumericMultiplication(0) on e",
                "PermuteParameters on k, e",
            ]
        );
        assert_eq!(listed[0].weight, 10.0);
        assert_eq!(listed[2].weight, 3.0);
    }

    #[test]
    fn every_type_has_what_it_can_represent() {
        let all = signature(&[
            ("p", Type::Scalar(Scalar::Bool)),
            ("u", Type::Scalar(Scalar::U8)),
            ("x", Type::Scalar(Scalar::F64)),
            ("s", Type::String),
            ("c", Type::Scalar(Scalar::Char)),
        ]);
        let listed = list(&all, &pool(&[(300.0, 1), (0.5, 1), (3.0, 1), (f64::NAN, 4)]));
        assert_eq!(
            texts(&listed),
            [
                "BooleanFlip on p",
                "NumericAddition(1) on u",
                "NumericAddition(-1) on u",
                "NumericAddition(3) on u",
                "NumericMultiplication(3) on u",
                "NumericAddition(1) on x",
                "NumericAddition(-1) on x",
                "NumericAddition(0.5) on x",
                "NumericAddition(3) on x",
                "NumericAddition(300) on x",
                "NumericMultiplication(-1) on x",
                "NumericMultiplication(0.5) on x",
                "NumericMultiplication(3) on x",
                "NumericMultiplication(300) on x",
                "SequenceRemove(0) on s",
                "SequenceRemove(-1) on s",
                "SequenceRemove(3) on s",
                "SequenceFlip on s",
                "NumericAddition(1) on c",
                "NumericAddition(-1) on c",
                "NumericAddition(3) on c",
                "NumericAddition(300) on c",
                "NumericMultiplication(3) on c",
                "NumericMultiplication(300) on c",
            ]
        );
        let bound = all.of_executions();
        for candidate in &listed {
            let text = candidate.instance.to_string();
            assert_eq!(text.parse::<Instance>().unwrap(), candidate.instance);
            candidate.instance.bind(&bound).unwrap();
        }
    }

    #[test]
    fn domains_leave_out_what_can_never_be() {
        let mut narrow = signature(&[("x", S32), ("s", Type::String), ("t", Type::String)]);
        narrow.parameters[0].domain.range = Some((5.0, 9.0));
        narrow.parameters[1].domain.min_len = Some(4);
        narrow.parameters[1].domain.max_len = Some(4);
        narrow.parameters[2].domain.max_len = Some(2);
        let listed = list(&narrow, &pool(&[(4.0, 1), (100.0, 1), (0.0, 1), (2.0, 1), (1.0, 1)]));
        assert_eq!(
            texts(&listed),
            [
                "NumericAddition(1) on x",
                "NumericAddition(-1) on x",
                "NumericAddition(2) on x",
                "NumericAddition(4) on x",
                "SequenceFlip on s",
                "SequenceRemove(0) on t",
                "SequenceRemove(-1) on t",
                "SequenceRemove(1) on t",
                "SequenceFlip on t",
                "PermuteParameters on s, t",
            ]
        );
    }

    #[test]
    fn a_sample_has_every_template_and_parameter_if_it_can() {
        let f = signature(&[("a", S32), ("b", S32), ("s", Type::String)]);
        let constants: Vec<(f64, usize)> = (2..40).map(|c| (f64::from(c), 1)).collect();
        let all = list(&f, &pool(&constants));
        for seed in 0..50 {
            let some = sample(&all, 6, Seed(seed));
            assert_eq!(some.len(), 6);
            assert_eq!(some, sample(&all, 6, Seed(seed)));
            let text = texts(&some).join("; ");
            for name in [
                "PermuteParameters",
                "NumericAddition",
                "NumericMultiplication",
                "SequenceRemove",
                "SequenceFlip",
            ] {
                assert!(text.contains(name), "{text}");
            }
            for parameter in ["a", "b", "s"] {
                assert!(some.iter().any(|c| c.instance.parameters.iter().any(|p| p == parameter)));
            }
        }
        assert_eq!(sample(&all, 1_000, Seed(1)), all);
        assert_eq!(sample(&all, 0, Seed(1)), []);
        assert_eq!(sample(&[], 5, Seed(1)), []);
    }

    #[test]
    fn the_plainest_come_first_and_bit_patterns_never() {
        let f = signature(&[("a", S32), ("x", Type::Scalar(Scalar::F64)), ("s", Type::String)]);
        let constants = pool(&[(4_607_182_418_800_017_400.0, 90), (7.0, 3)]);
        let first = texts(&plainest(&f, &constants, 13));
        assert_eq!(
            first,
            [
                "NumericMultiplication(-1) on a",
                "NumericMultiplication(-1) on x",
                "SequenceFlip on s",
                "NumericAddition(1) on a",
                "NumericAddition(1) on x",
                "SequenceRemove(0) on s",
                "NumericAddition(-1) on a",
                "NumericAddition(-1) on x",
                "SequenceRemove(-1) on s",
                "NumericMultiplication(2) on a",
                "NumericMultiplication(2) on x",
                "NumericAddition(7) on a",
                "NumericAddition(7) on x",
            ]
        );
        let all = texts(&plainest(&f, &constants, 100));
        assert!(!all.iter().any(|text| text.contains("4607182418800017")), "{all:?}");
    }

    #[test]
    fn frequent_constants_are_preferred() {
        let f = signature(&[("a", S32)]);
        let all = list(&f, &pool(&[(7.0, 50), (11.0, 1), (13.0, 1), (17.0, 1)]));
        let with = |text: &str| {
            let has = |seed| texts(&sample(&all, 5, Seed(seed))).iter().any(|t| t.contains(text));
            (0..200).filter(|&seed| has(seed)).count()
        };
        let (often, seldom) = (with("Addition(7)"), with("Addition(11)"));
        assert!(often > 4 * seldom, "{often} {seldom}");
    }
}
