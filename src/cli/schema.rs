//! `genmorph schema`: what machines can expect of files and of `--format json|ndjson`.

use genmorph::claims;
use genmorph::{
    assess, evolve::scoring as score, executions::recorded as collect,
    record::relations as results, run as generation, show::check, show::report,
};
use serde_json::{Value, json};

use super::{Ending, Failure, doctor, explain, generate, print, review, whole};

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
    /// The schema
    name: Option<String>,

    /// The schema of a line of NDJSON instead
    #[arg(long, requires = "name")]
    line: bool,
}

/// A schema that is shipped.
struct Schema {
    name: &'static str,
    text: &'static str,
    /// What the document is, of what the text defines.
    document: Part,
    /// What a line of NDJSON is.
    line: Option<Part>,
}

/// A part of what a schema defines.
#[derive(Clone, Copy)]
enum Part {
    Whole,
    /// A definition…
    One(&'static str),
    /// …and a list of them.
    List(&'static str),
}

const ALL: [Schema; 15] = [
    Schema {
        name: "assess",
        text: assess::SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("relation")),
    },
    Schema {
        name: "check",
        text: check::RESULTS_SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("judged")),
    },
    Schema {
        name: "collect",
        text: collect::SCHEMA,
        document: Part::Whole,
        line: Some(Part::Whole),
    },
    Schema { name: "doctor", text: doctor::SCHEMA, document: Part::Whole, line: Some(Part::Whole) },
    Schema {
        name: "evolve",
        text: results::SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("relation")),
    },
    Schema {
        name: "explain",
        text: explain::SCHEMA,
        document: Part::Whole,
        line: Some(Part::Whole),
    },
    Schema {
        name: "filter",
        text: check::RESULTS_SCHEMA,
        document: Part::List("judged"),
        line: Some(Part::One("judged")),
    },
    Schema {
        name: "generate",
        text: generation::SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("line")),
    },
    Schema {
        name: "mutants",
        text: generation::SCHEMA,
        document: Part::List("listed_mutant"),
        line: None,
    },
    Schema {
        name: "refuted",
        text: generation::SCHEMA,
        document: Part::List("listed_refuted"),
        line: None,
    },
    Schema { name: "report", text: report::SCHEMA, document: Part::Whole, line: None },
    Schema {
        name: "review",
        text: review::SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("change")),
    },
    Schema { name: "reviewed", text: claims::REVIEWED_SCHEMA, document: Part::Whole, line: None },
    Schema {
        name: "score",
        text: score::SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("score")),
    },
    Schema {
        name: "transformations",
        text: generate::TRANSFORMATIONS_SCHEMA,
        document: Part::Whole,
        line: Some(Part::One("transformation")),
    },
];

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let Some(name) = &args.name else {
        let width = ALL.iter().map(|schema| schema.name.len()).max().unwrap_or(0);
        let line = |schema: &Schema| format!("{:width$}  {}\n", schema.name, schema.title());
        print(&ALL.iter().map(line).collect::<String>())?;
        return Ok(Ending::Done);
    };
    let Some(schema) = ALL.iter().find(|schema| schema.name == name) else {
        let names: Vec<&str> = ALL.iter().map(|schema| schema.name).collect();
        let names = names.join(", ");
        return Err(Failure::Input(format!("there is no schema `{name}`; there are {names}")));
    };
    let part = match (args.line, schema.line) {
        (false, _) => schema.document,
        (true, Some(line)) => line,
        (true, None) => {
            return Err(Failure::Input(format!("`{name}` is one document, without lines")));
        }
    };
    print(&schema.part(part))?;
    Ok(Ending::Done)
}

impl Schema {
    fn value(&self) -> Value {
        serde_json::from_str(self.text).expect("what is shipped is JSON")
    }

    /// What it describes.
    fn title(&self) -> String {
        match self.document {
            Part::Whole => self.value()["title"].as_str().unwrap_or_default().to_owned(),
            // A file of a run, or what a command prints.
            Part::One(_) | Part::List(_) if self.line.is_none() => format!("{}.json", self.name),
            Part::One(_) | Part::List(_) => format!("genmorph {} --format json", self.name),
        }
    }

    /// The schema of a part of it.
    fn part(&self, part: Part) -> String {
        let reference = |name: &str| json!({ "$ref": format!("#/definitions/{name}") });
        let (body, title) = match part {
            Part::Whole => return self.text.to_owned(),
            Part::One(name) => {
                let title = format!("a line of genmorph {} --format ndjson", self.name);
                (json!({ "allOf": [reference(name)] }), title)
            }
            Part::List(name) => {
                (json!({ "type": "array", "items": reference(name) }), self.title())
            }
        };
        let mut schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": title,
            "definitions": self.value()["definitions"],
        });
        if let (Value::Object(schema), Value::Object(body)) = (&mut schema, body) {
            schema.extend(body);
        }
        whole::json(&schema)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_json_and_defines_its_parts() {
        for schema in &ALL {
            let value = schema.value();
            assert!(!schema.title().is_empty(), "{}", schema.name);
            for part in [Some(schema.document), schema.line].into_iter().flatten() {
                if let Part::One(name) | Part::List(name) = part {
                    assert!(value["definitions"][name].is_object(), "{}: {name}", schema.name);
                }
            }
        }
    }
}
