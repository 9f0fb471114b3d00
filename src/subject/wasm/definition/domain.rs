//! Domains of parameters: reads them, and checks them against the types.

use toml::Spanned;

use super::error::Problem;
use super::file::{Bounds, Place};
use crate::subject::definition::alphabet::Alphabet;
use crate::subject::definition::check_length;
use crate::subject::signature::{Domain, Scalar, Signature, Type};

/// Gives a parameter the domain in the definition.
pub(super) fn apply(
    text: &str,
    name: &Spanned<String>,
    bounds: &Bounds,
    signature: &mut Signature,
) -> Result<(), Problem> {
    let unknown = unknown(name.get_ref(), signature);
    let mut parameters = signature.parameters.iter_mut();
    let Some(parameter) = parameters.find(|p| p.name == *name.get_ref()) else {
        return Err(Place::of(text, name.span()).problem(unknown));
    };
    let (name, ty) = (name.get_ref().as_str(), parameter.ty);
    let mut domain = Domain::default();
    if let Some(written) = &bounds.range {
        let checked = range(name, ty, *written.get_ref());
        domain.range = Some(checked.map_err(|m| Place::of(text, written.span()).problem(m))?);
    }
    if let Some(written) = &bounds.also {
        let foreign = written.get_ref().iter().find(|number| !ty.scalar().admits(**number));
        if let Some(foreign) = foreign {
            let message = format!("`{name}` is a {ty}, which cannot be {foreign}");
            return Err(Place::of(text, written.span()).problem(message));
        }
        domain.also.clone_from(written.get_ref());
    }
    for written in [&bounds.min_len, &bounds.max_len].into_iter().flatten() {
        if let Type::Scalar(_) = ty {
            let message = format!("`{name}` is a {ty}: only texts and lists have lengths");
            return Err(Place::of(text, written.span()).problem(message));
        }
        let checked = check_length(name, *written.get_ref());
        checked.map_err(|message| Place::of(text, written.span()).problem(message))?;
    }
    domain.min_len = bounds.min_len.as_ref().map(|written| *written.get_ref());
    domain.max_len = bounds.max_len.as_ref().map(|written| *written.get_ref());
    if let (Some(least), Some(most)) = (domain.min_len, &bounds.max_len)
        && least > *most.get_ref()
    {
        let message = format!("`{name}` has no length: min_len is {least}, max_len is less");
        return Err(Place::of(text, most.span()).problem(message));
    }
    if let Some(written) = &bounds.alphabet {
        let checked = alphabet(name, ty, written.get_ref());
        domain.alphabet = Some(checked.map_err(|m| Place::of(text, written.span()).problem(m))?);
    }
    parameter.domain = domain;
    Ok(())
}

/// The message about a name that is not a parameter.
pub(super) fn unknown(name: &str, signature: &Signature) -> String {
    let known: Vec<String> =
        signature.parameters.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
    format!("there is no parameter `{name}`; there are {}", known.join(", "))
}

fn range(name: &str, ty: Type, [least, most]: [f64; 2]) -> Result<(f64, f64), String> {
    let scalar = ty.scalar();
    match scalar {
        Scalar::Bool => return Err(format!("`{name}` is a {ty}, which has no range")),
        Scalar::Char => {
            return Err(format!("`{name}` is a {ty}: choose its characters with `alphabet`"));
        }
        _ => {}
    }
    if least.is_nan() || most.is_nan() {
        return Err("NaN cannot be the end of a range".to_owned());
    }
    if least > most {
        return Err(format!("the range of `{name}` is empty: {least} is more than {most}"));
    }
    for end in [least, most] {
        match scalar.integers() {
            Some(_) if end.is_finite() && end.fract() != 0.0 => {
                return Err(format!("`{name}` is a {ty}, so {end} cannot end its range"));
            }
            Some((first, last)) if !(first..=last).contains(&end) => {
                let beyond = match scalar {
                    Scalar::S64 | Scalar::U64 => {
                        "; relations compute with 64-bit floats, which have all integers below 2^53"
                    }
                    _ => "",
                };
                return Err(format!(
                    "{end} is outside of {}: from {first} to {last}{beyond}",
                    scalar.name()
                ));
            }
            None if scalar == Scalar::F32 && end.is_finite() && end.abs() > f64::from(f32::MAX) => {
                return Err(format!("{end} is outside of f32: up to {:e}", f32::MAX));
            }
            _ => {}
        }
    }
    Ok((least, most))
}

fn alphabet(name: &str, ty: Type, written: &Alphabet) -> Result<Vec<char>, String> {
    if ty.scalar() != Scalar::Char {
        return Err(format!("`{name}` is a {ty}: only texts and characters have an alphabet"));
    }
    written.characters(name)
}
