//! Checksums of records, so that a file that was damaged is not taken for what was found.
//!
//! The records that say which relations stand have a member `checksum`: a digest of all other members, whatever their order
//! and their spacing. A record without one, of an older genmorph or of a person, is taken as it is.

use serde::Serialize;
use serde_json::Value;

use super::VERSION;
use crate::support::digest::{Digest, Fields};

/// The name of the member.
const MEMBER: &str = "checksum";

/// A record with a checksum.
pub trait Checked: Serialize {
    /// The field with the checksum; `None` in a record without one.
    fn checksum(&mut self) -> &mut Option<Digest>;
}

/// A record that is not what its checksum says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "its content does not match its checksum: the file was damaged, or edited after genmorph wrote it\n\
     take another copy or make it again; if it was edited on purpose, remove the member `{MEMBER}` from it"
)]
pub struct WrongChecksum;

/// Gives a record its checksum.
pub fn seal<R: Checked>(mut record: R) -> R {
    let value = serde_json::to_value(&record).expect("numbers, names and texts");
    *record.checksum() = Some(digest(value));
    record
}

/// Checks the text of a record. What is no JSON has to be refused by its reader.
///
/// # Errors
/// When the record has a checksum, and another content.
pub fn check(text: &str) -> Result<(), WrongChecksum> {
    serde_json::from_str(text).map_or(Ok(()), |value| check_value(&value))
}

/// Checks a record that was read. Later versions may have other checksums: their records have to be refused by their version.
///
/// # Errors
/// When the record has a checksum, and another content.
pub fn check_value(value: &Value) -> Result<(), WrongChecksum> {
    let is_later = value["version"].as_u64().is_some_and(|version| version > VERSION.into());
    match value.get(MEMBER) {
        _ if is_later => Ok(()),
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(checksum)) if *checksum == digest(value.clone()).to_string() => Ok(()),
        Some(_) => Err(WrongChecksum),
    }
}

/// The digest of a record but for its checksum.
fn digest(mut record: Value) -> Digest {
    if let Some(members) = record.as_object_mut() {
        members.remove(MEMBER);
    }
    record.sort_all_objects();
    Fields::of("genmorph record 1").and(record.to_string()).digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::relations::{RelationsFile, ReportedRelation, Tolerance};

    fn sealed() -> RelationsFile {
        let relation = ReportedRelation {
            relation: "out_f == out_s * 1e300 and b_s".to_owned(),
            fn_rate: 1.0 / 3.0,
            fp_rate: -0.0,
            ..ReportedRelation::default()
        };
        seal(RelationsFile {
            tolerance: Tolerance { abs: 1e-9, rel: 5e-324 },
            relations: vec![relation],
            ..RelationsFile::default()
        })
    }

    #[test]
    fn the_form_of_a_record_may_change_but_not_its_content() {
        let record = sealed();
        let pretty = serde_json::to_string_pretty(&record).unwrap();
        let value: Value = serde_json::from_str(&pretty).unwrap();
        for text in [&pretty, &value.to_string(), &serde_json::to_string(&record).unwrap()] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        assert_eq!(serde_json::from_str::<RelationsFile>(&pretty).unwrap(), record);
        assert_eq!(check("no JSON"), Ok(()));
        assert_eq!(check(r#"{"relations": []}"#), Ok(()));
        assert_eq!(check(r#"{"relations": [], "checksum": 3}"#), Err(WrongChecksum));
    }

    #[test]
    fn every_flipped_bit_is_noticed_or_changes_nothing() {
        let record = sealed();
        let text = serde_json::to_string_pretty(&record).unwrap();
        let (mut refused, mut same) = (0, 0);
        for bit in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let Ok(text) = String::from_utf8(bytes) else { continue };
            match (check(&text), serde_json::from_str::<RelationsFile>(&text)) {
                (Ok(()), Ok(mut read)) => {
                    // Without the name of the checksum it is a record of an older version, and of a later one by its number.
                    read.checksum = record.checksum;
                    read.version = record.version;
                    assert_eq!(read, record, "{text}");
                    same += 1;
                }
                (Err(WrongChecksum), _) | (Ok(()), Err(_)) => refused += 1,
            }
        }
        assert!(refused > 1_000 && same < refused / 4, "{refused}, {same}");
    }
}
