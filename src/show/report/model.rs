//! What a report says of a run, whatever it looks like: relations with sentence, example and kills, mutants with who
//! kills them, searches, and how to repeat it all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use genmorph_jit::{Tolerance, Value, Var};
use serde::Serialize;

use super::example::{Choice, Example};
use super::files::{self, Files, ModelError, place};
use super::repeat::{self, Repeat};
use super::sentence::{change, sentence};
use super::value;
use crate::claims::relation;
use crate::executions::Executions;
use crate::subject;
use crate::subject::kinds::Signature;

/// A run, ready to be told.
#[derive(Clone, Debug, Serialize)]
pub struct Model {
    /// The program that made the run, and its version.
    pub tool: String,
    /// The function.
    pub function: String,
    /// What it takes and gives, in WIT.
    pub signature: String,
    /// The seed.
    pub seed: u64,
    /// The settings of the search, as they are written.
    pub config: serde_json::Value,
    /// When two numbers are equal: the absolute and the relative part.
    pub tolerance: [f64; 2],
    /// How the run can be repeated.
    pub repeat: Repeat,
    /// The source inputs.
    pub coverage: Coverage,
    /// The training mutants.
    pub training: Counts,
    /// What was searched, in order.
    pub searches: Vec<Search>,
    /// The relations that stand, in order, numbered from 1.
    pub relations: Vec<Relation>,
    /// The numbers of those that are enough to kill all training mutants that all of them kill, the most important first; none
    /// if the run has not kept that.
    pub needed: Vec<usize>,
    /// The relations that do not.
    pub refuted: Vec<Refuted>,
    /// All mutants.
    pub mutants: Vec<Mutant>,
    /// How relations do on the judging mutants.
    pub judged: Judged,
    /// Source files of the mutants that were found, by their names.
    #[serde(skip)]
    pub(super) sources: BTreeMap<String, String>,
    /// The names and kinds of inputs and outputs, as far as they are known.
    #[serde(skip)]
    pub(super) parameters: Option<Signature>,
    /// The executions that searches ended with, by transformation, as far as they are kept.
    #[serde(skip)]
    pub(super) executions: BTreeMap<String, Executions>,
}

/// What the source inputs are good for.
#[derive(Clone, Debug, Serialize)]
pub struct Coverage {
    /// How many inputs.
    pub inputs: usize,
    /// On how many the function returns.
    pub returned: usize,
    /// Sides of branches that some input takes.
    pub covered: usize,
    /// All sides of branches.
    pub sides: usize,
    /// Those that none takes, in words.
    pub uncovered: Vec<String>,
}

/// How many training mutants are what, on the source inputs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Counts {
    /// All of them.
    pub all: usize,
    /// Those that return something of their own.
    pub distinct: usize,
    /// Those that do what another does.
    pub same: usize,
    /// Those that never differ from the function.
    pub alike: usize,
    /// Those that do not return wherever they differ.
    pub crash_only: usize,
}

/// A search under a transformation.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// The transformation.
    pub transformation: String,
    /// The same in words: `e is decreased by 1`.
    pub words: String,
    /// What source and follow-up inputs satisfy.
    pub input_relation: String,
    /// Pairs of inputs; those on which the function does not return twice; those on which a mutant crashes.
    pub pairs: [usize; 3],
    /// Executions of the function and of mutants.
    pub rows: [usize; 2],
    /// How often counterexamples were taught.
    pub lessons: usize,
    /// The generations done, and the individuals scored.
    pub effort: [u64; 2],
    /// Why there was nothing to learn from, if so.
    pub problem: Option<String>,
    /// Relations that nothing refuted, and that were tried on too few pairs to be reported.
    pub doubtful: usize,
    /// Relations that were found, and that are not reported because people have rejected them.
    pub left_out: usize,
    /// The best of both populations, by generation.
    pub convergence: Vec<Point>,
}

/// The best individuals of one generation: those of the population that avoids false positives first, then of the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The generation.
    pub generation: u64,
    /// Their shares of false positives.
    pub fp: [Option<f64>; 2],
    /// Their shares of false negatives.
    #[serde(rename = "fn")]
    pub fn_: [Option<f64>; 2],
    /// Their nodes.
    pub size: [Option<f64>; 2],
    /// How often the populations have started anew so far.
    pub restarts: u64,
}

