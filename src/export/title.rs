//! Names of tests that say what a relation says: `adding_1_to_e_multiplies_by_k`, `is_symmetric_in_p_and_q`.
//!
//! A name has two parts, what the transformation does and what becomes of the result, and a third for a guard. Where there
//! are no words for a part, a plain phrase stands for it; names that come out alike are numbered.

use std::collections::BTreeMap;

use genmorph_jit::{Op, Predicate, Var};

use super::Part;
use crate::show::report::is_of_one_call;
use crate::show::report::tree::Tree;
use crate::subject::kinds::{Interface, Observed};
use crate::transform::{Instance, Operand, Template};

/// A name for each relation of each part, in snake case; all differ.
pub(super) fn titles(parts: &[Part<'_>], signature: &Interface) -> Vec<Vec<String>> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut unique = |name: String| {
        let mut number = *taken.get(&name).unwrap_or(&0);
        let mut candidate = name.clone();
        while number > 0 && taken.contains_key(&candidate) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        taken.insert(name, number.max(1));
        taken.entry(candidate.clone()).or_insert(1);
        candidate
    };
    let of_part = |part: &Part<'_>| -> Vec<String> {
        let instance = part.instance();
        part.relations.iter().map(|r| unique(title(&instance, r, signature))).collect()
    };
    parts.iter().map(of_part).collect()
}

/// The name of one relation, which others may have too.
fn title(instance: &Instance, relation: &Predicate, signature: &Interface) -> String {
    let words = Words { signature };
    let tree = Tree::of(relation);
    let (mut guards, mut body) = (Vec::new(), &tree);
    // `out_s implies out_f` has words of its own.
    while let Tree::Op(Op::Implies, sides) = body
        && words.outputs(&sides[0], &sides[1]).is_none()
    {
        guards.push(&sides[0]);
        body = &sides[1];
    }
    if signature.observed() == Observed::Outcomes {
        return identifier(&words.outcome(instance, &tree));
    }
    let names = instance.parameters.join("_and_");
    let effect = words.effect(body);
    let mut name = match (&instance.template, effect.as_deref()) {
        _ if is_of_one_call(relation, signature) => {
            words.guard(body).unwrap_or_else(|| "every_call_is_as_it_should_be".to_owned())
        }
        (Template::PermuteParameters, Some("keeps_the_result")) => {
            format!("is_symmetric_in_{names}")
        }
        (Template::PermuteParameters, Some("negates_the_result")) => {
            format!("is_antisymmetric_in_{names}")
        }
        (_, Some(effect)) => format!("{}_{effect}", change(instance)),
        (_, None) => format!("{}_relates_the_results", change(instance)),
    };
    if !guards.is_empty() {
        let said: Option<Vec<String>> = guards.iter().map(|guard| words.guard(guard)).collect();
        name += &match said {
            Some(said) => format!("_when_{}", said.join("_and_")),
            None => "_under_a_condition".to_owned(),
        };
    }
    identifier(&name)
}

/// What a transformation does, as a gerund.
fn change(instance: &Instance) -> String {
    use Operand::Number;
    let x = instance.parameters.join("_and_");
    match &instance.template {
        Template::PermuteParameters => format!("exchanging_{x}"),
        Template::BooleanFlip | Template::NumericMultiplication(Number(-1.0)) => {
            format!("negating_{x}")
        }
        Template::NumericAddition(Number(c)) if *c < 0.0 => {
            format!("subtracting_{}_from_{x}", number(-c))
        }
        Template::NumericAddition(c) => format!("adding_{}_to_{x}", amount(c)),
        Template::NumericMultiplication(Number(2.0)) => format!("doubling_{x}"),
        Template::NumericMultiplication(Number(0.5)) => format!("halving_{x}"),
        Template::NumericMultiplication(Number(0.0)) => format!("replacing_{x}_by_0"),
        Template::NumericMultiplication(c) => format!("multiplying_{x}_by_{}", amount(c)),
        Template::NumericComplement(c) => format!("subtracting_{x}_from_{}", amount(c)),
        Template::SequenceRemove(i) => format!("removing_{}_of_{x}", element(*i)),
        Template::SequenceFlip => format!("reversing_{x}"),
        Template::SequenceSort => format!("sorting_{x}"),
        Template::SequenceRotate(by) => format!("rotating_{x}_by_{}", number(*by as f64)),
        Template::SequenceSwap(a, b) => {
            format!("exchanging_{}_and_{}_of_{x}", element(*a), element(*b))
        }
        Template::SequenceAppend(v) => format!("appending_{}_to_{x}", amount(v)),
        Template::SequencePrepend(v) => format!("putting_{}_before_{x}", amount(v)),
        Template::SequenceAdd(Number(c)) if *c < 0.0 => {
            format!("subtracting_{}_from_every_element_of_{x}", number(-c))
        }
        Template::SequenceAdd(c) => format!("adding_{}_to_every_element_of_{x}", amount(c)),
        Template::SequenceMultiply(Number(-1.0)) => format!("negating_every_element_of_{x}"),
        Template::SequenceMultiply(Number(2.0)) => format!("doubling_every_element_of_{x}"),
        Template::SequenceMultiply(c) => {
            format!("multiplying_every_element_of_{x}_by_{}", amount(c))
        }
        Template::SequenceDouble => format!("repeating_{x}"),
        Template::SequenceTruncate(count) => {
            let verb = if *count < 0 { "dropping" } else { "keeping" };
            format!("{verb}_the_first_{}_of_{x}", count.unsigned_abs())
        }
        Template::SequenceReplace(i, v) => {
            format!("replacing_{}_of_{x}_by_{}", element(*i), amount(v))
        }
        Template::TextUpper => format!("turning_{x}_into_upper_case"),
        Template::TextLower => format!("turning_{x}_into_lower_case"),
        Template::TextSwapCase => format!("changing_the_case_of_{x}"),
        Template::Together(_) => format!("calls_on_{x}"),
    }
}

