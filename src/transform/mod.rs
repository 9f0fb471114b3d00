//! How follow-up inputs are made from source inputs: the paper's six templates.
//!
//! Each instance of a template is a function on inputs and, as text, the strictest relation that it
//! satisfies: given the source inputs, only one follow-up satisfies it. Knows nothing of executions.

mod follow_ups;
mod list;

pub use self::list::{Candidate, check, list, plainest, plainness, sample};

use std::fmt;
use std::str::FromStr;

use genmorph_jit::Value;
use genmorph_jit::op::removed_index;

use crate::subject::kinds::{Interface, Kind};

/// How follow-up inputs are made from source inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transformation {
    /// The instance of a template, such as `NumericAddition(-1) on e`.
    pub name: String,
    /// Its canonical input relation, such as `k_f == k_s and e_f == e_s - 1`.
    pub input_relation: String,
}

/// A transformation template; paper, section "Input Transformations".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Template {
    /// Exchanges two parameters of the same kind.
    PermuteParameters,
    /// Turns a Boolean parameter into its opposite.
    BooleanFlip,
    /// Adds a constant to a numeric parameter.
    NumericAddition(f64),
    /// Multiplies a numeric parameter by a constant.
    NumericMultiplication(f64),
    /// Removes the element at an index from a sequence; negative indices count from the end, and one
    /// that is out of bounds changes nothing.
    SequenceRemove(i64),
    /// Reverses the order of a sequence.
    SequenceFlip,
}

impl Template {
    /// The name that the paper gives this template.
    pub fn name(self) -> &'static str {
        match self {
            Template::PermuteParameters => "PermuteParameters",
            Template::BooleanFlip => "BooleanFlip",
            Template::NumericAddition(_) => "NumericAddition",
            Template::NumericMultiplication(_) => "NumericMultiplication",
            Template::SequenceRemove(_) => "SequenceRemove",
            Template::SequenceFlip => "SequenceFlip",
        }
    }

    /// How many parameters it works on: two for [`Template::PermuteParameters`], otherwise one.
    fn parameters(self) -> usize {
        if self == Template::PermuteParameters { 2 } else { 1 }
    }

    /// Whether a parameter of this kind fits, and the kind that is needed, in words.
    fn accepts(self, kind: Kind) -> (bool, &'static str) {
        match self {
            Template::PermuteParameters => (true, "anything"),
            Template::BooleanFlip => (kind == Kind::Boolean, "a boolean"),
            Template::NumericAddition(_) | Template::NumericMultiplication(_) => {
                (kind == Kind::Number, "a number")
            }
            Template::SequenceRemove(_) | Template::SequenceFlip => {
                (matches!(kind, Kind::Text | Kind::Numbers), "a text or a list of numbers")
            }
        }
    }
}

/// A template with the names of the parameters that it works on: `NumericAddition(-1) on e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The template, with its constant or index.
    pub template: Template,
    /// One name, or two for [`Template::PermuteParameters`].
    pub parameters: Vec<String>,
}

/// A text that is not an instance of a template, or an instance that does not fit the function.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    /// The text does not have the form `Template(constant) on parameters`.
    #[error(
        "`{0}` is not a transformation; write one of\n  \
         PermuteParameters on a, b\n  BooleanFlip on p\n  NumericAddition(-1) on x\n  \
         NumericMultiplication(2) on x\n  SequenceRemove(0) on s\n  SequenceFlip on s"
    )]
    Text(String),
    /// The constant of a template is not a finite number, or not an index.
    #[error("{template} does not accept `{constant}`: write {expected}")]
    Constant {
        /// The template's name in the paper.
        template: &'static str,
        /// The constant as the user wrote it.
        constant: String,
        /// What the template accepts, in words.
        expected: &'static str,
    },
    /// A permutation of a parameter with itself.
    #[error("`{0}` cannot be permuted with itself")]
    Same(String),
    /// The function has no such parameter.
    #[error("`{function}` has no parameter `{name}`; its parameters are {}", parameters.join(", "))]
    Unknown {
        /// Name of the function.
        function: String,
        /// The parameter that the user named.
        name: String,
        /// All parameters that the function has.
        parameters: Vec<String>,
    },
    /// The parameter is of a kind that the template does not work on.
    #[error("{template} needs {expected}, but `{name}` is {found}")]
    Kind {
        /// The template's name in the paper.
        template: &'static str,
        /// Name of the parameter.
        name: String,
        /// The kind that the template needs, in words.
        expected: &'static str,
        /// The kind of the parameter, in words.
        found: &'static str,
    },
    /// No value of the parameter leads to another one by this constant.
    #[error("{instance} gives no follow-up input: {problem}")]
    Unreachable {
        /// The text of the transformation.
        instance: String,
        /// The type and the range of the parameter, and what the constant would need.
        problem: String,
    },
    /// The two parameters of a permutation are of different kinds.
    #[error("PermuteParameters needs two parameters of one kind, but {a} and {b} are not")]
    Kinds {
        /// The first parameter, with its kind.
        a: String,
        /// The second parameter, with its kind.
        b: String,
    },
}

