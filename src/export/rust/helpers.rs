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

// [smaller]
/// The smaller number; NaN if either is NaN.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

// [larger]
/// The larger number; NaN if either is NaN.
fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

// [modulo: eq]
/// What is left of the first number after multiples of the second, with the sign of the second; 0 where that equals 0.
fn modulo(a: f64, b: f64) -> f64 {
    if eq(b, 0.0) {
        return 0.0;
    }
    let rest = a % b;
    if rest == 0.0 || (rest < 0.0) == (b < 0.0) { rest } else { rest + b }
}

// [floor]
/// The largest integer that is not more.
fn floor(a: f64) -> f64 {
    a.floor()
}

// [at]
/// The element at an index, cut to an integer; negative ones count from the end; 0 where there is none.
fn at(s: &[f64], n: f64) -> f64 {
    let (n, len) = (n as i64, s.len() as i64);
    let index = if n < 0 { n + len } else { n };
    if 0 <= index && index < len { s[index as usize] } else { 0.0 }
}

// [first: at]
/// The first element; 0 if there is none.
fn first(s: &[f64]) -> f64 {
    at(s, 0.0)
}

// [last: at]
/// The last element; 0 if there is none.
fn last(s: &[f64]) -> f64 {
    at(s, -1.0)
}

// [sort]
/// The elements in ascending order, NaN last.
fn sort(s: &[f64]) -> Vec<f64> {
    let mut sorted = s.to_vec();
    sorted.sort_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));
    sorted
}

// [least: sort, at]
/// The first element in ascending order; 0 if there is none.
fn least(s: &[f64]) -> f64 {
    at(&sort(s), 0.0)
}

// [greatest: sort, at]
/// The last element in ascending order; 0 if there is none.
fn greatest(s: &[f64]) -> f64 {
    at(&sort(s), -1.0)
}

// [join]
/// The elements of both, one after the other.
fn join(s: &[f64], t: &[f64]) -> Vec<f64> {
    [s, t].concat()
}

// [upper_case]
/// With capitals for the small letters of ASCII.
fn upper_case(s: &[f64]) -> Vec<f64> {
    let capital = |&c: &f64| if (97.0..=122.0).contains(&c) && c.fract() == 0.0 { c - 32.0 } else { c };
    s.iter().map(capital).collect()
}

// [lower_case]
/// With small letters for the capitals of ASCII.
fn lower_case(s: &[f64]) -> Vec<f64> {
    let small = |&c: &f64| if (65.0..=90.0).contains(&c) && c.fract() == 0.0 { c + 32.0 } else { c };
    s.iter().map(small).collect()
}

// [count: eq]
/// How many elements equal a number.
fn count(s: &[f64], n: f64) -> f64 {
    s.iter().filter(|element| eq(**element, n)).count() as f64
}

// [starts_with: eq_seq]
/// Whether the first elements are those of another sequence.
fn starts_with(s: &[f64], t: &[f64]) -> bool {
    t.len() <= s.len() && eq_seq(&s[..t.len()], t)
}

// [ends_with: eq_seq]
/// Whether the last elements are those of another sequence.
fn ends_with(s: &[f64], t: &[f64]) -> bool {
    t.len() <= s.len() && eq_seq(&s[s.len() - t.len()..], t)
}

// [index_of: starts_with]
/// The first place from which on a sequence has the elements of another; -1 if there is none.
fn index_of(s: &[f64], t: &[f64]) -> f64 {
    let place = (0..=s.len()).find(|&place| starts_with(&s[place..], t));
    place.map_or(-1.0, |place| place as f64)
}

// [contains: index_of]
/// Whether a sequence has the elements of another somewhere, one after the other.
fn contains(s: &[f64], t: &[f64]) -> bool {
    index_of(s, t) >= 0.0
}

// [same_elements: sort, eq_seq]
/// Whether two sequences are equal in ascending order.
fn same_elements(s: &[f64], t: &[f64]) -> bool {
    eq_seq(&sort(s), &sort(t))
}

// [is_sorted: lt]
/// Whether no element is less than the one before it; NaN is more than every number.
fn is_sorted(s: &[f64]) -> bool {
    s.windows(2).all(|pair| pair[1].is_nan() || !pair[0].is_nan() && !lt(pair[1], pair[0]))
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
