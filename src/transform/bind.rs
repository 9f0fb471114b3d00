//! Instances of templates bound to the parameters of a function.

use super::template::Needed;
use super::{Operand, Template, TransformError, Transformation};
use crate::subject::kinds::{Interface, Kind, Observed, Parameter};
use crate::subject::together::Together;

/// A template with the names of the parameters that it changes: `NumericAddition(-1) on e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The template, with its constants.
    pub template: Template,
    /// The changed parameters. Of [`Template::PermuteParameters`], the first is exchanged with the second, the third with the
    /// fourth.
    pub parameters: Vec<String>,
}

/// An instance bound to a function whose parameters it fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    pub(super) instance: Instance,
    /// Positions of the changed parameters among the inputs.
    pub(super) indices: Vec<usize>,
    /// What the template computes with, if it does.
    pub(super) with: Option<With>,
    pub(super) inputs: Vec<Parameter>,
}

/// Where the operand of a template comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum With {
    Constant(f64),
    /// The position of a parameter.
    Input(usize),
    /// The position of a sequence, and the index of an element.
    Element(usize, i64),
}

impl Instance {
    /// Binds this instance to the parameters of a function.
    ///
    /// # Errors
    /// When a parameter does not exist, or is of a kind that the template does not work on.
    pub fn bind(&self, signature: &Interface) -> Result<Transform, TransformError> {
        let inputs = &signature.inputs;
        let position = |name: &str| {
            let place = inputs.iter().position(|input| input.name == name);
            place.ok_or_else(|| TransformError::Unknown {
                function: signature.function.clone(),
                name: name.to_owned(),
                parameters: inputs.iter().map(|input| input.name.clone()).collect(),
            })
        };
        let wrong = |at: usize, expected: &'static str| TransformError::Kind {
            template: self.template.name(),
            name: inputs[at].name.clone(),
            expected,
            found: inputs[at].kind.name(),
        };
        let mut indices = Vec::new();
        for name in &self.parameters {
            let at = position(name)?;
            let needed = self.template.needs();
            if !needed.admits(inputs[at].kind) {
                return Err(wrong(at, needed.words()));
            }
            indices.push(at);
        }
        if self.template == Template::PermuteParameters {
            for pair in indices.chunks(2) {
                let [a, b] = *pair else { unreachable!("the text of a permutation has pairs") };
                if inputs[a].kind != inputs[b].kind {
                    let shown =
                        |i: usize| format!("`{}` ({})", inputs[i].name, inputs[i].kind.name());
                    return Err(TransformError::Kinds { a: shown(a), b: shown(b) });
                }
            }
        }
        let with = match self.template.operand() {
            None => None,
            Some(Operand::Number(number)) => Some(With::Constant(*number)),
            Some(Operand::Letter(letter)) => {
                if let Some(&at) = indices.iter().find(|&&at| inputs[at].kind != Kind::Text) {
                    return Err(wrong(at, "a text for a character"));
                }
                Some(With::Constant(f64::from(u32::from(*letter))))
            }
            Some(Operand::Parameter(name)) => {
                let at = position(name)?;
                let is_joined = |&changed: &usize| inputs[changed].kind == inputs[at].kind;
                let is_sequence = Needed::Sequence.admits(inputs[at].kind);
                match is_sequence && self.template.joins() {
                    true if indices.iter().all(is_joined) => {}
                    true => return Err(wrong(at, "a number or a sequence of the same kind")),
                    false if inputs[at].kind == Kind::Number => {}
                    false => return Err(wrong(at, "a number to compute with")),
                }
                Some(With::Input(at))
            }
            Some(Operand::Element(name, index)) => {
                let at = position(name)?;
                if !Needed::Sequence.admits(inputs[at].kind) {
                    return Err(wrong(at, "a text or a list of numbers for its element"));
                }
                Some(With::Element(at, *index))
            }
        };
        Ok(Transform { instance: self.clone(), indices, with, inputs: inputs.clone() })
    }

    /// The instance that makes the source from the follow-up, wherever this one makes a follow-up and nothing is rounded.
    #[must_use]
    pub fn inverse(&self) -> Option<Instance> {
        let is_own = |name: &str| self.parameters.iter().any(|own| own == name);
        let is_free = |operand: &Operand| operand.parameter().is_none_or(|name| !is_own(name));
        let template = match &self.template {
            same @ (Template::PermuteParameters
            | Template::BooleanFlip
            | Template::SequenceFlip
            | Template::SequenceSwap(..)) => same.clone(),
            same @ Template::NumericComplement(operand) if is_free(operand) => same.clone(),
            Template::NumericAddition(Operand::Number(c)) => Template::NumericAddition((-c).into()),
            Template::NumericMultiplication(Operand::Number(c)) if is_reciprocal(*c) => {
                Template::NumericMultiplication((1.0 / c).into())
            }
            Template::SequenceRotate(by) => Template::SequenceRotate(-by),
            Template::SequenceAdd(Operand::Number(c)) => Template::SequenceAdd((-c).into()),
            Template::SequenceMultiply(Operand::Number(c)) if is_reciprocal(*c) => {
                Template::SequenceMultiply((1.0 / c).into())
            }
            Template::SequenceAppend(Operand::Number(_) | Operand::Letter(_)) => {
                Template::SequenceRemove(-1)
            }
            Template::SequencePrepend(Operand::Number(_) | Operand::Letter(_)) => {
                Template::SequenceRemove(0)
            }
            Template::NumericComplement(_)
            | Template::NumericAddition(_)
            | Template::NumericMultiplication(_)
            | Template::SequenceRemove(_)
            | Template::SequenceSort
            | Template::SequenceAppend(_)
            | Template::SequencePrepend(_)
            | Template::SequenceAdd(_)
            | Template::SequenceMultiply(_)
            | Template::SequenceDouble
            | Template::SequenceTruncate(_)
            | Template::SequenceReplace(..)
            | Template::TextUpper
            | Template::TextLower
            | Template::TextSwapCase
            | Template::Together(_) => return None,
        };
        Some(Instance { template, parameters: self.parameters.clone() })
    }
}