impl FromStr for Instance {
    type Err = TransformError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || TransformError::Text(text.to_owned());
        let (call, parameters) = text.split_once(" on ").ok_or_else(wrong)?;
        let parameters: Vec<String> =
            parameters.split(',').map(|name| name.trim().to_owned()).collect();
        let call = call.trim();
        let (name, constant) = match call.strip_suffix(')').and_then(|call| call.split_once('(')) {
            Some((name, constant)) => (name.trim(), Some(constant.trim())),
            None => (call, None),
        };
        let number = |template, constant: &str| match constant.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(TransformError::Constant {
                template,
                constant: constant.to_owned(),
                expected: "a number",
            }),
        };
        let template = match (name, constant) {
            ("PermuteParameters", None) => Template::PermuteParameters,
            ("BooleanFlip", None) => Template::BooleanFlip,
            ("SequenceFlip", None) => Template::SequenceFlip,
            ("NumericAddition", Some(c)) => {
                Template::NumericAddition(number("NumericAddition", c)?)
            }
            ("NumericMultiplication", Some(c)) => {
                Template::NumericMultiplication(number("NumericMultiplication", c)?)
            }
            // i32: larger indices would not be exact as constants of a relation, nor of any use.
            ("SequenceRemove", Some(c)) => {
                Template::SequenceRemove(c.parse::<i32>().map(i64::from).map_err(|_| {
                    TransformError::Constant {
                        template: "SequenceRemove",
                        constant: c.to_owned(),
                        expected: "an index such as 0 or -1",
                    }
                })?)
            }
            _ => return Err(wrong()),
        };
        if parameters.len() != template.parameters() || parameters.iter().any(String::is_empty) {
            return Err(wrong());
        }
        if let [a, b] = &parameters[..]
            && a == b
        {
            return Err(TransformError::Same(a.clone()));
        }
        Ok(Instance { template, parameters })
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.template.name())?;
        match self.template {
            Template::NumericAddition(c) | Template::NumericMultiplication(c) => {
                write!(f, "({})", constant(c))?;
            }
            Template::SequenceRemove(index) => write!(f, "({index})")?,
            Template::PermuteParameters | Template::BooleanFlip | Template::SequenceFlip => {}
        }
        write!(f, " on {}", self.parameters.join(", "))
    }
}

/// The shortest text that reads back as the same number.
fn constant(number: f64) -> String {
    let plain = format!("{number}");
    let short = format!("{number:e}");
    if short.len() < plain.len() { short } else { plain }
}

/// An instance bound to a function whose parameters it fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Transform {
    instance: Instance,
    /// Positions of the transformed parameters among the inputs.
    indices: Vec<usize>,
    inputs: Vec<String>,
}

impl Instance {
    /// Binds this instance to the parameters of a function.
    ///
    /// # Errors
    /// When a parameter does not exist, or is of a kind that the template does not work on.
    pub fn bind(&self, signature: &Interface) -> Result<Transform, TransformError> {
        let inputs = &signature.inputs;
        let mut indices = Vec::new();
        for name in &self.parameters {
            let index = inputs.iter().position(|input| input.name == *name).ok_or_else(|| {
                TransformError::Unknown {
                    function: signature.function.clone(),
                    name: name.clone(),
                    parameters: inputs.iter().map(|input| input.name.clone()).collect(),
                }
            })?;
            let (accepted, expected) = self.template.accepts(inputs[index].kind);
            if !accepted {
                return Err(TransformError::Kind {
                    template: self.template.name(),
                    name: name.clone(),
                    expected,
                    found: inputs[index].kind.name(),
                });
            }
            indices.push(index);
        }
        if let [a, b] = indices[..]
            && inputs[a].kind != inputs[b].kind
        {
            let shown = |i: usize| format!("`{}` ({})", inputs[i].name, inputs[i].kind.name());
            return Err(TransformError::Kinds { a: shown(a), b: shown(b) });
        }
        let inputs = inputs.iter().map(|input| input.name.clone()).collect();
        Ok(Transform { instance: self.clone(), indices, inputs })
    }
}

