//! Names of locals and globals, from the name section. Variables without a name have numbers.

use std::collections::BTreeMap;

use wasmparser::{BinaryReader, Name, NameSectionReader};

use super::module::Module;

/// The names of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    locals: BTreeMap<(u32, u32), String>,
    globals: BTreeMap<u32, String>,
}

impl Names {
    /// Reads the names of a module. A damaged section gives no names.
    pub(super) fn new(module: &Module) -> Names {
        let mut names = Names::default();
        let Some((_, range)) = module.custom.iter().find(|(name, _)| name == "name") else {
            return names;
        };
        let reader = BinaryReader::new(&module.bytes[range.clone()], range.start);
        for subsection in NameSectionReader::new(reader).flatten() {
            match subsection {
                Name::Local(functions) => {
                    for function in functions.into_iter().flatten() {
                        for local in function.names.into_iter().flatten() {
                            let key = (function.index, local.index);
                            names.locals.insert(key, local.name.to_owned());
                        }
                    }
                }
                Name::Global(globals) => {
                    for global in globals.into_iter().flatten() {
                        names.globals.insert(global.index, global.name.to_owned());
                    }
                }
                _ => {}
            }
        }
        names
    }

    /// The readable name of a local: `e`, or `local 3`.
    pub(super) fn local(&self, function: usize, local: u32) -> String {
        let name = self.locals.get(&(function as u32, local)).filter(|name| !name.is_empty());
        name.cloned().unwrap_or_else(|| format!("local {local}"))
    }

    /// The readable name of a global.
    pub(super) fn global(&self, global: u32) -> String {
        let name = self.globals.get(&global).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("global {global}"), |name| format!("global {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_the_names_that_their_author_gave_them() {
        let text = "(module (global $count (mut i32) (i32.const 0)) (func) (func (param $e i32) (param i64)))";
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        let names = Names::new(&module);
        assert_eq!((names.local(1, 0), names.local(1, 1)), ("e".into(), "local 1".into()));
        assert_eq!((names.global(0), names.global(7)), ("global count".into(), "global 7".into()));
    }
}
