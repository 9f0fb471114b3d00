//! The settings of a search as files have them.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::evolve::config::Config;

/// Names and values of settings, in the order of the file. An older or newer genmorph may have had other settings, so
/// this is not a [`Config`] until somebody asks for [one](ConfigEntries::config).
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
#[schemars(with = "Config")]
pub struct ConfigEntries(Vec<(String, Value)>);

impl ConfigEntries {
    /// The settings, if they are all settings of this genmorph.
    ///
    /// # Errors
    /// When one is missing, unknown or out of its type.
    pub fn config(&self) -> Result<Config, serde_json::Error> {
        serde_json::from_value(self.to_json())
    }

    /// The entries as a JSON object.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.iter().cloned().collect())
    }
}

impl From<&Config> for ConfigEntries {
    fn from(config: &Config) -> ConfigEntries {
        let text = serde_json::to_string(config).expect("numbers and names");
        serde_json::from_str(&text).expect("a struct is an object")
    }
}

impl Serialize for ConfigEntries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for ConfigEntries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = ConfigEntries;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with settings")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ConfigEntries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(ConfigEntries(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_written_as_the_settings_are() {
        for config in [Config::default(), Config::paper()] {
            let entries = ConfigEntries::from(&config);
            let [ours, theirs] = [
                serde_json::to_string_pretty(&entries).unwrap(),
                serde_json::to_string_pretty(&config).unwrap(),
            ];
            assert_eq!(ours, theirs);
            assert_eq!(entries.config().unwrap(), config);
        }
    }

    #[test]
    fn settings_of_other_versions_are_kept_and_are_no_config() {
        let entries: ConfigEntries = serde_json::from_str(r#"{"population": 9, "a": 1}"#).unwrap();
        assert_eq!(serde_json::to_string(&entries).unwrap(), r#"{"population":9,"a":1}"#);
        assert!(entries.config().is_err());
        assert!(serde_json::from_str::<ConfigEntries>("[]").is_err());
    }
}
