//! The distinct sequences that terms have met, each with a number of its own.
//!
//! Sequence operators run once per distinct operand; what they made is remembered. Their meaning is
//! `op.rs`, called directly.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashTable;

use crate::hash::Mixer;
use crate::op::{self, SequenceOp, Value};

/// Distinct sequences; 0 is the empty one. Two are one if their elements are the same numbers, where 0 and
/// -0 are the same, and all NaNs are.
#[derive(Debug)]
pub(crate) struct Interner {
    elements: Vec<f64>,
    /// Where each sequence ends among the elements.
    ends: Vec<usize>,
    sums: Vec<f64>,
    ids: HashTable<u32>,
    /// What operators made of known sequences.
    made: HashTable<Made>,
    /// The extents of the first sequences: of all that there were when they were last asked for.
    extents: Vec<Extent>,
}

/// The least and the greatest element of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

/// An operator, what it was applied to, and the sequence that it made.
#[derive(Clone, Copy, Debug)]
struct Made {
    op: SequenceOp,
    operand: u32,
    index: i64,
    result: u32,
}

impl Made {
    fn hash(&self) -> u64 {
        let mut mixer = Mixer::new(self.op as u64);
        mixer.add(u64::from(self.operand));
        mixer.add(self.index as u64);
        mixer.finish()
    }
}

impl Interner {
    pub(crate) fn new() -> Interner {
        let mut interner = Interner {
            elements: Vec::new(),
            ends: Vec::new(),
            sums: Vec::new(),
            ids: HashTable::new(),
            made: HashTable::new(),
            extents: Vec::new(),
        };
        interner.intern(&[]);
        interner
    }

    /// The elements of a sequence.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> &[f64] {
        &self.elements[span(&self.ends, id)]
    }

    #[inline]
    pub(crate) fn len(&self, id: u32) -> usize {
        span(&self.ends, id).len()
    }

    /// `sum(s)`.
    #[inline]
    pub(crate) fn sum(&self, id: u32) -> f64 {
        self.sums[id as usize]
    }

    /// The number of a sequence, which is added if it is new.
    pub(crate) fn intern(&mut self, sequence: &[f64]) -> u32 {
        let Interner { elements, ends, sums, ids, .. } = self;
        let start = elements.len();
        // Append first, and take it back when the sequence turns out to be known.
        elements.extend(sequence.iter().map(|&element| plain(element)));
        let (known, new) = elements.split_at(start);
        let same = |a: &[f64]| {
            a.len() == new.len() && a.iter().zip(new).all(|(a, b)| a.to_bits() == b.to_bits())
        };
        if let Some(&id) = ids.find(hash(new), |&id| same(&known[span(ends, id)])) {
            elements.truncate(start);
            return id;
        }
        let id = u32::try_from(ends.len()).expect("memory ends before 2^32 distinct sequences");
        let hash_of_new = hash(new);
        sums.push(op::sum(new));
        ends.push(elements.len());
        ids.insert_unique(hash_of_new, id, |&id| hash(&elements[span(ends, id)]));
        id
    }

    /// `s ++ t`.
    pub(crate) fn join(&mut self, s: u32, t: u32) -> u32 {
        match (s, t) {
            (0, _) => t,
            (_, 0) => s,
            _ => self.apply(SequenceOp::Join, s, f64::from(t)),
        }
    }

    /// The extents of all sequences.
    pub(crate) fn extents(&mut self) -> &[Extent] {
        for id in self.extents.len()..self.ends.len() {
            let elements = &self.elements[span(&self.ends, id as u32)];
            let extent = Extent { least: op::least(elements), greatest: op::greatest(elements) };
            self.extents.push(extent);
        }
        &self.extents
    }

    /// What an operator makes of a sequence and a number. `flip` does not read the number, `toString` not
    /// the sequence.
    pub(crate) fn apply(&mut self, op: SequenceOp, operand: u32, n: f64) -> u32 {
        // All indices beyond the ends are alike.
        let beyond = self.len(operand) as i64 + 1;
        let index = match op {
            SequenceOp::Flip | SequenceOp::Sort | SequenceOp::Upper | SequenceOp::Lower => 0,
            // The other operand, not an index.
            SequenceOp::Join => n as i64,
            SequenceOp::Remove | SequenceOp::Truncate => op::index(n).clamp(-beyond, beyond),
            SequenceOp::ToString => op::index(n),
        };
        let mut made = Made { op, operand, index, result: 0 };
        let same = |known: &Made| (known.op, known.operand, known.index) == (op, operand, index);
        if let Some(known) = self.made.find(made.hash(), same) {
            return known.result;
        }
        let sequence = Value::Seq(Cow::Borrowed(self.get(operand)));
        let result = match op {
            SequenceOp::Flip | SequenceOp::Sort | SequenceOp::Upper | SequenceOp::Lower => {
                op.apply(&[sequence])
            }
            SequenceOp::Join => {
                op.apply(&[sequence, Value::Seq(Cow::Borrowed(self.get(n as u32)))])
            }
            SequenceOp::Remove | SequenceOp::Truncate => op.apply(&[sequence, Value::Num(n)]),
            SequenceOp::ToString => op.apply(&[Value::Num(n)]),
        };
        let result = result.expect("these are the operands of the operator").into_owned();
        made.result = self.intern(&result);
        self.made.insert_unique(made.hash(), made, Made::hash);
        made.result
    }
}

fn span(ends: &[usize], id: u32) -> Range<usize> {
    let id = id as usize;
    let start = if id == 0 { 0 } else { ends[id - 1] };
    start..ends[id]
}

/// 0 and -0, and all NaNs, are each one number to the language.
fn plain(number: f64) -> f64 {
    if number.is_nan() { f64::NAN } else { number + 0.0 }
}

fn hash(elements: &[f64]) -> u64 {
    let mut mixer = Mixer::new(elements.len() as u64);
    for element in elements {
        mixer.add(element.to_bits());
    }
    mixer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_have_one_number() {
        let mut interner = Interner::new();
        assert_eq!(interner.intern(&[]), 0);
        let a = interner.intern(&[0.0, f64::NAN]);
        assert_eq!(interner.intern(&[-0.0, -f64::NAN]), a);
        assert_ne!(interner.intern(&[0.0]), a);
        assert_eq!(interner.get(a).len(), 2);
        let flipped = interner.apply(SequenceOp::Flip, a, 0.0);
        assert_ne!(flipped, a);
        assert_eq!(interner.apply(SequenceOp::Flip, flipped, 0.0), a);
    }

    #[test]
    fn indices_beyond_the_ends_are_remembered_as_one() {
        let mut interner = Interner::new();
        let s = interner.intern(&[1.0, 2.0, 3.0]);
        for n in [4.0, 5.0, 1e19, f64::INFINITY] {
            assert_eq!(interner.apply(SequenceOp::Remove, s, n), s);
            assert_eq!(interner.apply(SequenceOp::Truncate, s, n), s);
            assert_eq!(interner.apply(SequenceOp::Truncate, s, -n), 0);
        }
        assert_eq!(interner.made.len(), 3);
    }
}
