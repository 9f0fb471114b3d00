//! Atoms and their bits, remembered from one generation to the next, in bounded memory.

use hashbrown::HashTable;

/// For how many batches an atom that nobody uses keeps its place while others can be found. Nine
/// tenths of the reuse is within five.
const WINDOW: u32 = 5;

/// An atom and where it holds.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    key: Vec<u32>,
    hash: u64,
    last_used: u32,
    pub(crate) bits: Vec<u64>,
}

impl Slot {
    pub(crate) fn key(&self) -> &[u32] {
        &self.key
    }
}

/// The remembered atoms.
#[derive(Debug)]
pub(crate) struct Memo {
    slots: Vec<Slot>,
    index: HashTable<u32>,
    free: Vec<u32>,
    most_slots: usize,
    words: usize,
    now: u32,
}

/// Where an atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Its bits are known.
    Known(u32),
    /// It got this slot; its bits must be computed.
    New(u32),
}

impl Memo {
    /// A memo of at most `bytes`, for bitsets of `words`.
    pub(crate) fn new(bytes: usize, words: usize) -> Memo {
        let slot = words * 8 + size_of::<Slot>() + 64;
        Memo {
            slots: Vec::new(),
            index: HashTable::new(),
            free: Vec::new(),
            most_slots: (bytes / slot).min(u32::MAX as usize),
            words,
            now: 0,
        }
    }

    pub(crate) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(crate) fn slot_mut(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * (self.words * 8 + size_of::<Slot>() + 64)
    }

    /// Begins a batch: what was used before may now be forgotten when room is needed.
    pub(crate) fn tick(&mut self) {
        self.now += 1;
    }

    /// The slot of an atom; `None` if all slots are in use by the present batch.
    pub(crate) fn place(&mut self, key: &[u32], hash: u64) -> Option<Place> {
        let slots = &mut self.slots;
        // A hash is only a hint: the whole key decides.
        let found = self.index.find(hash, |&slot| slots[slot as usize].key == key);
        if let Some(&slot) = found {
            slots[slot as usize].last_used = self.now;
            return Some(Place::Known(slot));
        }
        let slot = self.vacancy()?;
        let entry = &mut self.slots[slot as usize];
        entry.key.clear();
        entry.key.extend_from_slice(key);
        entry.hash = hash;
        entry.last_used = self.now;
        let slots = &self.slots;
        self.index.insert_unique(hash, slot, |&slot| slots[slot as usize].hash);
        Some(Place::New(slot))
    }

    /// A slot to write: recycled before new, so that memory already touched is used first.
    fn vacancy(&mut self) -> Option<u32> {
        if let Some(slot) = self.free.pop() {
            return Some(slot);
        }
        if self.slots.len() < self.most_slots {
            self.slots.push(Slot { bits: vec![0; self.words], ..Slot::default() });
            return Some(self.slots.len() as u32 - 1);
        }
        // Forget the longest unused first; then whatever this batch has not used.
        for window in [WINDOW, WINDOW / 2, 1, 0] {
            self.forget_older_than(window);
            if let Some(slot) = self.free.pop() {
                return Some(slot);
            }
        }
        None
    }

    fn forget_older_than(&mut self, window: u32) {
        for (i, slot) in self.slots.iter().enumerate() {
            if slot.last_used + window < self.now {
                let found = self.index.find_entry(slot.hash, |&other| other as usize == i);
                if let Ok(entry) = found {
                    entry.remove();
                    self.free.push(i as u32);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_key_decides_not_the_hash() {
        let mut memo = Memo::new(1 << 20, 4);
        memo.tick();
        let Some(Place::New(a)) = memo.place(&[1, 2], 7) else { panic!() };
        let Some(Place::New(b)) = memo.place(&[1, 3], 7) else { panic!() };
        assert_ne!(a, b);
        assert_eq!(memo.place(&[1, 2], 7), Some(Place::Known(a)));
        assert_eq!(memo.place(&[1, 3], 7), Some(Place::Known(b)));
    }

    #[test]
    fn memory_is_bounded_and_the_present_batch_is_never_forgotten() {
        let mut memo = Memo::new(3 * (4 * 8 + size_of::<Slot>() + 64), 4);
        memo.tick();
        for key in 0..3 {
            assert!(matches!(memo.place(&[key], u64::from(key)), Some(Place::New(_))));
        }
        assert_eq!(memo.place(&[3], 3), None);
        memo.tick();
        let Some(Place::Known(kept)) = memo.place(&[0], 0) else { panic!() };
        assert!(matches!(memo.place(&[3], 3), Some(Place::New(slot)) if slot != kept));
        assert_eq!(memo.place(&[0], 0), Some(Place::Known(kept)));
        assert_eq!(memo.slots().len(), 3);
    }
}
