//! The settings of a unit's search, in a form that can be saved, varied and compared.

use std::str::FromStr;
use std::time::Duration;

use genmorph_jit::Tolerance;
use serde::{Deserialize, Serialize};

use crate::evolve::config::{Config, ConfigError};
use crate::executions::Limits;
use crate::inputs;
use crate::record::relations as results;
use crate::run::{Plan, Transformations};
use crate::support::named::named;
use crate::support::seed::Seed;
use crate::transform::Instance;

/// Everything in a [`Plan`] that results depend on, except the transformation and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Number of generations. With a fixed number, and no time limit, equal units have equal results everywhere.
    pub generations: Option<u64>,
    /// Time limit of a unit in milliseconds. Results then depend on the machine.
    pub milliseconds: Option<u64>,
    /// Number of source inputs.
    pub sources: usize,
    /// Number of traced calls that the search for source inputs may make.
    pub source_effort: usize,
    /// Fuel that the original may use on a source input that is kept.
    pub source_fuel: u64,
    /// Number of calls to find inputs on which further mutants differ.
    pub mutant_hunt: usize,
    /// Number of fresh pairs on which a relation must hold.
    pub fresh: usize,
    /// Number of calls to hunt for counterexamples.
    pub hunt: usize,
    /// Whether counterexamples are fed back into the search.
    pub feedback: bool,
    /// Largest number of unique executions of the original.
    pub max_correct: usize,
    /// Largest number of unique executions of mutants.
    pub max_incorrect: usize,
    /// Tolerance up to which two numbers are equal.
    pub tolerance: results::Tolerance,
    /// Parameters of the evolution.
    pub config: Config,
}

/// Settings with a name that distinguishes them within a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The settings that differ, such as `generations=40 population=100`; `usual` if none does.
    pub name: String,
    /// The values of all settings.
    pub settings: Settings,
}

/// A setting and the values that a sweep gives it: `population=100,1000`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    key: Key,
    values: Vec<String>,
}

named! {
    /// The settings that can be varied.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Key {
        Algorithm = "algorithm",
        Generations = "generations",
        Population = "population",
        MaxSize = "max-size",
        Sources = "sources",
        Fresh = "fresh",
        Hunt = "hunt",
        Feedback = "feedback",
        MaxCorrect = "max-correct",
        MaxIncorrect = "max-incorrect",
        Tolerance = "tolerance",
    }
}

/// Reasons why settings cannot be varied in this way.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingError {
    /// The text does not have the form KEY=VALUE,VALUE.
    #[error("`{0}` is not a variation: write KEY=VALUE,VALUE,…, such as population=100,1000")]
    Form(String),
    /// There is no setting with this name.
    #[error("there is no setting `{key}` to vary; there are {}", Key::ALL.map(Key::name).join(", "))]
    Unknown {
        /// Name of the setting that does not exist.
        key: String,
    },
    /// A value that the setting cannot have.
    #[error("{key} does not accept `{value}`: expected {expected}")]
    Value {
        /// Name of the setting.
        key: &'static str,
        /// The value that was given.
        value: String,
        /// The values that are accepted, in words.
        expected: String,
    },
    /// A setting is varied twice.
    #[error("{0} is varied twice: give all its values at once")]
    Twice(&'static str),
    /// The search cannot run with these settings.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl Default for Settings {
    fn default() -> Settings {
        let Plan { inputs, hunt, fresh, hunted, feedback, limits, tolerance, config, .. } =
            Plan::default();
        Settings {
            generations: Some(Settings::GENERATIONS),
            milliseconds: None,
            sources: inputs.count,
            source_effort: inputs.effort,
            source_fuel: inputs.fuel,
            mutant_hunt: hunt,
            fresh,
            hunt: hunted,
            feedback,
            max_correct: limits.correct,
            max_incorrect: limits.incorrect,
            tolerance: tolerance_record(tolerance),
            config,
        }
    }
}

/// A tolerance in its serialised form.
fn tolerance_record(tolerance: Tolerance) -> results::Tolerance {
    results::Tolerance { abs: tolerance.abs(), rel: tolerance.rel() }
}

impl Settings {
    /// Generations of a search by default: seconds for the examples. A guess.
    pub const GENERATIONS: u64 = 60;

    /// The same settings with another tolerance.
    #[must_use]
    pub fn with_tolerance(self, tolerance: Tolerance) -> Settings {
        Settings { tolerance: tolerance_record(tolerance), ..self }
    }

