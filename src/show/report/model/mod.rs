//! What a report says of a run, whatever it looks like: relations with sentence, example and kills; mutants with the
//! relations that kill them; searches; and how to repeat the run.

mod mutant;
mod narrator;
mod relation;
mod search;

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use self::narrator::Narrator;
use super::example::ReadableRows;
use super::folder::{ModelError, RunFolder};
use super::repeat::{self, Repeat};
use crate::evolve::config::Config;
use crate::executions::Executions;
use crate::record::relations::RelationKind;
use crate::record::report::{Coverage, MutantCounts, Report, ScoreTotals};
use crate::record::search::Evidence;
use crate::show::completeness;
use crate::subject::kinds::{Interface, Observed};
use crate::transform;

pub use self::mutant::{Fate, Mutant};
pub use self::relation::{RefutedRelation, Relation};
pub use self::search::{Point, Search};

/// Everything that the page of a run shows.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Model {
    /// The program that made the run, and its version.
    pub tool: String,
    /// The name of the function.
    pub function: String,
    /// What the function takes and gives, in WIT.
    pub signature: String,
    /// The seed of the run.
    pub seed: u64,
    /// The settings of the search, as the report has them.
    #[schemars(with = "Config")]
    pub config: serde_json::Value,
    /// When two numbers are equal: the absolute and the relative part.
    pub tolerance: [f64; 2],
    /// How the run can be repeated.
    pub repeat: Repeat,
    /// The number of source inputs, and the branches that they reach.
    pub coverage: Coverage,
    /// How many training mutants there are, by what the source inputs show of them.
    pub training: MutantCounts,
    /// The searches, in order.
    pub searches: Vec<Search>,
    /// The relations that stand, in order, numbered from 1.
    pub relations: Vec<Relation>,
    /// The numbers of the laws, in the order in which they are read; empty if the run has not recorded it.
    pub order: Vec<usize>,
    /// The numbers of relations that are enough to kill all training mutants that all relations kill, the most
    /// important first; empty if the run has not recorded them.
    pub needed: Vec<usize>,
    /// How many candidates for laws were tried, and what became of them, in a sentence; null if laws were not explored.
    pub completeness: Option<String>,
    /// What there was no time for, in a sentence; null if there was time for all.
    pub cut: Option<String>,
    /// Refuted relations, each with a counterexample.
    pub refuted: Vec<RefutedRelation>,
    /// All mutants of both groups.
    pub mutants: Vec<Mutant>,
    /// Mutation scores on the judging mutants and unseen inputs.
    pub judged: JudgingScores,
    /// The texts of source files that mutants are in, by their names.
    #[serde(skip)]
    pub(super) sources: BTreeMap<String, String>,
    /// The names and kinds of inputs and outputs, if they are known.
    #[serde(skip)]
    pub(super) parameters: Option<Interface>,
    /// The executions that searches ended with, by transformation and by what their relations speak of, if the run has kept them.
    #[serde(skip)]
    pub(super) executions: BTreeMap<(String, Observed), Executions>,
}

/// How relations do on mutants that they were not trained on, on unseen inputs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JudgingScores {
    /// How many mutants are killed, by what.
    #[serde(flatten)]
    pub totals: ScoreTotals,
    /// Mutants that differ and are not killed: what each changes, and where.
    pub survivors: Vec<String>,
}

impl Model {
    /// Reads the folder of a run.
    ///
    /// # Errors
    /// When it is not such a folder, or a file in it is damaged; the error says which, and what to do.
    pub fn read(folder: &Path) -> Result<Model, ModelError> {
        Ok(Model::new(RunFolder::read(folder)?))
    }

    fn new(folder: RunFolder) -> Model {
        let repeat = repeat::of(&folder);
        let narrator = Narrator::new(&folder);
        let searches = searches(&folder, &narrator);
        let relations = relations(&folder, &narrator);
        let RunFolder { mut report, mutants, refuted, sources, searches: kept, .. } = folder;
        let mutants = mutant::mutants(mutants, &relations, &report.judged, &sources);
        let needed = needed(&report, &relations);
        let refuted = refuted.unwrap_or_else(|| report.refuted());
        let kept = kept.into_iter();
        Model {
            config: report.config.to_json(),
            tolerance: [report.tolerance.abs, report.tolerance.rel],
            repeat,
            searches,
            relations,
            completeness: completeness::sentence(&report),
            cut: report.cut.take(),
            order: std::mem::take(&mut report.laws),
            needed,
            refuted: refuted.into_iter().map(|listed| narrator.refuted(listed)).collect(),
            mutants,
            judged: JudgingScores {
                totals: report.judged.totals,
                survivors: std::mem::take(&mut report.judged.survivors),
            },
            sources,
            parameters: narrator.signature,
            executions: kept
                .filter_map(|(name, search)| Some((name, search.executions?)))
                .collect(),
            tool: report.tool,
            function: report.function,
            signature: report.signature,
            seed: report.seed,
            coverage: report.sources,
            training: report.training,
        }
    }

    /// The relations that stand: laws, what a person should read first before others; then postconditions and detectors. They keep
    /// their numbers.
    pub fn laws_first(&self) -> Vec<&Relation> {
        let mut relations: Vec<&Relation> = self.relations.iter().collect();
        let place = |relation: &&Relation| self.order.iter().position(|&n| n == relation.number);
        relations.sort_by_key(|relation| (relation.kind, place(relation)));
        relations
    }

