//! Source lines of code, from DWARF.
//!
//! Addresses in DWARF count from the start of the code section. Damaged or missing DWARF is not an error: then
//! no lines are known. Files are named relative to the folder of compilation, never by where that folder is.

use std::collections::BTreeMap;

use gimli::{EndianSlice, LittleEndian};

use super::flow::Flow;
use super::module::Module;
use crate::subject::Line;

/// Number of a file, line and column.
type Numbers = (usize, u32, u32);
type Slice<'m> = EndianSlice<'m, LittleEndian>;

/// Maps code to source lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The offset in the module at which a piece of code begins, and its line if it has one. It ends
    /// where the next begins.
    rows: BTreeMap<u32, Option<Numbers>>,
    files: Vec<String>,
}

impl Lines {
    /// Reads the DWARF of a module.
    pub(super) fn new(module: &Module) -> Lines {
        let mut lines = Lines::default();
        let section = |id: gimli::SectionId| -> Result<Slice<'_>, gimli::Error> {
            let found = module.custom.iter().find(|(name, _)| name == id.name());
            let range = found.map_or(0..0, |(_, range)| range.clone());
            Ok(EndianSlice::new(&module.bytes[range], LittleEndian))
        };
        let Ok(dwarf) = gimli::Dwarf::load(section) else { return lines };
        let mut units = dwarf.units();
        while let Ok(Some(header)) = units.next() {
            if let Ok(unit) = dwarf.unit(header) {
                // Lines that were read before the damage are kept.
                let _ = lines.read(&dwarf, &unit, module);
            }
        }
        lines
    }

    /// Whether no lines are known.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The line of the code at an offset of the module.
    pub(super) fn find(&self, offset: u32) -> Option<Line> {
        let (file, line, column) = (*self.rows.range(..=offset).next_back()?.1)?;
        Some(Line { file: self.files[file].clone(), line, column })
    }

    /// The line of an instruction. Compilers give some instructions no line: these get the line of the
    /// instruction that takes their value, or else of the one that makes their operand.
    pub(super) fn of(&self, module: &Module, flow: &Flow<'_>, at: usize) -> Option<Line> {
        if self.is_empty() {
            return None;
        }
        let own = |at: usize| self.find(module.functions[flow.function].code[at]);
        let users = std::iter::successors(Some(at), |&at| flow.nodes[at].used_by);
        let operands = std::iter::successors(Some(at), |&at| {
            flow.nodes[at].takes.iter().rev().find_map(|operand| operand.from)
        });
        users.chain(operands).find_map(own)
    }

    fn read(
        &mut self,
        dwarf: &gimli::Dwarf<Slice<'_>>,
        unit: &gimli::Unit<Slice<'_>>,
        module: &Module,
    ) -> Result<(), gimli::Error> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let folder = match unit.comp_dir {
            Some(folder) => folder.to_string_lossy().into_owned(),
            None => String::new(),
        };
        let mut files: BTreeMap<u64, usize> = BTreeMap::new();
        let mut sequence: Vec<(u32, Option<Numbers>)> = Vec::new();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            let at = module.code.start as u64 + row.address();
            if at > module.code.end as u64 {
                sequence.clear();
                continue;
            }
            if row.end_sequence() {
                sequence.push((at as u32, None));
                // Code that the linker dropped has address 0, where there is no instruction.
                if sequence[0].0 as usize > module.code.start {
                    for (at, line) in sequence.drain(..) {
                        match line {
                            Some(_) => self.rows.insert(at, line),
                            None => Some(*self.rows.entry(at).or_insert(None)),
                        };
                    }
                }
                sequence.clear();
                continue;
            }
            let file = match files.get(&row.file_index()) {
                Some(&file) => file,
                None => {
                    let name = name(dwarf, unit, header, row, &folder)?;
                    let known = self.files.iter().position(|file| *file == name);
                    let file = known.unwrap_or_else(|| {
                        self.files.push(name);
                        self.files.len() - 1
                    });
                    files.insert(row.file_index(), file);
                    file
                }
            };
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(column) => column.get() as u32,
            };
            let line = row.line().map(|line| (file, line.get() as u32, column));
            sequence.push((at as u32, line));
        }
        Ok(())
    }
}

/// The file name of a row.
fn name(
    dwarf: &gimli::Dwarf<Slice<'_>>,
    unit: &gimli::Unit<Slice<'_>>,
    header: &gimli::LineProgramHeader<Slice<'_>>,
    row: &gimli::LineRow,
    folder: &str,
) -> Result<String, gimli::Error> {
    let Some(file) = row.file(header) else { return Ok(String::from("?")) };
    let text = |value| -> Result<String, gimli::Error> {
        Ok(dwarf.attr_string(unit, value)?.to_string_lossy().into_owned())
    };
    let mut path = text(file.path_name())?;
    if !is_absolute(&path)
        && let Some(directory) = file.directory(header)
    {
        let directory = text(directory)?;
        if !directory.is_empty() && directory != folder {
            path = format!("{}/{path}", directory.trim_end_matches('/'));
        }
    }
    Ok(shorten(&path, folder))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.starts_with('\\') || path.as_bytes().get(1) == Some(&b':')
}