/// A relation that stands.
#[derive(Clone, Debug, Serialize)]
pub struct Relation {
    /// Counted from 1.
    pub number: usize,
    /// The transformation under which it holds.
    pub transformation: String,
    /// The relation as formula.
    pub relation: String,
    /// …and as sentence; none if its variables are not known.
    pub sentence: Option<String>,
    /// …and on an execution; none if no execution is kept.
    pub example: Option<Example>,
    /// Its nodes.
    pub size: usize,
    /// The share of mutants' executions that it does not notice.
    pub fn_rate: f64,
    /// The training mutants that it kills.
    pub killed: Vec<String>,
    /// Of how many.
    pub mutants: usize,
    /// On how many fresh pairs it was tried.
    pub tried: Option<usize>,
    /// On how many pairs a hunt tried to refute it.
    pub hunted: Option<usize>,
    /// Whether there are hardly any other inputs than those it was tried on.
    pub is_exhausted: bool,
    /// How many judging mutants it kills.
    pub judging_kills: Option<usize>,
    /// Which, if the run has kept that.
    pub judging_killed: Option<Vec<String>>,
}

impl Relation {
    /// The name that links have: `relation-3`.
    pub(super) fn anchor(&self) -> String {
        format!("relation-{}", self.number)
    }

    /// The mutants that it kills, of both groups.
    pub(super) fn kills(&self) -> impl Iterator<Item = &str> {
        self.killed.iter().chain(self.judging_killed.iter().flatten()).map(String::as_str)
    }

    /// With 95 % confidence, it is false on at most this share of such pairs: the rule of three.
    pub fn bound(&self) -> Option<f64> {
        self.tried.filter(|&tried| tried > 0).map(|tried| (3.0 / tried as f64).min(1.0))
    }
}

/// A relation that fresh inputs refuted.
#[derive(Clone, Debug, Serialize)]
pub struct Refuted {
    /// The transformation.
    pub transformation: String,
    /// The relation.
    pub relation: String,
    /// …as sentence.
    pub sentence: Option<String>,
    /// Where it is false.
    pub counterexample: Option<Example>,
    /// What found that.
    pub by: Option<String>,
    /// Whether the counterexample was made simpler.
    pub is_shrunk: bool,
}

/// A mutant, and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Mutant {
    /// Its name.
    pub name: String,
    /// `A` for training, `B` for judging.
    pub group: String,
    /// The mutation operator.
    pub operator: String,
    /// The function that is changed.
    pub function: String,
    /// Where in the module, in bytes.
    pub offset: u32,
    /// Where in the source.
    pub line: Option<String>,
    /// The line of the source, if it was found.
    pub source: Option<String>,
    /// What is changed.
    pub change: String,
    /// What the source inputs show of it.
    pub standing: Option<String>,
    /// What became of it.
    pub fate: Fate,
    /// The numbers of the relations that kill it.
    pub killed_by: Vec<usize>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// A relation is false for it.
    Killed,
    /// It does not return wherever it differs: any test kills it.
    Crashes,
    /// It differs, and no relation is false for it.
    Survives,
    /// It never differs from the function.
    Alike,
    /// It does what another mutant does.
    Same,
    /// The run has not kept that.
    Unknown,
}

impl Fate {
    /// In a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Fate::Killed => "killed",
            Fate::Crashes => "crashes",
            Fate::Survives => "survives",
            Fate::Alike => "never differs",
            Fate::Same => "same as another",
            Fate::Unknown => "not recorded",
        }
    }
}

impl Mutant {
    /// Where it is: the place in the source, or in the module.
    pub(super) fn place(&self) -> String {
        match &self.line {
            Some(line) => line.clone(),
            None => format!("{} at offset {:#x}", self.function, self.offset),
        }
    }

    /// What stands in the code, and what the mutant has in its place, if the change is of that form.
    pub(super) fn diff(&self) -> Option<(&str, &str)> {
        let (new, old) = self.change.split_once(" instead of ")?;
        Some((old, new))
    }
}

/// How relations do on mutants that they were not trained on, on unseen inputs.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Unseen pairs.
    pub pairs: usize,
    /// On how many of them a relation is false for the function itself.
    pub false_alarms: u64,
    /// The mutants, without those that do what another does.
    pub mutants: usize,
    /// Killed by any test: they crash.
    pub floor: usize,
    /// Killed by a relation or a crash.
    pub killed: usize,
    /// Killed by a relation that is false.
    pub asserted: usize,
    /// Killed by an oracle that knows every output.
    pub ceiling: usize,
    /// What is not killed and could be: what each changes, and where.
    pub survivors: Vec<String>,
}