/// What a template computes with.
fn amount(operand: &Operand) -> String {
    match operand {
        Operand::Number(c) => number(*c),
        Operand::Letter(letter) if letter.is_ascii_alphanumeric() => {
            format!("the_letter_{letter}")
        }
        Operand::Letter(letter) => format!("the_character_{}", u32::from(*letter)),
        Operand::Parameter(name) => name.clone(),
        Operand::Element(name, index) => format!("{}_of_{name}", element(*index)),
    }
}

fn element(index: i64) -> String {
    match index {
        0 => "the_first".to_owned(),
        -1 => "the_last".to_owned(),
        _ => format!("element_{}", number(index as f64)),
    }
}

fn number(number: f64) -> String {
    let text = format!("{}", number.abs()).replace('.', "_point_");
    if number < 0.0 { format!("minus_{text}") } else { text }
}

/// The letters, digits and underscores of a name; it begins with a letter and is not too long to be read.
fn identifier(name: &str) -> String {
    const LONGEST: usize = 96;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    let mut short = String::new();
    for word in words {
        if !short.is_empty() && short.len() + word.len() > LONGEST {
            break;
        }
        short += if short.is_empty() { "" } else { "_" };
        short += word;
    }
    if short.starts_with(|c: char| c.is_ascii_alphabetic()) {
        short
    } else {
        format!("law_{short}")
    }
}

/// Whose output a variable is.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Source,
    FollowUp,
}

struct Words<'a> {
    signature: &'a Interface,
}

