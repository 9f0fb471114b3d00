//! What a worker says of a function, and what that is to everybody else.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::error::PythonError;
use crate::subject::signature::{Domain, Parameter, Scalar, Signature, Type};
use crate::subject::{Branch, Constant, Group, Line, Mutant};

/// What a worker is told about its function.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Request {
    pub(super) module: String,
    pub(super) function: String,
    /// Folders that modules are imported from, before those of the interpreter.
    pub(super) paths: Vec<PathBuf>,
    /// Types of parameters that the user names, in order.
    pub(super) with: Vec<(String, String)>,
    /// The form of results that the first worker has decided on; opaque here.
    pub(super) decided: Option<serde_json::Value>,
    /// Whether the function may be called to see what it returns, and which integers it takes in its stride.
    pub(super) tries: bool,
    /// Whether the function is to be described.
    pub(super) full: bool,
}

/// What a worker says of its function.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Answer {
    /// The function cannot be a subject.
    Refused { refused: String },
    /// All that is known of it.
    Described(Box<Facts>),
    /// Nothing was asked.
    Ready {},
}

/// All that is known of a function.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Facts {
    pub(super) python: String,
    parameters: Vec<FoundParameter>,
    pub(super) forms: Vec<String>,
    result: Option<String>,
    pub(super) decided: Option<serde_json::Value>,
    changed: Vec<usize>,
    pub(super) remarks: Vec<String>,
    mutants: Vec<FoundMutant>,
    branches: Vec<FoundBranch>,
    constants: Vec<(f64, usize)>,
    pub(super) scope: Vec<String>,
    /// The modules that the function may depend on, with their files.
    pub(super) files: Vec<(String, PathBuf)>,
    /// How a test calls it, where that is more than importing it.
    pub(super) call: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct FoundParameter {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    /// The greatest number of a choice.
    most: Option<f64>,
    /// The greatest magnitude that calls take in their stride.
    bound: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
struct FoundMutant {
    number: u32,
    operator: String,
    function: String,
    file: String,
    line: u32,
    column: u32,
    change: String,
}

#[derive(Clone, Debug, Deserialize)]
struct FoundBranch {
    function: String,
    file: String,
    line: u32,
    column: u32,
}

/// The mutation operators, and their groups: B has those of mutmut and cosmic-ray, A others.
const OPERATORS: [(&str, Group); 22] = [
    ("AOR", Group::A),
    ("ROR", Group::A),
    ("COR", Group::A),
    ("LVR", Group::A),
    ("ORU", Group::A),
    ("STD", Group::A),
    ("AOD", Group::A),
    ("UOI", Group::A),
    ("MCR", Group::A),
    ("MATH", Group::B),
    ("CBM", Group::B),
    ("NEG", Group::B),
    ("AND_OR", Group::B),
    ("CRCR", Group::B),
    ("TEXT", Group::B),
    ("KEYWORD", Group::B),
    ("NOT", Group::B),
    ("ASSIGN", Group::B),
    ("RETURN", Group::B),
    ("METHOD", Group::B),
    ("LOOP", Group::B),
    ("ARGUMENT", Group::B),
];

/// Words of the relation language, and names of outputs: no names of parameters.
const TAKEN: [&str; 13] = [
    "and", "or", "not", "xor", "true", "false", "length", "sum", "flip", "abs", "out", "throws",
    "remove",
];

impl Facts {
    /// What the function is to relations, with what the user says of the domains of its parameters.
    pub(super) fn signature(
        &self,
        function: &str,
        domains: &BTreeMap<String, Domain>,
    ) -> Result<Signature, PythonError> {
        let foreign =
            |text: &str| PythonError::Refused(format!("the worker names the type `{text}`"));
        let mut parameters = Vec::new();
        for found in &self.parameters {
            let ty = parse_type(&found.ty).ok_or_else(|| foreign(&found.ty))?;
            let range =
                found.most.map(|most| (0.0, most)).or(found.bound.map(|most| (-most, most)));
            let mut name = plain(&found.name, parameters.len());
            while parameters.iter().any(|p: &Parameter| p.name == name) {
                name.push('_');
            }
            parameters.push(Parameter { name, ty, domain: Domain { range, ..Domain::default() } });
        }
        for (name, domain) in domains {
            let Some(place) = parameters.iter().position(|p| p.name == *name) else {
                let known: Vec<String> =
                    parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
                let message =
                    format!("there is no parameter `{name}`; there are {}", known.join(", "));
                return Err(PythonError::Parameter(message));
            };
            let parameter = &mut parameters[place];
            check(parameter, domain).map_err(PythonError::Parameter)?;
            // Beyond the last choice there is none.
            let range = match (self.parameters[place].most, domain.range) {
                (Some(most), Some((_, wanted))) if wanted > most => {
                    let message = format!("`{name}` has choices from 0 to {most}");
                    return Err(PythonError::Parameter(message));
                }
                (Some(_), None) => parameter.domain.range,
                (_, range) => range,
            };
            parameter.domain = Domain { range, ..domain.clone() };
        }
        let result = match &self.result {
            Some(text) => Some(parse_type(text).ok_or_else(|| foreign(text))?),
            None => None,
        };
        let name = function.rsplit('.').next().unwrap_or(function).to_owned();
        let changed = self.changed.clone();
        Ok(Signature { function: name, parameters, result, changed, ..Signature::default() })
    }

    /// The mutants, and their numbers among the workers.
    pub(super) fn mutants(&self) -> (Vec<Mutant>, Vec<u32>) {
        let mut counts: BTreeMap<Group, usize> = BTreeMap::new();
        let known = |found: &FoundMutant| {
            OPERATORS.iter().find(|(name, _)| *name == found.operator).copied()
        };
        let mutants = self.mutants.iter().filter_map(|found| Some((found, known(found)?)));
        let mutants = mutants.map(|(found, (operator, group))| {
            let count = counts.entry(group).or_default();
            *count += 1;
            let mutant = Mutant {
                name: format!("{group:?}{count}"),
                group,
                operator,
                function: found.function.clone(),
                offset: found.number,
                line: Some(line(&found.file, found.line, found.column)),
                change: found.change.clone(),
            };
            (mutant, found.number)
        });
        mutants.unzip()
    }

    pub(super) fn branches(&self) -> Vec<Branch> {
        let branches = self.branches.iter().zip(0..).map(|(found, offset)| Branch {
            function: found.function.clone(),
            offset,
            line: Some(line(&found.file, found.line, found.column)),
        });
        branches.collect()
    }

    /// The constants, most frequent first.
    pub(super) fn constants(&self) -> Vec<Constant> {
        let mut constants: Vec<Constant> =
            self.constants.iter().map(|&(value, count)| Constant { value, count }).collect();
        constants.sort_by(|a, b| b.count.cmp(&a.count).then(a.value.total_cmp(&b.value)));
        constants
    }
}

fn line(file: &str, line: u32, column: u32) -> Line {
    Line { file: file.to_owned(), line, column }
}

/// A name that relations can have.
fn plain(name: &str, place: usize) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match is_plain {
        false => format!("p{}", place + 1),
        true if TAKEN.contains(&name) => format!("{name}_"),
        true => name.to_owned(),
    }
}