impl Model {
    /// Reads the folder of a run.
    ///
    /// # Errors
    /// When it is no such folder, or a file in it is damaged; the error says which, and what to do.
    pub fn read(folder: &Path) -> Result<Model, ModelError> {
        Ok(Model::new(Files::read(folder)?))
    }

    fn new(files: Files) -> Model {
        let repeat = repeat::of(&files);
        let Files { report, mutants, refuted, searches, sources, .. } = files;
        let files::Report { tolerance, transformations, judged, .. } = report;
        let equality = Tolerance::new(tolerance.abs, tolerance.rel).unwrap_or_default();
        let written = searches.values().find_map(|search| search.executions.as_ref());
        let signature = match written {
            Some(executions) => Some(executions.signature.clone()),
            None => subject::Signature::parse(&report.function, &report.signature)
                .ok()
                .map(|signature| signature.of_executions()),
        };
        let teller = Teller { signature, tolerance: equality };
        let counts: Vec<usize> = transformations
            .iter()
            .map(|claimed| claimed.results.as_ref().map_or(0, |results| results.relations.len()))
            .collect();
        let judging = judged.kills.as_ref().and_then(|kills| kill_lists(kills, &counts));

        let mut relations = Vec::new();
        let mut told = Vec::new();
        let mut wrong = Vec::new();
        for claimed in transformations {
            let search = searches.get(&claimed.transformation);
            told.push(teller.search(&claimed, search));
            let choice = search.and_then(|s| s.executions.as_ref()).map(Choice::new);
            let transformation = &claimed.transformation;
            let results = claimed.results.as_ref();
            for (at, found) in results.iter().flat_map(|r| &r.relations).enumerate() {
                let number = relations.len() + 1;
                let evidence = claimed.evidence.get(at).cloned().unwrap_or_default();
                let judging_killed = judging.as_ref().map(|lists| lists[number - 1].clone());
                relations.push(Relation {
                    number,
                    transformation: transformation.clone(),
                    relation: found.relation.clone(),
                    sentence: teller.sentence(&found.relation, transformation),
                    example: teller.example(&found.relation, choice.as_ref()),
                    size: found.size,
                    fn_rate: found.fn_rate,
                    killed: found.killed.clone(),
                    mutants: results.map_or(0, |results| results.mutants.len()),
                    tried: claimed.tried.get(at).copied(),
                    hunted: evidence.hunted,
                    is_exhausted: evidence.exhausted,
                    judging_kills: claimed
                        .judging_kills
                        .get(at)
                        .copied()
                        .or(judging_killed.as_ref().map(Vec::len)),
                    judging_killed,
                });
            }
            let claims = claimed.refuted.into_iter();
            wrong.extend(claims.map(|refuted| teller.refuted(refuted, &claimed.transformation)));
        }
        if let Some(list) = refuted {
            wrong = list.into_iter().map(|refuted| teller.refuted(refuted, "")).collect();
        }
        let number = |needed: &files::Needed| {
            let found = relations.iter().find(|relation| {
                relation.transformation == needed.transformation
                    && relation.relation == needed.relation
            });
            found.map(|relation| relation.number)
        };
        let needed = report.minimal.needed.iter().filter_map(number).collect();
        let survivors: BTreeSet<&str> =
            judged.survivors.iter().filter_map(|text| text.split(':').next()).collect();
        let set = |names: &'_ [String]| names.iter().cloned().collect::<BTreeSet<String>>();
        let fates = Fates {
            relations: &relations,
            survivors,
            judging: set(&judged.names),
            crashed: set(&judged.crashed),
        };
        let mutants =
            mutants.into_iter().map(|mutant| fates.mutant(mutant, &sources)).collect::<Vec<_>>();
        let files::Coverage { inputs, returned, covered, sides, uncovered } = report.sources;
        let files::Counts { all, distinct, same, alike, crash_only } = report.training;
        let files::Judged { pairs, false_alarms, floor, killed, asserted, ceiling, .. } = judged;
        Model {
            tool: report.tool,
            function: report.function,
            signature: report.signature,
            seed: report.seed,
            config: report.config,
            tolerance: [tolerance.abs, tolerance.rel],
            repeat,
            coverage: Coverage { inputs, returned, covered, sides, uncovered },
            training: Counts { all, distinct, same, alike, crash_only },
            searches: told,
            relations,
            needed,
            refuted: wrong,
            mutants,
            judged: Judged {
                pairs,
                false_alarms,
                mutants: judged.mutants,
                floor,
                killed,
                asserted,
                ceiling,
                survivors: judged.survivors,
            },
            sources,
            parameters: teller.signature,
            executions: searches
                .into_iter()
                .filter_map(|(name, search)| Some((name, search.executions?)))
                .collect(),
        }
    }

