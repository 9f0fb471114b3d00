//! Atoms and their bits, remembered from one generation to the next, in bounded memory.

/// Stands for an atom without a slot.
const NONE: u32 = u32::MAX;

/// At least this share of the slots is given free at once, so that looking for them costs little.
const SHARE: usize = 8;

/// Ages that are told apart when slots are given free; nine tenths of the reuse is within five batches.
const AGES: usize = 16;

/// An atom and where it holds.
#[derive(Debug)]
pub(super) struct Slot {
    atom: u32,
    last_used: u32,
    /// None before the slot is first used: who computes them allocates them.
    pub(super) bits: Vec<u64>,
}

/// Maps atoms of the graph to slots with their bits, and frees the slots that were not used for longest.
#[derive(Debug)]
pub(super) struct Memo {
    slots: Vec<Slot>,
    /// The slot of every truth of the graph that has one.
    slot_of: Vec<u32>,
    free: Vec<u32>,
    most_slots: usize,
    words: usize,
    now: u32,
}

/// Where an atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Its bits are known.
    Known(u32),
    /// It got this slot; its bits must be computed.
    New(u32),
}

impl Memo {
    /// A memo of at most `bytes`, for bitsets of `words`.
    pub(super) fn new(bytes: usize, words: usize) -> Memo {
        Memo {
            slots: Vec::new(),
            slot_of: Vec::new(),
            free: Vec::new(),
            most_slots: (bytes / slot_bytes(words)).min(NONE as usize),
            words,
            now: 0,
        }
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }

    pub(super) fn slot_mut(&mut self, slot: u32) -> &mut Slot {
        &mut self.slots[slot as usize]
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * slot_bytes(self.words) + self.slot_of.len() * size_of::<u32>()
    }

    /// Begins a batch: what was used before may now be forgotten when room is needed.
    pub(super) fn tick(&mut self) {
        self.now += 1;
    }

    /// Forgets all atoms; keeps the memory.
    pub(super) fn clear(&mut self) {
        self.slot_of.clear();
        self.free.clear();
        self.free.extend(0..self.slots.len() as u32);
    }

    /// The slot of an atom; `None` if all slots are in use by the present batch.
    pub(super) fn place(&mut self, atom: u32) -> Option<Place> {
        let i = atom as usize;
        if i >= self.slot_of.len() {
            self.slot_of.resize(i + 1, NONE);
        }
        let slot = self.slot_of[i];
        if slot != NONE {
            self.slots[slot as usize].last_used = self.now;
            return Some(Place::Known(slot));
        }
        let slot = self.vacancy()?;
        let entry = &mut self.slots[slot as usize];
        (entry.atom, entry.last_used) = (atom, self.now);
        self.slot_of[i] = slot;
        Some(Place::New(slot))
    }

    /// A slot to write: recycled before new, so that memory already touched is used first.
    fn vacancy(&mut self) -> Option<u32> {
        if let Some(slot) = self.free.pop() {
            return Some(slot);
        }
        if self.slots.len() < self.most_slots {
            self.slots.push(Slot { atom: NONE, last_used: 0, bits: Vec::new() });
            return Some(self.slots.len() as u32 - 1);
        }
        self.forget();
        self.free.pop()
    }

    /// Gives free the atoms that have not been used for the longest time: a good share of them, but
    /// never one that the present batch has used.
    fn forget(&mut self) {
        let now = self.now;
        let age = |slot: &Slot| ((now - slot.last_used) as usize).min(AGES - 1);
        let mut ages = [0; AGES];
        self.slots.iter().for_each(|slot| ages[age(slot)] += 1);
        let mut oldest = AGES;
        let mut gone = 0;
        while oldest > 1 && gone * SHARE < self.slots.len() {
            oldest -= 1;
            gone += ages[oldest];
        }
        for (i, slot) in self.slots.iter().enumerate() {
            if age(slot) >= oldest {
                self.slot_of[slot.atom as usize] = NONE;
                self.free.push(i as u32);
            }
        }
    }
}

fn slot_bytes(words: usize) -> usize {
    words * 8 + size_of::<Slot>() + 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_present_batch_is_never_forgotten() {
        let mut memo = Memo::new(3 * slot_bytes(4), 4);
        memo.tick();
        for atom in 0..3 {
            assert!(matches!(memo.place(atom), Some(Place::New(_))));
        }
        assert_eq!(memo.place(3), None);
        memo.tick();
        let Some(Place::Known(kept)) = memo.place(0) else { panic!() };
        assert!(matches!(memo.place(3), Some(Place::New(slot)) if slot != kept));
        assert_eq!(memo.place(0), Some(Place::Known(kept)));
        assert_eq!(memo.slots().len(), 3);
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_goes_first() {
        let mut memo = Memo::new(16 * slot_bytes(1), 1);
        for atom in 0..16 {
            memo.tick();
            memo.place(atom);
        }
        memo.tick();
        memo.place(16);
        assert!(matches!(memo.place(15), Some(Place::Known(_))));
        assert!(matches!(memo.place(2), Some(Place::Known(_))));
        assert!(matches!(memo.place(0), Some(Place::New(_))));
    }
}
