//! What every room may use, and what knows none of them: randomness, threads, texts, digests.

pub mod digest;
pub(crate) mod digits;
pub mod pointer;
pub mod seed;
pub mod threads;
