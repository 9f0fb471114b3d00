//! Which transformations a person would think of first.

use std::collections::BTreeMap;

use super::{Candidate, fitting};
use crate::subject::{Constant, Scalar, Signature, Type};
use crate::support::numbers;
use crate::transform::{Instance, Operand, Template};

/// The plainest transformations of a function, at most `count`: exchanges, opposites and reversals first, then small steps, then
/// doubling, other parameters as operands, several parameters at once, then constants of the code, the most frequent first; bit
/// patterns and limits never. Among equals the parameters take turns, so that a run that ends early has changed each of them.
pub fn plainest(signature: &Signature, constants: &[Constant], count: usize) -> Vec<Candidate> {
    let mut candidates = fitting(signature, constants);
    // Nobody computes with the codes of characters.
    let is_character = |candidate: &Candidate| {
        let is_it = |name: &String| {
            let mut all = signature.parameters.iter();
            all.any(|p| p.name == *name && p.ty == Type::Scalar(Scalar::Char))
        };
        candidate.instance.parameters.iter().any(is_it)
    };
    let place = |candidate: &Candidate| match candidate.instance.template {
        Template::NumericAddition(_) | Template::NumericMultiplication(_)
            if is_character(candidate) =>
        {
            ODD
        }
        _ => rank(&candidate.instance),
    };
    candidates.retain(|candidate| rank(&candidate.instance) < ODD);
    // The first candidate of each parameter has turn 1, the second turn 2; each place and weight has turns of its own. The weight
    // of a constant counts among constants of the code only.
    let mut turns: BTreeMap<(u8, u64, Vec<String>), usize> = BTreeMap::new();
    let mut ordered: Vec<(u8, f64, usize, Candidate)> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let place = place(&candidate);
        let weight = if place >= OF_CODE { candidate.weight } else { 0.0 };
        let parameters = candidate.instance.parameters.clone();
        let turn = turns.entry((place, weight.to_bits(), parameters)).or_default();
        *turn += 1;
        ordered.push((place, weight, *turn, candidate));
    }
    ordered.sort_by(|(place, weight, turn, _), (other_place, other_weight, other_turn, _)| {
        let heavier = other_weight.total_cmp(weight);
        place.cmp(other_place).then(heavier).then(turn.cmp(other_turn))
    });
    ordered.into_iter().map(|(.., candidate)| candidate).take(count).collect()
}

/// How soon a law of a transformation is read: smaller is sooner.
pub fn plainness(instance: &Instance) -> u8 {
    /// By rank.
    const STEPS: [u8; 10] = [0, 1, 1, 2, 2, 3, 3, 3, 4, 5];
    STEPS[usize::from(rank(instance))]
}

/// The rank of constants of the code.
const OF_CODE: u8 = 8;
/// The rank of transformations that nobody would think of.
const ODD: u8 = 9;

/// How soon a person would think of a transformation. The plain one of each template comes before the second constant of another:
/// a step back makes the pairs of a step ahead, the other way round.
fn rank(instance: &Instance) -> u8 {
    let own = rank_of(&instance.template);
    match instance.template {
        Template::PermuteParameters => own,
        // The same change of several parameters is thought of after the change of one.
        _ if instance.parameters.len() > 1 => own.max(if own <= 5 { 6 } else { 7 }),
        _ => own,
    }
}

fn rank_of(template: &Template) -> u8 {
    use Operand::{Element, Letter, Number, Parameter};
    match template {
        Template::PermuteParameters => 0,
        Template::BooleanFlip
        | Template::SequenceFlip
        | Template::NumericMultiplication(Number(-1.0)) => 1,
        Template::SequenceSort => 2,
        Template::NumericAddition(Number(1.0))
        | Template::SequenceRemove(0)
        | Template::SequenceMultiply(Number(-1.0))
        | Template::TextUpper => 3,
        Template::SequenceRemove(-1)
        | Template::SequenceMultiply(Number(2.0))
        | Template::TextLower => 4,
        Template::NumericMultiplication(Number(2.0))
        | Template::SequenceDouble
        | Template::SequenceAdd(Number(1.0))
        | Template::SequenceAppend(Parameter(_) | Element(..))
        | Template::SequenceRotate(1) => 5,
        Template::NumericAddition(Parameter(_))
        | Template::SequenceAppend(Number(0.0) | Letter(_))
        | Template::SequencePrepend(Parameter(_)) => 6,
        Template::NumericAddition(Number(-1.0))
        | Template::NumericComplement(Parameter(_))
        | Template::TextSwapCase
        | Template::SequencePrepend(Letter(_) | Number(0.0) | Element(..))
        | Template::SequenceTruncate(1)
        | Template::SequenceSwap(0, -1)
        | Template::SequenceAdd(Parameter(_)) => 7,
        Template::NumericAddition(Number(c))
        | Template::NumericMultiplication(Number(c))
        | Template::NumericComplement(Number(c))
        | Template::SequenceAdd(Number(c))
        | Template::SequenceMultiply(Number(c)) => of_constant(*c),
        Template::SequenceRemove(_)
        | Template::NumericAddition(Element(..) | Letter(_))
        | Template::NumericMultiplication(Parameter(_) | Element(..) | Letter(_))
        | Template::NumericComplement(Element(..) | Letter(_))
        | Template::SequenceAdd(Element(..) | Letter(_))
        | Template::SequenceMultiply(Parameter(_) | Element(..) | Letter(_))
        | Template::SequenceAppend(Number(_))
        | Template::SequencePrepend(Number(_))
        | Template::SequenceRotate(_)
        | Template::SequenceSwap(..)
        | Template::SequenceTruncate(_)
        | Template::SequenceReplace(..)
        | Template::Together(_) => OF_CODE,
    }
}

/// Beyond a million a constant of the code is a bit pattern or a limit.
fn of_constant(c: f64) -> u8 {
    const LARGEST: f64 = 1e6;
    if c.abs() > LARGEST || !numbers::is_plain(c) { ODD } else { OF_CODE }
}
