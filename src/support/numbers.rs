//! Numbers with names: constants that mean something, and the numbers that JSON cannot write.

use std::f64::consts::{E, FRAC_PI_2, LN_2, LN_10, PI, SQRT_2, TAU};

/// Numbers that mean something in a relation, besides the integers. Searches draw constants from them and simplification
/// rounds to them.
pub(crate) const NOTABLE: [f64; 12] =
    [0.5, PI, TAU, FRAC_PI_2, E, SQRT_2, LN_2, LN_10, 180.0 / PI, PI / 180.0, 0.1, 0.01];

/// Numbers that JSON has no form for, as Python and JavaScript write them.
pub(crate) const NOT_IN_JSON: [(&str, f64); 3] =
    [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];
