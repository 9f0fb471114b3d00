//! Rust functions: found in a crate by their path, mutated in a copy of it, run in processes of their own.
//!
//! ```text
//!  package ─► source ─► callee          which function, what it takes and gives
//!                 │
//!               scope ─► mutate ─► build ─► worker ◄─► run ◄── subject
//!                          │        ▲
//!                        call, harness: what is put into the copy
//! ```
//!
//! All mutants are in one program, and switched while it runs. The crate of the user is never touched: the copy is under its
//! target folder. What a mutant does (panic, abort, overflow the stack, exhaust memory, hang) is an outcome. A native
//! process is not a sandbox: the code of a crate that is not trusted is compiled for WebAssembly instead (`entry`,
//! `sandbox`), and does the same there.

mod build;
mod built;
mod call;
mod callee;
mod catalogue;
mod cfg;
mod copy;
mod entry;
mod error;
mod foreign;
mod functions;
mod identity;
mod listing;
mod machine;
mod mutate;
mod package;
mod prepare;
mod protocol;
mod run;
mod sandbox;
mod scope;
mod source;
mod subject;
mod test_package;
mod types;
mod worker;

pub use self::callee::Callee;
pub use self::catalogue::{RejectedMutant, UnmutatedCode};
pub use self::error::RustError;
pub use self::foreign::read_reply;
pub use self::functions::functions;
pub use self::listing::{BuiltFunctions, CrateListing, ListedFunction};
pub use self::package::{Package, Place};
pub use self::subject::{Confinement, Runtime, RustSpec, RustSubject};
pub use self::types::{
    Arguments, Form, Ownership, ParameterMode, ParameterType, Part, Primitive, ResultForm,
    ResultType, Wrapper, rust_name,
};
