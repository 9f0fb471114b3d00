//! The identity of a Python function: what is said of it, and the sources that it may depend on.

use std::fs;

use super::error::PythonError;
use super::facts::Facts;
use super::subject::PythonSpec;
use crate::subject::{Identity, IdentityBuilder};

/// The identity of a function of which a definition has this text.
pub(super) fn of(spec: &PythonSpec, text: &str, facts: &Facts) -> Result<Identity, PythonError> {
    let mut identity = IdentityBuilder::new(text).domains(&spec.domains);
    for name in &facts.scope {
        identity = identity.scope(name);
    }
    // Another version of Python may do other things.
    identity = identity.code(&facts.python);
    for (module, path) in &facts.files {
        let bytes =
            fs::read(path).map_err(|source| PythonError::File { path: path.clone(), source })?;
        identity = identity.code(module).code(bytes);
    }
    Ok(identity.finish())
}
