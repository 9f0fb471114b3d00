//! `genmorph schema`: what machines can expect of files and of `--format json|ndjson`.

use genmorph::assess::{Assessment, RelationScores};
use genmorph::executions::recorded::Summary;
use genmorph::filter::recheck::Entry;
use genmorph::record::calls::CallsFile;
use genmorph::record::mutants::MutantEntry;
use genmorph::record::refuted::ListedRefutation;
use genmorph::record::relations::{RelationsFile, ReportedRelation};
use genmorph::record::report::Report;
use genmorph::record::reviewed::ReviewedSet;
use genmorph::record::schema::schema;
use genmorph::show::report::{Model, Relation};
use schemars::JsonSchema;
use serde_json::Value;

use super::check::CheckResults;
use super::doctor::Diagnosis;
use super::explain::ExplanationJson;
use super::generate::FittingTransformation;
use super::laws::{LawFound, LawsFound};
use super::pairs::PairFound;
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

impl SchemaEntry {
    /// Of a document without lines.
    const fn whole<D: JsonSchema>(name: &'static str, title: &'static str) -> SchemaEntry {
        SchemaEntry { name, title, document: schema::<D>, line: None }
    }

    /// Of a document `D` with lines `L`.
    const fn lines<D: JsonSchema, L: JsonSchema>(
        name: &'static str,
        title: &'static str,
    ) -> SchemaEntry {
        SchemaEntry { line: Some(schema::<L>), ..SchemaEntry::whole::<D>(name, title) }
    }
}

const ALL: [SchemaEntry; 18] = [
    SchemaEntry::lines::<Assessment, RelationScores>("assess", "genmorph assess --format json"),
    SchemaEntry::whole::<CallsFile>("calls", "calls.json"),
    SchemaEntry::lines::<CheckResults<'static>, Entry<'static>>(
        "check",
        "genmorph check --format json",
    ),
    SchemaEntry::lines::<Summary, Summary>("collect", "genmorph collect --format json"),
    SchemaEntry::lines::<Diagnosis, Diagnosis>("doctor", "genmorph doctor --format json"),
    SchemaEntry::lines::<RelationsFile, ReportedRelation>("evolve", "relations.json"),
    SchemaEntry::lines::<ExplanationJson<'static>, ExplanationJson<'static>>(
        "explain",
        "genmorph explain --format json",
    ),
    SchemaEntry::lines::<Vec<Entry<'static>>, Entry<'static>>(
        "filter",
        "genmorph filter --format json",
    ),
    SchemaEntry::lines::<Report, Relation>("generate", "report.json"),
    SchemaEntry::lines::<LawsFound, LawFound>("laws", "genmorph laws --format json"),
    SchemaEntry::whole::<Vec<MutantEntry>>("mutants", "mutants.json"),
    SchemaEntry::lines::<Vec<PairFound>, PairFound>("pairs", "genmorph pairs --format json"),
    SchemaEntry::whole::<Vec<ListedRefutation>>("refuted", "refuted.json"),
    SchemaEntry::whole::<Model>("report", "genmorph report --format json"),
    SchemaEntry::lines::<ReviewResult, RelationChange>(
        "review",
        "genmorph accept --format json, genmorph reject --format json",
    ),
    SchemaEntry::whole::<ReviewedSet>("reviewed", "genmorph.reviewed.json"),
    SchemaEntry::lines::<Vec<ScoreLine<'static>>, ScoreLine<'static>>(
        "score",
        "genmorph score --format json",
    ),
    SchemaEntry::lines::<Vec<FittingTransformation>, FittingTransformation>(
        "transformations",
        "genmorph generate --list-transformations --format json",
    ),
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
