//! A function of all types with all templates, and what follow-ups its inputs have: exported code has to make the same.

use genmorph::claims;
use genmorph::export::{Pairs, Part};
use genmorph::filter::fresh;
use genmorph::jit::{Predicate, Value};
use genmorph::subject::{Inputs, Outcomes, Scalar, Signature, Type};
use genmorph::support::seed::Seed;
use genmorph::transform::Transform;

/// The function, transformations of its inputs, and some inputs.
pub struct Everything {
    pub signature: Signature,
    pub transforms: Vec<Transform>,
    truth: Vec<Predicate>,
    /// All inputs.
    all: Pairs,
    /// One of them.
    one: Pairs,
}

const SIGNATURE: &str = "func(flag: bool, tiny: s8, byte: u8, short: s16, count: u32, long: s64, size: u64, \
    single: f32, double: f64, letter: char, text: string, numbers: list<s32>, reals: list<f64>, \
    letters: list<char>, bits: list<bool>, bytes: list<u8>) -> bool";

/// What is true of all inputs: that they are within the domain.
const WITHIN: &str = "byte_s >= 0 and byte_s <= 255 and (short_s >= -40 and short_s <= 1000 or short_s == -300) \
    and (double_s >= -10 or double_s == -1e300 or not double_s <= 0) \
    and size_s <= 9007199254740992 and letter_s >= 33 and letter_s <= 129408 and length(text_s) >= 1 \
    and length(text_s) <= 8 and length(numbers_s) <= 6 and length(reals_s) >= 2 and length(reals_s) <= 8 \
    and length(bytes_s) >= 1 and length(bytes_s) <= 4 and sum(bytes_s) <= 1000 and sum(bits_s) <= 8";

/// Rows of inputs.
const ROWS: usize = 150;

impl Everything {
    pub fn new() -> Everything {
        let mut signature = Signature::parse("everything", SIGNATURE).unwrap();
        bound(&mut signature);
        let truth = format!("BooleanFlip on flag => {WITHIN}");
        let truth = claims::read("here", &truth, &signature.of_executions());
        let truth = truth.unwrap().groups.remove(0).relations;
        let transforms: Vec<Transform> = instances(&signature)
            .iter()
            .map(|text| {
                let line = format!("{text} => true");
                let claims = claims::read("here", &line, &signature.of_executions()).unwrap();
                claims.groups[0].transform.clone()
            })
            .collect();
        let inputs = fresh::inputs(&signature, &[], &Inputs::new(&signature), Seed(5), ROWS);
        let first: Vec<Value<'_>> = inputs.row(0).collect();
        let mut one = Inputs::new(&signature);
        one.push(&first);
        let (all, one) = (pairs(&signature, inputs), pairs(&signature, one));
        Everything { signature, transforms, truth, all, one }
    }

    /// Some parts whose transformations have a follow-up for many inputs, each with inputs that have one.
    pub fn common(&self) -> Vec<(&Transform, Pairs)> {
        let signature = &self.signature;
        let with_pairs = self.transforms.iter().filter_map(|transform| {
            let (_, rows) = transform.follow_ups(&self.all.sources, signature);
            let mut sources = Inputs::new(signature);
            for row in rows.iter().take(3) {
                sources.push(&self.all.sources.row(*row).collect::<Vec<_>>());
            }
            (rows.len() > ROWS / 3).then(|| (transform, pairs(signature, sources)))
        });
        with_pairs.step_by(8).collect()
    }

    /// The relation of all parts.
    pub fn truth(&self) -> &[Predicate] {
        &self.truth
    }

    /// A part per transformation, with a relation that says little; the first has all inputs.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let part = |(i, transform)| Part {
            transform,
            relations: &self.truth,
            evidence: &[],
            pairs: if i == 0 { &self.all } else { &self.one },
        };
        self.transforms.iter().enumerate().map(part).collect()
    }

    /// What exported code has to print: for each transformation and row, the follow-up or nothing.
    pub fn expected(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for transform in &self.transforms {
            let sources = &self.all.sources;
            let (follow_ups, rows) = transform.follow_ups(sources, &self.signature);
            for row in 0..sources.len() {
                lines.push(match rows.iter().position(|&source| source == row) {
                    None => "none".to_owned(),
                    Some(at) => {
                        let values = follow_ups.row(at).zip(&self.signature.parameters);
                        let shown: Vec<String> =
                            values.map(|(value, p)| shown(&value, p.ty)).collect();
                        format!("related {}", shown.join(" "))
                    }
                });
            }
        }
        lines
    }

    /// Compares what was printed.
    pub fn compare(&self, printed: &str) {
        let (printed, expected): (Vec<&str>, _) = (printed.lines().collect(), self.expected());
        assert_eq!(printed.len(), expected.len());
        for (i, (printed, expected)) in printed.iter().zip(&expected).enumerate() {
            let transform = &self.transforms[i / ROWS];
            let source: Vec<_> = self.all.sources.row(i % ROWS).collect();
            assert_eq!(printed, expected, "{} of {source:?}", transform.describe().name);
        }
        let made = expected.iter().filter(|line| *line != "none").count();
        println!("{} follow-ups, {made} of them there: all the same", expected.len());
        // Where all have a follow-up, or none, nothing is shown of which do.
        assert!((expected.len() / 5..4 * expected.len() / 5).contains(&made), "{made}");
    }
}

