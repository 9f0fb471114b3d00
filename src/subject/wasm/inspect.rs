//! Inspects a module: which of its exports can be subjects, and their signatures.
//!
//! Runs nothing. A signature comes from the first of these that exists: the name of the export, a line of the
//! custom section `genmorph:sig`, the core types.

use std::fmt;
use std::path::Path;

use wasmparser::{BinaryReader, ExternalKind, Name, NameSectionReader, ValType};

use super::module::{Module, ModuleError};
use crate::subject::signature::{Domain, Parameter, Scalar, Signature, Type};
use crate::subject::wit::{BadSignature, PREFIX};

/// The custom section with signatures: lines such as `pow: func(k: s32, e: s32) -> s32`.
pub const SECTION: &str = "genmorph:sig";

/// The name under which memory must be exported if there are strings or lists.
pub const MEMORY: &str = "memory";

/// Largest number of core values that the canonical ABI passes to a function.
const MOST_CORE_VALUES: usize = 16;

/// The exports of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// Exported functions, without those that serve callers or runtimes, such as `cabi_realloc`.
    pub exports: Vec<Export>,
    /// Whether it exports a memory named `memory`.
    pub memory: bool,
}

/// A function that a module exports.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Name of the export in the module.
    pub name: String,
    /// Name of the function; differs from `name` if the export name contains the signature.
    pub function: String,
    /// The core type: `(i32, i32) -> i32`.
    pub core: String,
    /// The signature in the export's name or in the custom section.
    pub described: Option<Result<Signature, BadSignature>>,
    /// The signature that follows from the core types, if all parameters and the result are numbers. Pointers
    /// cannot be told from numbers.
    pub inferred: Option<Signature>,
    params: Vec<ValType>,
    results: Vec<ValType>,
}

/// Reasons why no export can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// There is no export with this name.
    #[error("the module exports no function `{name}`; it exports {}", listed(.exports))]
    Missing {
        /// Name of the requested function.
        name: String,
        /// Signatures of the exported functions.
        exports: Vec<String>,
    },
    /// Several exports could be chosen.
    #[error(
        "the module exports several functions; choose one with `--export NAME` or `export = \"NAME\"`: {}",
        listed(.0)
    )]
    Several(Vec<String>),
    /// No export can be a subject.
    #[error("the module exports no function that takes and returns numbers, strings or lists")]
    Nothing,
}

/// A signature that does not fit an export.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The core types differ.
    #[error(
        "`{function}` is {found} in the module, and by its signature `{signature}` it would be {expected}: \
         a string or list is two i32 as a parameter (address and length) and one i32 as a result \
         (the address of both)"
    )]
    Core {
        /// Name of the function.
        function: String,
        /// The signature that was declared.
        signature: String,
        /// Core type of the declared signature.
        expected: String,
        /// Core type of the export.
        found: String,
    },
    /// There are strings or lists, but no exported memory.
    #[error(
        "`{0}` has strings or lists, but the module exports no memory called `memory`: export it under this name"
    )]
    Memory(String),
    /// There are more core values than are passed directly.
    #[error(
        "`{0}` takes {1} core values, and at most 16 are possible (a string or list is two of them)"
    )]
    TooMany(String, usize),
}