impl Transform {
    /// Transforms one source input; transforming nothing (an index out of bounds) gives the source again.
    ///
    /// # Panics
    /// If these are not the inputs of the function.
    pub fn apply(&self, source: &[Value<'static>]) -> Vec<Value<'static>> {
        let mut inputs = source.to_vec();
        if let [a, b] = self.indices[..] {
            inputs.swap(a, b);
            return inputs;
        }
        let value = &mut inputs[self.indices[0]];
        match (self.instance.template, value) {
            (Template::BooleanFlip, Value::Bool(value)) => *value = !*value,
            (Template::NumericAddition(c), Value::Num(value)) => *value += c,
            (Template::NumericMultiplication(c), Value::Num(value)) => *value *= c,
            (Template::SequenceRemove(index), Value::Seq(value)) => {
                if let Some(index) = removed_index(value.len(), index as f64) {
                    value.to_mut().remove(index);
                }
            }
            (Template::SequenceFlip, Value::Seq(value)) => value.to_mut().reverse(),
            (template, value) => unreachable!("{} of a {}", template.name(), value.ty()),
        }
        inputs
    }

    /// The numeric parameter whose follow-up value is computed, if there is one: recorded values of it may be rounded.
    pub fn computed(&self) -> Option<usize> {
        match self.instance.template {
            Template::NumericAddition(_) | Template::NumericMultiplication(_) => {
                Some(self.indices[0])
            }
            Template::PermuteParameters
            | Template::BooleanFlip
            | Template::SequenceRemove(_)
            | Template::SequenceFlip => None,
        }
    }

    /// The template and its parameters.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The strictest relation between source and follow-up inputs, as text.
    pub fn input_relation(&self) -> String {
        let conjuncts = self.inputs.iter().enumerate().map(|(i, x)| {
            if !self.indices.contains(&i) {
                return format!("{x}_f == {x}_s");
            }
            match self.instance.template {
                Template::PermuteParameters => {
                    let other =
                        if i == self.indices[0] { self.indices[1] } else { self.indices[0] };
                    format!("{x}_f == {}_s", self.inputs[other])
                }
                Template::BooleanFlip => format!("{x}_f != {x}_s"),
                Template::NumericAddition(c) if c < 0.0 => {
                    format!("{x}_f == {x}_s - {}", constant(-c))
                }
                Template::NumericAddition(c) => format!("{x}_f == {x}_s + {}", constant(c)),
                Template::NumericMultiplication(c) => format!("{x}_f == {x}_s * {}", constant(c)),
                Template::SequenceRemove(index) => format!("{x}_f == remove({x}_s, {index})"),
                Template::SequenceFlip => format!("{x}_f == flip({x}_s)"),
            }
        });
        conjuncts.collect::<Vec<_>>().join(" and ")
    }

    /// The names under which files and reports show this transformation.
    pub fn describe(&self) -> Transformation {
        Transformation { name: self.instance.to_string(), input_relation: self.input_relation() }
    }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::engine::reference;
    use genmorph_jit::{Column, Predicate, Table, Tolerance, parse};

    use super::*;
    use crate::subject::kinds::Parameter;

    fn signature() -> Interface {
        let parameter = |(name, kind): (&str, Kind)| Parameter { name: name.to_owned(), kind };
        Interface {
            function: "f".to_owned(),
            inputs: [
                ("k", Kind::Number),
                ("e", Kind::Number),
                ("p", Kind::Boolean),
                ("s", Kind::Text),
                ("a", Kind::Numbers),
            ]
            .map(parameter)
            .to_vec(),
            outputs: Vec::new(),
        }
    }

    fn bind(text: &str) -> Result<Transform, TransformError> {
        text.parse::<Instance>()?.bind(&signature())
    }

    const ALL: [(&str, &str); 9] = [
        (
            "PermuteParameters on k, e",
            "k_f == e_s and e_f == k_s and p_f == p_s and s_f == s_s and a_f == a_s",
        ),
        (
            "BooleanFlip on p",
            "k_f == k_s and e_f == e_s and p_f != p_s and s_f == s_s and a_f == a_s",
        ),
        (
            "NumericAddition(-1) on e",
            "k_f == k_s and e_f == e_s - 1 and p_f == p_s and s_f == s_s and a_f == a_s",
        ),
        (
            "NumericAddition(0.1) on e",
            "k_f == k_s and e_f == e_s + 0.1 and p_f == p_s and s_f == s_s and a_f == a_s",
        ),
        (
            "NumericMultiplication(-2.5e-7) on k",
            "k_f == k_s * -2.5e-7 and e_f == e_s and p_f == p_s and s_f == s_s and a_f == a_s",
        ),
        (
            "SequenceRemove(-1) on s",
            "k_f == k_s and e_f == e_s and p_f == p_s and s_f == remove(s_s, -1) and a_f == a_s",
        ),
        (
            "SequenceRemove(7) on a",
            "k_f == k_s and e_f == e_s and p_f == p_s and s_f == s_s and a_f == remove(a_s, 7)",
        ),
        (
            "SequenceFlip on s",
            "k_f == k_s and e_f == e_s and p_f == p_s and s_f == flip(s_s) and a_f == a_s",
        ),
        (
            "SequenceFlip on a",
            "k_f == k_s and e_f == e_s and p_f == p_s and s_f == s_s and a_f == flip(a_s)",
        ),
    ];

    #[test]
    fn every_template_reads_back_from_its_text() {
        for (text, relation) in ALL {
            let transform = bind(text).unwrap();
            assert_eq!(transform.describe().name, text);
            assert_eq!(transform.input_relation(), relation);
        }
    }

    #[test]
    fn what_a_transformation_makes_satisfies_its_relation_and_nothing_else_does() {
        let schema = signature().schema().unwrap();
        let holds = |source: &[Value<'static>], follow_up: &[Value<'static>], text: &str| {
            let column = |value: &Value<'static>| match value {
                Value::Num(value) => Column::Num(vec![*value]),
                Value::Bool(value) => Column::Bool(vec![*value]),
                Value::Seq(value) => Column::Seq([value.to_vec()].into_iter().collect()),
            };
            let columns = source.iter().chain(follow_up).map(column).collect();
            let table = Table::new(&schema, columns, Tolerance::default()).unwrap();
            let predicate: Predicate = parse(text, &schema).unwrap();
            reference::holds(&predicate, &table, 0)
        };
        let sequence = |numbers: &[f64]| Value::Seq(numbers.to_vec().into());
        let source = [
            Value::Num(3.7),
            Value::Num(-12.0),
            Value::Bool(true),
            sequence(&[97.0, 98.0, 99.0]),
            sequence(&[1.0, f64::NAN, f64::INFINITY]),
        ];
        for (text, relation) in ALL {
            let follow_up = bind(text).unwrap().apply(&source);
            assert!(holds(&source, &follow_up, relation), "{text}: {follow_up:?}");
            for changed in 0..source.len() {
                let mut other = follow_up.clone();
                other[changed] = match &other[changed] {
                    Value::Num(value) => Value::Num(value + 1.0),
                    Value::Bool(value) => Value::Bool(!value),
                    Value::Seq(_) => sequence(&[1.0]),
                };
                assert!(!holds(&source, &other, relation), "{text}: {other:?}");
            }
        }
    }

    #[test]
    fn what_fits_no_function_or_no_template_is_refused() {
        let refused = |text: &str| bind(text).unwrap_err().to_string();
        for text in [
            "",
            "Foo on k",
            "NumericAddition on e",
            "NumericAddition(1)",
            "BooleanFlip(1) on p",
            "PermuteParameters on k",
            "NumericAddition(1) on k, e",
            "NumericAddition(1 on k",
            "SequenceFlip on ",
        ] {
            assert!(refused(text).contains("NumericAddition(-1) on x"), "{text}");
        }
        assert!(refused("NumericAddition(inf) on e").contains("write a number"));
        assert!(refused("NumericAddition(x) on e").contains("write a number"));
        assert!(refused("SequenceRemove(0.5) on s").contains("write an index"));
        assert!(refused("PermuteParameters on k, k").contains("with itself"));
        assert!(refused("SequenceFlip on q").contains("parameters are k, e, p, s, a"));
        assert!(refused("SequenceFlip on k").contains("`k` is number"));
        assert!(refused("BooleanFlip on k").contains("needs a boolean"));
        assert!(refused("PermuteParameters on s, a").contains("`s` (text) and `a` (numbers)"));
    }
}
