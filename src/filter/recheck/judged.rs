//! What is said of one relation.

use genmorph_jit::Value;
use serde::Serialize;

use crate::filter::{Pair, Verdict};
use crate::run::{Refuted, json};
use crate::subject::kinds::{Parameter, Signature};

/// A relation that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How follow-up inputs are made.
    pub transformation: String,
    /// The same, as a relation of inputs.
    pub input_relation: String,
    /// The relation.
    pub relation: String,
    /// Its line or number in the file.
    pub place: usize,
    /// What speaks for it and against it.
    pub verdict: Verdict,
    /// Sides of branches that the hunt took, and all of them.
    pub branches: [usize; 2],
    /// A simplest counterexample.
    pub shrunk: Option<Pair>,
}

/// What a verdict comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing speaks against it, and enough for it.
    Stands,
    /// There is a counterexample.
    Refuted,
    /// Nothing speaks against it, and too little for it.
    Unknown,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 3] = [Standing::Stands, Standing::Refuted, Standing::Unknown];

    /// Its name, in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Stands => "stands",
            Standing::Refuted => "refuted",
            Standing::Unknown => "unknown",
        }
    }
}

/// A relation that was tried, as it is written.
#[derive(Clone, Debug, Serialize)]
pub struct Entry<'j> {
    transformation: &'j str,
    input_relation: &'j str,
    verdict: &'static str,
    pairs: usize,
    hunted: usize,
    bound: f64,
    exhausted: bool,
    branches: [usize; 2],
    #[serde(flatten)]
    refuted: Option<Refuted>,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<&'j str>,
}

impl Judged {
    /// What it comes to.
    pub fn standing(&self) -> Standing {
        match &self.verdict {
            verdict if verdict.is_refuted() => Standing::Refuted,
            verdict if verdict.stands() => Standing::Stands,
            _ => Standing::Unknown,
        }
    }

    /// It, as it is written.
    pub fn entry(&self, signature: &Signature) -> Entry<'_> {
        let Judged { transformation, input_relation, relation, verdict, shrunk, .. } = self;
        let by = verdict.by.map_or_else(String::new, |by| by.name().to_owned());
        let refuted = shrunk.as_ref().map(|pair| Refuted {
            by,
            is_shrunk: verdict.counterexamples.first() != Some(pair),
            ..Refuted::new(relation.clone(), pair, signature)
        });
        Entry {
            transformation,
            input_relation,
            verdict: self.standing().name(),
            pairs: verdict.tried,
            hunted: verdict.hunted,
            bound: verdict.bound(),
            exhausted: verdict.is_exhausted,
            branches: self.branches,
            // It is in what was refuted, too.
            relation: refuted.is_none().then_some(relation),
            refuted,
        }
    }

    /// The two executions of the counterexample, as people read them.
    pub fn executions(&self, signature: &Signature) -> Option<[String; 2]> {
        self.shrunk.as_ref().map(|pair| sides(pair, signature))
    }
}

/// The executions of a pair.
pub(crate) fn sides(pair: &Pair, signature: &Signature) -> [String; 2] {
    let side = |inputs: &[Value<'_>], outputs: &[Value<'_>]| {
        let given = named(&signature.inputs, inputs);
        format!("{given}  ->  {}", named(&signature.outputs, outputs))
    };
    [side(&pair.source, &pair.source_outputs), side(&pair.follow_up, &pair.follow_up_outputs)]
}

/// Names and values.
fn named(parameters: &[Parameter], values: &[Value<'_>]) -> String {
    let named = parameters.iter().zip(values);
    let named = named.map(|(p, value)| format!("{} = {}", p.name, json(p, value)));
    named.collect::<Vec<_>>().join(", ")
}