/// Puts each line on its own line under a message.
fn listed(lines: &[String]) -> String {
    if lines.is_empty() {
        return "none".to_owned();
    }
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

/// The binary form of a module that was read from a file. Content that does not begin like a binary, in a
/// file not named `.wasm`, is text. A module from text gets debug information with the lines of the text.
///
/// # Errors
/// When the text is not a module; the error names the line.
pub fn binary(file: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, ModuleError> {
    let named_binary = file.extension().is_some_and(|extension| extension == "wasm");
    if named_binary || bytes.starts_with(b"\0asm") {
        return Ok(bytes);
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        ModuleError::Invalid("it is neither a binary module nor UTF-8 text".to_owned())
    })?;
    // Without folders, because the name goes into the module and from there into results.
    let name = file.file_name().map_or(file, Path::new);
    let mut parser = wat::Parser::new();
    let parsed = parser.generate_dwarf(wat::GenerateDwarf::Lines).parse_str(Some(name), text);
    parsed.map_err(|error| ModuleError::Invalid(error.to_string()))
}

/// Inspects a module in binary form.
///
/// # Errors
/// When genmorph cannot run the module.
pub fn inspect(bytes: &[u8]) -> Result<Inspection, ModuleError> {
    let module = Module::parse(bytes.to_vec())?;
    let lines = section_lines(&module);
    let names = LocalNames::of(&module);
    let functions = module.exports.iter().filter(|(_, kind, _)| *kind == ExternalKind::Func);
    let functions = functions.filter(|(name, _, _)| !serves_others(name));
    let exports = functions.map(|(name, _, index)| {
        let function = &module.functions[*index as usize];
        let described = describe(name, &lines);
        let called = match &described {
            Some(Ok(signature)) => &signature.function,
            Some(Err(_)) | None => name,
        };
        Export {
            name: name.clone(),
            function: called.clone(),
            core: core(&function.params, &function.results),
            inferred: infer(called, &function.params, &function.results, names.of_function(*index)),
            described,
            params: function.params.clone(),
            results: function.results.clone(),
        }
    });
    let exports = exports.collect();
    let mut all = module.exports.iter();
    let memory = all.any(|(name, kind, _)| name == MEMORY && *kind == ExternalKind::Memory);
    Ok(Inspection { exports, memory })
}

impl Inspection {
    /// The export with this name, or the only one that can be a subject. If some exports have described
    /// signatures, the others are not considered.
    ///
    /// # Errors
    /// When no export has this name; without a name, when there are several or none.
    pub fn choose(&self, name: Option<&str>) -> Result<&Export, ChoiceError> {
        let lines = |exports: &mut dyn Iterator<Item = &Export>| {
            exports.map(Export::to_string).collect::<Vec<_>>()
        };
        if let Some(name) = name {
            let exact = self.exports.iter().find(|export| export.name == name);
            let found = exact.or_else(|| self.exports.iter().find(|e| e.function == name));
            return found.ok_or_else(|| ChoiceError::Missing {
                name: name.to_owned(),
                exports: lines(&mut self.exports.iter()),
            });
        }
        let described = self.exports.iter().filter(|export| export.described.is_some());
        let mut candidates: Vec<&Export> = described.collect();
        if candidates.is_empty() {
            let possible = self.exports.iter().filter(|export| export.is_possible());
            candidates = possible.collect();
        }
        match candidates[..] {
            [] => Err(ChoiceError::Nothing),
            [only] => Ok(only),
            _ => Err(ChoiceError::Several(lines(&mut candidates.into_iter()))),
        }
    }

    /// Checks that a signature fits an export.
    ///
    /// # Errors
    /// When the core types differ, or memory is missing.
    pub fn check(&self, export: &Export, signature: &Signature) -> Result<(), Mismatch> {
        let params: Vec<ValType> =
            signature.parameters.iter().flat_map(|p| lowered(p.ty).iter().copied()).collect();
        let results: Vec<ValType> = signature.result.iter().map(|ty| lowered(*ty)[0]).collect();
        let function = &signature.function;
        if params.len() > MOST_CORE_VALUES {
            return Err(Mismatch::TooMany(function.clone(), params.len()));
        }
        if params != export.params || results != export.results {
            return Err(Mismatch::Core {
                function: function.clone(),
                signature: signature.to_string(),
                expected: core(&params, &results),
                found: export.core.clone(),
            });
        }
        let mut types = signature.parameters.iter().map(|p| p.ty).chain(signature.result);
        if !self.memory && types.any(|ty| !matches!(ty, Type::Scalar(_))) {
            return Err(Mismatch::Memory(function.clone()));
        }
        Ok(())
    }
}

impl Export {
    /// Whether it could be a subject at all: it has parameters, and at most the one result of the canonical ABI.
    fn is_possible(&self) -> bool {
        let numeric = |ty: &ValType| scalar(*ty).is_some();
        !self.params.is_empty()
            && self.results.len() <= 1
            && self.params.iter().chain(&self.results).all(numeric)
    }
}

/// `pow: func(k: s32, e: s32) -> s32`, or with the core types if no signature is known.
impl fmt::Display for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.described, &self.inferred) {
            (Some(Ok(signature)), _) => write!(f, "{}: {signature}", self.function),
            (Some(Err(error)), _) => write!(f, "{}: {}", self.function, error.message),
            (None, Some(signature)) => {
                write!(f, "{}: {signature} (by its core types)", self.function)
            }
            (None, None) => write!(f, "{}: {}", self.function, self.core),
        }
    }
}

/// Whether a function is exported for callers of subjects, or for the runtime of a language.
fn serves_others(name: &str) -> bool {
    name.starts_with("cabi_") || name.starts_with('_') || ["malloc", "free"].contains(&name)
}

/// The signature that a module describes for an export.
fn describe(name: &str, lines: &[String]) -> Option<Result<Signature, BadSignature>> {
    if name.starts_with(PREFIX) {
        return Some(Signature::parse_named(name));
    }
    // A line that is not a signature belongs to the function whose name it begins with.
    let about = |line: &&String| {
        let rest = line.strip_prefix(PREFIX).unwrap_or(line).strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
    };
    lines.iter().find(about).map(|line| Signature::parse_named(line))
}

