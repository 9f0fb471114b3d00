//! Selects the relations that become tests, with the pairs of inputs that they are tried on and the evidence for them.

use genmorph_jit::{Predicate, Tolerance, Value};

use super::{Pairs, Part, Recording};
use crate::claims::{ClaimGroup, Claims};
use crate::record::relations::{RelationKind, RelationsFile, ReportedRelation};
use crate::record::report::Report;
use crate::subject::{Inputs, MachineFailure, Signature, Subject};
use crate::transform::Transform;

/// The relations that become tests.
#[derive(Debug)]
pub struct Selection<'c> {
    groups: Vec<TestGroup<'c>>,
    /// Messages about claims that do not become tests, with the reason for each.
    pub left_out: Vec<String>,
}

/// The tests of one transformation.
#[derive(Debug)]
struct TestGroup<'c> {
    transform: &'c Transform,
    relations: Vec<Predicate>,
    evidence: Vec<Vec<String>>,
    pairs: Pairs,
}

/// The evidence and limits of a selection.
#[derive(Clone, Copy, Debug)]
pub struct SelectionOptions<'e> {
    /// The evidence that the run has recorded.
    pub evidence: &'e RunEvidence,
    /// The most pairs of a transformation.
    pub most: usize,
    /// When two numbers are equal.
    pub tolerance: Tolerance,
}

impl<'c> Selection<'c> {
    /// Chooses pairs among source inputs and their follow-ups, and leaves out relations that are false on one.
    ///
    /// # Errors
    /// When the machine fails.
    pub fn of_subject(
        subject: &dyn Subject,
        claims: &'c Claims,
        sources: &Inputs,
        choice: SelectionOptions<'_>,
    ) -> Result<Selection<'c>, MachineFailure> {
        let mut selection = Selection { groups: Vec::new(), left_out: Vec::new() };
        for group in &claims.groups {
            if group.transform.together().is_some() {
                let name = group.transform.describe().name;
                let why = "tests of calls that are made together are not written yet";
                selection.left_out.push(format!("{name}: left out, {why}"));
                continue;
            }
            let pairs = Pairs::choose(subject, &group.transform, sources, choice.most)?;
            let why = "no source input has a follow-up on which the function returns";
            selection.add(subject.signature(), group, pairs, why, choice);
        }
        Ok(selection)
    }

    /// Chooses pairs among recorded executions, and leaves out relations that are false on one.
    pub fn of_recording(
        recording: &Recording<'_>,
        claims: &'c Claims,
        choice: SelectionOptions<'_>,
    ) -> Selection<'c> {
        let mut selection = Selection { groups: Vec::new(), left_out: Vec::new() };
        for group in &claims.groups {
            let pairs = recording.pairs(&group.transform, choice.most);
            let why = match recording.is_of(&group.transform) {
                true => "no recorded input has a follow-up",
                false => "the recorded follow-ups are of another transformation",
            };
            selection.add(recording.signature(), group, pairs, why, choice);
        }
        selection
    }

    /// The tests, by transformation.
    pub fn parts(&self) -> Vec<Part<'_>> {
        let groups = self.groups.iter();
        let parts = groups.map(|TestGroup { transform, relations, evidence, pairs }| Part {
            transform,
            relations,
            evidence,
            pairs,
        });
        parts.collect()
    }

    /// Whether there is nothing to test.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// How many relations there are.
    pub fn relations(&self) -> usize {
        self.groups.iter().map(|group| group.relations.len()).sum()
    }

    /// How many pairs of inputs there are.
    pub fn pairs(&self) -> usize {
        self.groups.iter().map(|group| group.pairs.len()).sum()
    }

    /// Adds the relations of a group that hold on its pairs; `why` is said if there are no pairs.
    fn add(
        &mut self,
        signature: &Signature,
        group: &'c ClaimGroup,
        pairs: Pairs,
        why: &str,
        choice: SelectionOptions<'_>,
    ) {
        let schema = signature.of_executions().schema();
        let schema = schema.expect("names were checked with the signature");
        let name = group.transform.describe().name;
        if pairs.is_empty() {
            self.left_out.push(format!("{name}: left out, {why}"));
            return;
        }
        let (mut relations, mut evidence) = (Vec::new(), Vec::new());
        for (relation, &place) in group.relations.iter().zip(&group.places) {
            if let Some(row) = pairs.refutes(signature, relation, choice.tolerance) {
                let values: Vec<String> =
                    pairs.sources.row(row).map(|value| shown(&value)).collect();
                self.left_out.push(format!(
                    "{name} => {}: left out, it is false for ({})",
                    relation.display(&schema),
                    values.join(", ")
                ));
                continue;
            }
            let mut lines = choice.evidence.lines(place);
            lines.push(format!(
                "Here it is tried on {} of {} pairs of inputs.",
                pairs.len(),
                pairs.candidates
            ));
            relations.push(relation.clone());
            evidence.push(lines);
        }
        if !relations.is_empty() {
            let transform = &group.transform;
            self.groups.push(TestGroup { transform, relations, evidence, pairs });
        }
    }
}

