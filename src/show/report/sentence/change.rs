//! Words for transformations: "when e is decreased by 1".

use super::Speaker;
use super::words::{element, listed, ordinal};
use crate::show::report::tree::number_text;
use crate::subject::kinds::Kind;
use crate::transform::{Instance, Operand, Template};

impl Speaker<'_> {
    pub(super) fn when(&self, instance: &Instance) -> String {
        format!("when {}", self.changes(instance))
    }

    pub(super) fn changes(&self, instance: &Instance) -> String {
        use Operand::Number;
        let x = listed(&instance.parameters, "and", " ");
        let is = if instance.parameters.len() > 1 { "are" } else { "is" };
        let of = if instance.parameters.len() > 1 { "each of " } else { "" };
        let first = instance.parameters.first().map_or("", String::as_str);
        let element = element(self.kind_of(first));
        match &instance.template {
            Template::PermuteParameters => {
                let pairs = instance.parameters.chunks(2).map(|pair| pair.join(" and "));
                let pairs: Vec<String> = pairs.collect();
                match &pairs[..] {
                    [pair] => format!("{pair} are exchanged"),
                    pairs => {
                        let each = pairs.iter().map(|pair| pair.replace(" and ", " with "));
                        format!("{} are exchanged", listed(&each.collect::<Vec<_>>(), "and", " "))
                    }
                }
            }
            Template::BooleanFlip => format!("{x} {is} negated"),
            Template::NumericAddition(Number(c)) if *c < 0.0 => {
                format!("{x} {is} decreased by {}", number_text(-c))
            }
            Template::NumericAddition(c) => format!("{x} {is} increased by {}", self.amount(c)),
            Template::NumericMultiplication(Number(-1.0)) if is == "are" => {
                format!("the signs of {x} are changed")
            }
            Template::NumericMultiplication(Number(-1.0)) => format!("the sign of {x} is changed"),
            Template::NumericMultiplication(Number(0.0)) => format!("{x} {is} replaced by 0"),
            Template::NumericMultiplication(Number(2.0)) => format!("{x} {is} doubled"),
            Template::NumericMultiplication(Number(0.5)) => format!("{x} {is} halved"),
            Template::NumericMultiplication(c) => {
                format!("{x} {is} multiplied by {}", self.amount(c))
            }
            Template::NumericComplement(c) => {
                format!("{x} {is} subtracted from {}", self.amount(c))
            }
            Template::SequenceRemove(i) => {
                format!("{} is removed", place(*i, element, &format!("{of}{x}")))
            }
            Template::SequenceFlip => format!("{x} {is} reversed"),
            Template::SequenceSort => format!("{x} {is} sorted"),
            Template::SequenceRotate(by) => {
                let (by, direction) = (by.unsigned_abs(), if *by < 0 { "right" } else { "left" });
                format!("{x} {is} rotated to the {direction} by {by}")
            }
            Template::SequenceSwap(a, b) => {
                let whose = format!("{of}{x}");
                let [a, b] = [a, b].map(|index| place(*index, element, &whose));
                format!("{a} and {b} are exchanged")
            }
            Template::SequenceAppend(v) => format!("{} is appended to {x}", self.amount(v)),
            Template::SequencePrepend(v) => format!("{} is put before {x}", self.amount(v)),
            Template::SequenceAdd(Number(c)) if *c < 0.0 => {
                format!("every {element} of {x} is decreased by {}", number_text(-c))
            }
            Template::SequenceAdd(c) => {
                format!("every {element} of {x} is increased by {}", self.amount(c))
            }
            Template::SequenceMultiply(Number(-1.0)) => {
                format!("the sign of every {element} of {x} is changed")
            }
            Template::SequenceMultiply(Number(2.0)) => {
                format!("every {element} of {x} is doubled")
            }
            Template::SequenceMultiply(c) => {
                format!("every {element} of {x} is multiplied by {}", self.amount(c))
            }
            Template::SequenceDouble if is == "are" => format!("{x} are each repeated"),
            Template::SequenceDouble => format!("{x} is joined with itself"),
            Template::SequenceTruncate(count) if *count < 0 => {
                let count = count.unsigned_abs();
                format!("{x} {is} shortened by the first {}", counted(count, element))
            }
            Template::SequenceTruncate(count) => {
                let count = count.unsigned_abs();
                format!("{x} {is} cut to the first {}", counted(count, element))
            }
            Template::SequenceReplace(i, v) => {
                let place = place(*i, element, &format!("{of}{x}"));
                format!("{place} is replaced by {}", self.amount(v))
            }
            Template::TextUpper => format!("{x} {is} turned into upper case"),
            Template::TextLower => format!("{x} {is} turned into lower case"),
            Template::TextSwapCase => format!("the case of every {element} of {x} is changed"),
            Template::Together(_) => {
                format!("{x} {is} left as {}", if is == "are" { "they are" } else { "it is" })
            }
        }
    }

    /// What a template computes with.
    fn amount(&self, operand: &Operand) -> String {
        match operand {
            Operand::Number(number) => number_text(*number),
            Operand::Letter(letter) => format!("'{letter}'"),
            Operand::Parameter(name) => name.clone(),
            Operand::Element(name, index) => place(*index, element(self.kind_of(name)), name),
        }
    }

    fn kind_of(&self, name: &str) -> Option<Kind> {
        self.signature.inputs.iter().find(|p| p.name == name).map(|p| p.kind)
    }
}

/// "the first element of s", "the element of s at index 7".
fn place(index: i64, element: &str, whose: &str) -> String {
    match ordinal(index) {
        Some(ordinal) => format!("the {ordinal} {element} of {whose}"),
        None => format!("the {element} of {whose} at index {index}"),
    }
}

fn counted(count: u64, element: &str) -> String {
    if count == 1 { element.to_owned() } else { format!("{count} {element}s") }
}
