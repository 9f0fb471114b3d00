//! Digests, which tell subjects, inputs, units of work, manifests and results apart.
//!
//! The first 128 bits of SHA-256 over fields, each after its length in eight little-endian bytes; the first field says
//! what kind of thing it is. Written as 32 hexadecimal digits. Other programs can compute them, so this never changes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The digest of some fields. Other fields have another digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

/// Computes a digest, field by field.
#[derive(Clone, Debug)]
pub struct Fields(Sha256);

/// A text that is not a digest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a digest, which has 32 hexadecimal digits")]
pub struct BadDigest(String);

impl Fields {
    /// Begins with the kind of thing that the fields describe, such as `genmorph subject 1`.
    pub fn of(kind: &str) -> Fields {
        Fields(Sha256::new()).and(kind)
    }

    /// Adds a field with its length, so that fields cannot run into each other.
    #[must_use]
    pub fn and(mut self, field: impl AsRef<[u8]>) -> Fields {
        let field = field.as_ref();
        self.0.update((field.len() as u64).to_le_bytes());
        self.0.update(field);
        self
    }

    /// The digest of all fields so far.
    pub fn digest(self) -> Digest {
        let all: [u8; 32] = self.0.finalize().into();
        let mut first = [0; 16];
        first.copy_from_slice(&all[..16]);
        Digest(first)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = BadDigest;

    fn from_str(text: &str) -> Result<Digest, BadDigest> {
        let bad = || BadDigest(text.to_owned());
        let is_digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(bad());
        }
        let number = u128::from_str_radix(text, 16).map_err(|_| bad())?;
        Ok(Digest(number.to_be_bytes()))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_what_other_programs_compute() {
        // printf '\4\0\0\0\0\0\0\0unit\3\0\0\0\0\0\0\0pow' | sha256sum
        let digest = Fields::of("unit").and("pow").digest();
        assert_eq!(digest.to_string(), "95e25ae463e3288368d44c183f69a105");
        assert_eq!(digest.to_string().parse(), Ok(digest));
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let ab = Fields::of("unit").and("a").and("b").digest();
        assert_ne!(ab, Fields::of("unit").and("ab").digest());
        assert_ne!(ab, Fields::of("unit").and("ab").and("").digest());
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "12", &"g".repeat(32), &"A".repeat(32), &format!("+{}", "0".repeat(31))] {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
    }
}
