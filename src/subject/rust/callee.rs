//! The function that is called: its parameters and result, read off the source.
//!
//! No annotation is needed. What cannot be called with values (methods, `async`, closures as arguments) is refused with
//! the reason.

use std::collections::BTreeMap;

use super::error::RustError;
use super::source::{Function, OwnerKind, Sources, one_line};
use super::types::{self, Arguments, ParameterMode, ParameterType, Part, Primitive, ResultType};
use crate::subject::{Domain, Parameter, Scalar, Signature, Type};

/// A `usize` counts things that have to fit into memory: it is at most this, unless the user says otherwise.
const MOST_SIZE: f64 = 1_000.0;

/// What relations allow in a signature.
const MOST_PARAMETERS: usize = 16;

/// A function, as it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Callee {
    /// Its path from the root of the crate.
    pub path: String,
    /// The same as other crates know it, if they do.
    pub public: Option<String>,
    /// The type that it belongs to, if it stands in an `impl`.
    pub owner: Option<String>,
    /// How it is called in its own module, without type arguments.
    pub(super) call: String,
    /// Its type arguments, as `::<i32>`, or nothing.
    pub turbofish: String,
    /// The names and types of its parameters.
    pub parameters: Vec<(String, ParameterType)>,
    /// What it returns, if anything.
    pub result: Option<ResultType>,
}

impl Callee {
    /// Reads the signature of a function.
    pub(super) fn read(
        sources: &Sources,
        function: &Function,
        with: &Arguments,
    ) -> Result<Callee, RustError> {
        let sig = &function.sig;
        let path = sources.path(function);
        let refused = |reason: String| {
            let file = &sources.files[sources.modules[function.module].file].path;
            let line = sig.ident.span().start().line;
            let place = format!("{}:{line}", file.display());
            RustError::Unsupported { function: path.clone(), place, reason }
        };
        if sig.asyncness.is_some() {
            return Err(refused("it is async: what it returns needs an executor".to_owned()));
        }
        if matches!(sig.safety, syn::Safety::Unsafe(_)) {
            return Err(refused(
                "it is unsafe: its callers have to promise what no input says".to_owned(),
            ));
        }
        if sig.variadic.is_some() {
            return Err(refused("it has a variable number of arguments".to_owned()));
        }
        match function.owner.as_ref().map(|owner| &owner.kind) {
            None | Some(OwnerKind::Inherent | OwnerKind::OfTrait(_)) => {}
            Some(OwnerKind::Default) => {
                return Err(refused(
                    "it is what a trait does for types that do not say otherwise; name the function of a type"
                        .to_owned(),
                ));
            }
            Some(OwnerKind::Generic) => {
                return Err(refused(
                    "it belongs to a type with parameters; write a function that calls it, and name that"
                        .to_owned(),
                ));
            }
        }
        let turbofish = turbofish(&sig.generics, with).map_err(refused)?;
        let mut parameters: Vec<(String, ParameterType)> = Vec::new();
        for (number, input) in sig.inputs.iter().enumerate() {
            let typed = match input {
                syn::FnArg::Receiver(_) => {
                    return Err(refused(
                        "it is a method: relations have no word for `self`; write a function that makes the value and calls it, and name that"
                            .to_owned(),
                    ));
                }
                syn::FnArg::Typed(typed) => typed,
            };
            let name = name(&typed.pat, number);
            let ty = types::parameter(sources.meant(&typed.ty), with).map_err(|reason| {
                let hint = generic_hint(&sig.generics, &typed.ty);
                refused(format!("its parameter `{name}`: {reason}{hint}"))
            })?;
            parameters.push((name, ty));
        }
        let result = match &sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => {
                types::result(sources.meant(ty), with).map_err(refused)?
            }
        };
        let callee = Callee {
            public: sources.public_path(function),
            path: path.clone(),
            owner: function.owner.as_ref().map(|owner| owner.name.clone()),
            call: called(function),
            turbofish,
            parameters,
            result,
        };
        let signature = callee.signature(&BTreeMap::new());
        match signature {
            Ok(signature) if signature.parameters.is_empty() => {
                Err(refused("it has no parameters".to_owned()))
            }
            Ok(signature) if signature.parameters.len() > MOST_PARAMETERS => {
                Err(refused(format!("it has more than {MOST_PARAMETERS} parameters")))
            }
            Ok(signature) if signature.outputs().is_empty() => {
                Err(refused("it returns nothing and changes nothing that it is given".to_owned()))
            }
            Ok(_) => Ok(callee),
            Err(error) => Err(refused(error.to_string())),
        }
    }

    /// A function that is described, not read: for those who write calls of it.
    pub fn of(
        path: &str,
        parameters: Vec<(String, ParameterType)>,
        result: Option<ResultType>,
    ) -> Callee {
        let (path, turbofish) = (path.to_owned(), String::new());
        let public = Some(path.clone());
        let call = path.clone();
        Callee { call, path, public, owner: None, turbofish, parameters, result }
    }

    /// The name of the function alone.
    pub fn name(&self) -> &str {
        self.path.rsplit("::").next().unwrap_or(&self.path)
    }

    /// What it is to relations, with what the user says of the domains of its parameters.
    ///
    /// # Errors
    /// When a domain is of no parameter, or does not fit its type.
    pub fn signature(&self, domains: &BTreeMap<String, Domain>) -> Result<Signature, RustError> {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut changed = Vec::new();
        for (name, ty) in &self.parameters {
            match ty {
                ParameterType::One(part) | ParameterType::Some(part) => {
                    if part.passing == ParameterMode::Mutable {
                        changed.push(parameters.len());
                    }
                    let domain = usual(*part);
                    parameters.push(Parameter { name: name.clone(), ty: part.form.ty(), domain });
                }
                ParameterType::Tuple(parts) => {
                    for (place, primitive) in parts.iter().enumerate() {
                        let form = types::Form::Single(*primitive);
                        let part = Part { form, passing: ParameterMode::Value };
                        let name = format!("{name}_{place}");
                        parameters.push(Parameter { name, ty: form.ty(), domain: usual(part) });
                    }
                }
            }
        }
        for (name, domain) in domains {
            let known = || {
                let all: Vec<String> =
                    parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
                all.join(", ")
            };
            let wrong = |message: String| Err(RustError::Parameter(message));
            let Some(at) = parameters.iter().position(|p| p.name == *name) else {
                return wrong(format!("there is no parameter `{name}`; there are {}", known()));
            };
            let parameter = &mut parameters[at];
            let ty = parameter.ty;
            if let Type::Scalar(_) = ty
                && (domain.max_len.is_some() || domain.min_len.is_some())
            {
                return wrong(format!("`{name}` is a {ty}: only texts and lists have lengths"));
            }
            if ty.scalar() != Scalar::Char && domain.alphabet.is_some() {
                return wrong(format!(
                    "`{name}` is a {ty}: only texts and characters have an alphabet"
                ));
            }
            if let Some((least, most)) = domain.range
                && (least > most
                    || least.is_nan()
                    || most.is_nan()
                    || matches!(ty.scalar(), Scalar::Bool | Scalar::Char))
            {
                return wrong(format!(
                    "`{name}` is a {ty}, which has no range from {least} to {most}"
                ));
            }
            let fixed = (parameter.domain.min_len, parameter.domain.max_len);
            parameter.domain = domain.clone();
            if let (Some(_), Some(_)) = fixed {
                // An array has its length.
                (parameter.domain.min_len, parameter.domain.max_len) = fixed;
            }
        }
        let function = self.path.clone();
        let result = self.result.as_ref().map(|result| result.form.ty());
        Ok(Signature { function, parameters, result, changed, ..Signature::default() })
    }
}

