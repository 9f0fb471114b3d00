//! JSON schemas of files and of printed JSON, derived from the structs that are written.
//!
//! Descriptions are the doc comments of the fields. A schema is as strict as the struct: every field that is always
//! written is required, and others are refused.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema (draft 7) of what a struct is written as.
pub fn schema<T: JsonSchema>(title: &str) -> Value {
    let strict = RecursiveTransform(strict as fn(&mut Schema));
    let settings = SchemaSettings::draft07().for_serialize().with_transform(strict);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}

/// Refuses other fields, and drops what only says how Rust holds a value.
fn strict(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("format");
    object.remove("default");
    if object.contains_key("properties") {
        object.entry("additionalProperties").or_insert(false.into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::report::Report;
    use crate::record::reviewed::ReviewedSet;

    #[test]
    fn schemas_are_strict_and_described() {
        let report = schema::<Report>("report.json");
        assert_eq!(report["title"], "report.json");
        assert_eq!(report["properties"]["version"]["const"], 1);
        assert_eq!(report["additionalProperties"], false);
        let required: Vec<_> = report["required"].as_array().unwrap().iter().collect();
        let properties = report["properties"].as_object().unwrap().keys();
        let left_out: Vec<_> =
            properties.filter(|name| !required.contains(&&json!(name))).collect();
        assert_eq!(left_out, ["second"]);
        let definitions = report["definitions"].as_object().unwrap();
        for (name, definition) in definitions.iter().filter(|(_, d)| d["type"] == "object") {
            assert_eq!(definition["additionalProperties"], false, "{name}");
            for (field, property) in definition["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{name}.{field} has no description");
            }
        }
        // Flattened fields are fields of the whole.
        assert_eq!(definitions["MutationScores"]["properties"]["floor"]["type"], "integer");
    }

    #[test]
    fn fields_that_are_left_out_are_not_required() {
        let set = schema::<ReviewedSet>("genmorph.reviewed.json");
        let rejected = &set["definitions"]["RejectedRelation"];
        assert_eq!(rejected["required"], serde_json::json!(["transformation", "relation"]));
    }
}
