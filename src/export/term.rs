//! A part of an expression in another language, with what it takes to know whether it needs parentheses.

/// A part of an expression.
pub(super) struct Term {
    pub(super) text: String,
    /// How tightly its outermost operator binds; more is tighter.
    pub(super) binds: u8,
}

impl Term {
    pub(super) fn new(text: impl Into<String>, binds: u8) -> Term {
        Term { text: text.into(), binds }
    }

    /// The text, in parentheses if it binds less than this.
    pub(super) fn at_least(&self, binds: u8) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}
