//! Whether Python functions can be run on this machine.

use std::fmt;
use std::time::{Duration, Instant};

use super::facts::Request;
use super::interpreter::{Interpreter, InterpreterError, Search};
use super::worker::Launch;
use crate::subject::Isolation;

/// What Python functions need, and what of it was found.
#[derive(Debug)]
pub struct PythonReport {
    /// The interpreter, or why there is none.
    pub interpreter: Result<Interpreter, InterpreterError>,
    /// How long a worker takes to its first answer, or why there is no answer; `None` without an interpreter.
    pub worker: Option<Result<Duration, String>>,
}

/// Looks for an interpreter, and starts a worker.
pub fn examine(search: &Search, isolation: Isolation) -> PythonReport {
    let interpreter = Interpreter::find(search);
    let worker = interpreter.as_ref().ok().map(|interpreter| first_answer(interpreter, isolation));
    PythonReport { interpreter, worker }
}

fn first_answer(interpreter: &Interpreter, isolation: Isolation) -> Result<Duration, String> {
    let request = Request {
        module: String::new(),
        function: String::new(),
        paths: Vec::new(),
        with: Vec::new(),
        decided: None,
        tries: false,
        full: false,
    };
    let start = Instant::now();
    let launch = Launch { interpreter: interpreter.clone(), isolation, request };
    match launch.launch() {
        Ok(Some(_)) => Ok(start.elapsed()),
        Ok(None) => Err("the worker was killed while it started".to_owned()),
        Err(failure) => Err(failure.to_string()),
    }
}

impl PythonReport {
    /// Whether Python functions can be run.
    pub fn can_run(&self) -> bool {
        matches!(self.worker, Some(Ok(_)))
    }
}

impl fmt::Display for PythonReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.interpreter {
            Ok(Interpreter { program, version, .. }) => {
                writeln!(f, "Python   {version}, {}", program.display())?;
            }
            Err(error) => writeln!(f, "Python   {error}")?,
        }
        match &self.worker {
            Some(Ok(time)) => {
                writeln!(f, "worker   answers, {} ms after its start", time.as_millis())?;
            }
            Some(Err(error)) => writeln!(f, "worker   {error}")?,
            None => {}
        }
        match self.can_run() {
            true => writeln!(f, "Python functions can be run."),
            false => writeln!(f, "Python functions cannot be run."),
        }
    }
}
