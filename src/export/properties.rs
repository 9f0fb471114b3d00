//! Whether a test draws inputs of its own.

/// Properties, besides the tests on inputs that are written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Properties {
    /// One per relation, on whatever inputs the domain has.
    #[default]
    Drawn,
    /// None: nobody knows which inputs make sense besides those that were seen.
    None,
}
