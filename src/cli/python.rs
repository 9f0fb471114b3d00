//! The flags that name a Python function, and the interpreter that runs it.

use std::env;
use std::path::PathBuf;

use genmorph::subject::python::{
    FunctionName, Interpreter, PythonDefinition, PythonSpec, Runtime, Search,
};
use genmorph::support::threads::Jobs;

use super::cargo::CrateArgs;
use super::{Failure, OrFailure, doctor, isolation};

/// Which Python function, and what runs it.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct PythonArgs {
    /// A Python function, such as package.module:function, package.module:Class.method or file.py:function
    #[arg(long = "python", id = "python", value_name = "FUNCTION", conflicts_with_all = ["java", "rust"])]
    function: Option<FunctionName>,

    /// The Python of the function: the folder of an environment, or a program [default: the active environment, .venv, or
    /// python3 on the PATH]
    #[arg(long, value_name = "PATH")]
    python_home: Option<PathBuf>,
}

impl PythonArgs {
    /// The function that was asked for.
    pub(super) fn function(&self) -> Option<&FunctionName> {
        self.function.as_ref()
    }

    /// The interpreter that was asked for.
    pub(super) fn home(&self) -> Option<PathBuf> {
        self.python_home.clone()
    }

    /// The function of this name, with the types and domains that flags name.
    pub(super) fn definition(&self, name: &FunctionName, flags: &CrateArgs) -> PythonDefinition {
        PythonDefinition::of(PythonSpec {
            name: name.clone(),
            paths: paths(),
            with: flags.types().to_vec(),
            domains: flags.domains(),
        })
    }
}

/// The function of a file, whose module may be where those of flags are, too.
pub(super) fn located(mut definition: PythonDefinition) -> PythonDefinition {
    definition.spec.paths.extend(paths());
    definition
}

/// Where modules are imported from before all others: this folder, its `src`, and what the user has set.
fn paths() -> Vec<PathBuf> {
    let own = ["", "src"].map(PathBuf::from);
    let set = env::var_os("PYTHONPATH").unwrap_or_default();
    let set: Vec<PathBuf> = env::split_paths(&set).filter(|path| path.is_dir()).collect();
    let here = env::current_dir().unwrap_or_default();
    own.into_iter().map(|folder| here.join(folder)).chain(set).collect()
}

/// The interpreter, and how many workers there are of it.
pub(super) fn runtime(home: Option<PathBuf>, jobs: usize) -> Result<Runtime, Failure> {
    let interpreter = Interpreter::find(&search(home)).or_input()?;
    let jobs = if jobs == 0 { Jobs::cores() } else { jobs };
    Ok(Runtime { interpreter, jobs, isolation: isolation::get() })
}

/// The places where an interpreter is looked for.
pub(super) fn search(asked: Option<PathBuf>) -> Search {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Search {
        asked,
        active: set("VIRTUAL_ENV").or(set("CONDA_PREFIX")),
        project: env::current_dir().ok(),
        path: doctor::path(),
    }
}
