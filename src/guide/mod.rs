//! The guide: one page for each thing that people do with genmorph.
//!
//! Commands that begin with `$` are run by `tests/guide.rs`, and their output is compared with what the page shows; of all other commands
//! the test checks that the command and its flags exist. Has no code of its own.

/// From nothing to the first law, and what a run does.
#[doc = include_str!("first_run.md")]
pub mod first_run {}

/// Laws and detectors, how far they can be trusted, and how to look closer.
#[doc = include_str!("reading.md")]
pub mod reading {}

/// A function compiled to WebAssembly: C, Rust, Zig, AssemblyScript, or text.
#[doc = include_str!("webassembly.md")]
pub mod webassembly {}

/// A static Java method.
#[doc = include_str!("java.md")]
pub mod java {}

/// A function of a Rust crate.
#[doc = include_str!("rust.md")]
pub mod rust {}

/// A Python function.
#[doc = include_str!("python.md")]
pub mod python {}

/// Executions that any other program recorded.
#[doc = include_str!("recordings.md")]
pub mod recordings {}

/// A relation of your own: try it, refute it, judge it.
#[doc = include_str!("trying.md")]
pub mod trying {}

/// Relations as tests in Rust, Java and Python.
#[doc = include_str!("tests.md")]
pub mod tests {}

/// A reviewed set of relations, checked by a build server.
#[doc = include_str!("ci.md")]
pub mod ci {}

/// Many runs on many machines, and the experiment of the paper.
#[doc = include_str!("sweeps.md")]
pub mod sweeps {}

/// Settings, output formats, exit codes, shells.
#[doc = include_str!("settings.md")]
pub mod settings {}

/// The library, without the command.
#[doc = include_str!("library.md")]
pub mod library {}
