//! The templates beyond the paper's, on every parameter and on all parameters of a type at once.

use super::Candidate;
use super::paper::{ENDS, FIXED, Pool};
use super::room::{adds, complements, doubles, grows, holds, multiplies};
use crate::subject::{Parameter, Scalar, ScalarClass, Signature, Type};
use crate::transform::{Instance, Operand, Template};

/// The constants that are tried first where the code gives none: elements are 0, factors 2.
const ELEMENT: f64 = 0.0;
const FACTORS: [f64; 2] = [-1.0, 2.0];

/// All of them that can give a follow-up, parameter by parameter, then those of several parameters.
pub(super) fn list(signature: &Signature, pool: &Pool) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for parameter in &signature.parameters {
        let others = signature.parameters.iter().filter(|other| other.name != parameter.name);
        let others: Vec<&Parameter> = others.collect();
        for (template, weight) in of_one(parameter, &others, pool) {
            let instance = Instance { template, parameters: vec![parameter.name.clone()] };
            candidates.push(Candidate { instance, weight });
        }
    }
    for group in groups(signature) {
        let names: Vec<String> = group.iter().map(|parameter| parameter.name.clone()).collect();
        let mut push = |template, parameters| {
            let instance = Instance { template, parameters };
            candidates.push(Candidate { instance, weight: pool.top });
        };
        for template in of_all(&group) {
            push(template, names.clone());
        }
        // Two points, two fractions: the first half of the parameters is exchanged with the second.
        if names.len() >= 4 && names.len().is_multiple_of(2) {
            let (first, second) = names.split_at(names.len() / 2);
            let pairs = first.iter().zip(second).flat_map(|(a, b)| [a.clone(), b.clone()]);
            push(Template::PermuteParameters, pairs.collect());
        }
    }
    candidates
}

/// Templates on one parameter, with their weights.
fn of_one(parameter: &Parameter, others: &[&Parameter], pool: &Pool) -> Vec<(Template, f64)> {
    match parameter.ty {
        Type::Scalar(Scalar::Bool) => Vec::new(),
        Type::Scalar(scalar) => of_number(parameter, scalar, others, pool),
        Type::String | Type::List(_) => of_sequence(parameter, others, pool),
    }
}

fn of_number(
    parameter: &Parameter,
    scalar: Scalar,
    others: &[&Parameter],
    pool: &Pool,
) -> Vec<(Template, f64)> {
    // Nobody computes with the codes of characters.
    if scalar == Scalar::Char {
        return Vec::new();
    }
    let mut templates = Vec::new();
    if multiplies(parameter, scalar, 2.0) {
        templates.push((Template::NumericMultiplication(2.0.into()), 1.0));
    }
    for other in others.iter().filter(|other| is_compatible(scalar, other)) {
        let y = Operand::Parameter(other.name.clone());
        templates.push((Template::NumericAddition(y.clone()), pool.top));
        templates.push((Template::NumericComplement(y.clone()), pool.top));
        templates.push((Template::NumericMultiplication(y), pool.top));
    }
    // The middle of a bounded domain is a mirror.
    let mirror = parameter.domain.range.map(|(least, most)| (least + most, pool.top));
    let constants = pool.numbers.iter().copied().filter(|(c, _)| *c != 0.0);
    for (c, weight) in mirror.into_iter().filter(|(c, _)| c.is_finite()).chain(constants) {
        let template = Template::NumericComplement(c.into());
        let is_known = templates.iter().any(|(known, _)| *known == template);
        if complements(parameter, scalar, c) && !is_known {
            templates.push((template, weight));
        }
    }
    templates
}

/// Whether sums with a parameter can be values of a type of numbers.
fn is_compatible(scalar: Scalar, other: &Parameter) -> bool {
    let Type::Scalar(of) = other.ty else { return false };
    match (scalar.class(), of.class()) {
        (ScalarClass::Float, ScalarClass::Float | ScalarClass::Integer) => true,
        (ScalarClass::Integer, ScalarClass::Integer) => true,
        (ScalarClass::Float | ScalarClass::Integer, _) => false,
        (ScalarClass::Bool | ScalarClass::Char, _) => false,
    }
}

