//! Fingerprints of changed code: equal code has equal fingerprints, however it was changed.
//!
//! The code of a mutant is never written out: with the hashes of all beginnings of the original, that of a change takes as
//! long as the change. Hashes are polynomials modulo a prime, at two points; that two different codes of a function of a
//! megabyte have the same is less likely than 2^-80.

use crate::subject::wasm::module::{Edit, Module};

/// 2^61 - 1, a prime.
const PRIME: u64 = (1 << 61) - 1;
/// Where the polynomials are evaluated: digits of pi and of e.
const POINTS: [u64; 2] = [0x0324_3f6a_8885_a308, 0x02b7_e151_628a_ed2a];

/// The hashes of all beginnings of a function's code.
pub(super) struct Fingerprints<'m> {
    /// The offsets of the instructions within the code.
    places: &'m [u32],
    beginnings: Vec<[u64; 2]>,
    powers: Vec<[u64; 2]>,
}

/// The length of a code, and its hashes.
pub(super) type Fingerprint = (usize, [u64; 2]);

impl<'m> Fingerprints<'m> {
    pub(super) fn new(module: &'m Module, function: usize) -> Fingerprints<'m> {
        let places = &module.functions[function].code;
        let code = &module.bytes[places[0] as usize..places[places.len() - 1] as usize];
        let (mut hash, mut power) = ([0; 2], [1; 2]);
        let (mut beginnings, mut powers) = (vec![hash], vec![power]);
        for &byte in code {
            hash = extended(hash, byte);
            power = [0, 1].map(|i| times(power[i], POINTS[i]));
            beginnings.push(hash);
            powers.push(power);
        }
        Fingerprints { places, beginnings, powers }
    }

    /// That of the code as it is.
    pub(super) fn original(&self) -> Fingerprint {
        self.changed(&Edit { at: 0..0, with: Vec::new() })
    }

    /// That of the code after one change.
    pub(super) fn changed(&self, edit: &Edit) -> Fingerprint {
        let place = |instruction: usize| (self.places[instruction] - self.places[0]) as usize;
        let (start, end) = (place(edit.at.start), place(edit.at.end));
        let length = self.beginnings.len() - 1;
        let rest = length - end;
        let mut hash = self.beginnings[start];
        for &byte in &edit.with {
            hash = extended(hash, byte);
        }
        let hash = [0, 1].map(|i| {
            let power = self.powers[rest][i];
            // What comes after the change: the whole, without its beginning.
            let shifted = times(self.beginnings[end][i], power);
            let after = (self.beginnings[length][i] + PRIME - shifted) % PRIME;
            (times(hash[i], power) + after) % PRIME
        });
        (start + edit.with.len() + rest, hash)
    }
}

/// The hash of one more byte. Bytes count from 1, so that a 0 at the beginning shows.
fn extended(hash: [u64; 2], byte: u8) -> [u64; 2] {
    [0, 1].map(|i| (times(hash[i], POINTS[i]) + u64::from(byte) + 1) % PRIME)
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::subject::wasm::module::Patch;
    use crate::subject::wasm::splice;

    #[test]
    fn fingerprints_are_equal_where_the_code_is() {
        let text = r#"(module (func (export "f") (param i32) (result i32)
            local.get 0 local.get 0 i32.add local.get 0 i32.add i32.const 7 i32.const 7 i32.add i32.add))"#;
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        let fingerprints = Fingerprints::new(&module, 0);
        let count = module.functions[0].code.len() - 1;
        let mut codes: HashMap<Fingerprint, Vec<u8>> = HashMap::new();
        let mut edits = 0;
        for start in 0..count {
            for end in start..count.min(start + 4) {
                for with in [vec![], vec![0x6a], vec![0x20, 0], vec![0x20, 0, 0x6a], vec![0x41, 7]]
                {
                    let edit = Edit { at: start..end, with };
                    let patch =
                        Patch { function: 0, locals: Vec::new(), edits: vec![edit.clone()] };
                    let code = splice::code(&module, &patch);
                    let known =
                        codes.entry(fingerprints.changed(&edit)).or_insert_with(|| code.clone());
                    assert_eq!(*known, code, "{edit:?}");
                    edits += 1;
                }
            }
        }
        let mut different: Vec<Vec<u8>> = codes.values().cloned().collect();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), codes.len(), "one fingerprint for each code");
        assert!(codes.len() < edits, "{edits} changes make {} codes", codes.len());
        assert!(codes.contains_key(&fingerprints.original()));
    }
}