fn shown(value: &Value<'_>) -> String {
    use Value::{Bool, Num, Seq};
    match value {
        Num(number) => number.to_string(),
        Bool(truth) => truth.to_string(),
        Seq(elements) => format!("{elements:?}"),
    }
}

/// What the tests of relations look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestForm {
    /// A short test per relation, named after it.
    Laws,
    /// A test, a property and the evidence of each relation, by number.
    Relations,
}

/// The evidence for relations that a `report.json` has; nothing for relations from elsewhere.
#[derive(Clone, Debug, Default)]
pub struct RunEvidence {
    report: Option<Report>,
    /// The kinds of the relations of a run, by number; none for relations from elsewhere.
    kinds: Option<Vec<RelationKind>>,
}

impl RunEvidence {
    /// The evidence in a text, which may be a `report.json` or any other form of claims.
    pub fn of(text: &str) -> RunEvidence {
        let kinds = |relations: &[ReportedRelation]| -> Vec<RelationKind> {
            relations.iter().map(|relation| relation.kind).collect()
        };
        let report: Option<Report> = serde_json::from_str(text).ok();
        let of_run = report.as_ref().filter(|report| !report.transformations.is_empty());
        let of_run = of_run.map(|report| {
            report.transformations.iter().flat_map(|search| kinds(search.relations())).collect()
        });
        let of_search = || {
            let file: RelationsFile = serde_json::from_str(text).ok()?;
            Some(kinds(&file.relations))
        };
        RunEvidence { kinds: of_run.or_else(of_search), report }
    }

    /// Whether the relations are those of a run that has no laws, as older ones have none.
    pub fn is_without_laws(&self) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.iter().all(|kind| !kind.is_law_like()))
    }

    /// The claims that become tests, and the form of these: the laws of a run, with its detectors if these are asked for. All
    /// relations of a run without laws, and all from elsewhere, become tests as relations.
    pub fn tested(&self, mut claims: Claims, with_detectors: bool) -> (Claims, TestForm) {
        let Some(kinds) = self.kinds.as_ref().filter(|_| !self.is_without_laws()) else {
            return (claims, TestForm::Relations);
        };
        let is_law = |place: usize| {
            let kind = place.checked_sub(1).and_then(|at| kinds.get(at));
            kind.is_some_and(|kind| kind.is_law_like())
        };
        for group in &mut claims.groups {
            let all = std::mem::take(&mut group.relations).into_iter();
            let (mut laws, mut detectors) = (Vec::new(), Vec::new());
            for (relation, place) in all.zip(std::mem::take(&mut group.places)) {
                if is_law(place) { &mut laws } else { &mut detectors }.push((relation, place));
            }
            let detectors = if with_detectors { detectors } else { Vec::new() };
            (group.relations, group.places) = laws.into_iter().chain(detectors).unzip();
        }
        claims.groups.retain(|group| !group.relations.is_empty());
        (claims, TestForm::Laws)
    }

    /// A sentence about the run that found the relations.
    pub fn origin(&self) -> Option<String> {
        let Report { tool, seed, .. } = self.report.as_ref().filter(|r| !r.tool.is_empty())?;
        Some(format!("The relations were found by {tool} with seed {seed}."))
    }

    /// Sentences about a relation, by its number in the file, counted from 1.
    fn lines(&self, number: usize) -> Vec<String> {
        let searches = self.report.iter().flat_map(|report| &report.transformations);
        let with_results = searches.filter_map(|search| Some((search, search.results.as_ref()?)));
        let mut all = with_results.flat_map(|(search, results)| {
            (0..results.relations.len()).map(move |i| (search, results, i))
        });
        let Some((search, results, i)) = all.nth(number.saturating_sub(1)) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if let Some(tried) = search.tried.get(i) {
            lines.push(format!("It held on {tried} fresh pairs of inputs."));
        }
        if let Some(evidence) = search.evidence.get(i) {
            let inputs = evidence.tried_inputs();
            lines.extend((!inputs.is_empty()).then(|| format!("They had {inputs}.")));
            let hunted = evidence.hunted;
            lines.extend(
                (hunted > 0).then(|| format!("A hunt on {hunted} pairs did not refute it.")),
            );
        }
        lines.push(format!(
            "It is false of {} of the {} mutants that it was found with.",
            results.relations[i].killed.len(),
            results.mutants.len()
        ));
        if let Some(kills) = search.judging_kills.get(i) {
            lines.push(format!("It kills {kills} mutants of other operators."));
        }
        lines
    }
}