fn of_sequence(parameter: &Parameter, others: &[&Parameter], pool: &Pool) -> Vec<(Template, f64)> {
    let scalar = parameter.ty.scalar();
    let most = parameter.domain.max_len.unwrap_or(usize::MAX);
    let least = parameter.domain.min_len.unwrap_or(0);
    let mut templates = Vec::new();
    let mut push = |template: Template| templates.push((template, pool.top));
    if most > 1 {
        push(Template::SequenceSort);
        push(Template::SequenceRotate(1));
        push(Template::SequenceSwap(0, -1));
    }
    for (template, fits) in [
        (Template::TextUpper, respells(parameter, |c| c.to_uppercase().collect())),
        (Template::TextLower, respells(parameter, |c| c.to_lowercase().collect())),
    ] {
        if fits {
            push(template);
        }
    }
    if respells(parameter, |c| c.to_uppercase().collect())
        && respells(parameter, |c| c.to_lowercase().collect())
    {
        push(Template::TextSwapCase);
    }
    if is_computable(scalar) {
        for c in FACTORS.into_iter().filter(|&c| multiplies(parameter, scalar, c)) {
            push(Template::SequenceMultiply(c.into()));
        }
        for c in FIXED.into_iter().filter(|&c| adds(parameter, scalar, c)) {
            push(Template::SequenceAdd(c.into()));
        }
        for other in others.iter().filter(|other| is_compatible(scalar, other)) {
            push(Template::SequenceAdd(Operand::Parameter(other.name.clone())));
            push(Template::SequenceMultiply(Operand::Parameter(other.name.clone())));
        }
    }
    let values = values(parameter, others);
    if grows(parameter) {
        for value in &values {
            push(Template::SequenceAppend(value.clone()));
        }
        for other in others.iter().filter(|other| other.ty == parameter.ty) {
            push(Template::SequenceAppend(Operand::Parameter(other.name.clone())));
        }
        for value in &values {
            push(Template::SequencePrepend(value.clone()));
        }
    }
    if doubles(parameter) {
        push(Template::SequenceDouble);
    }
    if least <= 1 && most > 1 {
        push(Template::SequenceTruncate(1));
    }
    for value in
        values.iter().filter(|value| **value != Operand::Element(parameter.name.clone(), 0))
    {
        push(Template::SequenceReplace(0, value.clone()));
    }
    for &(index, weight) in &pool.indices {
        if index > 1 && (index as usize) < most && index as usize >= least && !ENDS.contains(&index)
        {
            templates.push((Template::SequenceTruncate(index), weight));
        }
    }
    if is_computable(scalar) {
        for &(c, weight) in pool.numbers.iter().filter(|(c, _)| !FIXED.contains(c)) {
            if adds(parameter, scalar, c) {
                templates.push((Template::SequenceAdd(c.into()), weight));
            }
            if multiplies(parameter, scalar, c) && !FACTORS.contains(&c) {
                templates.push((Template::SequenceMultiply(c.into()), weight));
            }
        }
    }
    templates
}

/// Whether people compute with elements of this type.
fn is_computable(scalar: Scalar) -> bool {
    matches!(scalar.class(), ScalarClass::Integer | ScalarClass::Float)
}

