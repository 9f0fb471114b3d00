//! What every room may use, and what knows none of them: randomness, threads, texts, numbers, hashes.

pub mod digest;
pub mod digits;
pub(crate) mod hash;
pub(crate) mod named;
pub(crate) mod numbers;
pub mod pointer;
pub mod seed;
pub mod shell;
pub mod spelling;
pub mod threads;
pub mod visible;