    /// The plan for one transformation and one seed.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub fn plan(&self, transformation: Instance, seed: u64) -> Result<Plan, String> {
        self.config.check().map_err(|error| error.to_string())?;
        let tolerance = Tolerance::new(self.tolerance.abs, self.tolerance.rel);
        Ok(Plan {
            config: self.config.clone(),
            seed: Seed(seed),
            inputs: inputs::Settings {
                count: self.sources,
                effort: self.source_effort,
                fuel: self.source_fuel,
                supplied: Vec::new(),
            },
            hunt: self.mutant_hunt,
            transformations: Transformations::Named(vec![transformation]),
            tolerance: tolerance.map_err(|error| error.to_string())?,
            limits: Limits { correct: self.max_correct, incorrect: self.max_incorrect },
            fresh: self.fresh,
            hunted: self.hunt,
            feedback: self.feedback,
            time: self.milliseconds.map(Duration::from_millis),
            generations: self.generations,
            ..Plan::default()
        })
    }

    fn set(&mut self, key: Key, value: &str) -> Result<(), SettingError> {
        let bad = |expected: &str| SettingError::Value {
            key: key.name(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        let count = || value.parse::<usize>().map_err(|_| bad("a number, 0 or more"));
        let positive = || count().and_then(|n| if n == 0 { Err(bad("at least 1")) } else { Ok(n) });
        match key {
            Key::Algorithm => {
                let config = match value {
                    "usual" => Config::default(),
                    "paper" => Config::paper(),
                    _ => return Err(bad("usual or paper")),
                };
                let Config { population, max_size, .. } = self.config;
                self.config = Config { population, max_size, ..config };
            }
            Key::Generations => self.generations = Some(positive()? as u64),
            Key::Population => self.config.population = count()?,
            Key::MaxSize => self.config.max_size = count()?,
            Key::Sources => self.sources = count()?,
            Key::Fresh => self.fresh = count()?,
            Key::Hunt => self.hunt = count()?,
            Key::Feedback => {
                self.feedback = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(bad("yes or no")),
                };
            }
            Key::MaxCorrect => self.max_correct = positive()?,
            Key::MaxIncorrect => self.max_incorrect = positive()?,
            Key::Tolerance => {
                // A comma separates values, so a colon joins the two numbers of a tolerance here.
                let tolerance = value.replace(':', ",").parse::<Tolerance>();
                self.tolerance = tolerance_record(tolerance.map_err(|_| bad("paper, or ABS:REL"))?);
            }
        }
        Ok(())
    }

    /// These settings under every combination of the variations; the last variation changes fastest.
    ///
    /// # Errors
    /// When a setting does not accept a value.
    pub fn vary(&self, variations: &[Variation]) -> Result<Vec<Variant>, SettingError> {
        let mut variants = vec![(Vec::new(), self.clone())];
        for (place, Variation { key, values }) in variations.iter().enumerate() {
            if variations[..place].iter().any(|other| other.key == *key) {
                return Err(SettingError::Twice(key.name()));
            }
            let mut more = Vec::new();
            for (names, settings) in &variants {
                for value in values {
                    let (mut names, mut settings) = (names.clone(), settings.clone());
                    settings.set(*key, value)?;
                    names.push(format!("{}={value}", key.name()));
                    more.push((names, settings));
                }
            }
            variants = more;
        }
        let named = |(names, settings): (Vec<String>, Settings)| {
            settings.config.check()?;
            let name = if names.is_empty() { "usual".to_owned() } else { names.join(" ") };
            Ok(Variant { name, settings })
        };
        variants.into_iter().map(named).collect()
    }
}

impl FromStr for Variation {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Variation, SettingError> {
        let form = || SettingError::Form(text.to_owned());
        let (name, values) = text.split_once('=').ok_or_else(form)?;
        let values: Vec<String> = values.split(',').map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err(form());
        }
        let name = name.trim();
        let key = Key::ALL.into_iter().find(|key| key.name() == name);
        let key = key.ok_or_else(|| SettingError::Unknown { key: name.to_owned() })?;
        Ok(Variation { key, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(texts: &[&str]) -> Result<Vec<Variant>, SettingError> {
        let variations: Result<Vec<Variation>, _> = texts.iter().map(|text| text.parse()).collect();
        Settings::default().vary(&variations?)
    }

    #[test]
    fn variations_are_combined() {
        let variants = varied(&["algorithm=usual,paper", "generations=5,10"]).unwrap();
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "algorithm=usual generations=5",
                "algorithm=usual generations=10",
                "algorithm=paper generations=5",
                "algorithm=paper generations=10",
            ]
        );
        assert_eq!(variants[3].settings.config, Config::paper());
        assert_eq!(variants[3].settings.generations, Some(10));
        assert_eq!(varied(&[]).unwrap()[0].name, "usual");
    }

    #[test]
    fn a_variation_that_makes_no_sense_is_explained() {
        let message = |texts: &[&str]| varied(texts).unwrap_err().to_string();
        assert!(message(&["population"]).contains("KEY=VALUE"));
        assert!(message(&["population=1,,2"]).contains("KEY=VALUE"));
        assert!(message(&["colour=3"]).contains("there are algorithm, generations"));
        assert!(message(&["generations=0"]).contains("at least 1"));
        assert!(message(&["feedback=maybe"]).contains("yes or no"));
        assert!(message(&["population=3"]).contains("from 10 to"));
        assert!(message(&["fresh=1", "fresh=2"]).contains("twice"));
        assert!(message(&["tolerance=tiny"]).contains("ABS:REL"));
    }

    #[test]
    fn settings_are_those_of_a_plan() {
        let plan = Settings::default().plan("NumericAddition(1) on x".parse().unwrap(), 7).unwrap();
        let usual = Plan::default();
        assert_eq!(plan.inputs, usual.inputs);
        assert_eq!((plan.fresh, plan.hunted, plan.hunt), (usual.fresh, usual.hunted, usual.hunt));
        assert_eq!((plan.tolerance, plan.limits), (usual.tolerance, usual.limits));
        assert_eq!((plan.seed, plan.time), (Seed(7), None));
    }

    #[test]
    fn settings_read_back_as_they_were_written() {
        for variant in varied(&["tolerance=paper,1e-3:0", "algorithm=usual,paper"]).unwrap() {
            let text = serde_json::to_string(&variant).unwrap();
            assert_eq!(serde_json::from_str::<Variant>(&text).unwrap(), variant);
        }
    }
}
