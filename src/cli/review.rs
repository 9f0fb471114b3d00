//! `genmorph accept` and `genmorph reject`: the reviewed set, edited.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use genmorph::claims::{ClaimText, ClaimTexts, Place};
use genmorph::jit::Tolerance;
use genmorph::record::refuted::{ListedRefutation, Refutation};
use genmorph::record::relations as results;
use genmorph::record::reviewed::{
    AcceptedRelation, Change, Counterexample, RejectedRelation, ReviewedSet,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::flags::OwnToleranceArgs;
use super::format::Format;
use super::subject::SubjectArgs;
use super::{Ending, Failure, OrFailure, claims, output, print, whole};

const MORE: &str = "\
RELATIONS is the folder, report.json or relations.json of a run, a file of lines such as
  NumericAddition(-1) on e => out_f * k_s == out_s
one such line itself, or `-` for standard input. `genmorph reject` also takes a refuted.json, and keeps its counterexamples.
NUMBER is the number of a relation in a run, counted over all its transformations, or its line in a text. Without one, a list is shown.

The set is a file that is kept beside the code: `genmorph check` checks the accepted relations, and a search need not find the
rejected ones again. A relation is in one list only: the last word counts. Doing the same again changes nothing.

Examples:
  genmorph accept genmorph.out --all
  genmorph accept genmorph.out 1 3 --note \"from the specification\"
  genmorph accept 'NumericAddition(1) on n => out_f >= out_s' --subject my/subject.toml
  genmorph reject genmorph.out 2 --because \"an accident of the implementation\"
  genmorph check genmorph.reviewed.json my/subject.toml

Exit codes:
  0    done
  1    the set could not be written
  2    wrong usage or bad input: no such number, another function, a file that is no reviewed set, …";

/// Accept relations: from now on `genmorph check` says when one is violated
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct AcceptArgs {
    #[command(flatten)]
    which: Which,

    /// What is to be remembered of them
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// Reject relations: they are not meant to hold, whatever the code does
#[derive(Debug, clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct RejectArgs {
    #[command(flatten)]
    which: Which,

    /// Why the relations are rejected
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Which {
    /// The relations: the folder of a run, a file, `-`, or a text with `=>`
    relations: String,

    /// Which of them, by number
    #[arg(value_name = "NUMBER")]
    numbers: Vec<usize>,

    /// Take all relations of the file
    #[arg(long, conflicts_with = "numbers")]
    all: bool,

    /// The subject that they are about [default: the function that a run names; of texts, a built-in pow]
    #[arg(long, value_name = "FILE")]
    subject: Option<PathBuf>,

    #[command(flatten)]
    tolerance: OwnToleranceArgs,

    /// How the result is printed
    #[arg(long, default_value = "human")]
    format: Format,

    /// The file of the reviewed set
    #[arg(long, value_name = "FILE", default_value = ReviewedSet::FILE)]
    reviewed: PathBuf,
}

/// Relations that can be reviewed.
struct Reviewable {
    /// What messages call their file.
    name: String,
    function: String,
    /// The type of the function, if the relations were found with it.
    signature: Option<String>,
    tolerance: Option<Tolerance>,
    relations: Vec<Relation>,
}

struct Relation {
    place: Place,
    transformation: String,
    relation: String,
    counterexample: Option<Counterexample>,
}

/// What was done to a reviewed set; a line of NDJSON is one of the changes.
#[derive(Serialize, JsonSchema)]
pub(super) struct ReviewResult {
    /// The file of the set.
    reviewed: String,
    /// How many relations the set has accepted now.
    accepted: usize,
    /// How many relations the set has rejected now.
    rejected: usize,
    /// What was done to each relation.
    changes: Vec<RelationChange>,
}

/// What was done to a relation of a reviewed set.
#[derive(Serialize, JsonSchema)]
pub(super) struct RelationChange {
    /// What changed in the set.
    change: Change,
    /// The list that the relation is in now.
    #[schemars(extend("enum" = ["accepted", "rejected"]))]
    list: &'static str,
    /// The transformation that makes follow-up inputs.
    transformation: String,
    /// The relation as text.
    relation: String,
}

pub(super) fn accept(args: &AcceptArgs) -> Result<Ending, Failure> {
    args.which.review("accepted", "rejected", |set, relation| {
        let Relation { transformation, relation, .. } = relation;
        set.accept(AcceptedRelation { transformation, relation, note: args.note.clone() })
    })
}

pub(super) fn reject(args: &RejectArgs) -> Result<Ending, Failure> {
    args.which.review("rejected", "accepted", |set, relation| {
        let Relation { transformation, relation, counterexample, .. } = relation;
        let reason = args.because.clone();
        set.reject(RejectedRelation { transformation, relation, reason, counterexample })
    })
}

impl Which {
    /// Edits the set, relation by relation, and says what was done.
    fn review(
        &self,
        word: &'static str,
        other: &str,
        edit: impl Fn(&mut ReviewedSet, Relation) -> Change,
    ) -> Result<Ending, Failure> {
        let mut from = self.reviewable()?;
        let chosen = self.chosen(&mut from)?;
        let mut set = self.set(&from)?;
        let mut done = ReviewResult {
            reviewed: self.reviewed.display().to_string(),
            accepted: 0,
            rejected: 0,
            changes: Vec::new(),
        };
        for relation in chosen {
            let (transformation, text) =
                (relation.transformation.clone(), relation.relation.clone());
            let change = edit(&mut set, relation);
            done.changes.push(RelationChange {
                change,
                list: word,
                transformation,
                relation: text,
            });
        }
        if done.changes.iter().any(|done| done.change != Change::None) {
            output::write(&self.reviewed, &whole::json(&set))?;
        }
        (done.accepted, done.rejected) = (set.accepted().len(), set.rejected().len());
        print(&match self.format {
            Format::Human => done.text(other),
            Format::Json => whole::json(&done),
            Format::Ndjson => whole::lines(&done.changes),
        })?;
        Ok(Ending::Done)
    }

    /// The relations that can be chosen, in their canonical form.
    fn reviewable(&self) -> Result<Reviewable, Failure> {
        let (name, text) = claims::text(&self.relations)?;
        let (texts, mut counterexamples) = if text.trim_start().starts_with('[') {
            refuted(&name, &text)?
        } else {
            let texts = genmorph::claims::read_texts(&name, &text);
            (texts.or_input()?, Vec::new())
        };
        // The texts of a run are those that we print.
        if let (Some(function), None) = (&texts.function, &self.subject) {
            let (function, tolerance) = (function.clone(), texts.tolerance);
            let signature = texts.signature.clone();
            let relation = |ClaimText { place, transformation, relation }| Relation {
                place,
                transformation,
                relation,
                counterexample: None,
            };
            let relations = texts.claims.into_iter().map(relation).collect();
            return Ok(Reviewable { name, function, signature, tolerance, relations });
        }
        let asked = SubjectArgs::of(self.subject.clone());
        let chosen = asked.load(1)?;
        let signature = chosen.subject().signature().of_executions();
        let claims = claims::bind(&name, &texts, &signature, &asked)?;
        let mut relations = Vec::new();
        for group in &claims.groups {
            let interface = match group.transform.instance().bind_any(&signature) {
                Ok((_, interface)) => interface.observing(group.observed),
                Err(_) => signature.clone(),
            };
            let schema = interface.schema().expect("names were checked with the claims");
            for (relation, &number) in group.relations.iter().zip(&group.places) {
                let is_here = |place: &Place| number_of(*place) == number;
                let known = counterexamples.iter().position(|(place, _)| is_here(place));
                let mut places = texts.claims.iter().map(|claim| claim.place);
                relations.push(Relation {
                    place: places.find(is_here).expect("every relation has its claim"),
                    transformation: group.transform.describe().name,
                    relation: relation.display(&schema).to_string(),
                    counterexample: known.map(|index| counterexamples.swap_remove(index).1),
                });
            }
        }
        relations.sort_by_key(Relation::number);
        Ok(Reviewable {
            name,
            signature: Some(chosen.subject().signature().to_string()),
            function: signature.function,
            tolerance: claims.tolerance,
            relations,
        })
    }

    /// Takes those that were asked for.
    fn chosen(&self, from: &mut Reviewable) -> Result<Vec<Relation>, Failure> {
        let all = std::mem::take(&mut from.relations);
        let name = &from.name;
        let listed = |all: &[Relation]| {
            let line = |r: &Relation| {
                format!("\n{:>5}  {} => {}", r.number(), r.transformation, r.relation)
            };
            all.iter().map(line).collect::<String>()
        };
        if all.is_empty() {
            return Err(Failure::Input(format!("{name} has no relation")));
        }
        if self.all || (self.numbers.is_empty() && all.len() == 1) {
            return Ok(all);
        }
        if self.numbers.is_empty() {
            return Err(Failure::Input(format!(
                "which relations? name some by their numbers, or use --all; {name} has{}",
                listed(&all)
            )));
        }
        if let Some(number) =
            self.numbers.iter().find(|&&number| all.iter().all(|r| r.number() != number))
        {
            let kind = match all[0].place {
                Place::Line(_) => "relation on line",
                Place::Number(_) => "relation",
            };
            return Err(Failure::Input(format!(
                "{name} has no {kind} {number}; it has{}",
                listed(&all)
            )));
        }
        Ok(all.into_iter().filter(|relation| self.numbers.contains(&relation.number())).collect())
    }

    /// The set as it is, or a new one; it is about the same function, and numbers are equal when they are there.
    fn set(&self, from: &Reviewable) -> Result<ReviewedSet, Failure> {
        let file = &self.reviewed;
        let wanted = self.tolerance.given().or(from.tolerance);
        let Some(set) = existing(file)? else {
            let tolerance = wanted.unwrap_or_default();
            let mut set = ReviewedSet::new(from.function.clone(), tolerance.into());
            set.signature = from.signature.clone().unwrap_or_default();
            return Ok(set);
        };
        if set.function != from.function {
            return Err(Failure::Input(format!(
                "{} is about `{}`, and {} about `{}`; use --reviewed for another set, or --subject to say what it is about",
                file.display(),
                set.function,
                from.name,
                from.function
            )));
        }
        if let Some(wanted) = wanted
            && (wanted.abs(), wanted.rel()) != (set.tolerance.abs, set.tolerance.rel)
        {
            let results::Tolerance { abs, rel } = set.tolerance;
            return Err(Failure::Input(format!(
                "{} has the tolerance {abs:?},{rel:?}, and the relations have {:?},{:?}; use --tolerance {abs:?},{rel:?} if they \
                 hold with that of the set, or --reviewed for another set",
                file.display(),
                wanted.abs(),
                wanted.rel(),
            )));
        }
        Ok(set)
    }
}

impl ReviewResult {
    /// The changes as text; `other` is the list that relations may have been in before.
    fn text(&self, other: &str) -> String {
        let mut said = String::new();
        for RelationChange { change, list, transformation, relation } in &self.changes {
            let how = match change {
                Change::Added => String::new(),
                Change::Moved => format!(", was {other}"),
                Change::Amended => " before, more is known now".to_owned(),
                Change::None => " before".to_owned(),
            };
            let _ = writeln!(said, "{list}{how}: {transformation} => {relation}");
        }
        let ReviewResult { reviewed, accepted, rejected, .. } = self;
        let _ = writeln!(said, "{reviewed}: {accepted} accepted, {rejected} rejected");
        said
    }
}

impl Relation {
    fn number(&self) -> usize {
        number_of(self.place)
    }
}

/// The line or the number that a relation is chosen by.
fn number_of(place: Place) -> usize {
    let (Place::Line(number) | Place::Number(number)) = place;
    number
}

/// The set in a file, if there is one.
fn existing(file: &Path) -> Result<Option<ReviewedSet>, Failure> {
    match fs::read_to_string(file) {
        Ok(text) => ReviewedSet::read(&file.display().to_string(), &text).map(Some).or_input(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(whole::cannot("read", file, &error)),
    }
}

/// The relations of a refuted.json, with their counterexamples.
fn refuted(name: &str, text: &str) -> Result<(ClaimTexts, Vec<(Place, Counterexample)>), Failure> {
    let refuted: Vec<ListedRefutation> = serde_json::from_str(text).map_err(|error| {
        Failure::Input(format!("{name}: not a refuted.json of genmorph: {error}"))
    })?;
    let (mut claims, mut counterexamples) = (Vec::new(), Vec::new());
    for (number, entry) in (1..).zip(refuted) {
        let place = Place::Number(number);
        let ListedRefutation { transformation, refutation, .. } = entry;
        let Refutation { relation, source, follow_up, .. } = refutation;
        claims.push(ClaimText { place, transformation, relation });
        counterexamples.push((place, Counterexample { source, follow_up }));
    }
    Ok((ClaimTexts { function: None, signature: None, tolerance: None, claims }, counterexamples))
}
