//! Functions of libraries as their documentation describes them, written again in a few lines each: what relations are tried on without a
//! JVM and without a compiler.

use genmorph::subject::{
    Branch, Constant, Domain, Group, Identity, IdentityBuilder, Inputs, MachineFailure, Mutant,
    Outcome, Outcomes, Parameter, Scalar, Signature, Subject, Traces, Trap, Type, Version,
};
use genmorph_jit::Value;

/// What a function returns; nothing where it throws.
type Function = fn(&[Value<'_>]) -> Option<Value<'static>>;

/// A function without mutants and branches.
pub struct Plain {
    signature: Signature,
    identity: Identity,
    constants: Vec<Constant>,
    function: Function,
}

impl Plain {
    fn new(name: &str, parameters: &[(&str, Type)], result: Type, function: Function) -> Plain {
        let parameter = |&(name, ty): &(&str, Type)| Parameter {
            name: name.to_owned(),
            ty,
            domain: Domain::default(),
        };
        Plain {
            signature: Signature {
                function: name.to_owned(),
                parameters: parameters.iter().map(parameter).collect(),
                result: Some(result),
                changed: Vec::new(),
                ..Signature::default()
            },
            identity: IdentityBuilder::new(name).finish(),
            constants: Vec::new(),
            function,
        }
    }

    fn with_constants(mut self, constants: &[f64]) -> Plain {
        self.constants = constants.iter().map(|&value| Constant { value, count: 1 }).collect();
        self
    }

    fn outcomes(&self, inputs: &Inputs) -> Outcomes {
        let mut outcomes = Outcomes::new(&self.signature);
        for row in 0..inputs.len() {
            let values: Vec<Value<'_>> = inputs.row(row).collect();
            match (self.function)(&values) {
                Some(value) => outcomes.returned(&[value], 10),
                None => outcomes.failed(Outcome::Trapped(Trap::Unreachable), 10),
            }
        }
        outcomes
    }
}

impl Subject for Plain {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn mutants(&self) -> &[Mutant] {
        &[]
    }

    fn mutants_of(&self, _: Group) -> Vec<usize> {
        Vec::new()
    }

    fn constants(&self) -> &[Constant] {
        &self.constants
    }

    fn branches(&self) -> &[Branch] {
        &[]
    }

    fn run(&self, _: Version<'_>, inputs: &Inputs) -> Result<Outcomes, MachineFailure> {
        Ok(self.outcomes(inputs))
    }

    fn trace(&self, inputs: &Inputs) -> Result<Traces, MachineFailure> {
        let outcomes = self.outcomes(inputs);
        Ok(Traces { outcomes, sides: 0, hits: Vec::new(), distances: Vec::new() })
    }
}

const TEXT: Type = Type::String;
const BOOL: Type = Type::Scalar(Scalar::Bool);
const INT: Type = Type::Scalar(Scalar::S32);
const LONG: Type = Type::Scalar(Scalar::S64);
const REAL: Type = Type::Scalar(Scalar::F64);
const INTS: Type = Type::List(Scalar::S32);
const LONGS: Type = Type::List(Scalar::S64);
const REALS: Type = Type::List(Scalar::F64);
const BYTES: Type = Type::List(Scalar::U8);

fn num(value: &Value<'_>) -> f64 {
    let Value::Num(number) = value else { panic!("{value:?} is no number") };
    *number
}

fn seq<'v>(value: &'v Value<'_>) -> &'v [f64] {
    let Value::Seq(elements) = value else { panic!("{value:?} is no sequence") };
    elements
}

fn text(value: &Value<'_>) -> String {
    seq(value).iter().map(|&code| char::from_u32(code as u32).unwrap_or('?')).collect()
}

fn sequence(elements: Vec<f64>) -> Option<Value<'static>> {
    Some(Value::Seq(elements.into()))
}

fn number(number: f64) -> Option<Value<'static>> {
    Some(Value::Num(number))
}