/// Elements that a sequence can be given: its own first one, parameters of its type of elements, and a constant.
fn values(parameter: &Parameter, others: &[&Parameter]) -> Vec<Operand> {
    let scalar = parameter.ty.scalar();
    let is_element = |other: &&&Parameter| other.ty == Type::Scalar(scalar);
    let named = others.iter().filter(is_element).filter(|_| scalar != Scalar::Bool);
    let mut values: Vec<Operand> =
        named.map(|other| Operand::Parameter(other.name.clone())).collect();
    values.push(Operand::Element(parameter.name.clone(), 0));
    let constant = match (scalar, &parameter.domain.alphabet) {
        (Scalar::Char, Some(alphabet)) => alphabet.first().copied().map(Operand::Letter),
        (Scalar::Char, None) => Some(Operand::Letter('a')),
        (_, _) => Some(Operand::Number(ELEMENT)),
    };
    // A quote or a line end would not be read in a text.
    let is_readable = |operand: &Operand| match operand {
        Operand::Letter(letter) => !letter.is_control() && *letter != '\'',
        Operand::Number(_) | Operand::Parameter(_) | Operand::Element(..) => true,
    };
    let is_allowed = |operand: &Operand| operand.constant().is_some_and(|c| holds(parameter, c));
    values.extend(constant.filter(is_allowed).filter(is_readable));
    values
}

/// Whether a text of the domain can be spelled otherwise.
fn respells(parameter: &Parameter, spelled: fn(char) -> Vec<char>) -> bool {
    let is_text = parameter.ty.scalar() == Scalar::Char;
    let is_allowed = |c: &char| holds(parameter, f64::from(u32::from(*c)));
    let differs = |c: char| {
        let other = spelled(c);
        other != [c] && other.iter().all(is_allowed)
    };
    is_text
        && match &parameter.domain.alphabet {
            Some(alphabet) => alphabet.iter().filter(|c| is_allowed(c)).any(|&c| differs(c)),
            None => ('!'..='~').filter(is_allowed).any(differs),
        }
}

/// The parameters of each type that several have.
fn groups(signature: &Signature) -> Vec<Vec<&Parameter>> {
    let mut groups: Vec<Vec<&Parameter>> = Vec::new();
    for parameter in &signature.parameters {
        match groups.iter_mut().find(|group| group[0].ty == parameter.ty) {
            Some(group) => group.push(parameter),
            None => groups.push(vec![parameter]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Templates that change all parameters of a group.
fn of_all(group: &[&Parameter]) -> Vec<Template> {
    let scalar = group[0].ty.scalar();
    let all = |fits: &dyn Fn(&Parameter) -> bool| group.iter().all(|parameter| fits(parameter));
    let mut templates = Vec::new();
    let mut push = |template: Template, fits: bool| templates.extend(fits.then_some(template));
    match group[0].ty {
        Type::Scalar(Scalar::Char) => {}
        Type::Scalar(Scalar::Bool) => push(Template::BooleanFlip, true),
        Type::Scalar(_) => {
            for c in [2.0, -1.0] {
                let fits = all(&|parameter| multiplies(parameter, scalar, c));
                push(Template::NumericMultiplication(c.into()), fits);
            }
            for c in FIXED {
                let fits = all(&|parameter| adds(parameter, scalar, c));
                push(Template::NumericAddition(c.into()), fits);
            }
        }
        Type::String | Type::List(_) => {
            let is_long = all(&|parameter| parameter.domain.max_len.is_none_or(|most| most > 1));
            let shrinks = all(&|parameter| {
                let least = parameter.domain.min_len.unwrap_or(0);
                least < parameter.domain.max_len.unwrap_or(usize::MAX)
            });
            push(Template::SequenceFlip, is_long);
            for c in FACTORS {
                let fits = is_computable(scalar) && all(&|p| multiplies(p, scalar, c));
                push(Template::SequenceMultiply(c.into()), fits);
            }
            push(Template::TextUpper, all(&|p| respells(p, |c| c.to_uppercase().collect())));
            push(Template::TextLower, all(&|p| respells(p, |c| c.to_lowercase().collect())));
            for index in ENDS {
                push(Template::SequenceRemove(index), shrinks);
            }
            push(Template::SequenceSort, is_long);
            for c in FIXED {
                let fits = is_computable(scalar) && all(&|p| adds(p, scalar, c));
                push(Template::SequenceAdd(c.into()), fits);
            }
            push(Template::SequenceDouble, all(&doubles));
        }
    }
    templates
}
