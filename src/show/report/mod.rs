//! The report of a run of `genmorph generate`: an HTML page, Markdown, JSON, and its mutants for tools that show
//! mutation tests.
//!
//! ```text
//!  folder of a run ───────────► Model ──► html, markdown, json, mutation_elements
//!                               sentence, example, fate of every mutant
//! ```
//! Files in, text out: nothing is run or judged anew, and equal folders give equal texts.

mod elements;
pub(super) mod escape;
mod example;
mod folder;
mod functional;
mod html;
mod markdown;
mod model;
mod repeat;
mod sentence;
pub(crate) mod tree;
mod value;

pub use self::elements::mutation_elements;
pub use self::example::Example;
pub use self::folder::ModelError;
pub use self::functional::{functional_form, plain_name};
pub use self::html::html;
pub use self::markdown::markdown;
pub use self::model::{
    Fate, JudgingScores, Model, Mutant, Point, RefutedRelation, Relation, Search,
};
pub use self::repeat::Repeat;
pub(crate) use self::sentence::is_of_one_call;
pub use self::sentence::{change, sentence};
use crate::support::named::named;

named! {
    /// The forms that a report has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        /// A page that needs nothing else.
        Html = "html",
        /// A few tables, for a comment on a change.
        Markdown = "markdown",
        /// Everything that the page shows.
        Json = "json",
        /// The report schema of mutation-testing-elements.
        MutationElements = "mutation-elements",
    }
}

impl Format {
    /// The name of the file that it has in the folder of a run.
    pub fn file(self) -> &'static str {
        match self {
            Format::Html => "report.html",
            Format::Markdown => "report.md",
            Format::Json => "summary.json",
            Format::MutationElements => "mutation.json",
        }
    }

    /// A run in this form.
    pub fn write(self, model: &Model) -> String {
        match self {
            Format::Html => html(model),
            Format::Markdown => markdown(model),
            Format::Json => json(model),
            Format::MutationElements => mutation_elements(model),
        }
    }
}

/// Everything that the page shows, as JSON.
pub fn json(model: &Model) -> String {
    let text = serde_json::to_string_pretty(model).expect("names, numbers and texts");
    text + "\n"
}
