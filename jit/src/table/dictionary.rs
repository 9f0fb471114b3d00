//! The distinct sequences of a table, as codes in one arena.
//!
//! ```text
//! codes   [ · | a b c | a b | ………… ‖ ………… | b a | c b a | · ]
//!           0   1       4           T                       2T
//! ```
//! Every distinct sequence is stored once, so its start stands for it: two variables are equal
//! exactly when their starts are. The second half is the first in reverse. A sequence is the pair
//! (start, length), and so
//! `flip` is `start' = 2T - start - length`, `truncate` moves start or length, and removing the
//! first or last element does too: arithmetic on columns of u32, without touching an element.
//! A variable flipped has a start of its own too: that of the sequence it then is, if the dictionary
//! holds it, and else its mirror image. So starts also tell whether a flipped variable equals another.
//!
//! Element 0 is a sentinel: the empty sequence starts there, and nothing else does. After it come the
//! texts of small integers, `TEXT_STRIDE` apart; a variable never starts there, even if it has the
//! same text.

use hashbrown::HashTable;

use super::prefix::Prefix;
use crate::hash::Mixer;
use crate::op;
use crate::tolerance::Tolerance;

/// Sequences that are kept as bytes are followed by this many more, so that as many can be read at once
/// from any place.
pub(crate) const RUN: usize = 16;

/// Codes of the characters that `toString` makes: digit d is code d, then the minus sign.
pub(crate) const MINUS: u32 = 10;
const TEXT_OF_NUMBERS: &str = "0123456789-";

/// Every dictionary begins with the texts of the integers of at most this magnitude, so that
/// `toString` of them is a slice like any other.
pub(crate) const MAX_TEXT: i32 = 2047;

/// From the text of one small integer to the next: the longest has five characters. So where a text
/// starts is arithmetic.
pub(crate) const TEXT_STRIDE: i32 = 5;

/// Where the text of 0 starts, after the sentinel and the texts of the negative integers.
pub(crate) const TEXT_OF_ZERO: i32 = 1 + MAX_TEXT * TEXT_STRIDE;

/// The texts of small integers, each with zeros up to the next.
fn small_texts() -> impl Iterator<Item = u32> {
    (-MAX_TEXT..=MAX_TEXT).flat_map(|n| {
        let mut text = [0; TEXT_STRIDE as usize];
        let code = |c: char| c.to_digit(10).unwrap_or(MINUS);
        for (place, c) in text.iter_mut().zip(n.to_string().chars()) {
            *place = code(c);
        }
        text
    })
}

/// The distinct sequences of a table.
#[derive(Debug)]
pub(crate) struct Dictionary {
    /// Forward then mirrored; see the drawing.
    codes: Vec<u32>,
    /// The same, and `RUN` zeros, if all codes fit.
    bytes: Option<Vec<u8>>,
    /// The number that each code stands for.
    alphabet: Vec<f64>,
    /// The codes of ASCII letters that are used, or in the other case.
    letters: [u32; 128],
    /// Whether different codes are always unequal numbers, so that codes compare for numbers.
    pub(crate) separated: bool,
    /// The sums of the first i forward elements, if they can be had: all elements are integers, and
    /// no sum leaves what is exact.
    prefix: Option<Prefix>,
    /// The length of the longest sequence.
    pub(crate) longest: usize,
    /// No sum of a slice is larger in magnitude, where sums are exact.
    pub(crate) largest_sum: f64,
}

impl Dictionary {
    /// All codes, both halves.
    #[inline]
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The number that a code stands for.
    #[inline]
    pub(crate) fn number(&self, code: u32) -> f64 {
        self.alphabet[code as usize]
    }

    /// The code of a capital for that of a small ASCII letter; other codes stay.
    #[inline]
    pub(crate) fn upper(&self, code: u32) -> u32 {
        self.respelled(code, op::upper)
    }

    /// The code of a small letter for that of an ASCII capital; other codes stay.
    #[inline]
    pub(crate) fn lower(&self, code: u32) -> u32 {
        self.respelled(code, op::lower)
    }

    fn respelled(&self, code: u32, case: impl Fn(f64) -> f64) -> u32 {
        let number = self.number(code);
        let cased = case(number);
        // Letters are all that change, and NaN stays.
        if cased == number || number.is_nan() { code } else { self.letters[cased as usize] }
    }

    /// Exact prefix sums of the forward half, if there are any.
    #[inline]
    pub(crate) fn prefix_sums(&self) -> Option<&Prefix> {
        self.prefix.as_ref()
    }

