//! The commands of the feature `sweep` in a build without it: they say how to get them.

use super::{Ending, Failure};

/// What a command says that this build does not have.
fn absent(command: &str) -> Failure {
    Failure::Input(format!(
        "this genmorph was built without `genmorph {command}`\nbuild it with the feature that has it: cargo install --path . --features sweep"
    ))
}

/// `genmorph experiment`.
pub(super) mod experiment {
    use std::ffi::OsString;

    /// Repeat the experiment of the paper: in builds with the feature `sweep`
    #[derive(Debug, clap::Args)]
    #[command(disable_help_flag = true)]
    pub(in crate::cli) struct Args {
        /// Arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        words: Vec<OsString>,
    }

    pub(in crate::cli) fn run(_: &Args) -> Result<super::Ending, super::Failure> {
        Err(super::absent("experiment"))
    }
}

/// `genmorph sweep`.
pub(super) mod sweep {
    use std::ffi::OsString;

    /// Many runs on many machines: in builds with the feature `sweep`
    #[derive(Debug, clap::Args)]
    #[command(disable_help_flag = true)]
    pub(in crate::cli) struct Args {
        /// Arguments
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        words: Vec<OsString>,
    }

    pub(in crate::cli) fn run(_: &Args) -> Result<super::Ending, super::Failure> {
        Err(super::absent("sweep"))
    }
}
