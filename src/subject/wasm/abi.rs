//! The canonical ABI on core modules: turns values into core values and bytes of memory, and back.
//!
//! A single value is one core value. A string or list is a pointer and a length; its memory comes from
//! `cabi_realloc` if the module exports that, and otherwise from pages after the module's own. A string or
//! list is returned by a pointer to its pointer and length. Knows no engine: rows are words, memory is bytes.

use std::fmt::Write as _;

use genmorph_jit::{Column, Value};
use wasmparser::{ExternalKind, ValType};

use super::build::{MOST_PAGES, Plan};
use super::error::{WasmError, nearest};
use super::module::Module;
use crate::subject::{Scalar, Signature, Type};

/// Largest number of core values as which parameters are passed.
const MOST_FLAT: usize = 16;
/// A string or list longer than this is not an output: it comes from a wild pointer.
const MOST_ELEMENTS: usize = 1_000_000;

/// Bytes or a word that are not a value of the expected type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InvalidValue;

/// How the values of a signature are passed.
#[derive(Clone, Debug)]
pub(super) struct Abi {
    /// For every parameter, its type and the index of its first core value.
    pub(super) arguments: Vec<(Type, usize)>,
    pub(super) result: Option<Type>,
    /// Indices of the parameters that are changed in place.
    pub(super) changed: Vec<usize>,
}

/// Finds an exported function by its name, or by the name in a self-describing export name: `gm:pow: func(…)
/// -> …`.
pub(super) fn find(module: &Module, name: &str) -> Result<u32, WasmError> {
    let functions = || module.exports.iter().filter(|export| export.1 == ExternalKind::Func);
    let exact = functions().find(|export| export.0 == name);
    let found = exact.or_else(|| functions().find(|export| described(&export.0) == Some(name)));
    found.map(|export| export.2).ok_or_else(|| WasmError::NoExport {
        name: name.to_owned(),
        exports: nearest(name, functions().map(|e| described(&e.0).unwrap_or(&e.0))),
    })
}

/// The function's name in a self-describing export name.
fn described(export: &str) -> Option<&str> {
    let rest = export.strip_prefix("gm:")?;
    Some(rest.split(':').next().unwrap_or(rest).trim())
}

impl Abi {
    /// Checks a signature against a function of a module, and decides how its values are passed.
    pub(super) fn new(
        module: &Module,
        export: u32,
        signature: &Signature,
        fuel: u64,
    ) -> Result<(Abi, Plan), WasmError> {
        let name = || signature.function.clone();
        let mut flat = Vec::new();
        let mut arguments = Vec::new();
        let mut pointers = Vec::new();
        for parameter in &signature.parameters {
            arguments.push((parameter.ty, flat.len()));
            match parameter.ty {
                Type::Scalar(scalar) => flat.push(core(scalar)),
                ty @ (Type::String | Type::List(_)) => {
                    pointers.push((flat.len(), size(ty) as u32));
                    flat.extend([ValType::I32; 2]);
                }
            }
        }
        if flat.len() > MOST_FLAT {
            return Err(WasmError::TooManyParameters { name: name(), flat: flat.len() });
        }
        for &changed in &signature.changed {
            let parameter = &signature.parameters[changed];
            if !matches!(parameter.ty, Type::List(_)) {
                return Err(WasmError::Unchangeable(parameter.name.clone()));
            }
        }
        let results: Vec<ValType> = signature
            .result
            .iter()
            .map(|ty| match ty {
                Type::Scalar(scalar) => core(*scalar),
                Type::String | Type::List(_) => ValType::I32,
            })
            .collect();
        let function = &module.functions[export as usize];
        if function.params != flat || function.results != results {
            return Err(WasmError::Signature {
                name: name(),
                declared: signature.to_string(),
                expected: core_type(&flat, &results),
                found: core_type(&function.params, &function.results),
            });
        }
        if module.memories.len() > 1 {
            return Err(WasmError::Memories(module.memories.len()));
        }
        match module.memories.first() {
            Some(memory) if memory.initial > u64::from(MOST_PAGES) => {
                return Err(WasmError::LargeMemory(memory.initial));
            }
            None if !pointers.is_empty()
                || matches!(signature.result, Some(ty) if !is_scalar(ty)) =>
            {
                return Err(WasmError::NoMemory { name: name() });
            }
            _ => {}
        }
        let realloc = module.exported("cabi_realloc").filter(|_| !pointers.is_empty());
        if let Some(realloc) = realloc {
            let function = &module.functions[realloc as usize];
            if function.params != [ValType::I32; 4] || function.results != [ValType::I32] {
                let found = core_type(&function.params, &function.results);
                return Err(WasmError::Allocator(found));
            }
        }
        let abi = Abi { arguments, result: signature.result, changed: signature.changed.clone() };
        Ok((abi, Plan { export, realloc, pointers, fuel }))
    }

