//! Relations that are to be tests, with the pairs of inputs that they are tried on and what speaks for them.

use genmorph::claims::{Claims, Stated};
use genmorph::export::{Pairs, Part, Recorded};
use genmorph::jit::{Predicate, Tolerance, Value};
use genmorph::subject::{Inputs, MachineFailure, Signature, Subject};
use genmorph::transform::Transform;
use serde::Deserialize;

/// The relations that are written, by transformation.
pub(super) struct Parts<'c> {
    pub(super) parts: Vec<OwnPart<'c>>,
    /// What is not, and why.
    pub(super) left_out: Vec<String>,
}

pub(super) struct OwnPart<'c> {
    transform: &'c Transform,
    relations: Vec<Predicate>,
    evidence: Vec<Vec<String>>,
    pub(super) pairs: Pairs,
}

impl OwnPart<'_> {
    fn part(&self) -> Part<'_> {
        let OwnPart { transform, relations, evidence, pairs } = self;
        Part { transform, relations, evidence, pairs }
    }
}

impl<'c> Parts<'c> {
    /// The same, for those who write test classes.
    pub(super) fn borrowed(&self) -> Vec<Part<'_>> {
        self.parts.iter().map(OwnPart::part).collect()
    }

    /// How many relations there are.
    pub(super) fn relations(&self) -> usize {
        self.parts.iter().map(|part| part.relations.len()).sum()
    }

    /// How many pairs of inputs.
    pub(super) fn pairs(&self) -> usize {
        self.parts.iter().map(|part| part.pairs.len()).sum()
    }

    /// Chooses pairs for relations, and leaves out what is false on one of them.
    pub(super) fn choose(
        subject: &dyn Subject,
        claims: &'c Claims,
        sources: &Inputs,
        known: &Evidence,
        most: usize,
        tolerance: Tolerance,
    ) -> Result<Parts<'c>, MachineFailure> {
        let mut parts = Parts { parts: Vec::new(), left_out: Vec::new() };
        for stated in &claims.stated {
            let pairs = Pairs::choose(subject, &stated.transform, sources, most)?;
            let why = "no source input has a follow-up on which the function returns";
            parts.add(subject.signature(), stated, Chosen { pairs, why }, known, tolerance);
        }
        Ok(parts)
    }

    /// The same of pairs that were recorded.
    pub(super) fn recorded(
        recorded: &Recorded<'_>,
        claims: &'c Claims,
        known: &Evidence,
        most: usize,
        tolerance: Tolerance,
    ) -> Parts<'c> {
        let mut parts = Parts { parts: Vec::new(), left_out: Vec::new() };
        for stated in &claims.stated {
            let pairs = recorded.pairs(&stated.transform, most);
            let why = match recorded.is_of(&stated.transform) {
                true => "no recorded input has a follow-up",
                false => "the recorded follow-ups are of another transformation",
            };
            parts.add(recorded.signature(), stated, Chosen { pairs, why }, known, tolerance);
        }
        parts
    }

    fn add(
        &mut self,
        signature: &Signature,
        stated: &'c Stated,
        chosen: Chosen,
        known: &Evidence,
        tolerance: Tolerance,
    ) {
        let schema = signature.of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let name = stated.transform.describe().name;
        let Chosen { pairs, why } = chosen;
        if pairs.is_empty() {
            self.left_out.push(format!("{name}: left out, {why}"));
            return;
        }
        let (mut relations, mut evidence) = (Vec::new(), Vec::new());
        for (relation, &place) in stated.relations.iter().zip(&stated.places) {
            if let Some(row) = pairs.refutes(signature, relation, tolerance) {
                let values: Vec<String> =
                    pairs.sources.row(row).map(|value| shown(&value)).collect();
                self.left_out.push(format!(
                    "{name} => {}: left out, it is false for ({})",
                    relation.display(&schema),
                    values.join(", ")
                ));
                continue;
            }
            let mut lines = known.lines(place);
            lines.push(format!(
                "Here it is tried on {} of {} pairs of inputs.",
                pairs.len(),
                pairs.candidates
            ));
            relations.push(relation.clone());
            evidence.push(lines);
        }
        if !relations.is_empty() {
            let transform = &stated.transform;
            self.parts.push(OwnPart { transform, relations, evidence, pairs });
        }
    }
}

/// Pairs, and why there are none where that is so.
struct Chosen {
    pairs: Pairs,
    why: &'static str,
}

fn shown(value: &Value<'_>) -> String {
    use Value::{Bool, Num, Seq};
    match value {
        Num(number) => number.to_string(),
        Bool(truth) => truth.to_string(),
        Seq(elements) => format!("{elements:?}"),
    }
}

/// What a report says of its relations; nothing, if it is none.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Evidence {
    tool: Option<String>,
    seed: Option<u64>,
    transformations: Vec<Searched>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Searched {
    results: Option<Results>,
    tried: Vec<usize>,
    judging_kills: Vec<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Results {
    mutants: Vec<String>,
    relations: Vec<Found>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Found {
    killed: Vec<String>,
}

impl Evidence {
    pub(super) fn of(text: &str) -> Evidence {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Who found the relations.
    pub(super) fn origin(&self) -> Option<String> {
        let (tool, seed) = (self.tool.as_ref()?, self.seed?);
        Some(format!("The relations were found by {tool} with seed {seed}."))
    }

    /// What is known of a relation, by its number in the file.
    fn lines(&self, number: usize) -> Vec<String> {
        let searched = self
            .transformations
            .iter()
            .filter_map(|searched| searched.results.as_ref().map(|results| (searched, results)));
        let mut all = searched.flat_map(|(searched, results)| {
            (0..results.relations.len()).map(move |i| (searched, results, i))
        });
        let Some((searched, results, i)) = all.nth(number.saturating_sub(1)) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if let Some(tried) = searched.tried.get(i) {
            lines.push(format!("It held on {tried} fresh pairs of inputs."));
        }
        lines.push(format!(
            "It is false of {} of the {} mutants that it was found with.",
            results.relations[i].killed.len(),
            results.mutants.len()
        ));
        if let Some(kills) = searched.judging_kills.get(i) {
            lines.push(format!("It kills {kills} mutants of other operators."));
        }
        lines
    }
}