    /// All codes as bytes, and a run of zeros, if they fit.
    #[inline]
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// The numbers of a forward or mirrored slice.
    pub(crate) fn numbers(&self, start: u32, len: u32) -> impl Iterator<Item = f64> {
        self.codes[start as usize..][..len as usize].iter().map(|&code| self.number(code))
    }
}

/// Builds a [`Dictionary`] from all sequences of all columns.
#[derive(Debug)]
pub(crate) struct Builder {
    codes: Vec<u32>,
    alphabet: Vec<f64>,
    code_of: HashTable<u32>,
    spans: Vec<(u32, u32)>,
    span_of: HashTable<u32>,
    longest: usize,
}

/// The elements of all distinct sequences do not fit 32-bit indices.
#[derive(Debug)]
pub(crate) struct TooManyElements;

/// Both halves, the sentinel and the evaluator's scratch share the 32-bit index space.
const MAX_HALF: usize = 1 << 30;

impl Builder {
    pub(crate) fn new() -> Builder {
        let mut builder = Builder {
            codes: vec![0],
            alphabet: Vec::new(),
            code_of: HashTable::new(),
            spans: vec![(0, 0)],
            span_of: HashTable::new(),
            longest: 0,
        };
        for c in TEXT_OF_NUMBERS.chars() {
            builder.code(f64::from(u32::from(c)));
        }
        builder.codes.extend(small_texts());
        builder
    }

    /// Which of the distinct sequences it is; [`Spans`] knows where they start. The empty one is 0.
    pub(crate) fn intern(&mut self, sequence: &[f64]) -> Result<u32, TooManyElements> {
        if sequence.is_empty() {
            return Ok(0);
        }
        let start = self.codes.len();
        if start + sequence.len() > MAX_HALF {
            return Err(TooManyElements);
        }
        self.longest = self.longest.max(sequence.len());
        // Append first, and take it back when the sequence turns out to be known.
        for &element in sequence {
            let code = self.code(element);
            self.codes.push(code);
        }
        let (known, new) = self.codes.split_at(start);
        let found = self.span_of.find(hash_codes(new), |&span| {
            let (start, len) = self.spans[span as usize];
            known.get(start as usize..(start + len) as usize) == Some(new)
        });
        if let Some(&span) = found {
            self.codes.truncate(start);
            return Ok(span);
        }
        let (codes, spans) = (&self.codes, &mut self.spans);
        let hash = hash_codes(&codes[start..]);
        spans.push((start as u32, sequence.len() as u32));
        self.span_of.insert_unique(hash, spans.len() as u32 - 1, |&span| {
            let (start, len) = spans[span as usize];
            hash_codes(&codes[start as usize..][..len as usize])
        });
        Ok(spans.len() as u32 - 1)
    }

    /// Where each distinct sequence starts when it is flipped, in an arena of `twice` codes.
    fn flipped(&self, twice: u32) -> Vec<u32> {
        let mut buffer = Vec::with_capacity(self.longest);
        let flip = |&(start, len): &(u32, u32)| {
            if len == 0 {
                return 0;
            }
            let codes = |(start, len): (u32, u32)| &self.codes[start as usize..][..len as usize];
            buffer.clear();
            buffer.extend(codes((start, len)).iter().rev());
            let known = self
                .span_of
                .find(hash_codes(&buffer), |&span| codes(self.spans[span as usize]) == buffer);
            known.map_or(twice - start - len, |&span| self.spans[span as usize].0)
        };
        self.spans.iter().map(flip).collect()
    }

    fn code(&mut self, number: f64) -> u32 {
        // 0 and -0, and all NaNs, are each one number to the language.
        let number = if number.is_nan() { f64::NAN } else { number + 0.0 };
        let alphabet = &mut self.alphabet;
        let hash = hash_bits(number);
        if let Some(&code) =
            self.code_of.find(hash, |&code| alphabet[code as usize].to_bits() == number.to_bits())
        {
            return code;
        }
        let code = alphabet.len() as u32;
        alphabet.push(number);
        self.code_of.insert_unique(hash, code, |&code| hash_bits(alphabet[code as usize]));
        code
    }

    /// Gives every letter that is used a code in both cases; where all of them are.
    fn letters(&mut self) -> [u32; 128] {
        let mut letters = [0; 128];
        for code in 0..self.alphabet.len() {
            let letter = self.alphabet[code];
            for cased in [op::upper(letter), op::lower(letter)] {
                if op::upper(letter) != op::lower(letter) && !letter.is_nan() {
                    letters[cased as usize] = self.code(cased);
                }
            }
        }
        letters
    }

