//! A language that tests are written in, as data: how it writes operators, values and follow-ups.
//!
//! A new operator of relations needs an entry in the table of spellings of each language, and a helper in its file where the
//! language does not have the operator.

use super::expression::Syntax;
use super::follow_up::FollowUps;
use super::helpers::HelperFile;
use super::literal::Literals;

/// A language that tests are written in.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    pub(super) name: &'static str,
    pub(super) syntax: Syntax,
    pub(super) literals: Literals,
    pub(super) follow_ups: FollowUps,
    pub(super) helpers: HelperFile,
}
