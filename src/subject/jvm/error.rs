//! What keeps a Java method from being a subject, said so that the user knows what to do.
//!
//! Knows nothing of what calls do: that is never an error.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::subject::MachineFailure;

/// A Java method that cannot be run, or a machine that cannot run it.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// There is no JDK that will do.
    #[error(transparent)]
    Jdk(#[from] super::jdk::JdkError),
    /// The harness could not be made.
    #[error("cannot prepare the Java harness in {}: {source}; is the folder writable?", folder.display())]
    Cache {
        /// The folder that it would be in.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The compiler did not like the harness.
    #[error("{} cannot compile the harness:\n{message}", javac.display())]
    Compiler {
        /// The `javac` that was started.
        javac: PathBuf,
        /// What the compiler printed.
        message: String,
    },
    /// A worker did not come up.
    #[error(
        "the Java worker did not start: {command}\n{message}\nis a JDK 17 or newer installed? `genmorph doctor` says what is found"
    )]
    Worker {
        /// The program that was started.
        command: String,
        /// What it printed, and how it ended.
        message: String,
    },
    /// A jar or folder of the class path.
    #[error("cannot read {} on the class path: {message}", path.display())]
    ClassPath {
        /// The jar or folder.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// An artifact that is nowhere.
    #[error(transparent)]
    Maven(#[from] super::maven::MavenError),
    /// A text that does not name a method.
    #[error(transparent)]
    Name(#[from] super::method::BadName),
    /// The class is not on the class path.
    #[error("there is no class {class} on the class path{}", Near(near))]
    NoClass {
        /// The class that was asked for.
        class: String,
        /// Classes with similar names.
        near: Vec<String>,
    },
    /// It is part of the JDK.
    #[error(
        "{class} is part of the JDK, which cannot be mutated; the class has to be on the class path"
    )]
    JdkClass {
        /// The class that was asked for.
        class: String,
    },
    /// A class file that makes no sense.
    #[error("the class file of {class} is damaged: {message}")]
    Class {
        /// The class that is damaged.
        class: String,
        /// What is wrong in its class file.
        message: String,
    },
    /// The method is not there.
    #[error("{class} has no method {method}{}", Near(near))]
    NoMethod {
        /// The class that was searched.
        class: String,
        /// The name that was asked for, with the types of its parameters if they were said.
        method: String,
        /// Similar ones, or all of that name.
        near: Vec<String>,
    },
    /// Several methods have the name.
    #[error("{class} has {} methods {method}: say which one of\n  {}", candidates.len(), candidates.join("\n  "))]
    Ambiguous {
        /// The class that was searched.
        class: String,
        /// The name that was asked for.
        method: String,
        /// All methods of that name.
        candidates: Vec<String>,
    },
    /// It needs an object.
    #[error("{0} is not static: only static methods can be subjects")]
    NotStatic(String),
    /// It has no code.
    #[error("{0} is {1}: there is no code to run and mutate")]
    NoCode(String, &'static str),
    /// A parameter or result of a type that relations cannot speak of.
    #[error(
        "{method}: {what} is {ty}, which is not supported{}; supported are the primitive types and their wrappers, \
         String and CharSequence, arrays of primitive types, and List of wrappers",
        because.map(|reason| format!(" ({reason})")).unwrap_or_default()
    )]
    Unsupported {
        /// The method with the parameter.
        method: String,
        /// Which parameter, or the result.
        what: String,
        /// Its type, as Java has it.
        ty: String,
        /// Why not, where that needs saying.
        because: Option<&'static str>,
    },
    /// There is nothing to transform.
    #[error("{0} takes nothing, so it has no inputs that could be related")]
    NoInputs(String),
    /// There is nothing to look at.
    #[error("{0} returns nothing and has no array or list that it could change: it has no outputs")]
    NoOutputs(String),
    /// A name or a domain of a parameter that does not fit the method.
    #[error("{method}: {message}")]
    Parameter {
        /// The method with the parameter.
        method: String,
        /// What does not fit, and what would.
        message: String,
    },
    /// The class cannot be loaded and initialised.
    #[error("{class} cannot be loaded: it throws {exception}{}", message_of(message))]
    Load {
        /// The class that cannot be loaded.
        class: String,
        /// The class of what is thrown.
        exception: String,
        /// The message of the exception.
        message: String,
    },
    /// It needs a class that is not on the class path.
    #[error("{0}")]
    Missing(MachineFailure),
    /// Its initialiser does not come to an end, or ends everything.
    #[error("{class} cannot be loaded: its static initialiser {what}")]
    Initialiser {
        /// The class that cannot be loaded.
        class: String,
        /// What its initialiser does instead of returning.
        what: &'static str,
    },
}

/// Names that may have been meant.
struct Near<'n>(&'n [String]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            [one] => write!(f, "; did you mean {one}?"),
            several => write!(f, "; did you mean one of\n  {}", several.join("\n  ")),
        }
    }
}

fn message_of(message: &str) -> String {
    match message {
        "" | "null" => String::new(),
        message => format!(": {message}"),
    }
}

/// For a subject that is being made: its first worker does not start.
impl From<MachineFailure> for JvmError {
    fn from(failure: MachineFailure) -> JvmError {
        match failure {
            MachineFailure::Worker { command, message } => JvmError::Worker { command, message },
            MachineFailure::MissingClass { .. } => JvmError::Missing(failure),
        }
    }
}