    pub(crate) fn finish(mut self, tolerance: &Tolerance) -> (Dictionary, Spans) {
        let half = self.codes.len();
        let flipped = self.flipped(2 * half as u32);
        // The arena has no letter that is only there in the other case.
        let used = self.alphabet.len();
        let letters = self.letters();
        let Builder { mut codes, alphabet, spans, longest, .. } = self;
        let separated = is_separated(&alphabet, tolerance);
        let largest_sum = spans
            .iter()
            .map(|&(start, len)| &codes[start as usize..][..len as usize])
            .map(|span| span.iter().map(|&code| alphabet[code as usize].abs()).sum())
            .fold(LARGEST_TEXT_SUM, f64::max);
        let prefix = prefix_sums(&codes, &alphabet, largest_sum);
        codes.reserve_exact(codes.len());
        codes.extend_from_within(..);
        codes[half..].reverse();
        let bytes = (used <= 1 << u8::BITS).then(|| {
            let padding = std::iter::repeat_n(0, RUN);
            codes.iter().map(|&code| code as u8).chain(padding).collect()
        });
        let dictionary =
            Dictionary { codes, bytes, alphabet, letters, separated, prefix, longest, largest_sum };
        (dictionary, Spans { starts: spans.iter().map(|span| span.0).collect(), flipped })
    }
}

/// No text of a number has a larger sum: a minus sign and 19 digits.
pub(crate) const LARGEST_TEXT_SUM: f64 = (b'-' as u32 + 19 * b'9' as u32) as f64;

/// Where the distinct sequences start.
#[derive(Debug)]
pub(crate) struct Spans {
    starts: Vec<u32>,
    flipped: Vec<u32>,
}

impl Spans {
    /// The starts of sequences, which they stand for from then on, and of their flips.
    pub(crate) fn starts(&self, spans: &[u32]) -> [Vec<u32>; 2] {
        [&self.starts, &self.flipped]
            .map(|starts| spans.iter().map(|&span| starts[span as usize]).collect())
    }
}

/// Whether no two different numbers of the alphabet are equal within the tolerance.
fn is_separated(alphabet: &[f64], tolerance: &Tolerance) -> bool {
    let mut sorted: Vec<f64> = alphabet.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    // Neighbours decide: if x < y < z and x == z, then y equals the one of them that is larger in
    // magnitude, because the difference is no larger and the allowance is the same.
    sorted.windows(2).all(|pair| !tolerance.eq(pair[0], pair[1]))
}

/// Prefix sums of the arena, in the narrowest type in which the sums of slices are exact, if there is one.
fn prefix_sums(codes: &[u32], alphabet: &[f64], largest: f64) -> Option<Prefix> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if !alphabet.iter().all(|x| x.fract() == 0.0) {
        return None;
    }
    // The sentinel counts nothing.
    let numbers = || codes.iter().skip(1).map(|&code| alphabet[code as usize]);
    Some(if largest <= f64::from(i16::MAX) {
        Prefix::Short(totals(numbers(), 0, |total: i16, x| total.wrapping_add(x as i16)))
    } else if largest <= f64::from(i32::MAX) {
        Prefix::Int(totals(numbers(), 0, |total: i32, x| total.wrapping_add(x as i32)))
    } else if numbers().map(f64::abs).sum::<f64>() < EXACT {
        Prefix::Float(totals(numbers(), 0.0, |total, x| total + x))
    } else {
        return None;
    })
}

/// The totals before, between and after the elements of an arena.
fn totals<T: Copy>(
    numbers: impl Iterator<Item = f64>,
    zero: T,
    add: impl Fn(T, f64) -> T,
) -> Vec<T> {
    // Before and after the sentinel.
    let mut totals = vec![zero; 2];
    let mut total = zero;
    totals.extend(numbers.map(|x| {
        total = add(total, x);
        total
    }));
    totals
}

fn hash_codes(codes: &[u32]) -> u64 {
    let mut mixer = Mixer::new(codes.len() as u64);
    for &code in codes {
        mixer.add(u64::from(code));
    }
    mixer.finish()
}