/// Gives some parameters domains, of all forms.
fn bound(signature: &mut Signature) {
    for parameter in &mut signature.parameters {
        let domain = &mut parameter.domain;
        match parameter.name.as_str() {
            "short" => {
                domain.range = Some((-40.0, 1000.0));
                domain.also = vec![-300.0];
            }
            "size" => domain.range = Some((0.0, 9_007_199_254_740_992.0)),
            "double" => {
                domain.range = Some((-10.0, f64::INFINITY));
                domain.also = vec![f64::NAN, -1e300];
            }
            "letter" | "letters" => {
                domain.alphabet = Some("!\"09AZaz~\u{e9}\u{1f980}".chars().collect());
            }
            "text" => {
                domain.alphabet = Some("09AZaz\u{e9}".chars().collect());
                domain.min_len = Some(1);
            }
            "numbers" => {
                domain.range = Some((-5.0, 300.0));
                domain.max_len = Some(6);
            }
            "reals" => domain.min_len = Some(2),
            "bytes" => {
                domain.range = Some((0.0, 9.0));
                domain.also = vec![250.0];
                (domain.min_len, domain.max_len) = (Some(1), Some(4));
            }
            _ => {}
        }
        if domain.max_len.is_none() && !matches!(parameter.ty, Type::Scalar(_)) {
            domain.max_len = Some(8);
        }
    }
}

/// All templates on all parameters that they fit.
fn instances(signature: &Signature) -> Vec<String> {
    let mut all = vec!["BooleanFlip on flag".to_owned()];
    for (i, parameter) in signature.parameters.iter().enumerate() {
        let (name, kind) = (&parameter.name, parameter.ty.kind());
        match parameter.ty {
            Type::Scalar(Scalar::Bool) => {}
            Type::Scalar(_) => {
                for c in ["1", "-1", "0.5", "300", "-2.25", "1e10", "1e300"] {
                    all.push(format!("NumericAddition({c}) on {name}"));
                }
                for c in ["2", "-1", "0", "0.5", "3", "1e10"] {
                    all.push(format!("NumericMultiplication({c}) on {name}"));
                }
            }
            Type::String | Type::List(_) => {
                all.push(format!("SequenceFlip on {name}"));
                for index in [0, -1, 3, -5] {
                    all.push(format!("SequenceRemove({index}) on {name}"));
                }
            }
        }
        for other in signature.parameters[..i].iter().filter(|other| other.ty.kind() == kind) {
            all.push(format!("PermuteParameters on {}, {name}", other.name));
        }
    }
    all
}

/// Pairs of which the sources alone are looked at.
pub fn pairs(signature: &Signature, sources: Inputs) -> Pairs {
    let nothing = || Outcomes::new(signature);
    let (at_source, at_follow_up) = (nothing(), nothing());
    let candidates = sources.len();
    Pairs { sources, follow_ups: Inputs::new(signature), at_source, at_follow_up, candidates }
}

/// A value by its bits.
fn shown(value: &Value<'_>, ty: Type) -> String {
    let number = |number: f64| match ty.scalar().integers() {
        _ if number.is_nan() => "nan".to_owned(),
        // Integers have no -0.
        Some(_) => format!("{:016x}", (number + 0.0).to_bits()),
        None => format!("{:016x}", number.to_bits()),
    };
    match value {
        Value::Num(value) => number(*value),
        Value::Bool(truth) => number(f64::from(u8::from(*truth))),
        Value::Seq(elements) => {
            let elements: Vec<String> = elements.iter().map(|&element| number(element)).collect();
            format!("[{}]", elements.join(","))
        }
    }
}