/// How a function is called in its own module.
fn called(function: &Function) -> String {
    let name = function.name();
    match &function.owner {
        None => name,
        Some(owner) => match (&owner.kind, &owner.ty) {
            (OwnerKind::OfTrait(asked_for), Some(ty)) => {
                format!("<{} as {asked_for}>::{name}", one_line(ty))
            }
            _ => format!("{}::{name}", owner.name),
        },
    }
}

/// The domain of a parameter for which the user gave none.
fn usual(part: Part) -> Domain {
    match part.form {
        types::Form::Single(Primitive::Usize) => {
            Domain { range: Some((0.0, MOST_SIZE)), ..Domain::default() }
        }
        types::Form::Array(_, length) => {
            Domain { min_len: Some(length), max_len: Some(length), ..Domain::default() }
        }
        _ => Domain::default(),
    }
}

/// The name of a parameter in relations.
fn name(pat: &syn::Pat, number: usize) -> String {
    let written = match pat {
        syn::Pat::Ident(pat) => pat.ident.to_string(),
        _ => String::new(),
    };
    let plain = written.trim_start_matches("r#").trim_start_matches('_');
    match plain {
        "" => format!("arg{}", number + 1),
        // That is the result, in relations.
        "out" => "out_".to_owned(),
        plain => plain.to_owned(),
    }
}

/// The type arguments in the order in which the function has them.
fn turbofish(generics: &syn::Generics, with: &Arguments) -> Result<String, String> {
    let mut given = Vec::new();
    let mut known = Vec::new();
    for parameter in &generics.params {
        let name = match parameter {
            syn::GenericParam::Lifetime(_) => continue,
            syn::GenericParam::Type(parameter) => parameter.ident.to_string(),
            syn::GenericParam::Const(parameter) => parameter.ident.to_string(),
        };
        let Some(argument) = with.get(&name) else {
            return Err(format!("it is generic: say what `{name}` is, such as --with {name}=i32"));
        };
        if syn::parse_str::<syn::Type>(argument).is_err() && argument.parse::<i64>().is_err() {
            return Err(format!("`{argument}` is no type that `{name}` could be"));
        }
        given.push(argument.clone());
        known.push(name);
    }
    if let Some(unknown) = with.keys().find(|name| !known.contains(name)) {
        return Err(format!("it has no type parameter `{unknown}`"));
    }
    Ok(if given.is_empty() { String::new() } else { format!("::<{}>", given.join(", ")) })
}

/// What to do about a parameter whose type is a parameter of the function.
fn generic_hint(generics: &syn::Generics, ty: &syn::Type) -> String {
    let written = types::written(ty);
    let named = generics.type_params().map(|p| p.ident.to_string()).find(|name| {
        written.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    });
    named.map(|name| format!(" (`{name}` is given by --with)")).unwrap_or_default()
}
