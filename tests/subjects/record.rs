//! Executions as text in the paper's format, one JSON object per line.

use std::fmt::{self, Write};

#[path = "pad_start/function.rs"]
mod pad_start;
#[path = "pow/function.rs"]
mod pow;
#[path = "sin/function.rs"]
mod sin;

/// What one version of a function did with one input.
pub struct Execution {
    /// 0 is the original.
    pub mutant: usize,
    pub inputs: Vec<(&'static str, Value)>,
    /// Nothing if it threw.
    pub output: Option<Value>,
    /// What it threw in that case.
    pub exception: &'static str,
}

/// An input or output.
pub enum Value {
    Integer(i64),
    Number(f64),
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(n) => write!(f, "{n}"),
            // JSON has no NaN and no infinities.
            Value::Number(x) if x.is_nan() => f.write_str("\"NaN\""),
            Value::Number(x) if *x == f64::INFINITY => f.write_str("\"Infinity\""),
            Value::Number(x) if *x == f64::NEG_INFINITY => f.write_str("\"-Infinity\""),
            Value::Number(x) => write!(f, "{x:?}"),
            // None of the texts has a character that JSON would escape.
            Value::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// The recorded files: their names below `tests/subjects/`, and what is in them.
pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("pow/plain.ndjson", text("pow", &pow::plain())),
        ("pow/wrapping.ndjson", text("pow", &pow::wrapping())),
        ("sin/recorded.ndjson", text("sin", &sin::recorded())),
        ("pad_start/recorded.ndjson", text("pad_start", &pad_start::recorded())),
    ]
}

fn text(function: &str, executions: &[Execution]) -> String {
    let mut text = String::new();
    let (mut mutant, mut test) = (0, 0);
    for execution in executions {
        // Every version runs the same tests.
        test = if execution.mutant == mutant { test + 1 } else { 1 };
        mutant = execution.mutant;
        let version = match mutant {
            0 => "original".to_owned(),
            mutant => format!("mutant{mutant}"),
        };
        let inputs: Vec<String> =
            execution.inputs.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        let (outputs, exception) = match &execution.output {
            Some(value) => (format!(",\"outputs\":{{\"return\":{value}}}"), String::new()),
            None => (String::new(), format!(",\"exception\":\"{}\"", execution.exception)),
        };
        let inputs = inputs.join(",");
        writeln!(
            text,
            "{{\"systemId\":\"{function}@{version}\",\"testId\":\"test{test}\",\
             \"variables\":{{\"inputs\":{{{inputs}}}{outputs}}}{exception}}}"
        )
        .expect("a text can be written to");
    }
    text
}
