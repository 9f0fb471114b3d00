//! Replies of workers, read for the sake of reading them: fuzzers and tests give damaged bytes to this function, which answers whether
//! they are acceptable and must not panic.

use super::protocol::{NUMBER, Reply, TEXT, TRUTH};

/// Every kind but the other three is a list of numbers.
const NUMBERS: u8 = TEXT + 1;
/// Sides of branches that the imagined function has.
const SIDES: usize = 2;

/// Reads the reply of a Rust worker for a function with one output of each kind. Whether it can be read.
pub fn read_reply(bytes: &[u8]) -> bool {
    Reply::parse(bytes, &[NUMBER, TRUTH, TEXT, NUMBERS], SIDES).is_ok()
}
