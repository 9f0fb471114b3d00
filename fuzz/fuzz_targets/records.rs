//! Texts to the readers of `report.json`, `search.json`, `relations.json`, reviewed sets and lines of relations: they refuse a
//! text or read it, and a record that is sealed anew passes its own check.

#![no_main]

use genmorph::claims;
use genmorph::record::checksum::{check, seal};
use genmorph::record::relations::RelationsFile;
use genmorph::record::report::Report;
use genmorph::record::search::Search;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = check(text);
    let _ = claims::read_texts("fuzz", text);
    let _ = claims::list::read_results("fuzz", bytes);
    let sealed = [
        serde_json::from_str(text).map(|record: Report| serde_json::to_string(&seal(record))),
        serde_json::from_str(text).map(|record: Search| serde_json::to_string(&seal(record))),
        serde_json::from_str(text).map(|record: RelationsFile| serde_json::to_string(&seal(record))),
    ];
    for text in sealed.into_iter().flatten().flatten() {
        assert_eq!(check(&text), Ok(()), "{text}");
    }
});
