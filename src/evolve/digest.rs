//! A number for executions, to know them again.

use genmorph_jit::Value;

use crate::executions::Executions;
use crate::support::hash::{FNV_BASIS, FNV_PRIME};

/// Like FNV-1a, but over 64-bit words instead of bytes, and mixed after each.
struct Digest(u64);

impl Digest {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(FNV_PRIME);
        self.0 ^= self.0 >> 29;
    }

    fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        text.bytes().for_each(|byte| self.add(u64::from(byte)));
    }
}

/// The digest of everything that the search can see.
pub(crate) fn of(executions: &Executions) -> u64 {
    let table = &executions.table;
    let mut digest = Digest(FNV_BASIS);
    for (var, name, _) in table.schema().iter() {
        digest.add_text(name);
        for row in 0..table.rows() {
            match table.value(var, row) {
                Value::Num(value) => digest.add(value.to_bits()),
                Value::Bool(value) => digest.add(u64::from(value)),
                Value::Seq(values) => {
                    digest.add(values.len() as u64);
                    values.iter().for_each(|value| digest.add(value.to_bits()));
                }
            }
        }
    }
    for group in table.layout().groups() {
        digest.add(group.rows as u64);
    }
    digest.add(table.tolerance().abs().to_bits());
    digest.add(table.tolerance().rel().to_bits());
    executions.mutants.iter().for_each(|name| digest.add_text(name));
    executions.row_mutants.iter().for_each(|&mutant| digest.add(u64::from(mutant)));
    for &(row, mutant) in &executions.also {
        digest.add(u64::from(row) << 32 | u64::from(mutant));
    }
    for (source, follow_up) in executions.signature.output_pairs() {
        digest.add(u64::from(source.0));
        digest.add(u64::from(follow_up.0));
    }
    digest.0
}
