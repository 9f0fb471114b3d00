//! Whole relations and their counts: small, so kept for long.

use hashbrown::HashTable;

/// The counts of every relation seen, by its canonical tokens.
#[derive(Debug)]
pub(crate) struct Verdicts {
    entries: Vec<Entry>,
    index: HashTable<u32>,
    keys: Vec<u32>,
    counts: Vec<u32>,
    groups: usize,
    most_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    key: u32,
    key_len: u32,
}

impl Verdicts {
    pub(crate) fn new(bytes: usize, groups: usize) -> Verdicts {
        Verdicts {
            entries: Vec::new(),
            index: HashTable::new(),
            keys: Vec::new(),
            counts: Vec::new(),
            groups,
            most_bytes: bytes,
        }
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * (size_of::<Entry>() + 8) + (self.keys.len() + self.counts.len()) * 4
    }

    /// Begins a batch: forgets everything if that has become too much. Within a batch entries stay
    /// where they are.
    pub(crate) fn tick(&mut self) {
        if self.bytes() > self.most_bytes {
            self.entries.clear();
            self.index.clear();
            self.keys.clear();
            self.counts.clear();
        }
    }

    /// The entry of a relation, and whether it is new: then its counts must be set.
    pub(crate) fn entry(&mut self, key: &[u32], hash: u64) -> (u32, bool) {
        let Verdicts { entries, keys, index, .. } = &mut *self;
        let found = index.find(hash, |&entry| {
            let Entry { key: start, key_len, .. } = entries[entry as usize];
            keys[start as usize..][..key_len as usize] == *key
        });
        if let Some(&entry) = found {
            return (entry, false);
        }
        let new = entries.len() as u32;
        entries.push(Entry { hash, key: keys.len() as u32, key_len: key.len() as u32 });
        keys.extend_from_slice(key);
        self.counts.resize(self.counts.len() + self.groups, 0);
        let entries = &self.entries;
        self.index.insert_unique(hash, new, |&entry| entries[entry as usize].hash);
        (new, true)
    }

    pub(crate) fn counts(&self, entry: u32) -> &[u32] {
        &self.counts[entry as usize * self.groups..][..self.groups]
    }

    pub(crate) fn set_counts(&mut self, entry: u32, counts: &[u32]) {
        self.counts[entry as usize * self.groups..][..self.groups].copy_from_slice(counts);
    }
}
