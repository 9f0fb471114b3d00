//! The functions of a crate that can be subjects, by their paths.

use std::collections::BTreeMap;

use super::callee::Callee;
use super::error::RustError;
use super::package::{Package, Place};
use super::source::Sources;
use super::types::Arguments;
use crate::subject::Signature;

/// The functions of a package that can be subjects without a word on their types, with what they take and give.
///
/// # Errors
/// When there is no such package, or a file of it is no Rust.
pub fn functions(place: &Place) -> Result<Vec<(String, Signature)>, RustError> {
    let package = Package::find(place)?;
    let sources = Sources::read(&package.root, package.cfg())?;
    let of = |function| {
        let callee = Callee::read(&sources, function, &Arguments::new()).ok()?;
        let signature = callee.signature(&BTreeMap::new()).ok()?;
        Some((sources.path(function), signature))
    };
    Ok(sources.functions.iter().filter_map(of).collect())
}
