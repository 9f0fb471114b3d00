//! A parsed module, in as much detail as mutants and probes need.
//!
//! Code stays bytes: a function knows where each of its instructions begins, and a [`Patch`] replaces some of them by
//! other bytes. What is added to a module (globals, functions, a memory) comes after its own, so indices never change.

use std::ops::Range;

use wasmparser::{
    CustomSectionReader, ExternalKind, KnownCustom, Name, Operator, Parser, Payload, Validator,
    WasmFeatures,
};

/// A module that is valid, imports nothing, and has its code split into instructions.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// The bytes of the binary.
    pub(super) bytes: Vec<u8>,
    /// All functions, by index.
    pub(super) functions: Vec<Function>,
    /// All exports: name, kind, index.
    pub(super) exports: Vec<(String, ExternalKind, u32)>,
    /// Types of the globals, and whether each is mutable.
    pub(super) globals: Vec<(wasmparser::ValType, bool)>,
    /// The memories; usually there is at most one.
    pub(super) memories: Vec<wasmparser::MemoryType>,
    /// Address ranges of active data segments with a constant offset.
    pub(super) data: Vec<Range<u64>>,
    /// Custom sections, among them DWARF (`.debug_*`): name, and range of the content in `bytes`.
    pub(super) custom: Vec<(String, Range<usize>)>,
    /// Range of the code section's content in `bytes`: DWARF addresses count from its start.
    pub(super) code: Range<usize>,
}

/// A function of a module.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// Its name in the name section, or of an export, or its index.
    pub(super) name: String,
    /// Types of the parameters.
    pub(super) params: Vec<wasmparser::ValType>,
    /// Types of the results.
    pub(super) results: Vec<wasmparser::ValType>,
    /// Types of the locals, without the parameters.
    pub(super) locals: Vec<wasmparser::ValType>,
    /// Offset of the body in the module's bytes; it begins with the types of the locals.
    pub(super) body: u32,
    /// Offset of each instruction in the module's bytes, and finally the end of the body. The last
    /// instruction is the `end` of the body.
    pub(super) code: Vec<u32>,
}

/// A change of the code of one function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Patch {
    /// Index of the patched function.
    pub(super) function: u32,
    /// Further locals that the new code uses, after the existing ones.
    pub(super) locals: Vec<wasmparser::ValType>,
    /// The replacements, in order, without overlap.
    pub(super) edits: Vec<Edit>,
}

/// Replaces instructions by others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Edit {
    /// Indices of the instructions in the function; an empty range inserts before that index.
    pub(super) at: Range<usize>,
    /// The encoded instructions to insert.
    pub(super) with: Vec<u8>,
}

/// Reasons why a binary cannot be used as a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModuleError {
    /// The bytes are not valid WebAssembly.
    #[error("not a valid WebAssembly module: {0}")]
    Invalid(String),
    /// The binary is a component, not a core module.
    #[error("this is a component, not a core module: use the core module that it was made of")]
    Component,
    /// The module has imports.
    #[error(
        "the module imports {}: genmorph runs modules without imports; \
         link them statically, and do without I/O", .0.join(", ")
    )]
    Imports(Vec<String>),
}

/// The WebAssembly features that modules may use: those that both engines support, and several memories.
pub(super) fn features() -> WasmFeatures {
    WasmFeatures::default()
        .difference(WasmFeatures::THREADS | WasmFeatures::SIMD | WasmFeatures::RELAXED_SIMD)
        .difference(WasmFeatures::EXCEPTIONS | WasmFeatures::GC | WasmFeatures::MEMORY64)
        .difference(WasmFeatures::FUNCTION_REFERENCES)
        .union(WasmFeatures::MULTI_MEMORY)
}