impl Words<'_> {
    /// The output that a variable is, and of which call.
    fn output(&self, tree: &Tree) -> Option<(usize, Side)> {
        let Tree::Var(Var(var)) = tree else { return None };
        let (inputs, outputs) = (self.signature.inputs.len(), self.signature.outputs.len());
        let all = inputs + outputs;
        let side = if usize::from(*var) < all { Side::Source } else { Side::FollowUp };
        let at = usize::from(*var) % all.max(1);
        (at >= inputs).then(|| (at - inputs, side))
    }

    /// The output of which these are the follow-up's and the source's value; and whether the follow-up's is the first.
    fn outputs(&self, a: &Tree, b: &Tree) -> Option<(String, bool)> {
        let ((a, of_a), (b, of_b)) = (self.output(a)?, self.output(b)?);
        (a == b && of_a != of_b).then(|| (self.noun(a), of_a == Side::FollowUp))
    }

    /// `the_result`, or the name of a changed argument.
    fn noun(&self, output: usize) -> String {
        let name = &self.signature.outputs[output].name;
        match name.strip_suffix("_after") {
            Some(changed) => changed.to_owned(),
            None if name == "out" => "the_result".to_owned(),
            None => name.clone(),
        }
    }

    /// What becomes of an output; none if there are no words for it.
    fn effect(&self, body: &Tree) -> Option<String> {
        let Tree::Op(op, sides) = body else {
            let (output, _) = self.output(body)?;
            return Some(format!("makes_{}_true", self.noun(output)));
        };
        if *op == Op::Not {
            return match &sides[0] {
                Tree::Op(Op::And, both) if self.outputs(&both[0], &both[1]).is_some() => {
                    Some("is_not_true_twice".to_owned())
                }
                inner => {
                    let (output, _) = self.output(inner)?;
                    Some(format!("makes_{}_false", self.noun(output)))
                }
            };
        }
        let [a, b] = &sides[..] else { return None };
        if let Some((noun, is_new_first)) = self.outputs(a, b) {
            return pair_effect(*op, &noun, is_new_first);
        }
        let equation = match op {
            Op::NumEq | Op::SeqEq | Op::Iff => self.equation(a, b).or_else(|| self.equation(b, a)),
            _ => None,
        };
        equation.or_else(|| Some(format!("means_{}", self.guard(body)?)))
    }

    /// What becomes of an output if the first side equals the second.
    fn equation(&self, a: &Tree, b: &Tree) -> Option<String> {
        // The same measure of both outputs.
        if let (Tree::Op(one, of_a), Tree::Op(other, of_b)) = (a, b)
            && one == other
            && let Some((noun, _)) = self.outputs(&of_a[0], &of_b[0])
        {
            let measure = match one {
                Op::Abs => "magnitude",
                Op::Length => "length",
                Op::Sum => "sum",
                _ => return None,
            };
            return Some(format!("keeps_the_{measure}_of_{noun}"));
        }
        let of_length = |tree: &Tree| match tree {
            Tree::Op(Op::Length, inner) => Some(inner[0].clone()),
            _ => None,
        };
        // The length of both outputs: as with numbers, but of the length.
        if let Some(new) = of_length(a)
            && let Tree::Op(op @ (Op::Add | Op::Sub | Op::Mul), sides) = b
        {
            let known = sides.iter().position(|side| {
                of_length(side).is_some_and(|old| self.outputs(&new, &old).is_some())
            })?;
            let amount = self.term(&sides[1 - known])?;
            return match (op, known) {
                (Op::Add, _) => Some(format!("adds_{amount}_to_the_length")),
                (Op::Sub, 0) => Some(format!("subtracts_{amount}_from_the_length")),
                (Op::Mul, _) => Some(format!("multiplies_the_length_by_{amount}")),
                _ => None,
            };
        }
        if let Tree::Op(Op::Mul, sides) = a {
            // `out_f * k == out_s`.
            let new = sides.iter().position(|side| self.outputs(side, b).is_some())?;
            let (_, is_new) = self.outputs(&sides[new], b)?;
            let amount = self.term(&sides[1 - new])?;
            let verb = if is_new { "divides_by" } else { "multiplies_by" };
            return Some(format!("{verb}_{amount}"));
        }
        let (output, Side::FollowUp) = self.output(a)? else { return None };
        let noun = self.noun(output);
        let is_old = |tree: &Tree| self.outputs(a, tree).is_some();
        match b {
            Tree::Op(Op::Flip, inner) if is_old(&inner[0]) => Some(format!("reverses_{noun}")),
            Tree::Op(Op::Not, inner) if is_old(&inner[0]) => Some(format!("negates_{noun}")),
            Tree::Op(op @ (Op::Add | Op::Sub | Op::Mul | Op::Div), sides) => {
                let is_constant =
                    |at: usize, value: f64| matches!(sides[at], Tree::Num(n) if n == value);
                match (op, is_old(&sides[0]), is_old(&sides[1])) {
                    (Op::Sub, _, true) if is_constant(0, 0.0) => Some(format!("negates_{noun}")),
                    (Op::Mul, true, _) if is_constant(1, -1.0) => Some(format!("negates_{noun}")),
                    (Op::Mul, _, true) if is_constant(0, -1.0) => Some(format!("negates_{noun}")),
                    (Op::Add, true, _) => Some(format!("adds_{}", self.term(&sides[1])?)),
                    (Op::Add, _, true) => Some(format!("adds_{}", self.term(&sides[0])?)),
                    (Op::Sub, true, _) => Some(format!("subtracts_{}", self.term(&sides[1])?)),
                    (Op::Sub, _, true) => {
                        Some(format!("gives_{}_minus_{noun}", self.term(&sides[0])?))
                    }
                    (Op::Mul, true, _) => Some(format!("multiplies_by_{}", self.term(&sides[1])?)),
                    (Op::Mul, _, true) => Some(format!("multiplies_by_{}", self.term(&sides[0])?)),
                    (Op::Div, true, _) => Some(format!("divides_by_{}", self.term(&sides[1])?)),
                    _ => None,
                }
            }
            b => Some(format!("gives_{}", self.term(b)?)),
        }
    }

    /// A comparison, or a truth, in a guard.
    fn guard(&self, tree: &Tree) -> Option<String> {
        match tree {
            Tree::Op(Op::Not, inner) => Some(format!("not_{}", self.term(&inner[0])?)),
            Tree::Op(op, sides) => {
                let verb = match op {
                    Op::NumEq | Op::SeqEq | Op::Iff => "is",
                    Op::NumNe | Op::SeqNe | Op::Xor => "is_not",
                    Op::Lt => "is_below",
                    Op::Gt => "is_above",
                    Op::Le => "is_at_most",
                    Op::Ge => "is_at_least",
                    _ => return None,
                };
                Some(format!("{}_{verb}_{}", self.term(&sides[0])?, self.term(&sides[1])?))
            }
            Tree::Var(_) | Tree::Num(_) | Tree::Bool(_) => self.term(tree),
        }
    }

    /// What is said of whether calls throw.
    fn outcome(&self, instance: &Instance, tree: &Tree) -> String {
        let is_outcome = |tree: &Tree| self.output(tree).is_some();
        match tree {
            Tree::Op(Op::Iff, sides) if is_outcome(&sides[0]) && is_outcome(&sides[1]) => {
                format!("{}_keeps_whether_it_throws", change(instance))
            }
            Tree::Op(Op::Implies, sides) if is_outcome(&sides[0]) && is_outcome(&sides[1]) => {
                format!("{}_throws_where_it_threw", change(instance))
            }
            Tree::Op(Op::Iff, sides) if is_outcome(&sides[0]) => {
                let when = self.condition(&sides[1]);
                format!("throws_exactly_when_{}", when.unwrap_or_else(|| "it_should".to_owned()))
            }
            Tree::Op(Op::Implies, sides) if is_outcome(&sides[1]) => {
                let when = self.condition(&sides[0]);
                format!("throws_when_{}", when.unwrap_or_else(|| "it_should".to_owned()))
            }
            _ => "throws_where_it_should".to_owned(),
        }
    }

    /// Comparisons that `and` and `or` join.
    fn condition(&self, tree: &Tree) -> Option<String> {
        match tree {
            Tree::Op(op @ (Op::And | Op::Or), sides) => {
                let word = if *op == Op::And { "and" } else { "or" };
                Some(format!(
                    "{}_{word}_{}",
                    self.condition(&sides[0])?,
                    self.condition(&sides[1])?
                ))
            }
            _ => self.guard(tree),
        }
    }

    /// A short term: a name, a number, or a measure of a name.
    fn term(&self, tree: &Tree) -> Option<String> {
        match tree {
            Tree::Num(value) => Some(number(*value)),
            Tree::Bool(value) => Some(value.to_string()),
            Tree::Var(var) => Some(match self.output(tree) {
                Some((output, Side::Source)) => self.noun(output),
                Some((output, Side::FollowUp)) => {
                    format!("the_new_{}", self.noun(output).trim_start_matches("the_"))
                }
                None => {
                    let all = self.signature.inputs.len() + self.signature.outputs.len();
                    let new = if var.index() >= all { "the_new_" } else { "" };
                    format!("{new}{}", self.signature.inputs.get(var.index() % all.max(1))?.name)
                }
            }),
            Tree::Op(op @ (Op::Length | Op::Sum | Op::Abs), inner)
                if matches!(inner[0], Tree::Var(_)) =>
            {
                let measure = match op {
                    Op::Length => "the_length_of",
                    Op::Sum => "the_sum_of",
                    _ => "the_magnitude_of",
                };
                Some(format!("{measure}_{}", self.term(&inner[0])?))
            }
            Tree::Op(op @ (Op::Add | Op::Sub | Op::Mul), sides)
                if sides.iter().all(|side| !matches!(side, Tree::Op(..))) =>
            {
                let word = match op {
                    Op::Add => "plus",
                    Op::Sub => "minus",
                    _ => "times",
                };
                Some(format!("{}_{word}_{}", self.term(&sides[0])?, self.term(&sides[1])?))
            }
            Tree::Op(..) => None,
        }
    }
}

