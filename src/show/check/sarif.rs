//! SARIF 2.1.0, which code scanning shows: a result for each relation that does not stand.

use serde_json::{Value, json};

use super::CheckReport;
use crate::filter::recheck::{CheckedRelation, Standing};

impl CheckReport<'_> {
    /// As a SARIF log.
    pub fn sarif(&self) -> Value {
        let rule = |id: &str, short: &str, full: &str, level: &str| {
            json!({
                "id": id,
                "shortDescription": { "text": short },
                "fullDescription": { "text": full },
                "defaultConfiguration": { "level": level },
            })
        };
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "genmorph",
                    "semanticVersion": crate::VERSION,
                    "rules": [
                        rule(
                            "violated-relation",
                            "A metamorphic relation is violated",
                            "There are two inputs of the function, the second made of the first by the transformation, \
                             for which the accepted relation of inputs and outputs is false.",
                            "error",
                        ),
                        rule(
                            "undecided-relation",
                            "A metamorphic relation cannot be judged",
                            "The function returns on so few pairs of inputs that nothing can be said of the accepted relation.",
                            "warning",
                        ),
                        rule(
                            "changed-outcome",
                            "A call does not end as it did",
                            "A call that returned now throws, one that threw now returns, or one that ended does not end any more.",
                            "error",
                        ),
                    ],
                } },
                "columnKind": "unicodeCodePoints",
                "results": self.results(),
            }],
        })
    }

    fn results(&self) -> Vec<Value> {
        let of_relations = self.judged.iter().filter_map(|judged| self.result(judged));
        let changes = self.changes.map(|changes| &changes.changes[..]).unwrap_or_default();
        let of_calls = self.changes().into_iter().zip(changes).map(|((title, evidence), change)| {
            let location = json!({
                "logicalLocations": [{ "name": self.signature.function, "kind": "function" }],
            });
            json!({
                "ruleId": "changed-outcome",
                "ruleIndex": 2,
                "level": "error",
                "message": { "text": message(&format!("{title}: {evidence}")) },
                "locations": [location],
                "partialFingerprints": { "outcome/v1": format!("{:?} {}", change.kind, change.what) },
            })
        });
        of_relations.chain(of_calls).collect()
    }

    fn result(&self, judged: &CheckedRelation) -> Option<Value> {
        let (title, evidence) = self.message_of(judged)?;
        let (index, id, level) = match judged.standing() {
            Standing::Refuted => (0, "violated-relation", "error"),
            Standing::Stands | Standing::Unknown => (1, "undecided-relation", "warning"),
        };
        let logical = json!([{ "name": self.signature.function, "kind": "function" }]);
        let mut location = json!({ "logicalLocations": logical });
        if let Some(file) = self.file {
            location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) } });
            if let Some(line) = self.line(judged) {
                location["physicalLocation"]["region"] = json!({ "startLine": line });
            }
        }
        let claim = format!("{} => {}", judged.transformation, judged.relation);
        Some(json!({
            "ruleId": id,
            "ruleIndex": index,
            "level": level,
            "message": { "text": message(&format!("{title}: {evidence}")) },
            "locations": [location],
            // Known again on other lines, and with another counterexample.
            "partialFingerprints": { "relation/v1": claim },
        }))
    }
}

/// A text without placeholders, which are in braces: those of a text input are not meant.
fn message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A path as a URI: what may not be in one is written as bytes.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let is_absolute = path.starts_with('/');
    let mut uri = String::from(if is_absolute { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::check::{examples, of_lines};

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("out/my relations.txt"), "out/my%20relations.txt");
        assert_eq!(uri("/a/ü#%"), "file:///a/%C3%BC%23%25");
    }

    #[test]
    fn braces_are_no_placeholders() {
        assert_eq!(message("s = \"{0}\""), "s = \"{{0}}\"");
    }

    #[test]
    fn results_are_what_does_not_stand() {
        let (signature, judged) = examples();
        let checked = of_lines(&signature, &judged);
        let log = checked.sarif();
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 2);
        for (result, line) in results.iter().zip([2, 7]) {
            let rule =
                &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert_eq!(rule["defaultConfiguration"]["level"], result["level"]);
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "r.txt");
            assert_eq!(place["region"]["startLine"], line);
        }
        let inline = CheckReport { file: None, ..checked }.sarif();
        let location = &inline["runs"][0]["results"][0]["locations"][0];
        assert_eq!(location["physicalLocation"], Value::Null);
        assert_eq!(location["logicalLocations"][0]["name"], "pow");
    }
}
