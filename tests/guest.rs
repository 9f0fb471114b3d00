//! Calls of WebAssembly functions by the canonical ABI, in the most obvious way: a new instance for every call.

use std::borrow::Cow;

use genmorph::jit::Value;
use genmorph::subject::{Scalar, Signature, Type, wasm::WasmDefinition};
use genmorph::support::seed::Seed;
use wasmi::{Engine, Instance, Linker, Memory, Module, Store, Val};

use crate::models::{Model, random_inputs, same};

/// A module and one of its functions.
pub struct Guest {
    engine: Engine,
    module: Module,
    export: String,
    signature: Signature,
}

/// An instance for one call.
struct Call {
    store: Store<()>,
    instance: Instance,
}

impl Guest {
    pub fn new(definition: &WasmDefinition) -> Guest {
        let engine = Engine::default();
        let module = Module::new(&engine, &definition.module).expect("the module is valid");
        let (export, signature) = (definition.export.clone(), definition.signature.clone());
        Guest { engine, module, export, signature }
    }

    /// The outputs of a call; nothing if it traps.
    pub fn call(&self, inputs: &[Value<'static>]) -> Option<Vec<Value<'static>>> {
        let mut store = Store::new(&self.engine, ());
        let instance = Linker::new(&self.engine).instantiate_and_start(&mut store, &self.module);
        let mut call = Call { store, instance: instance.expect("it imports nothing") };
        let mut arguments = Vec::new();
        let mut places = Vec::new();
        for (parameter, value) in self.signature.parameters.iter().zip(inputs) {
            match (parameter.ty, value) {
                (Type::Scalar(_), Value::Bool(truth)) => {
                    arguments.push(Val::I32(i32::from(*truth)));
                }
                (Type::Scalar(scalar), Value::Num(number)) => {
                    arguments.push(core(scalar, *number));
                }
                (ty, Value::Seq(elements)) => {
                    let bytes = bytes(ty, elements);
                    let at = call.place(&bytes, ty);
                    let length = if ty == Type::String { bytes.len() } else { elements.len() };
                    places.push((parameter.name.clone(), at, length));
                    arguments.extend([Val::I32(at as i32), Val::I32(length as i32)]);
                }
                (ty, value) => panic!("{value:?} is no {ty}"),
            }
        }
        let function = call.instance.get_func(&call.store, &self.export).expect("it is exported");
        let mut results = vec![Val::I32(0); usize::from(self.signature.result.is_some())];
        function.call(&mut call.store, &arguments, &mut results).ok()?;
        let mut outputs = Vec::new();
        if let Some(ty) = self.signature.result {
            outputs.push(match ty {
                Type::Scalar(scalar) => lifted(scalar, &results[0]),
                Type::String | Type::List(_) => {
                    let Val::I32(at) = results[0] else { panic!("{results:?} is no address") };
                    let word = |at: usize| {
                        let bytes = call.memory().data(&call.store)[at..at + 4].try_into();
                        u32::from_le_bytes(bytes.expect("four bytes")) as usize
                    };
                    call.sequence(ty, word(at as usize), word(at as usize + 4))
                }
            });
        }
        for &index in &self.signature.changed {
            let parameter = &self.signature.parameters[index];
            let mut places = places.iter();
            let place = places.find(|(name, _, _)| *name == parameter.name).expect("it is a list");
            outputs.push(call.sequence(parameter.ty, place.1, place.2));
        }
        Some(outputs)
    }

    /// Compares calls with a model on random inputs, of which some return and some may not.
    pub fn agrees_with(&self, model: Model, whole: bool, calls: usize) {
        let name = &self.signature.function;
        let mut rng = Seed(7).stream(name).rng();
        let mut returned = 0;
        for _ in 0..calls {
            let inputs = random_inputs(&self.signature, whole, &mut rng);
            let (is, should) = (self.call(&inputs), model(&inputs));
            returned += usize::from(is.is_some());
            let equal = match (&is, &should) {
                (Some(is), Some(should)) => {
                    is.len() == should.len() && is.iter().zip(should).all(|(a, b)| same(a, b))
                }
                (None, None) => true,
                _ => false,
            };
            assert!(equal, "{name} of {inputs:?} is {is:?}, and should be {should:?}");
        }
        assert!(returned >= calls / 10, "{name}: only {returned} of {calls} calls returned");
    }
}

impl Call {
    fn memory(&self) -> Memory {
        self.instance.get_memory(&self.store, "memory").expect("sequences need memory")
    }

    /// Puts an argument into memory: where `cabi_realloc` says, or at the end.
    fn place(&mut self, bytes: &[u8], ty: Type) -> usize {
        let align = width(ty.scalar(), ty);
        let realloc = self.instance.get_func(&self.store, "cabi_realloc");
        let at = if let Some(realloc) = realloc {
            let arguments = [0, 0, align as i32, bytes.len() as i32].map(Val::I32);
            let mut result = [Val::I32(0)];
            realloc.call(&mut self.store, &arguments, &mut result).expect("there is memory");
            let [Val::I32(at)] = result else { panic!("{result:?} is no address") };
            at as usize
        } else {
            let memory = self.memory();
            memory.grow(&mut self.store, 1).expect("there is memory") as usize * 65_536
        };
        assert!(at.is_multiple_of(align) || bytes.is_empty(), "{at} is not aligned to {align}");
        self.memory().write(&mut self.store, at, bytes).expect("it is in memory");
        at
    }

    fn sequence(&self, ty: Type, at: usize, length: usize) -> Value<'static> {
        let data = self.memory().data(&self.store);
        let scalar = ty.scalar();
        if ty == Type::String {
            let text = std::str::from_utf8(&data[at..at + length]).expect("a text is in UTF-8");
            return Value::Seq(text.chars().map(|c| f64::from(u32::from(c))).collect());
        }
        let width = width(scalar, ty);
        let elements = data[at..at + length * width].chunks(width);
        Value::Seq(Cow::Owned(elements.map(|bytes| loaded(scalar, bytes)).collect()))
    }
}

/// The bytes of an element.
fn width(scalar: Scalar, ty: Type) -> usize {
    match scalar {
        _ if ty == Type::String => 1,
        Scalar::Bool | Scalar::S8 | Scalar::U8 => 1,
        Scalar::S16 | Scalar::U16 => 2,
        Scalar::S32 | Scalar::U32 | Scalar::F32 | Scalar::Char => 4,
        Scalar::S64 | Scalar::U64 | Scalar::F64 => 8,
    }
}

fn bytes(ty: Type, elements: &[f64]) -> Vec<u8> {
    if ty == Type::String {
        let characters = elements.iter().map(|&code| char::from_u32(code as u32));
        return characters.map(|c| c.expect("a character")).collect::<String>().into_bytes();
    }
    let scalar = ty.scalar();
    let stored = |&number: &f64| match core(scalar, number) {
        Val::I32(value) => value.to_le_bytes()[..width(scalar, ty)].to_vec(),
        Val::I64(value) => value.to_le_bytes().to_vec(),
        Val::F32(value) => value.to_bits().to_le_bytes().to_vec(),
        Val::F64(value) => value.to_bits().to_le_bytes().to_vec(),
        other => panic!("{other:?} is no number"),
    };
    elements.iter().flat_map(stored).collect()
}

fn loaded(scalar: Scalar, bytes: &[u8]) -> f64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    match scalar {
        Scalar::Bool | Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::Char | Scalar::U64 => {
            bits as f64
        }
        Scalar::S8 => f64::from(bits as i8),
        Scalar::S16 => f64::from(bits as i16),
        Scalar::S32 => f64::from(bits as i32),
        Scalar::S64 => bits as i64 as f64,
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
    }
}

fn core(scalar: Scalar, number: f64) -> Val {
    match scalar {
        Scalar::S64 => Val::I64(number as i64),
        Scalar::U64 => Val::I64(number as u64 as i64),
        Scalar::F32 => Val::F32((number as f32).into()),
        Scalar::F64 => Val::F64(number.into()),
        _ => Val::I32(number as i64 as i32),
    }
}

fn lifted(scalar: Scalar, value: &Val) -> Value<'static> {
    match (scalar, value) {
        (Scalar::Bool, Val::I32(value)) => Value::Bool(*value != 0),
        (_, Val::I32(value)) => Value::Num(loaded(scalar, &value.to_le_bytes())),
        (_, Val::I64(value)) => Value::Num(loaded(scalar, &value.to_le_bytes())),
        (_, Val::F32(value)) => Value::Num(value.to_float().into()),
        (_, Val::F64(value)) => Value::Num(value.to_float()),
        (_, other) => panic!("{other:?} is no number"),
    }
}
