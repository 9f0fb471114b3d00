//! A row of inputs while it is being made, and a hash that tells rows apart.

use genmorph_jit::Value;

use crate::subject::{Inputs, Signature};
use crate::support::digest::{Digest, Fields};
use crate::support::hash::GOLDEN;

/// One value for each parameter.
pub type Row = Vec<Value<'static>>;

/// A hash of a row, the same on every machine. Different rows nearly always have different hashes; where two
/// collide, the second one is not tried, which makes the search slightly smaller but not wrong.
pub(crate) fn key(row: &[Value<'_>]) -> u64 {
    let mut hash = Hash::default();
    for value in row {
        match value {
            Value::Num(number) => hash.add(number.to_bits()),
            Value::Bool(truth) => hash.add(u64::from(*truth)),
            Value::Seq(elements) => {
                hash.add(elements.len() as u64);
                elements.iter().for_each(|element| hash.add(element.to_bits()));
            }
        }
    }
    hash.get()
}

/// A digest of rows, by which a run that is resumed knows whether its supplied inputs are still the same.
pub fn digest(rows: &[Row]) -> Digest {
    let mut fields = Fields::of("genmorph inputs 1");
    for value in rows.iter().flatten() {
        fields = match value {
            Value::Num(number) => fields.and("number").and(number.to_bits().to_le_bytes()),
            Value::Bool(truth) => fields.and("truth").and([u8::from(*truth)]),
            Value::Seq(elements) => {
                let bytes = elements.iter().flat_map(|element| element.to_bits().to_le_bytes());
                fields.and("sequence").and(bytes.collect::<Vec<u8>>())
            }
        };
    }
    fields.digest()
}

/// A hash of many numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hash(u64);

impl Hash {
    pub(super) fn add(&mut self, number: u64) {
        // Any odd constant with mixed bits will do.
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(GOLDEN);
        self.0 ^= self.0 >> 29;
    }

    pub(super) fn get(self) -> u64 {
        self.0
    }
}

/// Turns rows into columns.
pub(super) fn columns(signature: &Signature, rows: &[Row]) -> Inputs {
    Inputs::from_rows(signature, rows.iter().map(Vec::as_slice))
}

/// Turns columns into rows.
pub(super) fn rows(inputs: &Inputs) -> Vec<Row> {
    let owned = |value: Value<'_>| match value {
        Value::Num(number) => Value::Num(number),
        Value::Bool(truth) => Value::Bool(truth),
        Value::Seq(elements) => Value::Seq(elements.into_owned().into()),
    };
    (0..inputs.len()).map(|row| inputs.row(row).map(owned).collect()).collect()
}