impl Module {
    pub(super) fn parse(bytes: Vec<u8>) -> Result<Module, ModuleError> {
        let invalid =
            |error: wasmparser::BinaryReaderError| ModuleError::Invalid(error.to_string());
        if Parser::is_component(&bytes) {
            return Err(ModuleError::Component);
        }
        // Look for imports first, because their error helps more.
        let mut module = Module {
            bytes: Vec::new(),
            functions: Vec::new(),
            exports: Vec::new(),
            globals: Vec::new(),
            memories: Vec::new(),
            data: Vec::new(),
            custom: Vec::new(),
            code: 0..0,
        };
        let mut imports = Vec::new();
        let mut types = Vec::new();
        let mut signatures = Vec::new();
        for payload in Parser::new(0).parse_all(&bytes) {
            match payload.map_err(invalid)? {
                Payload::TypeSection(section) => {
                    for ty in section.into_iter_err_on_gc_types() {
                        types.push(ty.map_err(invalid)?);
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section {
                        let import = import.map_err(invalid)?;
                        imports.push(format!("`{}.{}`", import.module, import.name));
                    }
                }
                Payload::FunctionSection(section) => {
                    for ty in section {
                        signatures.push(ty.map_err(invalid)?);
                    }
                }
                Payload::MemorySection(section) => {
                    for memory in section {
                        module.memories.push(memory.map_err(invalid)?);
                    }
                }
                Payload::GlobalSection(section) => {
                    for global in section {
                        let ty = global.map_err(invalid)?.ty;
                        module.globals.push((ty.content_type, ty.mutable));
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export.map_err(invalid)?;
                        module.exports.push((export.name.to_owned(), export.kind, export.index));
                    }
                }
                Payload::DataSection(section) => {
                    for data in section {
                        let data = data.map_err(invalid)?;
                        if let wasmparser::DataKind::Active { offset_expr, .. } = data.kind
                            && let Ok(Operator::I32Const { value }) =
                                offset_expr.get_operators_reader().read()
                        {
                            let start = u64::from(value as u32);
                            module.data.push(start..start + data.data.len() as u64);
                        }
                    }
                }
                Payload::CodeSectionStart { range, .. } => module.code = range,
                Payload::CodeSectionEntry(body) => {
                    let function = function(&body, &types, &signatures, module.functions.len());
                    module.functions.push(function.map_err(invalid)?);
                }
                Payload::CustomSection(section) => {
                    let start = section.data_offset();
                    let range = start..start + section.data().len();
                    module.custom.push((section.name().to_owned(), range));
                    name_functions(&mut module.functions, &section);
                }
                _ => {}
            }
        }
        if !imports.is_empty() {
            return Err(ModuleError::Imports(imports));
        }
        Validator::new_with_features(features()).validate_all(&bytes).map_err(invalid)?;
        for (name, kind, index) in &module.exports {
            if *kind == ExternalKind::Func
                && let Some(function) = module.functions.get_mut(*index as usize)
                && function.name.is_empty()
            {
                function.name.clone_from(name);
            }
        }
        for (index, function) in module.functions.iter_mut().enumerate() {
            if function.name.is_empty() {
                function.name = format!("function {index}");
            }
        }
        module.bytes = bytes;
        Ok(module)
    }

    /// Decodes the instructions of a function.
    pub(super) fn operators(&self, function: usize) -> Vec<Operator<'_>> {
        let Function { body, code, .. } = &self.functions[function];
        let (start, end) = (*body as usize, code[code.len() - 1] as usize);
        let reader = wasmparser::BinaryReader::new(&self.bytes[start..end], start);
        let body = wasmparser::FunctionBody::new(reader);
        let operators = body.get_operators_reader().expect("the module is valid");
        operators.into_iter().map(|operator| operator.expect("the module is valid")).collect()
    }

    /// The index of an exported function.
    pub(super) fn exported(&self, name: &str) -> Option<u32> {
        let mut exports = self.exports.iter();
        exports.find(|export| export.0 == name && export.1 == ExternalKind::Func).map(|e| e.2)
    }
}

fn function(
    body: &wasmparser::FunctionBody<'_>,
    types: &[wasmparser::FuncType],
    signatures: &[u32],
    index: usize,
) -> wasmparser::Result<Function> {
    let ty = signatures.get(index).and_then(|&ty| types.get(ty as usize));
    let mut locals = Vec::new();
    for group in body.get_locals_reader()? {
        let (count, ty) = group?;
        // Engines allow this many; validation refuses more.
        locals.extend((0..count.min(50_000)).map(|_| ty));
    }
    let mut code = Vec::new();
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        code.push(reader.original_position() as u32);
        reader.read()?;
    }
    code.push(reader.original_position() as u32);
    Ok(Function {
        name: String::new(),
        params: ty.map_or_else(Vec::new, |ty| ty.params().to_vec()),
        results: ty.map_or_else(Vec::new, |ty| ty.results().to_vec()),
        locals,
        body: body.range().start as u32,
        code,
    })
}

/// Takes names of functions from the name section; a damaged one gives no names.
fn name_functions(functions: &mut [Function], section: &CustomSectionReader<'_>) {
    let KnownCustom::Name(names) = section.as_known() else { return };
    for subsection in names.into_iter().flatten() {
        let Name::Function(names) = subsection else { continue };
        for naming in names.into_iter().flatten() {
            if let Some(function) = functions.get_mut(naming.index as usize) {
                function.name = naming.name.to_owned();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_taken_apart_into_instructions() {
        let text = r#"(module
            (memory (export "memory") 1) (data (i32.const 16) "hello")
            (global $g (mut i32) (i32.const 7))
            (func $twice (export "twice") (param i32) (result i32) (local i64 f64)
                local.get 0 local.get 0 i32.add))"#;
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        let twice = &module.functions[module.exported("twice").unwrap() as usize];
        assert_eq!((twice.name.as_str(), twice.locals.len(), twice.code.len()), ("twice", 2, 5));
        assert_eq!(module.operators(0).len(), 4);
        assert_eq!((module.data.len(), &module.data[0]), (1, &(16..21)));
        assert_eq!(module.bytes[twice.code[2] as usize], 0x6a);
    }

    #[test]
    fn what_cannot_be_run_is_refused_with_the_reason() {
        let parse = |text: &str| Module::parse(wat::parse_str(text).unwrap()).unwrap_err();
        let imports =
            parse(r#"(module (import "env" "puts" (func)) (import "env" "m" (memory 1)))"#);
        assert_eq!(imports, ModuleError::Imports(vec!["`env.puts`".into(), "`env.m`".into()]));
        let component = Module::parse(b"\0asm\x0d\0\x01\0".to_vec()).unwrap_err();
        assert_eq!(component, ModuleError::Component);
        assert!(matches!(Module::parse(b"hello".to_vec()), Err(ModuleError::Invalid(_))));
    }
}