/// The function of that name.
pub fn of(name: &str) -> Plain {
    match name {
        "countMatches" => Plain::new(name, &[("str", TEXT), ("sub", TEXT)], INT, |values| {
            let (all, sub) = (seq(&values[0]), seq(&values[1]));
            let (mut count, mut at) = (0, 0);
            while !sub.is_empty() && at + sub.len() <= all.len() {
                let found = all[at..].starts_with(sub);
                count += i32::from(found);
                at += if found { sub.len() } else { 1 };
            }
            number(f64::from(count))
        }),
        "commonPrefix" => Plain::new(name, &[("a", TEXT), ("b", TEXT)], TEXT, |values| {
            let (a, b) = (seq(&values[0]), seq(&values[1]));
            let common = a.iter().zip(b).take_while(|(a, b)| a == b);
            sequence(common.map(|(a, _)| *a).collect())
        }),
        "lastIndexOf" => Plain::new(name, &[("array", INTS), ("target", INT)], INT, |values| {
            let place = seq(&values[0]).iter().rposition(|e| *e == num(&values[1]));
            number(place.map_or(-1.0, |place| place as f64))
        }),
        "max" => Plain::new(name, &[("array", LONGS)], LONG, |values| {
            seq(&values[0]).iter().copied().reduce(f64::max).map(Value::Num)
        }),
        "distance" => Plain::new(name, &[("p1", REALS), ("p2", REALS)], REAL, |values| {
            let (a, b) = (seq(&values[0]), seq(&values[1]));
            if a.len() > b.len() {
                return None;
            }
            let square = |(a, b): (&f64, &f64)| (a - b) * (a - b);
            number(a.iter().zip(b).map(square).sum::<f64>().sqrt())
        }),
        "default_caseless_match_str" => {
            Plain::new(name, &[("a", TEXT), ("b", TEXT)], BOOL, |values| {
                let folded = |value| -> String {
                    text(value).chars().flat_map(char::to_uppercase).collect()
                };
                let folded = [folded(&values[0]), folded(&values[1])];
                let [a, b] = folded.map(|s| s.to_lowercase());
                Some(Value::Bool(a == b))
            })
        }
        "adler32_slice" => {
            let plain = Plain::new(name, &[("data", BYTES)], Type::Scalar(Scalar::U32), |values| {
                let (mut a, mut b) = (1_u32, 0_u32);
                for &byte in seq(&values[0]) {
                    a = (a + byte as u32) % 65_521;
                    b = (b + a) % 65_521;
                }
                number(f64::from(b << 16 | a))
            });
            plain.with_constants(&[65_521.0, 16.0, 5_552.0])
        }
        "decode" => {
            let plain = Plain::new(name, &[("data", TEXT)], TEXT, |values| {
                let (data, mut decoded, mut at) = (text(&values[0]).into_bytes(), Vec::new(), 0);
                while at < data.len() {
                    let two =
                        data.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
                    let two = two.filter(|two| two.bytes().all(|b| b.is_ascii_hexdigit()));
                    match two.and_then(|two| u8::from_str_radix(two, 16).ok()) {
                        Some(byte) if data[at] == b'%' => {
                            decoded.push(byte);
                            at += 3;
                        }
                        Some(_) | None => {
                            decoded.push(data[at]);
                            at += 1;
                        }
                    }
                }
                let decoded = String::from_utf8(decoded).ok()?;
                sequence(decoded.chars().map(|c| f64::from(u32::from(c))).collect())
            });
            plain.with_constants(&[37.0, 16.0, 48.0, 65.0, 97.0])
        }
        "unsigned_len" => {
            let plain = Plain::new(name, &[("val", Type::Scalar(Scalar::U64))], INT, |values| {
                let (mut value, mut bytes) = (num(&values[0]) as u64, 1.0);
                while value >= 128 {
                    value >>= 7;
                    bytes += 1.0;
                }
                number(bytes)
            });
            plain.with_constants(&[7.0, 127.0, 128.0])
        }
        "levenshtein" => Plain::new(name, &[("a", TEXT), ("b", TEXT)], INT, |values| {
            let (a, b) = (seq(&values[0]), seq(&values[1]));
            let mut costs: Vec<usize> = (0..=b.len()).collect();
            for (i, x) in a.iter().enumerate() {
                let mut corner = std::mem::replace(&mut costs[0], i + 1);
                for (j, y) in b.iter().enumerate() {
                    let least = costs[j].min(costs[j + 1]) + 1;
                    let next = least.min(corner + usize::from(x != y));
                    corner = std::mem::replace(&mut costs[j + 1], next);
                }
            }
            number(costs[b.len()] as f64)
        }),
        // Equal, or neighbours among the numbers of the type.
        "equals" => Plain::new(name, &[("x", REAL), ("y", REAL)], BOOL, |values| {
            let (x, y) = (num(&values[0]), num(&values[1]));
            let near = x.next_up() == y || x.next_down() == y;
            Some(Value::Bool(!x.is_nan() && !y.is_nan() && (x == y || near)))
        }),
        "parity" => {
            Plain::new(name, &[("x", INT)], INT, |values| number(num(&values[0]).rem_euclid(2.0)))
        }
        "log10" => Plain::new(name, &[("x", REAL)], REAL, |values| {
            let x = num(&values[0]);
            if x > 0.0 { number(x.log10()) } else { None }
        }),
        other => panic!("no function is called `{other}`"),
    }
}
