//! `genmorph schema`: what machines can expect of files and of `--format json|ndjson`.

use genmorph::assess::{Assessment, RelationScores};
use genmorph::executions::recorded::Summary;
use genmorph::filter::recheck::Entry;
use genmorph::record::mutants::MutantEntry;
use genmorph::record::refuted::ListedRefutation;
use genmorph::record::relations::{RelationsFile, ReportedRelation};
use genmorph::record::report::Report;
use genmorph::record::reviewed::ReviewedSet;
use genmorph::record::schema::schema;
use genmorph::show::report::{Model, Relation};
use serde_json::Value;

use super::check::CheckResults;
use super::doctor::Diagnosis;
use super::explain::ExplanationJson;
use super::generate::FittingTransformation;
use super::laws::{LawFound, LawsFound};
use super::review::{RelationChange, ReviewResult};
use super::score::ScoreLine;
use super::{Ending, Failure, print, whole};

const EXAMPLES: &str = "\
Examples:
  genmorph schema                            # the names
  genmorph schema check > check.schema.json
  genmorph schema generate --line            # of a line of `genmorph generate --format ndjson`

Exit codes:
  0  done
  2  there is no such schema";

/// Print the JSON schema of an output or a file, or the names of all schemas
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The name of the schema
    name: Option<String>,

    /// The schema of a line of NDJSON instead
    #[arg(long, requires = "name")]
    line: bool,
}

/// A schema that can be printed.
struct SchemaEntry {
    name: &'static str,
    /// The file or the output that it describes.
    title: &'static str,
    document: fn(&str) -> Value,
    /// The schema of a line of NDJSON, if the document has lines.
    line: Option<fn(&str) -> Value>,
}

const ALL: [SchemaEntry; 16] = [
    SchemaEntry {
        name: "assess",
        title: "genmorph assess --format json",
        document: schema::<Assessment>,
        line: Some(schema::<RelationScores>),
    },
    SchemaEntry {
        name: "check",
        title: "genmorph check --format json",
        document: schema::<CheckResults<'static>>,
        line: Some(schema::<Entry<'static>>),
    },
    SchemaEntry {
        name: "collect",
        title: "genmorph collect --format json",
        document: schema::<Summary>,
        line: Some(schema::<Summary>),
    },
    SchemaEntry {
        name: "doctor",
        title: "genmorph doctor --format json",
        document: schema::<Diagnosis>,
        line: Some(schema::<Diagnosis>),
    },
    SchemaEntry {
        name: "evolve",
        title: "relations.json",
        document: schema::<RelationsFile>,
        line: Some(schema::<ReportedRelation>),
    },
    SchemaEntry {
        name: "explain",
        title: "genmorph explain --format json",
        document: schema::<ExplanationJson<'static>>,
        line: Some(schema::<ExplanationJson<'static>>),
    },
    SchemaEntry {
        name: "filter",
        title: "genmorph filter --format json",
        document: schema::<Vec<Entry<'static>>>,
        line: Some(schema::<Entry<'static>>),
    },
    SchemaEntry {
        name: "generate",
        title: "report.json",
        document: schema::<Report>,
        line: Some(schema::<Relation>),
    },
    SchemaEntry {
        name: "laws",
        title: "genmorph laws --format json",
        document: schema::<LawsFound>,
        line: Some(schema::<LawFound>),
    },
    SchemaEntry {
        name: "mutants",
        title: "mutants.json",
        document: schema::<Vec<MutantEntry>>,
        line: None,
    },
    SchemaEntry {
        name: "refuted",
        title: "refuted.json",
        document: schema::<Vec<ListedRefutation>>,
        line: None,
    },
    SchemaEntry {
        name: "report",
        title: "genmorph report --format json",
        document: schema::<Model>,
        line: None,
    },
    SchemaEntry {
        name: "review",
        title: "genmorph accept --format json, genmorph reject --format json",
        document: schema::<ReviewResult>,
        line: Some(schema::<RelationChange>),
    },
    SchemaEntry {
        name: "reviewed",
        title: "genmorph.reviewed.json",
        document: schema::<ReviewedSet>,
        line: None,
    },
    SchemaEntry {
        name: "score",
        title: "genmorph score --format json",
        document: schema::<Vec<ScoreLine<'static>>>,
        line: Some(schema::<ScoreLine<'static>>),
    },
    SchemaEntry {
        name: "transformations",
        title: "genmorph generate --list-transformations --format json",
        document: schema::<Vec<FittingTransformation>>,
        line: Some(schema::<FittingTransformation>),
    },
];

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let Some(name) = &args.name else {
        let width = ALL.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        let line = |entry: &SchemaEntry| format!("{:width$}  {}\n", entry.name, entry.title);
        print(&ALL.iter().map(line).collect::<String>())?;
        return Ok(Ending::Done);
    };
    let Some(entry) = ALL.iter().find(|entry| entry.name == name) else {
        let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
        let names = names.join(", ");
        return Err(Failure::Input(format!("there is no schema `{name}`; there are {names}")));
    };
    let schema = match (args.line, entry.line) {
        (false, _) => (entry.document)(entry.title),
        (true, Some(line)) => line(&format!("a line of genmorph {name} --format ndjson")),
        (true, None) => {
            return Err(Failure::Input(format!("`{name}` is one document, without lines")));
        }
    };
    print(&whole::json(&schema))?;
    Ok(Ending::Done)
}
