//! `pow(k, e)` by squaring, as in the paper's listing, and its mutants.
//!
//! Products wrap around at 32 bits, as Java's do.

use crate::record::{Execution, Value};

/// The original is 0. The mutants, by number:
///
/// | | change |
/// |---|---|
/// | 1 | `k2p *= k2p` is removed (the paper's) |
/// | 2 | `result *= k2p` is removed |
/// | 3 | `result` begins as 0 |
/// | 4 | `result` begins as 2 |
/// | 5 | `(e & 1) == 0` |
/// | 6 | `(e & 1) != 0` is true |
/// | 7 | `e >>= 2` |
/// | 8 | `k2p += k2p` |
/// | 9 | `result += k2p` |
/// | 10 | `result = k2p` |
/// | 11 | returns `-result` |
/// | 12 | throws at `e <= 0` |
/// | 13 | throws never, and loops while `e > 0`: the same wherever the original returns |
/// | 14 | `k2p` begins as `k + 1` |
pub const MUTANTS: usize = 14;

fn pow(mutant: usize, k: i32, mut e: i64) -> Option<i32> {
    match mutant {
        12 if e <= 0 => return None,
        12 | 13 => {}
        _ if e < 0 => return None,
        _ => {}
    }
    let mut result: i32 = match mutant {
        3 => 0,
        4 => 2,
        _ => 1,
    };
    let mut k2p = if mutant == 14 { k.wrapping_add(1) } else { k };
    while e > 0 {
        let odd = match mutant {
            5 => e & 1 == 0,
            6 => true,
            _ => e & 1 != 0,
        };
        if odd {
            result = match mutant {
                2 => result,
                9 => result.wrapping_add(k2p),
                10 => k2p,
                _ => result.wrapping_mul(k2p),
            };
        }
        k2p = match mutant {
            1 => k2p,
            8 => k2p.wrapping_add(k2p),
            _ => k2p.wrapping_mul(k2p),
        };
        e >>= if mutant == 7 { 2 } else { 1 };
    }
    Some(if mutant == 11 { result.wrapping_neg() } else { result })
}

/// One execution of every version on each of these inputs.
fn executions(inputs: &[(i32, i64)]) -> Vec<Execution> {
    let mut executions = Vec::new();
    for mutant in 0..=MUTANTS {
        for &(k, e) in inputs {
            executions.push(Execution {
                mutant,
                inputs: vec![("k", Value::Integer(k.into())), ("e", Value::Integer(e))],
                output: pow(mutant, k, e).map(|out| Value::Integer(out.into())),
                exception: "NotPositiveException",
            });
        }
    }
    executions
}

/// Inputs on which the original's power has at most 31 bits, and exponents down to -1, where it throws.
pub fn plain() -> Vec<Execution> {
    let large: [i32; 17] =
        [13, 15, 16, 17, 25, 31, 32, 50, 64, 99, 100, 127, 128, 255, 256, 1000, 46_340];
    let bases = (-12..=12).chain(large).chain(large.map(|k| -k));
    let mut inputs = Vec::new();
    for k in bases {
        let fits = |e: &i64| k.checked_pow(u32::try_from(*e).unwrap_or(0)).is_some();
        inputs.extend((-1..=36).take_while(fits).map(|e| (k, e)));
    }
    executions(&inputs)
}

/// Inputs on which some power wraps around, and the ends of the types.
pub fn wrapping() -> Vec<Execution> {
    let bases = [-1_000_003, -65_537, -12, -3, 2, 3, 7, 10, 46_341, 65_536, i32::MAX, i32::MIN];
    let exponents = [-1, 0, 1, 2, 3, 4, 5, 9, 10, 19, 20, 21, 30, 31, 32, 33, 34, 62, 63, 64];
    let inputs: Vec<(i32, i64)> = bases.iter().flat_map(|&k| exponents.map(|e| (k, e))).collect();
    executions(&inputs)
}
