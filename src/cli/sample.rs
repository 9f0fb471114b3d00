//! How many rows of executions a command takes.

use genmorph::executions::Limits;

/// The most rows of each kind.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Sample {
    /// At most this many unique executions of the original
    #[arg(long, value_name = "ROWS", default_value_t = Limits::default().correct, value_parser = at_least_one)]
    max_correct: usize,

    /// At most this many unique executions of mutants
    #[arg(long, value_name = "ROWS", default_value_t = Limits::default().incorrect, value_parser = at_least_one)]
    max_incorrect: usize,
}

impl Sample {
    pub(super) fn limits(self) -> Limits {
        Limits { correct: self.max_correct, incorrect: self.max_incorrect }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1".to_owned()),
        Ok(rows) => Ok(rows),
        Err(error) => Err(format!("not a number of rows: {error}")),
    }
}