/// The lines of the custom sections with signatures. Linkers join sections, and C ends strings with 0.
fn section_lines(module: &Module) -> Vec<String> {
    let sections = module.custom.iter().filter(|(name, _)| name == SECTION);
    let texts = sections.map(|(_, range)| String::from_utf8_lossy(&module.bytes[range.clone()]));
    let texts: Vec<_> = texts.collect();
    let lines = texts.iter().flat_map(|text| text.split(['\n', '\0'])).map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// A core type in readable form: `(i32, i32) -> i32`.
fn core(params: &[ValType], results: &[ValType]) -> String {
    let list =
        |types: &[ValType]| types.iter().map(ValType::to_string).collect::<Vec<_>>().join(", ");
    match results {
        [] => format!("({})", list(params)),
        [result] => format!("({}) -> {result}", list(params)),
        _ => format!("({}) -> ({})", list(params), list(results)),
    }
}

/// The number type that a core type may represent.
fn scalar(ty: ValType) -> Option<Scalar> {
    match ty {
        ValType::I32 => Some(Scalar::S32),
        ValType::I64 => Some(Scalar::S64),
        ValType::F32 => Some(Scalar::F32),
        ValType::F64 => Some(Scalar::F64),
        ValType::V128 | ValType::Ref(_) => None,
    }
}

/// The core values as which a parameter is passed; a result of two is returned by the address of both.
fn lowered(ty: Type) -> &'static [ValType] {
    match ty {
        Type::Scalar(Scalar::S64 | Scalar::U64) => &[ValType::I64],
        Type::Scalar(Scalar::F32) => &[ValType::F32],
        Type::Scalar(Scalar::F64) => &[ValType::F64],
        Type::Scalar(_) => &[ValType::I32],
        Type::String | Type::List(_) => &[ValType::I32, ValType::I32],
    }
}

/// Infers a signature from core types. Parameters have the module's names if all of these are valid.
fn infer(
    function: &str,
    params: &[ValType],
    results: &[ValType],
    names: Option<&[(u32, String)]>,
) -> Option<Signature> {
    let (result, [] | [_]) = (results.first(), results) else { return None };
    let types = params.iter().map(|ty| scalar(*ty)).collect::<Option<Vec<_>>>()?;
    let result = match result {
        Some(ty) => Some(Type::Scalar(scalar(*ty)?)),
        None => None,
    };
    if types.is_empty() || types.len() > MOST_CORE_VALUES || result.is_none() {
        return None;
    }
    let named = |name: &dyn Fn(usize) -> String| {
        let parameter = |(i, ty): (usize, &Scalar)| Parameter {
            name: name(i),
            ty: Type::Scalar(*ty),
            domain: Domain::default(),
        };
        let parameters = types.iter().enumerate().map(parameter).collect();
        Signature { function: function.to_owned(), parameters, result, ..Signature::default() }
    };
    let own = names.map(|names| {
        named(&|i| {
            let name = names.iter().find(|(index, _)| *index as usize == i);
            name.map_or_else(|| format!("p{i}"), |(_, name)| name.replace('-', "_"))
        })
    });
    // The names are valid if the signature can be parsed.
    let own = own.filter(|s| Signature::parse(function, &s.to_string()).as_ref() == Ok(s));
    Some(own.unwrap_or_else(|| named(&|i| format!("p{i}"))))
}

/// Names of locals by function, from the name section.
struct LocalNames(Vec<(u32, Vec<(u32, String)>)>);

impl LocalNames {
    /// Reads the name section; a damaged one gives no names.
    fn of(module: &Module) -> LocalNames {
        let mut functions = Vec::new();
        for (_, range) in module.custom.iter().filter(|(name, _)| name == "name") {
            let reader = BinaryReader::new(&module.bytes[range.clone()], range.start);
            for subsection in NameSectionReader::new(reader).flatten() {
                let Name::Local(locals) = subsection else { continue };
                for function in locals.into_iter().flatten() {
                    let names = function.names.into_iter().flatten();
                    let names = names.map(|naming| (naming.index, naming.name.to_owned()));
                    functions.push((function.index, names.collect()));
                }
            }
        }
        LocalNames(functions)
    }

