//! A relation that is named by its run and its number: `genmorph.out#3`.

use std::fs;
use std::path::{Path, PathBuf};

use genmorph::claims::relation;
use genmorph::executions::Executions;
use genmorph::executions::power;
use genmorph::jit::Tolerance;
use genmorph::record::checksum;
use genmorph::record::evolution::EvolutionSettings;
use genmorph::record::relations::RelationsFile;
use genmorph::show::explain::{Options, RunContext, RunExplanation, RunFinding};
use genmorph::show::report::{Example, Model, Relation, functional_form, sentence};
use genmorph::transform;

use super::super::whole::cannot;
use super::super::{Failure, OrFailure};

/// A relation of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RelationRef<'a> {
    path: &'a Path,
    number: usize,
}

/// How its relation is explained.
#[derive(Clone, Copy, Debug)]
struct Settings<'a> {
    /// When two numbers are equal, if not as in the run.
    tolerance: Option<Tolerance>,
    options: &'a Options,
}

impl<'a> RelationRef<'a> {
    /// What an argument names; nothing if it is the text of a relation, which has no such end.
    pub(super) fn read(argument: &'a str) -> Option<RelationRef<'a>> {
        let (path, number) = argument.rsplit_once('#')?;
        let number = number.parse().ok()?;
        Some(RelationRef { path: Path::new(path), number })
    }

    /// Takes the relation apart.
    pub(super) fn explain(
        &self,
        tolerance: Option<Tolerance>,
        options: &Options,
    ) -> Result<RunExplanation, Failure> {
        let settings = Settings { tolerance, options };
        let path = self.path;
        let is_file = |name: &str| path.file_name().is_some_and(|file| file == name);
        match fs::metadata(path) {
            Err(error) => Err(cannot("read", path, &error)),
            Ok(data) if data.is_dir() => match path.join("report.json").is_file() {
                true => self.of_model(path, settings),
                false => self.of_search(&path.join("relations.json"), settings),
            },
            Ok(_) if is_file("report.json") => self.of_model(folder(path), settings),
            Ok(_) if is_file("refuted.json") => self.refuted(settings),
            Ok(_) => self.of_search(path, settings),
        }
    }

    /// A relation that stands, in a run with a report.
    fn of_model(&self, folder: &Path, settings: Settings<'_>) -> Result<RunExplanation, Failure> {
        let model = read(folder)?;
        let listed = model.relations.iter().map(|r| (&*r.transformation, &*r.relation));
        let index = self.index(model.relations.len(), listed)?;
        let finding = RunFinding::Stands(Box::new(model.relations[index].clone()));
        explained(finding, &model, settings)
    }

    /// One that does not.
    fn refuted(&self, settings: Settings<'_>) -> Result<RunExplanation, Failure> {
        let model = read(folder(self.path))?;
        let listed = model.refuted.iter().map(|r| (&*r.transformation, &*r.relation));
        let index = self.index(model.refuted.len(), listed)?;
        let finding = RunFinding::Refuted(Box::new(model.refuted[index].clone()));
        explained(finding, &model, settings)
    }

    /// A relation of one search: of a run that has a report, or of `genmorph evolve`.
    fn of_search(&self, file: &Path, settings: Settings<'_>) -> Result<RunExplanation, Failure> {
        let text = fs::read_to_string(file).map_err(|error| cannot("read", file, &error))?;
        checksum::check(&text).map_err(|error| {
            Failure::Input(format!("{} cannot be trusted: {error}", file.display()))
        })?;
        let results: RelationsFile = serde_json::from_str(&text).map_err(|error| {
            Failure::Input(format!(
                "{} is neither a report.json nor a relations.json nor a refuted.json of genmorph: {error}",
                file.display()
            ))
        })?;
        let listed = results.relations.iter().map(|r| (&*results.transformation, &*r.relation));
        let index = self.index(results.relations.len(), listed)?;
        let found = &results.relations[index];
        let context = folder(folder(file));
        if context.join("report.json").is_file() {
            let model = read(context)?;
            let is_it = |relation: &&Relation| {
                relation.transformation == results.transformation
                    && relation.relation == found.relation
            };
            if let Some(relation) = model.relations.iter().find(is_it) {
                return explained(RunFinding::Stands(Box::new(relation.clone())), &model, settings);
            }
        }
        let executions = settings.on(executions(folder(file))?);
        let schema = executions.table.schema();
        let predicate =
            relation::read(&found.relation, schema).map_err(|error| of_other(file, &error))?;
        let RelationsFile { transformation, input_relation, mutants, .. } = &results;
        let finding = Relation {
            number: self.number,
            transformation: transformation.clone(),
            kind: found.kind,
            functional: Some(functional_form(&predicate, input_relation, &executions.signature)),
            relation: found.relation.clone(),
            sentence: Some(sentence(&predicate, transformation, &executions.signature)),
            example: Example::of(&predicate, &executions),
            size: found.size,
            fn_rate: found.fn_rate,
            killed: found.killed.clone(),
            mutants: mutants.len(),
            tried: None,
            hunted: None,
            is_exhausted: false,
            premise: String::new(),
            tried_inputs: String::new(),
            judging_kills: None,
            judging_killed: None,
        };
        let context = RunContext {
            signature: &executions.signature,
            input_relation,
            executions: Some(&executions),
            refuted: &[],
        };
        RunExplanation::new(RunFinding::Stands(Box::new(finding)), &context, settings.options)
            .map_err(|error| of_other(file, &error))
    }

    /// Where the relation is in a list; or what is in the list.
    fn index<'r>(
        &self,
        count: usize,
        listed: impl Iterator<Item = (&'r str, &'r str)>,
    ) -> Result<usize, Failure> {
        let RelationRef { path, number } = self;
        if (1..=count).contains(number) {
            return Ok(number - 1);
        }
        let path = path.display();
        if count == 0 {
            return Err(Failure::Input(format!("{path} has no relation")));
        }
        let lines = (1..).zip(listed);
        let lines: String = lines.map(|(n, (t, r))| format!("\n{n:>5}  {t} => {r}")).collect();
        Err(Failure::Input(format!("{path} has no relation {number}; it has{lines}")))
    }
}

