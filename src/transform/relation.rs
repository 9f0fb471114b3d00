//! The input relation of a transformation, as text.
//!
//! Where the relation language has no operator for a change, the term is a call named after the template (`rotate(s_s, 1)`,
//! `append(s_s, 'a')`): read by people, and by [`said`] only as far as the language goes.

use genmorph_jit::{Predicate, Schema, parse};

use super::text::constant;
use super::{Operand, Template, Transform};
use crate::subject::kinds::Kind;

impl Transform {
    /// The strictest relation between source and follow-up inputs, as text.
    pub fn input_relation(&self) -> String {
        self.conjuncts().join(" and ")
    }

    /// The part of the input relation that the relation language can say; `true` if that is nothing.
    ///
    /// # Panics
    /// If the schema is not of this function.
    pub fn said(&self, schema: &Schema) -> Predicate {
        let conjuncts = self.conjuncts();
        let known: Vec<&str> = conjuncts
            .iter()
            .map(String::as_str)
            .filter(|text| parse(text, schema).is_ok())
            .collect();
        let text = if known.is_empty() { "true".to_owned() } else { known.join(" and ") };
        parse(&text, schema).expect("each part of it is one")
    }

    /// What is said of each parameter.
    fn conjuncts(&self) -> Vec<String> {
        let each = self.inputs.iter().enumerate().map(|(at, input)| {
            let x = &input.name;
            match self.indices.iter().position(|&index| index == at) {
                None => format!("{x}_f == {x}_s"),
                Some(place) => match self.instance.template {
                    Template::BooleanFlip => format!("{x}_f != {x}_s"),
                    _ => format!("{x}_f == {}", self.term(place)),
                },
            }
        });
        each.collect()
    }

    /// What a changed parameter becomes, over the variables of the source.
    fn term(&self, place: usize) -> String {
        let name = |at: usize| &self.inputs[at].name;
        let s = format!("{}_s", name(self.indices[place]));
        let amount = |operand: &Operand| match operand {
            Operand::Number(number) => constant(*number),
            Operand::Letter(letter) => format!("'{letter}'"),
            Operand::Parameter(name) => format!("{name}_s"),
            Operand::Element(name, index) => format!("at({name}_s, {index})"),
        };
        let is_sequence = |operand: &Operand| match operand {
            Operand::Parameter(name) => self
                .inputs
                .iter()
                .any(|p| p.name == *name && matches!(p.kind, Kind::Text | Kind::Numbers)),
            Operand::Number(_) | Operand::Letter(_) | Operand::Element(..) => false,
        };
        match &self.instance.template {
            Template::PermuteParameters => format!("{}_s", name(self.indices[place ^ 1])),
            Template::BooleanFlip => format!("not {s}"),
            Template::NumericAddition(Operand::Number(c)) if *c < 0.0 => {
                format!("{s} - {}", constant(-c))
            }
            Template::NumericAddition(c) => format!("{s} + {}", amount(c)),
            Template::NumericMultiplication(c) => format!("{s} * {}", amount(c)),
            Template::NumericComplement(c) => format!("{} - {s}", amount(c)),
            Template::SequenceRemove(index) => format!("remove({s}, {index})"),
            Template::SequenceFlip => format!("flip({s})"),
            Template::SequenceSort => format!("sort({s})"),
            Template::SequenceRotate(by) => format!("rotate({s}, {by})"),
            Template::SequenceSwap(a, b) => format!("swap({s}, {a}, {b})"),
            Template::SequenceAppend(v) if is_sequence(v) => format!("{s} ++ {}", amount(v)),
            Template::SequencePrepend(v) if is_sequence(v) => format!("{} ++ {s}", amount(v)),
            Template::SequenceAppend(v) => format!("append({s}, {})", amount(v)),
            Template::SequencePrepend(v) => format!("prepend({s}, {})", amount(v)),
            Template::SequenceAdd(c) => format!("add({s}, {})", amount(c)),
            Template::SequenceMultiply(c) => format!("multiply({s}, {})", amount(c)),
            Template::SequenceDouble => format!("{s} ++ {s}"),
            Template::SequenceTruncate(count) => format!("truncate({s}, {count})"),
            Template::SequenceReplace(index, v) => format!("replace({s}, {index}, {})", amount(v)),
            // Not `upper` and `lower`: these operators respell ASCII letters alone, and follow-ups have Unicode's mapping.
            Template::TextUpper => format!("uppercase({s})"),
            Template::TextLower => format!("lowercase({s})"),
            Template::TextSwapCase => format!("swapCase({s})"),
            Template::Together(_) => s,
        }
    }
}
