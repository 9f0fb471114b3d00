//! Recorded executions as pairs that tests replay: there is no function here, but the inputs are known, and what came of them.
//!
//! A recording has numbers, truth values, texts and lists. Numbers that all are integers are taken for such. Which other inputs make
//! sense, nobody knows.

use genmorph_jit::{Table, Value, Var};

use super::Pairs;
use super::pairs::{MOST_ELEMENTS, elements, in_turn, kind};
use crate::executions::{CORRECT, Executions};
use crate::subject::kinds::Kind;
use crate::subject::{Domain, Inputs, Outcomes, Parameter, Scalar, Signature, Type};
use crate::transform::Transform;

/// A recorded function.
#[derive(Clone, Debug)]
pub struct Recorded<'e> {
    executions: &'e Executions,
    signature: Signature,
}

/// A recording that no test can replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordedError {
    /// An output that is neither the result nor a parameter after the call.
    #[error(
        "the output `{0}` of the recording is neither `out` nor a list after the call, such as `a_after`: nobody knows where a test finds it"
    )]
    Output(String),
}

impl<'e> Recorded<'e> {
    /// The function of recorded executions.
    ///
    /// # Errors
    /// When it has outputs that a call does not show.
    pub fn of(executions: &'e Executions) -> Result<Recorded<'e>, RecordedError> {
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
                _ => return Err(RecordedError::Output(output.name.clone())),
            }
        }
        let function = recorded.function.clone();
        let signature = Signature { function, parameters, result, changed };
        Ok(Recorded { executions, signature })
    }

    /// Its signature, as far as values show it.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Whether the recorded follow-ups were made by this transformation.
    pub fn is_of(&self, transform: &Transform) -> bool {
        self.executions.transformation.name == transform.describe().name
    }

    /// At most so many pairs of the original, as different as possible, whose follow-ups are those of the transformation.
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
        // Recorded follow-ups may be rounded, and may be none: a test makes them anew.
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

/// The type of values of a kind, of which the columns at these places have some.
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
