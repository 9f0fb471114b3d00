//! The functions that exported tests in Rust bring along: operators of relations that Rust does not have, and what
//! follow-ups need.
//!
//! Read as text by `export/helpers.rs`: a line `// [name: called]` begins a function and names the ones that it calls. Only
//! what a test needs is written, in this order.

const ABS: f64 = 0.0;
const REL: f64 = 0.0;

// [codes]
/// The characters of a text, as their Unicode code points.
fn codes(text: &str) -> Vec<f64> {
    text.chars().map(|c| f64::from(u32::from(c))).collect()
}

// [eq]
/// The same number, both NaN, or both finite and within the tolerance.
fn eq(a: f64, b: f64) -> bool {
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    let finite = a.is_finite() && b.is_finite();
    a == b || finite && (a - b).abs() <= ABS + REL * a.abs().max(b.abs())
}

// [eq_seq: eq]
/// As long as each other, and equal element by element.
fn eq_seq(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| eq(a, b))
}

// [lt: eq]
/// Less, and not within the tolerance.
fn lt(a: f64, b: f64) -> bool {
    a < b && !eq(a, b)
}

// [gt: lt]
/// Greater, and not within the tolerance.
fn gt(a: f64, b: f64) -> bool {
    lt(b, a)
}

// [le: eq]
/// Less, or equal within the tolerance.
fn le(a: f64, b: f64) -> bool {
    a < b || eq(a, b)
}

// [ge: le]
/// Greater, or equal within the tolerance.
fn ge(a: f64, b: f64) -> bool {
    le(b, a)
}

// [div: eq]
/// The quotient; 1 where the divisor equals 0.
fn div(a: f64, b: f64) -> f64 {
    if eq(b, 0.0) { 1.0 } else { a / b }
}

// [length]
/// The number of elements.
fn length(s: &[f64]) -> f64 {
    s.len() as f64
}

// [sum] `Iterator::sum` begins with -0, of which no relation can tell; it is written out all the same.
/// The elements added from left to right.
fn sum(s: &[f64]) -> f64 {
    s.iter().fold(0.0, |total, element| total + element)
}

// [flip]
/// The elements in reverse order.
fn flip(s: &[f64]) -> Vec<f64> {
    s.iter().rev().copied().collect()
}

// [remove]
/// Without the element at an index, cut to an integer; negative ones count from the end, others change nothing.
fn remove(s: &[f64], n: f64) -> Vec<f64> {
    let (n, len) = (n as i64, s.len() as i64);
    let index = if n < 0 { n + len } else { n };
    let mut rest = s.to_vec();
    if 0 <= index && index < len {
        rest.remove(index as usize);
    }
    rest
}

// [truncate]
/// The first n elements; if n is negative, all but the first -n.
fn truncate(s: &[f64], n: f64) -> Vec<f64> {
    let count = (n as i64).unsigned_abs().min(s.len() as u64) as usize;
    if (n as i64) < 0 { s[count..].to_vec() } else { s[..count].to_vec() }
}

// [to_text]
/// The decimal digits of a number, cut to a 64-bit integer, as a sequence of characters.
fn to_text(n: f64) -> Vec<f64> {
    (n as i64).to_string().bytes().map(f64::from).collect()
}

// [place]
/// The place of an index in a sequence; negative ones count from the end.
fn place(len: usize, index: i64) -> Option<usize> {
    let place = if index < 0 { index + len as i64 } else { index };
    (0 <= place && place < len as i64).then_some(place as usize)
}

// [whole]
/// A number that is an integer within bounds.
fn whole(x: f64, least: f64, most: f64) -> Option<f64> {
    (x.fract() == 0.0 && least <= x && x <= most).then_some(x)
}

// [character: whole]
/// The character with a code.
fn character(code: f64) -> Option<char> {
    char::from_u32(whole(code, 0.0, 1114111.0)? as u32)
}

// [single]
/// A number that is one of single precision.
fn single(x: f64) -> Option<f32> {
    (x.is_nan() || f64::from(x as f32) == x).then_some(x as f32)
}

// [rotate]
/// Moves the first elements to the end, or the last ones to the front if the number is negative.
fn rotate<T>(values: &mut [T], by: i64) {
    if !values.is_empty() {
        values.rotate_left(by.rem_euclid(values.len() as i64) as usize);
    }
}

// [swap_case]
/// A character in upper case or, if that is the character itself, in lower case.
fn swap_case(c: char) -> Vec<char> {
    let upper: Vec<char> = c.to_uppercase().collect();
    if upper == [c] { c.to_lowercase().collect() } else { upper }
}
