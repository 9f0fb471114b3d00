//! Words for transformations: "when e is decreased by 1".

use super::Speaker;
use super::words::{element, ordinal};
use crate::show::report::tree::number_text;
use crate::transform::{Instance, Template};

impl Speaker<'_> {
    pub(super) fn when(&self, instance: &Instance) -> String {
        format!("when {}", self.changes(instance))
    }

    pub(super) fn changes(&self, instance: &Instance) -> String {
        let x = instance.parameters.first().map_or("", String::as_str);
        let kind = self.signature.inputs.iter().find(|p| p.name == x).map(|p| p.kind);
        let element = element(kind);
        match instance.template {
            Template::PermuteParameters => {
                format!("{} are exchanged", instance.parameters.join(" and "))
            }
            Template::BooleanFlip => format!("{x} is negated"),
            Template::NumericAddition(c) if c < 0.0 => {
                format!("{x} is decreased by {}", number_text(-c))
            }
            Template::NumericAddition(c) => format!("{x} is increased by {}", number_text(c)),
            Template::NumericMultiplication(-1.0) => format!("the sign of {x} is changed"),
            Template::NumericMultiplication(0.0) => format!("{x} is replaced by 0"),
            Template::NumericMultiplication(2.0) => format!("{x} is doubled"),
            Template::NumericMultiplication(0.5) => format!("{x} is halved"),
            Template::NumericMultiplication(c) => {
                format!("{x} is multiplied by {}", number_text(c))
            }
            Template::SequenceRemove(i) => match ordinal(i) {
                Some(ordinal) => format!("the {ordinal} {element} of {x} is removed"),
                None => format!("the {element} of {x} at index {i} is removed"),
            },
            Template::SequenceFlip => format!("{x} is reversed"),
        }
    }
}
