//! Whether a test file has properties, which draw inputs of their own.

/// The properties of a test file, besides the tests on listed inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Properties {
    /// One per relation, on inputs drawn from the domain.
    #[default]
    Drawn,
    /// None: the domain is not known.
    None,
}