    fn of_function(&self, function: u32) -> Option<&[(u32, String)]> {
        let found = self.0.iter().find(|(index, _)| *index == function);
        found.map(|(_, names)| names.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspection(text: &str) -> Inspection {
        inspect(&wat::parse_str(text).unwrap()).unwrap()
    }

    fn listing(text: &str) -> Vec<String> {
        inspection(text).exports.iter().map(Export::to_string).collect()
    }

    #[test]
    fn signatures_come_from_names_sections_and_core_types() {
        let text = r#"(module
            (@custom "genmorph:sig" "two: func(a: list<u8>) -> f64\00three: func(x: int)\n")
            (memory (export "memory") 1)
            (func (export "gm:one: func(k: u32) -> bool") (param i32) (result i32) local.get 0)
            (func (export "two") (param i32 i32) (result f64) f64.const 0)
            (func (export "three") (param f32))
            (func (export "four") (param $k i32) (param $big-n i64) (result f32) f32.const 0)
            (func (export "five") (param $out i32) (result i32) local.get 0)
            (func (export "six") (param i32))
            (func (export "seven") (result i32 i32) i32.const 0 i32.const 0)
            (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) unreachable)
            (func (export "_initialize")))"#;
        assert_eq!(
            listing(text),
            [
                "one: func(k: u32) -> bool",
                "two: func(a: list<u8>) -> f64",
                "three: the parameter `x` is a `int`, which no subject can have; the parameter `x` \
                 may be bool, s8, u8, s16, u16, s32, u32, s64, u64, f32, f64, char, string, and \
                 list<T> of all but string",
                "four: func(k: s32, big_n: s64) -> f32 (by its core types)",
                "five: func(p0: s32) -> s32 (by its core types)",
                "six: (i32)",
                "seven: () -> (i32, i32)",
            ]
        );
        assert!(inspection(text).memory);
    }

    #[test]
    fn the_only_candidate_is_chosen_and_others_by_name() {
        let described = r#"(module
            (func (export "gm:pow: func(k: s32) -> s32") (param i32) (result i32) local.get 0)
            (func (export "other") (param i32) (result i32) local.get 0))"#;
        let inspected = inspection(described);
        assert_eq!(inspected.choose(None).unwrap().function, "pow");
        assert_eq!(inspected.choose(Some("pow")).unwrap().name, "gm:pow: func(k: s32) -> s32");
        assert_eq!(inspected.choose(Some("other")).unwrap().name, "other");
        let error = inspected.choose(Some("pwo")).unwrap_err().to_string();
        assert!(error.contains("no function `pwo`; it exports \n  pow: func(k: s32)"), "{error}");
        let two = r#"(module
            (func (export "a") (param i32) (result i32) local.get 0)
            (func (export "b") (param i32) (result i32) local.get 0)
            (func (export "nothing")))"#;
        let error = inspection(two).choose(None).unwrap_err();
        assert!(matches!(&error, ChoiceError::Several(lines) if lines.len() == 2), "{error}");
        assert_eq!(inspection("(module)").choose(None), Err(ChoiceError::Nothing));
    }

    #[test]
    fn a_signature_must_be_that_of_the_code() {
        let text = r#"(module
            (func (export "f") (param i32 i32 f64) (result i32) local.get 0))"#;
        let inspected = inspection(text);
        let check = |signature: &str| {
            inspected.check(&inspected.exports[0], &Signature::parse("f", signature).unwrap())
        };
        assert_eq!(check("func(a: char, b: u8, c: f64) -> bool"), Ok(()));
        assert_eq!(check("func(a: string, c: f64) -> string"), Err(Mismatch::Memory("f".into())));
        let error = check("func(a: s32, c: f64) -> s64").unwrap_err().to_string();
        assert!(error.contains("is (i32, i32, f64) -> i32 in the module"), "{error}");
        assert!(error.contains("would be (i32, f64) -> i64"), "{error}");
        let many: Vec<String> = (0..9).map(|i| format!("p{i}: string")).collect();
        let error = check(&format!("func({})", many.join(", "))).unwrap_err();
        assert_eq!(error, Mismatch::TooMany("f".into(), 18));
    }

    #[test]
    fn text_becomes_binary_and_errors_have_their_line() {
        let read = |name: &str, text: &str| binary(Path::new(name), text.as_bytes().to_vec());
        let text = "(module\n  (func (export \"f\")\n    nop))";
        let module = Module::parse(read("some/folder/a.wat", text).unwrap()).unwrap();
        assert!(module.custom.iter().any(|(name, _)| name == ".debug_line"));
        let has = |text: &str| module.bytes.windows(text.len()).any(|w| w == text.as_bytes());
        assert!(has("a.wat") && !has("folder"));
        let error = read("a.wat", "(module\n  (fun))").unwrap_err().to_string();
        assert!(error.contains("a.wat:2:4"), "{error}");
        assert_eq!(read("a.wasm", "(module)").unwrap(), b"(module)");
        let error = binary(Path::new("a"), vec![0xff]).unwrap_err().to_string();
        assert!(error.contains("neither a binary module nor UTF-8 text"), "{error}");
    }
}
