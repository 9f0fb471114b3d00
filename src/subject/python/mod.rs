//! Python functions: found by their names, mutated by their syntax trees, run in processes of their own.
//!
//! ```text
//!  interpreter ─► worker ◄── harness: one program in Python, sent to every worker
//!                   │          function, forms     which function, what it takes and gives
//!                   │          scope, mutate       its mutants, and those of what it calls
//!                   │          probe, batch        fuel and branches; rows in, outcomes out
//!   facts ◄─────────┤
//!     │            run, protocol
//!     └──► subject ──┘
//! ```
//!
//! The harness knows Python, and this side decides: what a call may spend, what a death means (`subject/worker`), which rows run
//! where. Modules are imported in the sandbox that their mutants run in, and never changed on disk.

mod definition;
mod doctor;
mod error;
mod facts;
mod harness;
mod identity;
mod interpreter;
mod name;
mod protocol;
mod run;
mod subject;
mod worker;

pub use self::definition::{BadPythonDefinition, PythonDefinition};
pub use self::doctor::{PythonReport, examine};
pub use self::error::PythonError;
pub use self::interpreter::{Interpreter, InterpreterError, OLDEST, Search};
pub use self::name::{BadName, FunctionName};
pub use self::protocol::read_reply;
pub use self::subject::{PythonSpec, PythonSubject, Runtime};
