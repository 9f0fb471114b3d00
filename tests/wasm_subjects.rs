//! The example subjects, written as WebAssembly text, do what their models do.

use std::fs;
use std::path::Path;

use genmorph::subject::wasm::WasmDefinition;

use crate::folder::subject;
use crate::guest::Guest;
use crate::models::MODELS;

/// As many random inputs for each.
const CALLS: usize = 2_000;

#[test]
fn every_example_does_what_its_model_does() {
    for (name, model, whole) in MODELS {
        let definition = WasmDefinition::read(subject(&format!("{name}/subject.toml"))).unwrap();
        Guest::new(&definition).agrees_with(model, whole, CALLS);
    }
}

#[test]
fn every_definition_has_a_model_and_bounds_for_its_inputs() {
    let folders = fs::read_dir(subject("")).unwrap().map(|entry| entry.unwrap().path());
    let mut defined: Vec<String> = folders
        .filter(|folder| folder.join("subject.toml").exists())
        .map(|folder| folder.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    defined.sort();
    assert_eq!(defined, MODELS.map(|(name, _, _)| name));
    for name in defined {
        let definition = WasmDefinition::read(subject(&format!("{name}/subject.toml"))).unwrap();
        assert_eq!(definition.signature.function, name);
        for parameter in &definition.signature.parameters {
            assert_ne!(parameter.domain, Default::default(), "{name}: {}", parameter.name);
        }
    }
}

#[test]
fn no_binary_is_in_the_repository() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")];
    folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let extension = path.extension().unwrap_or_default();
            assert!(extension != "wasm" && extension != "o", "{}", path.display());
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
}