fn parse_type(text: &str) -> Option<Type> {
    let scalar = |name: &str| Scalar::ALL.into_iter().find(|scalar| scalar.name() == name);
    match text.strip_prefix("list<").and_then(|rest| rest.strip_suffix('>')) {
        Some(element) => scalar(element).map(Type::List),
        None if text == "string" => Some(Type::String),
        None => scalar(text).map(Type::Scalar),
    }
}

/// Whether a domain makes sense for a parameter.
fn check(parameter: &Parameter, domain: &Domain) -> Result<(), String> {
    let Parameter { name, ty, .. } = parameter;
    let scalar = ty.scalar();
    if matches!(ty, Type::Scalar(_)) && (domain.max_len.is_some() || domain.min_len.is_some()) {
        return Err(format!("`{name}` is a {ty}: only texts and lists have lengths"));
    }
    if let (Some(least), Some(most)) = (domain.min_len, domain.max_len)
        && least > most
    {
        return Err(format!("`{name}` has no length: min_len {least} is more than max_len {most}"));
    }
    if scalar != Scalar::Char && domain.alphabet.is_some() {
        return Err(format!("`{name}` is a {ty}: only texts have an alphabet"));
    }
    if let Some((least, most)) = domain.range {
        if matches!(scalar, Scalar::Bool | Scalar::Char) {
            return Err(format!("`{name}` is a {ty}, which has no range"));
        }
        if least.is_nan() || most.is_nan() || least > most {
            return Err(format!("the range of `{name}` is empty: from {least} to {most}"));
        }
        if scalar.integers().is_some() && (least.fract() != 0.0 || most.fract() != 0.0) {
            return Err(format!("the range of `{name}` is not one of integers"));
        }
    }
    match domain.also.iter().find(|number| !scalar.admits(**number)) {
        Some(foreign) => Err(format!("`{name}` is a {ty}, which cannot be {foreign}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_the_harness_writes_them() {
        assert_eq!(parse_type("s64"), Some(Type::Scalar(Scalar::S64)));
        assert_eq!(parse_type("list<f64>"), Some(Type::List(Scalar::F64)));
        assert_eq!(parse_type("string"), Some(Type::String));
        assert_eq!(parse_type("list<string>"), None);
    }

    #[test]
    fn names_are_those_that_relations_can_have() {
        assert_eq!([plain("x", 0), plain("out", 0), plain("größe", 2)], ["x", "out_", "p3"]);
        let schema =
            |name: &str| genmorph_jit::Schema::new([(name.to_owned(), genmorph_jit::Type::Num)]);
        TAKEN.iter().for_each(|name| assert!(schema(&plain(name, 0)).is_ok(), "{name}"));
    }
}