    /// Whether all parameters and results are core values, without memory.
    pub(super) fn is_flat(&self) -> bool {
        self.arguments.iter().all(|(ty, _)| is_scalar(*ty)) && self.result.is_none_or(is_scalar)
    }
}

/// The core value of a single value in a column.
pub(super) fn lower(scalar: Scalar, column: &Column, row: usize) -> u64 {
    match column {
        Column::Num(values) => lower_number(scalar, values[row]),
        Column::Bool(values) => u64::from(values[row]),
        Column::Seq(_) => unreachable!("a single value has no column of sequences"),
    }
}

fn lower_number(scalar: Scalar, number: f64) -> u64 {
    match scalar {
        Scalar::F32 if number.is_nan() => u64::from(f32::NAN.to_bits()),
        Scalar::F32 => u64::from((number as f32).to_bits()),
        Scalar::F64 if number.is_nan() => f64::NAN.to_bits(),
        Scalar::F64 => number.to_bits(),
        Scalar::U64 => number as u64,
        _ => number as i64 as u64,
    }
}

/// Appends the bytes of a string or list. Returns its length as the ABI counts it.
pub(super) fn lower_sequence(ty: Type, elements: &[f64], to: &mut Vec<u8>) -> usize {
    match ty {
        Type::String => {
            let before = to.len();
            for &code in elements {
                let c = char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                to.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            to.len() - before
        }
        Type::List(scalar) | Type::Scalar(scalar) => {
            let size = size(ty);
            for &element in elements {
                to.extend_from_slice(&lower_number(scalar, element).to_le_bytes()[..size]);
            }
            elements.len()
        }
    }
}

/// The single value that a core value represents.
pub(super) fn lift(scalar: Scalar, word: u64) -> Result<Value<'static>, InvalidValue> {
    if scalar == Scalar::Bool {
        return Ok(Value::Bool(word as u32 != 0));
    }
    lift_number(scalar, word).map(Value::Num)
}

fn lift_number(scalar: Scalar, word: u64) -> Result<f64, InvalidValue> {
    Ok(match scalar {
        Scalar::Bool => f64::from(u8::from(word as u32 != 0)),
        Scalar::S8 => f64::from(word as i8),
        Scalar::U8 => f64::from(word as u8),
        Scalar::S16 => f64::from(word as i16),
        Scalar::U16 => f64::from(word as u16),
        Scalar::S32 => f64::from(word as i32),
        Scalar::U32 => f64::from(word as u32),
        Scalar::S64 => word as i64 as f64,
        Scalar::U64 => word as f64,
        Scalar::F32 => canonical(f64::from(f32::from_bits(word as u32))),
        Scalar::F64 => canonical(f64::from_bits(word)),
        Scalar::Char => f64::from(u32::from(char::from_u32(word as u32).ok_or(InvalidValue)?)),
    })
}

/// Replaces every NaN by the same one.
fn canonical(number: f64) -> f64 {
    if number.is_nan() { f64::NAN } else { number }
}

/// The elements of a string or list that a function returned by a pointer, unless it has too many.
pub(super) fn lift_returned(
    ty: Type,
    memory: &[u8],
    pointer: u32,
    longest: u64,
    to: &mut Vec<f64>,
) -> Result<(), InvalidValue> {
    let at = pointer as usize;
    if !at.is_multiple_of(4) {
        return Err(InvalidValue);
    }
    let word = |at: usize| {
        let bytes = memory.get(at..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes) as usize)
    };
    let (start, length) = (word(at).ok_or(InvalidValue)?, word(at + 4).ok_or(InvalidValue)?);
    if length as u64 > longest {
        return Err(InvalidValue);
    }
    lift_sequence(ty, memory, start, length, to)
}

/// Reads the elements of a string or list from memory.
pub(super) fn lift_sequence(
    ty: Type,
    memory: &[u8],
    start: usize,
    length: usize,
    to: &mut Vec<f64>,
) -> Result<(), InvalidValue> {
    let size = size(ty);
    if length > MOST_ELEMENTS || !start.is_multiple_of(size) {
        return Err(InvalidValue);
    }
    let bytes = memory.get(start..start + length * size).ok_or(InvalidValue)?;
    to.clear();
    match ty {
        Type::String => {
            let text = str::from_utf8(bytes).map_err(|_| InvalidValue)?;
            to.extend(text.chars().map(|c| f64::from(u32::from(c))));
        }
        Type::List(scalar) | Type::Scalar(scalar) => {
            for element in bytes.chunks_exact(size) {
                let mut word = [0; 8];
                word[..size].copy_from_slice(element);
                to.push(lift_number(scalar, u64::from_le_bytes(word))?);
            }
        }
    }
    Ok(())
}