    /// The inputs and outputs of the function; none if the run does not say enough of them.
    pub fn parameters(&self) -> Option<&Signature> {
        self.parameters.as_ref()
    }

    /// The executions that the search under a transformation ended with, if the run has kept them.
    pub fn executions(&self, transformation: &str) -> Option<&Executions> {
        self.executions.get(transformation)
    }

    /// The training mutants that differ, by whether a relation kills them: all, and killed.
    pub(super) fn trained(&self) -> (usize, usize) {
        let group = self.mutants.iter().filter(|mutant| mutant.group == "A");
        let count = |fate: Fate| group.clone().filter(|mutant| mutant.fate == fate).count();
        let killed = count(Fate::Killed);
        (killed + count(Fate::Survives), killed)
    }

    /// The mutants that no relation kills and that do differ.
    pub(super) fn survivors(&self) -> impl Iterator<Item = &Mutant> {
        self.mutants.iter().filter(|mutant| mutant.fate == Fate::Survives)
    }
}

/// What is needed to tell of relations.
struct Teller {
    signature: Option<Signature>,
    tolerance: Tolerance,
}

impl Teller {
    fn predicate(&self, text: &str) -> Option<(genmorph_jit::Predicate, &Signature)> {
        let signature = self.signature.as_ref()?;
        let schema = signature.schema().ok()?;
        Some((relation::read(text, &schema).ok()?, signature))
    }

    fn sentence(&self, text: &str, transformation: &str) -> Option<String> {
        let (predicate, signature) = self.predicate(text)?;
        Some(sentence(&predicate, transformation, signature))
    }

    fn example(&self, text: &str, choice: Option<&Choice<'_>>) -> Option<Example> {
        choice?.example(&self.predicate(text)?.0)
    }

    fn search(&self, claimed: &files::Claimed, search: Option<&files::Search>) -> Search {
        let words = match &self.signature {
            Some(signature) => change(&claimed.transformation, signature),
            None => claimed.transformation.clone(),
        };
        let results = claimed.results.as_ref();
        let rows = results.map_or([0; 2], |r| [r.rows.correct, r.rows.incorrect]);
        let run = results.and_then(|results| results.run.as_ref());
        let generations = search.map_or(&[][..], |search| &search.generations);
        Search {
            transformation: claimed.transformation.clone(),
            words,
            input_relation: claimed.input_relation.clone(),
            pairs: claimed.pairs,
            rows,
            lessons: claimed.lessons,
            effort: run.map_or([0; 2], |run| [run.generations, run.evaluations]),
            problem: claimed.problem.clone(),
            doubtful: claimed.doubtful,
            left_out: claimed.left_out,
            convergence: generations.iter().map(|generation| point(generation, rows)).collect(),
        }
    }

    fn refuted(&self, refuted: files::Refuted, transformation: &str) -> Refuted {
        let files::Refuted { transformation: own, relation, source, follow_up, by, is_shrunk } =
            refuted;
        let by = by.filter(|by| !by.is_empty());
        let transformation = own.unwrap_or_else(|| transformation.to_owned());
        let counterexample = self.predicate(&relation).and_then(|(predicate, signature)| {
            let side = |map: &serde_json::Map<String, serde_json::Value>| {
                let parameters = signature.inputs.iter().chain(&signature.outputs);
                let values = parameters.map(|p| value::from_json(p.kind, map.get(&p.name)?));
                values.collect::<Option<Vec<Value<'static>>>>()
            };
            let values = [side(&source)?, side(&follow_up)?].concat();
            let variable = |var: Var| values[var.index()].clone();
            Some(Example::new(&predicate, signature, &self.tolerance, &variable))
        });
        let sentence = self.sentence(&relation, &transformation);
        Refuted { transformation, relation, sentence, counterexample, by, is_shrunk }
    }
}

/// The best of a generation, in shares of the rows.
fn point(generation: &files::Generation, [correct, incorrect]: [usize; 2]) -> Point {
    let best = |at: usize| generation.populations.get(at).and_then(|p| p.best.as_ref());
    // Counterexamples become rows while a search goes on; a share is of those at its end.
    let share = |count: u32, of: usize| (f64::from(count) / of.max(1) as f64).min(1.0);
    Point {
        generation: generation.generation,
        fp: [0, 1].map(|at| best(at).map(|best| share(best.fp, correct))),
        fn_: [0, 1].map(|at| best(at).map(|best| share(best.fn_, incorrect))),
        size: [0, 1].map(|at| best(at).map(|best| best.size as f64)),
        restarts: generation.restarts,
    }
}

