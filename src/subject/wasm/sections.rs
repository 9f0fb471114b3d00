//! The sections of a module as bytes, for adding items and reassembling the module.
//!
//! Knows the frame of a module, not the content of its sections.

use wasm_encoder::Encode;
use wasmparser::{BinaryReader, Parser, Payload};

use super::module::Module;

/// The ids of sections, in the order in which they must appear.
const ORDER: [u8; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11];

/// The id of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Types = 1,
    Functions = 3,
    Memories = 5,
    Globals = 6,
    Exports = 7,
    Start = 8,
    Code = 10,
}

/// The contents of all sections except custom ones.
#[derive(Clone, Debug)]
pub(super) struct Sections([Option<Vec<u8>>; 13]);

impl Sections {
    /// Reads the sections of a module.
    pub(super) fn of(module: &Module) -> Sections {
        let mut all = Sections(Default::default());
        for payload in Parser::new(0).parse_all(&module.bytes).flatten() {
            if let Payload::CustomSection(_) = payload {
                continue;
            }
            if let Some((number, range)) = payload.as_section()
                && let Some(section) = all.0.get_mut(usize::from(number))
            {
                *section = Some(module.bytes[range].to_vec());
            }
        }
        all
    }

    /// Replaces the content of a section.
    pub(super) fn set(&mut self, section: Section, content: Vec<u8>) {
        self.0[section as usize] = Some(content);
    }

    /// Removes a section from the module.
    pub(super) fn remove(&mut self, section: Section) {
        self.0[section as usize] = None;
    }

    /// Appends items to a section that is a list. Returns the number of items before.
    pub(super) fn append(&mut self, section: Section, items: &[Vec<u8>]) -> u32 {
        let content = self.0[section as usize].take().unwrap_or_else(|| vec![0]);
        let (count, rest) = number(&content);
        let mut longer = Vec::with_capacity(content.len() + 64);
        leb(count + items.len() as u32, &mut longer);
        longer.extend_from_slice(rest);
        items.iter().for_each(|item| longer.extend_from_slice(item));
        self.0[section as usize] = Some(longer);
        count
    }

    /// The bytes of the module before the code section, and those after it.
    pub(super) fn around_code(&self) -> (Vec<u8>, Vec<u8>) {
        let mut halves = (b"\0asm\x01\0\0\0".to_vec(), Vec::new());
        for number in ORDER {
            if let Some(content) = &self.0[usize::from(number)]
                && number != Section::Code as u8
            {
                let half = if number == 11 { &mut halves.1 } else { &mut halves.0 };
                half.push(number);
                leb(content.len() as u32, half);
                half.extend_from_slice(content);
            }
        }
        halves
    }
}

/// Reads a LEB128 number; returns it and the remaining bytes.
fn number(bytes: &[u8]) -> (u32, &[u8]) {
    let mut reader = BinaryReader::new(bytes, 0);
    let value = reader.read_var_u32();
    let value = value.expect("the module is valid, so a list begins with its length");
    (value, &bytes[reader.current_position()..])
}

/// Appends a number in LEB128 encoding.
pub(super) fn leb(value: u32, to: &mut Vec<u8>) {
    value.encode(to);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for value in [0, 1, 127, 128, 300, 16_384, u32::MAX] {
            let mut bytes = Vec::new();
            leb(value, &mut bytes);
            bytes.push(7);
            assert_eq!(number(&bytes), (value, &[7][..]));
        }
    }

    #[test]
    fn items_come_after_those_that_are_there() {
        let text = "(module (global i32 (i32.const 3)) (func))";
        let mut sections = Sections::of(&Module::parse(wat::parse_str(text).unwrap()).unwrap());
        let item = vec![0x7f, 1, 0x41, 5, 0x0b];
        assert_eq!(sections.append(Section::Globals, &[item]), 1);
        assert_eq!(sections.append(Section::Memories, &[vec![0, 1]]), 0);
        let mut bytes = sections.around_code().0;
        bytes.extend([10, 4, 1, 2, 0, 0x0b]);
        let module = Module::parse(bytes).unwrap();
        assert_eq!((module.globals.len(), module.memories.len()), (2, 1));
        assert!(module.globals[1].1);
    }
}
