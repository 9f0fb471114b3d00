//! Rewritten classes in a real JVM: the libraries of the paper, and their 23 methods.
//!
//! Without a JDK these tests say so and pass.

mod libraries;
mod mutants;
mod paper;
mod pit;
mod rewriting;
mod verifier;
