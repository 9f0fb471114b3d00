//! Pairs from recorded executions, for tests that replay them. There is no function to call here, only its inputs and outputs.
//!
//! A recording has numbers, truth values, texts and lists. If all numbers of a column are integers, its type is an integer. The
//! domain is not known, so that no inputs are drawn.

use genmorph_jit::{Table, Value, Var};

use super::Pairs;
use super::pairs::{MOST_ELEMENTS, elements, in_turn, kind};
use crate::executions::{CORRECT, Executions};
use crate::subject::kinds::Kind;
use crate::subject::{Domain, Inputs, Outcomes, Parameter, Scalar, Signature, Type};
use crate::transform::Transform;

/// Recorded executions of a function, with the signature that their values show.
#[derive(Clone, Debug)]
pub struct Recording<'e> {
    executions: &'e Executions,
    signature: Signature,
}

/// Why no test can replay a recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordingError {
    /// An output that is neither the result nor a parameter after the call.
    #[error(
        "the output `{0}` of the recording is neither `out` nor a list after the call, such as `a_after`: a test cannot get its value"
    )]
    Output(String),
}

impl<'e> Recording<'e> {
    /// Reads the signature off recorded executions.
    ///
    /// # Errors
    /// When an output is neither a result nor a changed list.
    pub fn of(executions: &'e Executions) -> Result<Recording<'e>, RecordingError> {
        let recorded = &executions.signature;
        let table = &executions.table;
        let side = recorded.inputs.len() + recorded.outputs.len();
        let ty = |place: usize, kind: Kind| ty(table, [place, side + place], kind);
        let inputs = recorded.inputs.iter().enumerate();
        let parameters: Vec<Parameter> = inputs
            .map(|(i, input)| Parameter {
                name: input.name.clone(),
                ty: ty(i, input.kind),
                domain: Domain::default(),
            })
            .collect();
        let (mut result, mut changed) = (None, Vec::new());
        for (i, output) in recorded.outputs.iter().enumerate() {
            let named = output.name.strip_suffix("_after");
            let of = named.and_then(|name| parameters.iter().position(|p| p.name == name));
            match of {
                _ if output.name == "out" && i == 0 => {
                    result = Some(ty(recorded.inputs.len() + i, output.kind));
                }
                Some(parameter)
                    if matches!(parameters[parameter].ty, Type::List(_))
                        && !changed.contains(&parameter) =>
                {
                    changed.push(parameter);
                }
                _ => return Err(RecordingError::Output(output.name.clone())),
            }
        }
        let function = recorded.function.clone();
        let signature = Signature { function, parameters, result, changed, ..Signature::default() };
        Ok(Recording { executions, signature })
    }

    /// The signature, with the types that the recorded values show.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Whether the recorded follow-ups were made by this transformation.
    pub fn is_of(&self, transform: &Transform) -> bool {
        self.executions.transformation.name == transform.describe().name
    }

    /// At most `most` pairs of the original function, as different as possible, whose follow-ups the transformation made.
    pub fn pairs(&self, transform: &Transform, most: usize) -> Pairs {
        let (signature, table) = (&self.signature, &self.executions.table);
        let rows = if self.is_of(transform) { self.executions.count(CORRECT) } else { 0 };
        let count = signature.parameters.len();
        let side = count + signature.outputs().len();
        let value = |place: usize, row: usize| table.value(Var(place as u16), row);
        let row = |from: usize, to: usize, row: usize| -> Vec<Value<'_>> {
            (from..to).map(|place| value(place, row)).collect()
        };
        let mut sources = Inputs::new(signature);
        (0..rows).for_each(|at| sources.push(&row(0, count, at)));
        // A test makes follow-ups anew; recorded ones may be rounded, or may not be follow-ups at all.
        let (_, with_follow_up) = transform.follow_ups(&sources, signature);
        let candidates: Vec<(String, usize)> = with_follow_up
            .into_iter()
            .filter(|&at| elements(row(0, count, at).into_iter()) <= MOST_ELEMENTS)
            .map(|at| {
                (kind(row(0, side, at).into_iter().chain(row(side + count, 2 * side, at))), at)
            })
            .collect();
        let mut pairs = Pairs {
            sources: Inputs::new(signature),
            follow_ups: Inputs::new(signature),
            at_source: Outcomes::new(signature),
            at_follow_up: Outcomes::new(signature),
            candidates: candidates.len(),
        };
        for at in in_turn(candidates, most) {
            pairs.sources.push(&row(0, count, at));
            pairs.follow_ups.push(&row(side, side + count, at));
            pairs.at_source.returned(&row(count, side, at), 0);
            pairs.at_follow_up.returned(&row(side + count, 2 * side, at), 0);
        }
        pairs
    }
}

/// The type of the values in two columns, which have this kind.
fn ty(table: &Table, places: [usize; 2], kind: Kind) -> Type {
    let admits = |number: f64| Scalar::S64.admits(number);
    let are_integers = places.iter().all(|&place| {
        (0..table.rows()).all(|row| match table.value(Var(place as u16), row) {
            Value::Num(number) => admits(number),
            Value::Bool(_) => true,
            Value::Seq(elements) => elements.iter().all(|&element| admits(element)),
        })
    });
    let number = if are_integers { Scalar::S64 } else { Scalar::F64 };
    match kind {
        Kind::Number => Type::Scalar(number),
        Kind::Boolean => Type::Scalar(Scalar::Bool),
        Kind::Text => Type::String,
        Kind::Numbers => Type::List(number),
    }
}