    /// The laws, in the order in which they are read.
    pub fn laws(&self) -> impl Iterator<Item = &Relation> {
        self.laws_first().into_iter().filter(|relation| relation.kind == RelationKind::Law)
    }

    /// The inputs and outputs of the function; none if the run does not say enough of them.
    pub fn parameters(&self) -> Option<&Interface> {
        self.parameters.as_ref()
    }

    /// The executions that the search for a relation under a transformation ended with, if the run has kept them.
    pub fn executions(&self, transformation: &str, relation: &str) -> Option<&Executions> {
        let observed = transform::observed(transformation, relation);
        self.executions.get(&(transformation.to_owned(), observed))
    }

    /// How many training mutants differ from the function, and how many of them a relation kills.
    pub(super) fn trained(&self) -> (usize, usize) {
        let group = self.mutants.iter().filter(|mutant| mutant.group == "A");
        let count = |fate: Fate| group.clone().filter(|mutant| mutant.fate == fate).count();
        let killed = count(Fate::Killed);
        (killed + count(Fate::Survives), killed)
    }

    /// The mutants that differ and that no relation kills.
    pub(super) fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        self.mutants.iter().filter(|mutant| mutant.fate == Fate::Survives)
    }
}

fn searches(folder: &RunFolder, narrator: &Narrator) -> Vec<Search> {
    let searches = folder.report.transformations.iter().map(|record| {
        let kept = folder.searches.get(&(record.transformation.clone(), record.observed));
        let generations = kept.map_or(&[][..], |kept| &kept.generations);
        Search::new(record, narrator.change(&record.transformation), generations)
    });
    searches.collect()
}

/// The relations that stand, of all searches.
fn relations(folder: &RunFolder, narrator: &Narrator) -> Vec<Relation> {
    let report = &folder.report;
    let judging = judging_kills(report);
    let mut relations = Vec::new();
    for search in &report.transformations {
        let transformation = &search.transformation;
        let kept = folder.searches.get(&(transformation.clone(), search.observed));
        let choice = kept.and_then(|kept| kept.executions.as_ref()).map(ReadableRows::new);
        for (at, found) in search.relations().iter().enumerate() {
            let number = relations.len() + 1;
            let evidence = search.evidence.get(at);
            let judging_killed = judging.as_ref().map(|lists| lists[number - 1].clone());
            let counted = search.judging_kills.get(at).copied();
            relations.push(Relation {
                number,
                transformation: transformation.clone(),
                kind: found.kind,
                functional: narrator
                    .functional(&found.relation, (transformation, &search.input_relation)),
                relation: found.relation.clone(),
                sentence: narrator.sentence(&found.relation, transformation),
                example: narrator.example(&found.relation, transformation, choice.as_ref()),
                size: found.size,
                fn_rate: found.fn_rate,
                killed: found.killed.clone(),
                mutants: search.results.as_ref().map_or(0, |results| results.mutants.len()),
                tried: search.tried.get(at).copied(),
                hunted: evidence.map(|evidence| evidence.hunted),
                is_exhausted: evidence.is_some_and(|evidence| evidence.exhausted),
                premise: search.premise.clone(),
                tried_inputs: evidence.map(Evidence::tried_inputs).unwrap_or_default(),
                judging_kills: counted.or(judging_killed.as_ref().map(Vec::len)),
                judging_killed,
            });
        }
    }
    relations
}

/// The judging mutants that each relation kills, over all transformations; none if the run has not recorded them.
fn judging_kills(report: &Report) -> Option<Vec<&Vec<String>>> {
    let lists: Vec<&Vec<String>> = report.judged.kills.iter().flatten().collect();
    Some(lists).filter(|lists| lists.len() == report.relations())
}

/// The numbers of the relations of the minimal set.
fn needed(report: &Report, relations: &[Relation]) -> Vec<usize> {
    let numbers = report.minimal.needed.iter().filter_map(|needed| {
        let found = relations.iter().find(|relation| {
            relation.transformation == needed.transformation && relation.relation == needed.relation
        });
        found.map(|relation| relation.number)
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kills_are_those_of_all_relations_or_of_none() {
        let report = |relations: usize, kills: serde_json::Value| -> Report {
            let relations = vec![json!({ "relation": "out_f == out_s" }); relations];
            let searches = [
                json!({ "transformation": "T", "results": { "relations": relations } }),
                json!({ "transformation": "U", "results": null }),
            ];
            let report = json!({ "function": "f", "tolerance": { "abs": 0, "rel": 0 },
                "transformations": searches, "judged": { "kills": kills } });
            serde_json::from_value(report).unwrap()
        };
        let killed = |report: Report| {
            let lists = judging_kills(&report)?;
            Some(lists.iter().map(|list| list.join(" ")).collect::<Vec<_>>())
        };
        let expected = Some(["B1", "", "B1 B2"].map(str::to_owned).to_vec());
        assert_eq!(killed(report(3, json!([[["B1"], [], ["B1", "B2"]]]))), expected);
        // A group for every transformation, or for those with relations only.
        assert_eq!(killed(report(3, json!([[["B1"], [], ["B1", "B2"]], []]))), expected);
        assert_eq!(killed(report(2, json!([[["B1"]]]))), None);
        assert_eq!(killed(report(1, json!([]))), None);
    }
}