/// What becomes of an output if an operator stands between its two values.
fn pair_effect(op: Op, noun: &str, is_new_first: bool) -> Option<String> {
    let op = if is_new_first { op } else { op.mirrored().unwrap_or(op) };
    Some(match (op, is_new_first) {
        (Op::NumEq | Op::SeqEq | Op::Iff, _) => format!("keeps_{noun}"),
        (Op::NumNe | Op::SeqNe, _) => format!("changes_{noun}"),
        (Op::Xor, _) => format!("negates_{noun}"),
        (Op::Lt, _) => format!("decreases_{noun}"),
        (Op::Gt, _) => format!("increases_{noun}"),
        (Op::Le, _) => format!("does_not_increase_{noun}"),
        (Op::Ge, _) => format!("does_not_decrease_{noun}"),
        (Op::Implies, false) => "keeps_a_true_result".to_owned(),
        (Op::Implies, true) => "keeps_a_false_result".to_owned(),
        (Op::Or, _) => "is_true_at_least_once".to_owned(),
        (Op::And, _) => "is_true_twice".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::relation;
    use crate::subject::kinds::{Kind, Parameter};

    fn name(out: Kind, transformation: &str, text: &str) -> String {
        let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
        let signature = Interface {
            function: "f".to_owned(),
            inputs: [("k", Kind::Number), ("e", Kind::Number), ("s", Kind::Text)]
                .map(parameter)
                .to_vec(),
            outputs: vec![parameter(("out", out)), parameter(("a_after", Kind::Numbers))],
            ..Interface::default()
        };
        let relation = relation::read(text, &signature.schema().unwrap()).unwrap();
        title(&transformation.parse().unwrap(), &relation, &signature)
    }

    #[test]
    fn a_test_is_named_after_its_law() {
        let numbers = [
            ("PermuteParameters on k, e", "out_f == out_s", "is_symmetric_in_k_and_e"),
            ("PermuteParameters on k, e", "out_f == 0 - out_s", "is_antisymmetric_in_k_and_e"),
            ("PermuteParameters on k, e", "out_s >= k_s", "the_result_is_at_least_k"),
            ("NumericAddition(1) on e", "out_f == out_s * k_s", "adding_1_to_e_multiplies_by_k"),
            (
                "NumericAddition(-1) on e",
                "out_f * k_s == out_s",
                "subtracting_1_from_e_divides_by_k",
            ),
            (
                "NumericMultiplication(-1) on k",
                "out_f == 0 - out_s",
                "negating_k_negates_the_result",
            ),
            (
                "NumericMultiplication(-1) on k",
                "abs(out_f) == abs(out_s)",
                "negating_k_keeps_the_magnitude_of_the_result",
            ),
            (
                "NumericAddition(1) on k",
                "k_s > 0 implies out_s < out_f",
                "adding_1_to_k_increases_the_result_when_k_is_above_0",
            ),
            (
                "SequenceRemove(0) on s",
                "out_s > 0 implies out_f == out_s - 1",
                "removing_the_first_of_s_subtracts_1_when_the_result_is_above_0",
            ),
            ("SequenceFlip on s", "a_after_f == a_after_s", "reversing_s_keeps_a"),
            ("NumericAddition(e) on k", "out_f == out_s", "adding_e_to_k_keeps_the_result"),
            (
                "NumericMultiplication(2) on k, e",
                "out_f == out_s * 2",
                "doubling_k_and_e_multiplies_by_2",
            ),
            (
                "SequenceAppend(s[0]) on s",
                "out_f == out_s + 1",
                "appending_the_first_of_s_to_s_adds_1",
            ),
            ("TextUpper on s", "out_f == out_s", "turning_s_into_upper_case_keeps_the_result"),
            (
                "NumericMultiplication(2) on k",
                "out_f <= out_s * 2",
                "doubling_k_means_the_new_result_is_at_most_the_result_times_2",
            ),
            (
                "NumericAddition(0.5) on k",
                "out_f * out_s + k_s < 3 or k_s == e_s",
                "adding_0_point_5_to_k_relates_the_results",
            ),
        ];
        for (transformation, text, expected) in numbers {
            assert_eq!(name(Kind::Number, transformation, text), expected, "{text}");
        }
        let truths = [
            ("not (out_f and out_s)", "adding_1_to_k_is_not_true_twice"),
            ("out_s implies out_f", "adding_1_to_k_keeps_a_true_result"),
            ("out_f xor out_s", "adding_1_to_k_negates_the_result"),
            (
                "k_s != 2 implies not (out_f and out_s)",
                "adding_1_to_k_is_not_true_twice_when_k_is_not_2",
            ),
        ];
        for (text, expected) in truths {
            assert_eq!(name(Kind::Boolean, "NumericAddition(1) on k", text), expected, "{text}");
        }
        let texts = [
            ("out_f == flip(out_s)", "reversing_s_reverses_the_result"),
            (
                "e_s >= 0 implies length(out_f) == length(out_s) + length(s_s)",
                "reversing_s_adds_the_length_of_s_to_the_length_when_e_is_at_least_0",
            ),
        ];
        for (text, expected) in texts {
            assert_eq!(name(Kind::Text, "SequenceFlip on s", text), expected, "{text}");
        }
    }
}
