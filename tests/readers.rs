//! Readers of bytes that come from elsewhere, on seeds of the fuzzer and on thousands of damaged copies of them: no reader panics.

#[path = "../fuzz/readers.rs"]
mod foreign;

use std::collections::BTreeMap;
use std::fs;

use genmorph::support::seed::{Rng, Seed};

use self::foreign::{READERS, read};

/// Damaged copies of each seed: fewer for readers that want a file or do much with what they read.
fn copies(reader: &str) -> u64 {
    match reader {
        "executions" | "recording" | "definition" | "inputs" | "checkpoint" => 300,
        "class" => 1_500,
        _ => 4_000,
    }
}

/// Seeds by their names, which begin with the name of a reader.
fn seeds() -> BTreeMap<String, Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/regressions/readers");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
        })
        .collect()
}

#[test]
fn every_reader_has_seeds_and_accepts_those_that_are_whole() {
    let seeds = seeds();
    for (place, (reader, _)) in READERS.iter().enumerate() {
        let of = |name: &&String| name.starts_with(&format!("{reader}-whole"));
        assert!(seeds.keys().any(|name| of(&name)), "{reader} has no seed");
        for (name, case) in seeds.iter().filter(|(name, _)| name.starts_with(reader)) {
            assert_eq!(usize::from(case[0]), place, "{name}");
            // What a checkpoint is made of are changes of one.
            let is_accepted = name.contains("-whole") && *reader != "checkpoint";
            assert_eq!(read(case), is_accepted, "{name}");
        }
    }
}

#[test]
fn damaged_bytes_are_refused_or_read_without_a_panic() {
    for (name, case) in seeds() {
        let reader = READERS[usize::from(case[0])].0;
        let stream = Seed(18).stream("damage");
        for copy in 0..copies(reader) {
            let mut rng = stream.at(copy).rng();
            let mut damaged = case[1..].to_vec();
            for _ in 0..1 + rng.below(4) {
                damage(&mut damaged, &mut rng);
            }
            damaged.insert(0, case[0]);
            let read = std::panic::catch_unwind(|| read(&damaged));
            assert!(read.is_ok(), "{name}, copy {copy}: {damaged:?}");
        }
    }
}

/// Changes a byte or a number, or removes, repeats or cuts off some bytes.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    if bytes.is_empty() {
        bytes.push(rng.below(256) as u8);
        return;
    }
    let at = rng.below(bytes.len());
    match rng.below(7) {
        0 => bytes[at] ^= 1 << rng.below(8),
        1 => bytes[at] = rng.pick(&[0, 1, 0x7f, 0x80, 0xff, b'"', b'9', b'-']),
        2 => {
            let number = rng.pick(&[0, 1, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX]);
            let end = bytes.len().min(at + 4);
            bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
        }
        3 => drop(bytes.remove(at)),
        4 => bytes.insert(at, rng.below(256) as u8),
        5 => bytes.truncate(at),
        _ => {
            let end = bytes.len().min(at + 1 + rng.below(16));
            let again = bytes[at..end].to_vec();
            let to = rng.below(bytes.len());
            bytes.splice(to..to, again);
        }
    }
}
