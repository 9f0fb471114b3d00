//! Rewritten classes in a real JVM: the libraries of the paper, and their 23 methods.
//!
//! Without a JDK these tests are skipped.

mod libraries;
mod mutants;
mod paper;
mod pit;
mod rewriting;
#[expect(dead_code, reason = "the tests outside use all of it")]
#[path = "../../../../tests/tools.rs"]
mod tools;
mod verifier;