impl Settings<'_> {
    /// Executions with the tolerance that is wished for.
    fn on(self, executions: Executions) -> Executions {
        match self.tolerance {
            Some(tolerance) => executions.with_tolerance(tolerance),
            None => executions,
        }
    }
}

fn read(folder: &Path) -> Result<Model, Failure> {
    Model::read(folder).or_input()
}

/// The folder of a file.
fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn explained(
    finding: RunFinding,
    model: &Model,
    settings: Settings<'_>,
) -> Result<RunExplanation, Failure> {
    let Some(signature) = model.parameters() else {
        return Err(Failure::Input(
            "the run does not say what its function takes and gives: run `genmorph generate` again"
                .to_owned(),
        ));
    };
    let search = model.searches.iter().find(|s| s.transformation == finding.transformation());
    let executions = model.executions(finding.transformation(), finding.relation());
    let executions = executions.map(|kept| settings.on(kept.clone()));
    let signature = transform::interface(signature, finding.transformation(), finding.relation());
    let context = RunContext {
        signature: &signature,
        input_relation: search.map_or("", |search| &search.input_relation),
        executions: executions.as_ref(),
        refuted: &model.refuted,
    };
    RunExplanation::new(finding, &context, settings.options).or_input()
}

/// The executions of the search in a folder: its own, or those that it was started with.
fn executions(folder: &Path) -> Result<Executions, Failure> {
    let own = folder.join("executions.parquet");
    let run = folder.join("run.json");
    let path: PathBuf = if own.is_file() {
        own
    } else {
        let text = fs::read_to_string(&run).map_err(|error| cannot("read", &run, &error))?;
        let started: EvolutionSettings = serde_json::from_str(&text)
            .map_err(|error| Failure::Input(format!("{} is damaged: {error}", run.display())))?;
        if started.executions == "example" {
            return Ok(power::executions());
        }
        started.executions.into()
    };
    let reading = Executions::read(&path).or_input()?;
    Ok(reading.executions)
}

fn of_other(file: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("{} is not about its executions: {error}", file.display()))
}
