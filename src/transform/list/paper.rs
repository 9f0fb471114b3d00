//! The paper's six templates on every parameter that they fit, with the constants of the paper's pool; and how a sample of them is
//! drawn. What is listed and drawn here must not change: the paper's experiment is repeated with it.

use super::Candidate;
use super::room::{adds, multiplies};
use crate::subject::{Constant, Scalar, Signature, Type};
use crate::support::seed::Seed;
use crate::transform::{Instance, Template};

/// Constants that are in every pool; paper, section "Input Transformations".
pub(super) const FIXED: [f64; 2] = [1.0, -1.0];
/// The elements that are always tried for removal: the first and the last.
pub(super) const ENDS: [i64; 2] = [0, -1];
/// The farthest element from either end that a constant of the pool may remove.
const FARTHEST: f64 = 16.0;

/// The paper's transformations of a function whose code has these constants, parameter by parameter, permutations
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
                        push(Template::NumericAddition(c.into()), weight);
                    }
                }
                for &(c, weight) in &pool.numbers {
                    if multiplies(parameter, scalar, c) {
                        push(Template::NumericMultiplication(c.into()), weight);
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

/// The constants with their weights, heaviest first.
pub(super) struct Pool {
    pub(super) top: f64,
    pub(super) numbers: Vec<(f64, f64)>,
    pub(super) indices: Vec<(i64, f64)>,
}

impl Pool {
    pub(super) fn new(constants: &[Constant]) -> Pool {
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