fn hash_bits(number: f64) -> u64 {
    let mut mixer = Mixer::new(0);
    mixer.add(number.to_bits());
    mixer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_share_a_start_and_the_second_half_is_the_mirror() {
        let mut builder = Builder::new();
        let abc = builder.intern(&[1.0, 2.0, 3.0]).unwrap();
        let ab = builder.intern(&[1.0, 2.0]).unwrap();
        assert_eq!(builder.intern(&[1.0, 2.0, 3.0]).unwrap(), abc);
        assert_eq!(
            builder.intern(&[-0.0, f64::NAN]).unwrap(),
            builder.intern(&[0.0, -f64::NAN]).unwrap()
        );
        assert_ne!(abc, ab);
        assert_eq!(builder.intern(&[]).unwrap(), 0);
        let (dictionary, spans) = builder.finish(&Tolerance::default());
        let [starts, flipped] = spans.starts(&[abc, ab, 0]);
        assert_eq!(flipped[0], dictionary.codes().len() as u32 - starts[0] - 3);
        assert_eq!(dictionary.numbers(flipped[0], 3).collect::<Vec<_>>(), [3.0, 2.0, 1.0]);
        assert_eq!((starts[2], flipped[2]), (0, 0));
        assert_eq!(dictionary.longest, 3);
    }

    #[test]
    fn a_flipped_sequence_starts_where_the_sequence_it_then_is_does() {
        let mut builder = Builder::new();
        let ab = builder.intern(&[1.0, 2.0]).unwrap();
        let ba = builder.intern(&[2.0, 1.0]).unwrap();
        let aba = builder.intern(&[1.0, 2.0, 1.0]).unwrap();
        let (_, spans) = builder.finish(&Tolerance::default());
        let [starts, flipped] = spans.starts(&[ab, ba, aba]);
        assert_eq!(flipped, [starts[1], starts[0], starts[2]]);
    }

    #[test]
    fn the_texts_of_small_integers_stand_where_arithmetic_finds_them() {
        let (dictionary, _) = Builder::new().finish(&Tolerance::default());
        for n in [-MAX_TEXT, -10, -1, 0, 7, MAX_TEXT] {
            let text = n.to_string();
            let start = TEXT_OF_ZERO + n * TEXT_STRIDE;
            let found: Vec<f64> = dictionary.numbers(start as u32, text.len() as u32).collect();
            let expected: Vec<f64> = text.bytes().map(f64::from).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn sums_are_at_hand_only_where_they_are_exact() {
        let sums = |sequence: &[f64]| {
            let mut builder = Builder::new();
            builder.intern(sequence).unwrap();
            builder.finish(&Tolerance::default()).0.prefix.is_some()
        };
        assert!(sums(&[1.0, 2.0]));
        assert!(!sums(&[0.5]));
        assert!(!sums(&[f64::NAN]));
        assert!(!sums(&[f64::INFINITY]));
        assert!(!sums(&[9_007_199_254_740_992.0, 1.0]));
    }

    #[test]
    fn sums_take_the_narrowest_type_that_holds_them() {
        let sum = |sequence: &[f64]| {
            let mut builder = Builder::new();
            let span = builder.intern(sequence).unwrap();
            let (dictionary, spans) = builder.finish(&Tolerance::default());
            let [starts, flipped] = spans.starts(&[span]);
            let prefix = dictionary.prefix.unwrap();
            let len = sequence.len() as u32;
            let sums = [starts[0], flipped[0]].map(|start| prefix.sum(start, len));
            assert_eq!(sums[0], sums[1]);
            (std::mem::discriminant(&prefix), sums[0])
        };
        let short = std::mem::discriminant(&Prefix::Short(vec![]));
        let int = std::mem::discriminant(&Prefix::Int(vec![]));
        let float = std::mem::discriminant(&Prefix::Float(vec![]));
        assert_eq!(sum(&[32_000.0, 767.0]), (short, 32_767.0));
        assert_eq!(sum(&[-32_000.0, -767.0]), (short, -32_767.0));
        assert_eq!(sum(&[32_000.0, 768.0]), (int, 32_768.0));
        assert_eq!(sum(&[-32_000.0, 32_000.0]), (int, 0.0));
        assert_eq!(sum(&[2_147_483_647.0]), (int, 2_147_483_647.0));
        assert_eq!(sum(&[2_147_483_647.0, 1.0]), (float, 2_147_483_648.0));
    }

    #[test]
    fn an_alphabet_with_near_twins_is_not_separated() {
        let separated = |sequence: &[f64]| {
            let mut builder = Builder::new();
            builder.intern(sequence).unwrap();
            builder.finish(&Tolerance::default()).0.separated
        };
        assert!(separated(&[1.0, 2.0, f64::INFINITY, f64::NAN]));
        assert!(!separated(&[1.0, 1.0 + 1e-10]));
        assert!(!separated(&[48.0 + 1e-10]), "the digits of toString are always there");
    }
}