/// Whether dividing by a number is multiplying by another, to the last bit: a power of two.
fn is_reciprocal(c: f64) -> bool {
    c != 0.0 && c.is_normal() && (1.0 / c).is_normal() && c.to_bits() << 12 == 0
}

impl Instance {
    /// How calls are put together, if it says that.
    pub fn together(&self) -> Option<&Together> {
        match &self.template {
            Template::Together(how) => Some(how),
            _ => None,
        }
    }

    /// Binds this instance to the parameters of a function, or of its calls that are made together.
    ///
    /// # Errors
    /// When it does not fit them.
    pub fn bind_any(
        &self,
        signature: &Interface,
    ) -> Result<(Transform, Interface), TransformError> {
        let interface = match self.together() {
            None => signature.clone(),
            Some(how) => {
                let interface = signature.together(how, &self.parameters);
                interface.map_err(TransformError::Together)?
            }
        };
        Ok((self.bind(&interface)?, interface))
    }
}

/// The interface that a relation under a transformation speaks of: the function, whether it throws, or calls that are made together.
pub fn interface(signature: &Interface, transformation: &str, relation: &str) -> Interface {
    match transformation.parse::<Instance>() {
        Ok(instance) if instance.together().is_some() && signature.calls.is_empty() => {
            let bound = instance.bind_any(signature);
            bound.map_or_else(|_| signature.clone(), |(_, interface)| interface)
        }
        _ => signature.observing(Observed::of(relation)),
    }
}

/// What a relation under a transformation speaks of.
pub fn observed(transformation: &str, relation: &str) -> Observed {
    match transformation.parse::<Instance>() {
        Ok(instance) if instance.together().is_some() => Observed::Together,
        _ => Observed::of(relation),
    }
}

impl Transform {
    /// How calls are put together, if that is all that it does.
    pub fn together(&self) -> Option<&Together> {
        self.instance.together()
    }

    /// The numeric parameter whose follow-up value is computed, if there is one: recorded values of it may be rounded.
    pub fn computed(&self) -> Option<usize> {
        match (&self.instance.template, &self.indices[..]) {
            (
                Template::NumericAddition(_)
                | Template::NumericMultiplication(_)
                | Template::NumericComplement(_),
                &[at],
            ) => Some(at),
            _ => None,
        }
    }

    /// The template and its parameters.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The names under which files and reports show this transformation.
    pub fn describe(&self) -> Transformation {
        Transformation { name: self.instance.to_string(), input_relation: self.input_relation() }
    }
}
