//! A number for a relation: the same for relations that differ only in the order of exchangeable
//! operands.
//!
//! 64 bits tell relations of one run apart for all practical purposes. Where two fell together, an
//! offspring would be bred once more for nothing; no score depends on it.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use genmorph_jit::Node;

use crate::support::hash::GOLDEN;

/// The fingerprint of a relation.
pub(crate) fn fingerprint(nodes: &[Node]) -> u64 {
    // Every offspring is looked at, so this fold has its stack in place: relations of evolution are small, and
    // only a larger one gets a stack of its own.
    let mut small = [0_u64; 64];
    let mut large = Vec::new();
    let stack: &mut [u64] = if nodes.len() <= small.len() {
        &mut small
    } else {
        large.resize(nodes.len(), 0);
        &mut large
    };
    let mut top = 0;
    for &node in nodes {
        let hash = match node {
            Node::Var(var) => mix(1, u64::from(var.0)),
            // 0 and -0 are one number.
            Node::Num(value) => mix(2, (value + 0.0).to_bits()),
            Node::Bool(value) => mix(3, u64::from(value)),
            Node::Op(op) if op.arity() == 1 => {
                top -= 1;
                mix(4 + op as u64, stack[top])
            }
            Node::Op(op) => {
                top -= 2;
                let (a, b) = (stack[top], stack[top + 1]);
                let (op, a, b) = match op.mirrored() {
                    Some(mirrored) if mirrored == op => (op, a.min(b), a.max(b)),
                    // `a > b` is `b < a`: the one that is declared first.
                    Some(mirrored) if mirrored < op => (mirrored, b, a),
                    Some(_) | None => (op, a, b),
                };
                mix(mix(4 + op as u64, a), b)
            }
        };
        stack[top] = hash;
        top += 1;
    }
    stack[0]
}

/// A hash of words: where a relation is wrong, for instance.
pub(crate) fn of_words(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, &word| mix(hash, word))
}

/// A folded 64x64 -> 128 multiply: every bit of both reaches every bit of the result.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ GOLDEN) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    let hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(b);
    (hash ^ (hash >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Fingerprints are spread already: a table may use them as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// A set of fingerprints.
pub(crate) type Fingerprints = HashSet<u64, BuildHasherDefault<AsIs>>;

/// Something for each of some fingerprints.
pub(crate) type ByFingerprint<T> = HashMap<u64, T, BuildHasherDefault<AsIs>>;

#[cfg(test)]
mod tests {
    use super::*;
    use genmorph_jit::{Schema, Type, parse};

    #[test]
    fn only_exchangeable_operands_may_be_exchanged() {
        let schema = Schema::new([("a", Type::Num), ("b", Type::Num)]).unwrap();
        let of = |text| fingerprint(parse(text, &schema).unwrap().nodes());
        assert_eq!(of("a + b == 1"), of("1 == b + a"));
        assert_eq!(of("a < b"), of("b > a"));
        assert_eq!(of("a * 0 == b"), of("b == -0 * a"));
        let different = [
            "a - b == 1",
            "b - a == 1",
            "a < b",
            "b < a",
            "a <= b",
            "a == b",
            "a != b",
            "a == 1",
            "a == 2",
            "b == 1",
            "a == a",
            "b == b",
            "a < b and b < a",
            "a < b or b < a",
            "a / b == 1",
            "b / a == 1",
        ];
        let all: HashSet<u64> = different.iter().map(|text| of(text)).collect();
        assert_eq!(all.len(), different.len());
    }

    #[test]
    fn large_relations_have_fingerprints_too() {
        let schema = Schema::new([("p", Type::Bool)]).unwrap();
        let text = |n: usize| vec!["p"; n].join(" and ");
        let of = |n| fingerprint(parse(&text(n), &schema).unwrap().nodes());
        assert_ne!(of(200), of(201));
    }
}
