//! The reviewed set that a search respects: what people have rejected is not reported again.

use std::fs;
use std::path::{Path, PathBuf};

use genmorph::claims::relation;
use genmorph::inputs::{self, Row};
use genmorph::record::reviewed::{RejectedRelation, ReviewedSet};
use genmorph::run::Rejection;
use genmorph::subject::Signature;
use genmorph::subject::kinds::Observed;

use super::super::whole::cannot;
use super::super::{Failure, OrFailure, talk};

/// The flags that choose a reviewed set.
#[derive(Debug, clap::Args)]
pub(super) struct ReviewArgs {
    /// Leave out what this reviewed set rejects, see `genmorph reject` [default: genmorph.reviewed.json in this folder, if it is about
    /// the function]
    #[arg(long, value_name = "FILE")]
    reviewed: Option<PathBuf>,

    /// Search as if nothing had been reviewed
    #[arg(long, conflicts_with = "reviewed")]
    no_reviewed: bool,
}

/// What a search takes from a reviewed set.
#[derive(Debug, Default)]
pub(super) struct Rejections {
    /// Its file, if there is one about the function.
    pub(super) file: Option<PathBuf>,
    /// What is not to be reported.
    pub(super) rejected: Vec<Rejection>,
    /// Inputs on which a rejected relation was false once.
    pub(super) inputs: Vec<Row>,
}

impl ReviewArgs {
    /// Reads the set, as far as it is about the function.
    pub(super) fn read(&self, signature: &Signature) -> Result<Rejections, Failure> {
        let usual = Path::new(ReviewedSet::FILE);
        let (file, is_named) = match &self.reviewed {
            _ if self.no_reviewed => return Ok(Rejections::default()),
            Some(file) => (file.as_path(), true),
            None if usual.is_file() => (usual, false),
            None => return Ok(Rejections::default()),
        };
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| cannot("read", file, &error))?;
        let set = ReviewedSet::read(&name.to_string(), &text).or_input()?;
        let function = &signature.function;
        if set.function != *function {
            let other =
                format!("{name} is about `{}`, and the subject is `{function}`", set.function);
            return match is_named {
                true => Err(Failure::Input(other)),
                false => {
                    talk::detail(&other);
                    Ok(Rejections::default())
                }
            };
        }
        let interface = signature.of_executions();
        let mut rejections = Rejections { file: Some(file.to_owned()), ..Rejections::default() };
        for RejectedRelation { transformation, relation, counterexample, .. } in set.rejected() {
            let observed = Observed::of(relation);
            // A parameter that is called `throws` leaves no word for outcomes: nothing of them is found, and nothing is to be left out.
            let Ok(schema) = interface.observing(observed).schema() else { continue };
            let read = relation::read(relation, &schema).map_err(|error| {
                Failure::Input(format!("{name} rejects `{transformation} => {relation}`: {error}"))
            })?;
            let transformation = transformation.clone();
            rejections.rejected.push(Rejection { transformation, observed, relation: read });
            // The domain may have become narrower since, so that the input is outside of it.
            let input = counterexample.as_ref().map(|c| inputs::of_object(&c.source, signature));
            rejections.inputs.extend(input.and_then(Result::ok));
        }
        talk::detail(&format_args!("{name}: rejected relations: {}", rejections.rejected.len()));
        Ok(rejections)
    }
}
