//! The results that the authors published: Table 2 of *GenMorph: Automatically Generating Metamorphic Relations via Genetic
//! Programming* (Ayerdi, Terragni, Jahangirova, Arrieta, Tonella).

use serde::Deserialize;

/// A row of the table. Scores are means over 12 seeds of 4 transformations, on 12 suites.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// `Math`, `Lang` or `Guava`.
    pub library: String,
    /// The method.
    pub method: String,
    /// What it takes and gives.
    pub signature: String,
    /// PIT's mutants of it.
    pub mutants: usize,
    /// The mutation score of Randoop's suites.
    pub randoop_ms: f64,
    /// The mutation score of EvoSuite's suites.
    pub evosuite_ms: f64,
    /// The mutation score of AutoMR's relations, where it could be run.
    pub automr_ms: Option<f64>,
    /// The mutation score of a relation.
    pub genmorph_ms: f64,
    /// Of the mutants that Randoop's suites miss, those that relations kill; none if they miss none.
    pub delta_ms_randoop: Option<f64>,
    /// The same for EvoSuite.
    pub delta_ms_evosuite: Option<f64>,
    /// The same for AutoMR.
    pub delta_ms_automr: Option<f64>,
    /// Relations without false positives, of all.
    pub pz: f64,
    /// Of those that Randoop's inputs do not refute, those that OASIs does not.
    pub pzo: f64,
}

/// The table, in its order.
pub fn published() -> Vec<Published> {
    let mut table = csv::Reader::from_reader(include_str!("published.csv").as_bytes());
    table.deserialize().map(|row| row.expect("a test reads it")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_papers_means() {
        let table = published();
        assert_eq!(table.len(), 23);
        assert_eq!(table.iter().map(|row| row.mutants).sum::<usize>(), 562);
        let mean = table.iter().map(|row| row.genmorph_ms).sum::<f64>() / 23.0;
        assert_eq!(format!("{mean:.2}"), "0.42");
    }
}
