//! The Python that runs functions: where it is, how old it is, and what it needs to read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// The oldest version that can be used.
pub const OLDEST: (u32, u32) = (3, 10);

/// Where to look, in this order.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// What the user asks for, an environment or a program: nothing else is looked at.
    pub asked: Option<PathBuf>,
    /// The environment that is active: the value of `VIRTUAL_ENV`, or of `CONDA_PREFIX`.
    pub active: Option<PathBuf>,
    /// A folder whose `.venv` is used, if it has one.
    pub project: Option<PathBuf>,
    /// The folders of `PATH`.
    pub path: Vec<PathBuf>,
}

/// A Python interpreter, version 3.10 or newer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The path of the program.
    pub program: PathBuf,
    /// Its version, such as `3.12.1`.
    pub version: String,
    /// The folders that its modules are imported from.
    pub(super) paths: Vec<PathBuf>,
    /// The folders that it is installed in.
    pub(super) homes: Vec<PathBuf>,
}

/// Why there is no interpreter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpreterError {
    /// None was found.
    #[error(
        "no Python is found: activate the environment of the function, name one with --python-home, or install Python 3.10 or newer"
    )]
    None,
    /// The folder has none.
    #[error("{} has no Python: name the folder of an environment, such as .venv, or its bin/python", .0.display())]
    NotOne(PathBuf),
    /// It is too old.
    #[error("{} is Python {version}: version 3.10 or newer is needed; --python-home names another", program.display())]
    TooOld {
        /// The program.
        program: PathBuf,
        /// Its version.
        version: String,
    },
    /// It does not run.
    #[error("{} does not run: {message}", program.display())]
    Broken {
        /// The program.
        program: PathBuf,
        /// What it printed.
        message: String,
    },
}

/// What an interpreter says of itself, in old versions too.
const QUESTION: &str = "import sys, json
print(json.dumps({'version': sys.version.split()[0], 'program': sys.executable,
    'paths': [p for p in sys.path if p],
    'homes': sorted(set([sys.prefix, sys.exec_prefix, getattr(sys, 'base_prefix', sys.prefix), getattr(sys, 'base_exec_prefix', sys.prefix)]))}))";

#[derive(Deserialize)]
struct Answer {
    version: String,
    program: PathBuf,
    paths: Vec<PathBuf>,
    homes: Vec<PathBuf>,
}

impl Interpreter {
    /// Finds an interpreter.
    ///
    /// # Errors
    /// When there is none; the error is about the first that was found, if any was.
    pub fn find(search: &Search) -> Result<Interpreter, InterpreterError> {
        if let Some(asked) = &search.asked {
            let program = program_of(asked).ok_or(InterpreterError::NotOne(asked.clone()))?;
            return Interpreter::at(&program);
        }
        let environments =
            [search.active.clone(), search.project.as_ref().map(|p| p.join(".venv"))];
        let of_environment = environments.into_iter().flatten().find_map(|home| program_of(&home));
        if let Some(program) = of_environment {
            return Interpreter::at(&program);
        }
        let mut first = InterpreterError::None;
        for name in [
            "python3",
            "python",
            "python3.14",
            "python3.13",
            "python3.12",
            "python3.11",
            "python3.10",
        ] {
            let Some(program) =
                search.path.iter().map(|folder| folder.join(name)).find(|p| p.is_file())
            else {
                continue;
            };
            match Interpreter::at(&program) {
                Ok(interpreter) => return Ok(interpreter),
                Err(error) if first == InterpreterError::None => first = error,
                Err(_) => {}
            }
        }
        Err(first)
    }

    /// The interpreter that a program is.
    ///
    /// # Errors
    /// When it does not run, or is too old.
    pub fn at(program: &Path) -> Result<Interpreter, InterpreterError> {
        let broken =
            |message: String| InterpreterError::Broken { program: program.to_owned(), message };
        let mut command = Command::new(program);
        command.args(["-s", "-E", "-B", "-c", QUESTION]).stdin(Stdio::null());
        let output = command.output().map_err(|error| broken(error.to_string()))?;
        let answer: Option<Answer> = serde_json::from_slice(&output.stdout).ok();
        let Some(Answer { version, program: own, paths, homes }) = answer else {
            let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(broken(if words.is_empty() {
                "it says nothing".to_owned()
            } else {
                words
            }));
        };
        let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
        if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST {
            return Err(InterpreterError::TooOld { program: program.to_owned(), version });
        }
        Ok(Interpreter { program: own, version, paths, homes })
    }
}

/// The program of an environment, or the program itself.
fn program_of(home: &Path) -> Option<PathBuf> {
    if home.is_file() {
        return Some(home.to_owned());
    }
    ["bin/python3", "bin/python", "python3", "python"]
        .map(|name| home.join(name))
        .into_iter()
        .find(|p| p.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_an_interpreter_the_message_says_what_to_do() {
        let error = Interpreter::find(&Search::default()).unwrap_err();
        assert!(error.to_string().contains("--python-home"), "{error}");
        let asked = Some(PathBuf::from("src"));
        let error = Interpreter::find(&Search { asked, ..Search::default() }).unwrap_err();
        assert_eq!(error, InterpreterError::NotOne(PathBuf::from("src")));
    }

    #[cfg(unix)]
    #[test]
    fn an_old_version_is_named() {
        use std::os::unix::fs::PermissionsExt;

        let folder = Path::new("target/scratch/python/old/bin");
        std::fs::create_dir_all(folder).unwrap();
        let program = folder.join("python3");
        let answer = r#"{"version": "3.8.2", "program": "p", "paths": [], "homes": []}"#;
        std::fs::write(&program, format!("#!/bin/sh\necho '{answer}'\n")).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let asked = Some(folder.to_owned());
        let error = Interpreter::find(&Search { asked, ..Search::default() }).unwrap_err();
        assert!(error.to_string().contains("is Python 3.8.2: version 3.10 or newer"), "{error}");
    }
}