/// The names of judging mutants by relation, from lists of names in order, be they grouped by transformation or not.
fn kill_lists(kills: &serde_json::Value, counts: &[usize]) -> Option<Vec<Vec<String>>> {
    use serde_json::Value;
    fn names(value: &Value) -> Option<Vec<String>> {
        match value {
            Value::Array(list) => list.iter().map(|n| n.as_str().map(str::to_owned)).collect(),
            Value::Object(object) => ["killed", "kills", "mutants"]
                .iter()
                .find_map(|key| object.get(*key).and_then(names)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }
    let list = kills.as_array()?;
    let flat = || list.iter().map(names).collect::<Option<Vec<_>>>();
    let grouped = || {
        // A group for every transformation, or for those with relations only.
        let lists: Option<Vec<&Vec<Value>>> = list.iter().map(Value::as_array).collect();
        let lists = lists?;
        let sizes: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        let with: Vec<usize> = counts.iter().copied().filter(|&count| count > 0).collect();
        if sizes != counts && sizes != with {
            return None;
        }
        lists.into_iter().flatten().map(names).collect::<Option<Vec<_>>>()
    };
    let all = counts.iter().sum::<usize>();
    grouped().or_else(flat).filter(|lists| lists.len() == all)
}

/// What is needed to say what became of mutants.
struct Fates<'a> {
    relations: &'a [Relation],
    survivors: BTreeSet<&'a str>,
    /// The judging mutants but for those that do what another does; empty if the run has not kept them.
    judging: BTreeSet<String>,
    /// Those of them that any test kills.
    crashed: BTreeSet<String>,
}

impl Fates<'_> {
    fn mutant(&self, mutant: files::Mutant, sources: &BTreeMap<String, String>) -> Mutant {
        let files::Mutant { name, group, operator, function, offset, line, change, standing } =
            mutant;
        let killed_by: Vec<usize> = self
            .relations
            .iter()
            .filter(|relation| relation.kills().any(|killed| killed == name))
            .map(|relation| relation.number)
            .collect();
        let fate = self.fate(&name, &group, standing.as_deref(), !killed_by.is_empty());
        let source = line.as_deref().and_then(|line| {
            let place = place(line);
            let line = sources.get(&place.file)?.lines().nth(place.line? - 1)?;
            Some(line.trim().to_owned())
        });
        Mutant {
            name,
            group,
            operator,
            function,
            offset,
            line,
            source,
            change,
            standing,
            fate,
            killed_by,
        }
    }

    fn fate(&self, name: &str, group: &str, standing: Option<&str>, is_killed: bool) -> Fate {
        if is_killed {
            return Fate::Killed;
        }
        if self.survivors.contains(name) {
            return Fate::Survives;
        }
        match standing {
            Some("distinct") => Fate::Survives,
            Some("never differs") => Fate::Alike,
            Some("only crashes") => Fate::Crashes,
            Some(text) if text.starts_with("same as ") => Fate::Same,
            Some(_) => Fate::Unknown,
            None if self.crashed.contains(name) => Fate::Crashes,
            None if group != "B" || self.judging.is_empty() => Fate::Unknown,
            None if self.judging.contains(name) => Fate::Alike,
            None => Fate::Same,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kills_are_read_flat_and_grouped() {
        let expected = vec![vec!["B1".to_owned()], vec![], vec!["B1".to_owned(), "B2".to_owned()]];
        let flat = json!([["B1"], [], ["B1", "B2"]]);
        assert_eq!(kill_lists(&flat, &[2, 0, 1]), Some(expected.clone()));
        let grouped = json!([[["B1"], []], [], [["B1", "B2"]]]);
        assert_eq!(kill_lists(&grouped, &[2, 0, 1]), Some(expected.clone()));
        let fewer = json!([[["B1"], []], [["B1", "B2"]]]);
        assert_eq!(kill_lists(&fewer, &[2, 0, 1]), Some(expected.clone()));
        let objects = json!([{"killed": ["B1"]}, {"killed": []}, {"killed": ["B1", "B2"]}]);
        assert_eq!(kill_lists(&objects, &[3]), Some(expected));
        assert_eq!(kill_lists(&json!([["B1"]]), &[2]), None);
        assert_eq!(kill_lists(&json!([1]), &[1]), None);
    }
}