/// A path relative to the folder of compilation; for files elsewhere the last three parts, which identify a
/// library's file well enough.
fn shorten(path: &str, folder: &str) -> String {
    let path = path.replace('\\', "/");
    let folder = folder.replace('\\', "/");
    let folder = folder.trim_end_matches('/');
    if !folder.is_empty()
        && let Some(inside) = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'))
    {
        return inside.trim_start_matches("./").to_owned();
    }
    if !is_absolute(&path) && !path.starts_with("../") {
        return path.trim_start_matches("./").to_owned();
    }
    let parts: Vec<&str> =
        path.split('/').filter(|part| !part.is_empty() && *part != "..").collect();
    parts[parts.len().saturating_sub(3)..].join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::wasm::flow::flows;

    /// A unit of DWARF 4 whose code begins at an address: line 7 column 3, three bytes on line 9, then the end.
    fn dwarf(address: u32) -> [(&'static str, Vec<u8>); 3] {
        let sized = |content: Vec<u8>| {
            let mut unit = (content.len() as u32).to_le_bytes().to_vec();
            unit.extend(content);
            unit
        };
        // A compile unit with a name, a folder and a line program.
        let abbrev = vec![1, 0x11, 0, 0x03, 0x08, 0x1b, 0x08, 0x10, 0x17, 0, 0, 0];
        let mut info = vec![4, 0, 0, 0, 0, 0, 4, 1];
        info.extend(b"/home/me/it/src/f.c\0/home/me/it\0\0\0\0\0");
        let mut header = vec![1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
        header.extend(b"/home/me/it/src\0\0f.c\0\x01\0\0\0");
        let mut line = vec![4, 0];
        line.extend(sized(header));
        line.extend([0, 5, 2]);
        line.extend(address.to_le_bytes());
        line.extend([3, 6, 5, 3, 1, 2, 2, 3, 2, 1, 2, 3, 0, 1, 1]);
        [(".debug_abbrev", abbrev), (".debug_info", sized(info)), (".debug_line", sized(line))]
    }

    fn with_dwarf(text: &str, address: impl Fn(&Module) -> u32) -> Module {
        let mut bytes = wat::parse_str(text).unwrap();
        let address = address(&Module::parse(bytes.clone()).unwrap());
        for (name, content) in dwarf(address) {
            bytes.extend([0, (1 + name.len() + content.len()) as u8, name.len() as u8]);
            bytes.extend(name.as_bytes());
            bytes.extend(content);
        }
        Module::parse(bytes).unwrap()
    }

    const TEXT: &str = "(module (func (param i32) (result i32)
        local.get 0 i32.const 1 i32.add i32.clz))";

    #[test]
    fn code_has_the_line_that_its_compiler_noted() {
        let module =
            with_dwarf(TEXT, |module| module.functions[0].code[0] - module.code.start as u32);
        let lines = Lines::new(&module);
        let at = |instruction: usize| {
            lines.find(module.functions[0].code[instruction]).map(|line| line.to_string())
        };
        assert_eq!(at(0).unwrap(), "src/f.c:7:3");
        assert_eq!((at(1).unwrap(), at(2).unwrap()), ("src/f.c:9:3".into(), "src/f.c:9:3".into()));
        assert_eq!(at(3), None, "the sequence ends before it");
        assert_eq!(lines.find(0), None);
        let flow = &flows(&module, &[0])[0];
        assert_eq!(lines.of(&module, flow, 3).unwrap().line, 9, "as its operand");
    }

    #[test]
    fn damaged_or_missing_lines_are_no_lines() {
        assert!(Lines::new(&Module::parse(wat::parse_str(TEXT).unwrap()).unwrap()).is_empty());
        let far = with_dwarf(TEXT, |_| 1 << 20);
        assert!(Lines::new(&far).is_empty(), "beyond the code");
        let dropped = with_dwarf(TEXT, |_| 0);
        assert!(Lines::new(&dropped).is_empty(), "dropped by the linker");
        let mut module = with_dwarf(TEXT, |_| 20);
        for at in module.custom[2].1.clone() {
            module.bytes[at] = 0xff;
        }
        assert!(Lines::new(&module).is_empty());
    }

    #[test]
    fn files_are_named_from_the_folder_of_compilation_on() {
        assert_eq!(shorten("/home/me/crate/src/lib.rs", "/home/me/crate"), "src/lib.rs");
        assert_eq!(shorten("src/lib.rs", "/home/me/crate"), "src/lib.rs");
        assert_eq!(shorten("./pow.c", ""), "pow.c");
        assert_eq!(shorten("C:\\me\\a\\pow.c", "C:\\me\\a\\"), "pow.c");
        assert_eq!(
            shorten("/rustc/1234/library/core/src/str/mod.rs", "/home/me"),
            "src/str/mod.rs"
        );
        assert_eq!(shorten("../other/x.c", "/home/me"), "other/x.c");
    }
}