/// The size of an element in bytes, which is also its alignment.
pub(super) fn size(ty: Type) -> usize {
    let scalar = match ty {
        Type::String => return 1,
        Type::List(scalar) | Type::Scalar(scalar) => scalar,
    };
    match scalar {
        Scalar::Bool | Scalar::S8 | Scalar::U8 => 1,
        Scalar::S16 | Scalar::U16 => 2,
        Scalar::S32 | Scalar::U32 | Scalar::F32 | Scalar::Char => 4,
        Scalar::S64 | Scalar::U64 | Scalar::F64 => 8,
    }
}

fn is_scalar(ty: Type) -> bool {
    matches!(ty, Type::Scalar(_))
}

/// The core type of a single value.
fn core(scalar: Scalar) -> ValType {
    match scalar {
        Scalar::S64 | Scalar::U64 => ValType::I64,
        Scalar::F32 => ValType::F32,
        Scalar::F64 => ValType::F64,
        _ => ValType::I32,
    }
}

/// A core type in readable form: `(i32, i64) -> i32`.
fn core_type(params: &[ValType], results: &[ValType]) -> String {
    let list = |types: &[ValType]| {
        let names: Vec<String> = types.iter().map(ToString::to_string).collect();
        names.join(", ")
    };
    let mut text = format!("({})", list(params));
    let _ = match results {
        [] => Ok(()),
        [one] => write!(text, " -> {one}"),
        several => write!(text, " -> ({})", list(several)),
    };
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_from_their_low_bits() {
        let number = |scalar, word| match lift(scalar, word) {
            Ok(Value::Num(number)) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!(number(Scalar::S8, 0x1ff), -1.0);
        assert_eq!(number(Scalar::U8, 0x1ff), 255.0);
        assert_eq!(number(Scalar::S16, 0x1_8000), -32_768.0);
        assert_eq!(number(Scalar::U32, u64::MAX), 4_294_967_295.0);
        assert_eq!(number(Scalar::U64, u64::MAX), 18_446_744_073_709_551_615.0);
        assert_eq!(lift(Scalar::Bool, 2), Ok(Value::Bool(true)));
        assert_eq!(lift(Scalar::Char, 0xd800), Err(InvalidValue));
    }

    #[test]
    fn what_goes_in_comes_out() {
        for scalar in Scalar::ALL {
            let values = match scalar.integers() {
                Some((least, most)) => [least, most, 1.0],
                None => [-0.5, f64::INFINITY, 3.0],
            };
            let ty = Type::List(scalar);
            let mut bytes = vec![9; 8];
            let length = lower_sequence(ty, &values, &mut bytes);
            let mut back = Vec::new();
            assert_eq!(lift_sequence(ty, &bytes, 8, length, &mut back), Ok(()));
            assert_eq!(back, values, "{scalar:?}");
        }
    }

    #[test]
    fn sequences_out_of_bounds_or_out_of_step_are_bad() {
        let memory = [4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
        let mut to = Vec::new();
        let list = Type::List(Scalar::S32);
        assert_eq!(lift_sequence(list, &memory, 4, 1, &mut to), Ok(()));
        assert_eq!(lift_sequence(list, &memory, 4, 2, &mut to), Err(InvalidValue));
        assert_eq!(lift_sequence(list, &memory, 2, 1, &mut to), Err(InvalidValue));
        assert_eq!(lift_sequence(Type::String, &memory, 4, 1, &mut to), Err(InvalidValue));
        assert_eq!(lift_returned(list, &memory, 0, 9, &mut to), Err(InvalidValue));
        assert_eq!(lift_returned(list, &memory, u32::MAX - 3, 9, &mut to), Err(InvalidValue));
    }

    #[test]
    fn self_describing_names_are_found_by_the_name_in_them() {
        let text = r#"(module (func (export "gm:pow: func(k: s32) -> s32") (param i32) (result i32) i32.const 1)
            (func (export "powder")))"#;
        let module = Module::parse(wat::parse_str(text).unwrap()).unwrap();
        assert_eq!(find(&module, "pow"), Ok(0));
        assert_eq!(find(&module, "powder"), Ok(1));
        let error = find(&module, "powr").unwrap_err().to_string();
        assert_eq!(error, "the module exports no function `powr`; there are `pow`, `powder`");
    }
}
