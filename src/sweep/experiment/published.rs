//! The results that the authors published: Table 2 of *GenMorph: Automatically Generating Metamorphic Relations via Genetic
//! Programming* (Ayerdi, Terragni, Jahangirova, Arrieta, Tonella).

use serde::Deserialize;

/// A row of the paper's table. Scores are means over 12 seeds of 4 transformations, on 12 suites.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRow {
    /// `Math`, `Lang` or `Guava`.
    pub library: String,
    /// Name of the method.
    pub method: String,
    /// Parameter types and result type of the method.
    pub signature: String,
    /// Number of PIT's mutants of the method.
    pub mutants: usize,
    /// The mutation score of Randoop's suites.
    pub randoop_ms: f64,
    /// The mutation score of EvoSuite's suites.
    pub evosuite_ms: f64,
    /// The mutation score of AutoMR's relations, where it could be run.
    pub automr_ms: Option<f64>,
    /// The mean mutation score of GenMorph's relations.
    pub genmorph_ms: f64,
    /// Share of the mutants missed by Randoop's suites that relations kill; `None` if the suites miss none.
    pub delta_ms_randoop: Option<f64>,
    /// The same for EvoSuite's suites.
    pub delta_ms_evosuite: Option<f64>,
    /// The same for AutoMR's relations.
    pub delta_ms_automr: Option<f64>,
    /// Share of relations without false positives.
    pub pz: f64,
    /// Of the relations that Randoop's inputs do not refute, the share that OASIs does not refute.
    pub pzo: f64,
}

/// The rows of the paper's table, in its order.
pub fn published() -> Vec<PublishedRow> {
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
