//! Functions that seem to belong together: by the words of their names, and because their types fit.
//!
//! Whether they do is for a run to find out; a pair that is proposed may have nothing to say.

use super::Role;
use crate::subject::Signature;
use crate::subject::kinds::plain_name;

/// Two functions of a list that seem to belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProposedPair {
    /// The place of the first function.
    pub first: usize,
    /// The place of the second function.
    pub second: usize,
    /// What the second is to the first.
    pub role: Role,
}

/// Words of which the second undoes what the first does.
const OPPOSITE: [[&str; 2]; 34] = [
    ["encode", "decode"],
    ["enc", "dec"],
    ["escape", "unescape"],
    ["encrypt", "decrypt"],
    ["compress", "decompress"],
    ["compress", "uncompress"],
    ["deflate", "inflate"],
    ["pack", "unpack"],
    ["quote", "unquote"],
    ["wrap", "unwrap"],
    ["serialize", "deserialize"],
    ["serialise", "deserialise"],
    ["marshal", "unmarshal"],
    ["format", "parse"],
    ["print", "parse"],
    ["to", "from"],
    ["to", "parse"],
    ["write", "read"],
    ["dump", "load"],
    ["push", "pop"],
    ["append", "remove"],
    ["add", "remove"],
    ["insert", "remove"],
    ["increment", "decrement"],
    ["inc", "dec"],
    ["next", "previous"],
    ["next", "prev"],
    ["succ", "pred"],
    ["join", "split"],
    ["shift", "unshift"],
    ["flatten", "unflatten"],
    ["zip", "unzip"],
    ["forward", "inverse"],
    ["forward", "backward"],
];

/// Words that tell one way to compute something from another.
const WAYS: [&str; 20] = [
    "naive",
    "simple",
    "slow",
    "fast",
    "quick",
    "reference",
    "ref",
    "recursive",
    "iterative",
    "old",
    "new",
    "legacy",
    "safe",
    "unsafe",
    "unchecked",
    "optimized",
    "alt",
    "impl",
    "v2",
    "2",
];

/// Words of which one is the opposite truth of the other.
const CONTRARY: [[&str; 2]; 4] =
    [["any", "none"], ["is", "isnt"], ["empty", "nonempty"], ["even", "odd"]];

/// The words of a name, in lower case: of `toHexString` and of `to_hex_string`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    let mut last = '_';
    for c in plain_name(name).chars() {
        let is_border = c == '_' || c == '$';
        is_new |= is_border
            || c.is_uppercase() && !last.is_uppercase()
            || c.is_ascii_digit() && !last.is_ascii_digit();
        last = c;
        if is_border {
            continue;
        }
        if is_new || words.is_empty() {
            words.push(String::new());
            is_new = false;
        }
        let word = words.last_mut().expect("one was begun");
        word.extend(c.to_lowercase());
    }
    words
}

/// What the names of two functions say that the second is to the first.
fn role(first: &[String], second: &[String]) -> Option<Role> {
    let without = |name: &[String], left_out: &[&str]| -> Vec<String> {
        name.iter().filter(|word| !left_out.contains(&&***word)).cloned().collect()
    };
    let rest = |word: &str, name: &[String]| {
        name.iter().filter(|w| *w != word).cloned().collect::<Vec<_>>()
    };
    let has = |name: &[String], word: &str| name.iter().any(|own| own == word);
    // A suffix may stand beside the word: `encodeHex`, `decodeHex`; or be part of it: `escapeJava`, `unescapeJava`.
    let is_opposite = OPPOSITE.iter().any(|[does, undoes]| {
        has(first, does) && has(second, undoes) && rest(does, first) == rest(undoes, second)
    });
    // `intToHex` and `hexToInt`.
    let crossed = ["to", "2", "from"].iter().any(|word| {
        let halves = |name: &[String]| {
            let at = name.iter().position(|own| own == word)?;
            Some((name[..at].to_vec(), name[at + 1..].to_vec()))
        };
        match (halves(first), halves(second)) {
            (Some((a, b)), Some((c, d))) => !a.is_empty() && !b.is_empty() && a == d && b == c,
            _ => false,
        }
    });
    if is_opposite || crossed {
        return Some(Role::Inverse);
    }
    let is_contrary = CONTRARY.iter().any(|[one, other]| {
        has(first, one) && has(second, other) && rest(one, first) == rest(other, second)
    });
    let is_other_way = first != second
        && !without(first, &WAYS).is_empty()
        && without(first, &WAYS) == without(second, &WAYS);
    (is_contrary || is_other_way).then_some(Role::SameAs)
}

/// The pairs among functions whose names and types fit; for each pair of functions at most one.
pub fn proposed(functions: &[Signature]) -> Vec<ProposedPair> {
    let names: Vec<Vec<String>> = functions.iter().map(|f| words(&f.function)).collect();
    let mut proposed: Vec<ProposedPair> = Vec::new();
    for first in 0..functions.len() {
        for second in 0..functions.len() {
            let Some(role) = role(&names[first], &names[second]).filter(|_| first != second) else {
                continue;
            };
            let is_known = proposed
                .iter()
                .any(|known| known.role == role && [known.first, known.second] == [second, first]);
            let fits = functions[first].with_second(role, &functions[second]).is_ok();
            if fits && !is_known {
                proposed.push(ProposedPair { first, second, role });
            }
        }
    }
    proposed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs among functions of these names and types, as `first second role`.
    fn pairs(functions: &[(&str, &str)]) -> Vec<String> {
        let signatures: Vec<Signature> =
            functions.iter().map(|(name, text)| Signature::parse(name, text).unwrap()).collect();
        let found = proposed(&signatures).into_iter();
        let text = |pair: ProposedPair| {
            let [first, second] = [pair.first, pair.second].map(|at| functions[at].0);
            format!("{first} {second} {}", pair.role.name())
        };
        found.map(text).collect()
    }

    #[test]
    fn names_and_types_together_propose_a_pair() {
        let text = "func(s: string) -> string";
        let bytes = "func(s: string) -> list<u8>";
        let back = "func(b: list<u8>) -> string";
        let sort = "func(a: list<s32>) -> list<s32>";
        assert_eq!(
            pairs(&[("unescapeJava", text), ("escapeJava", text), ("escapeXml", text)]),
            ["escapeJava unescapeJava Inverse"]
        );
        assert_eq!(
            pairs(&[("encode_hex", bytes), ("decode_hex", back), ("decode_base64", back)]),
            ["encode_hex decode_hex Inverse"]
        );
        assert_eq!(
            pairs(&[("textToBytes", bytes), ("bytesToText", back)]),
            ["textToBytes bytesToText Inverse"]
        );
        assert_eq!(pairs(&[("sort", sort), ("sort_naive", sort)]), ["sort sort_naive SameAs"]);
        let test = "func(s: string) -> bool";
        assert_eq!(
            pairs(&[("containsAny", test), ("containsNone", test)]),
            ["containsAny containsNone SameAs"]
        );
    }

    #[test]
    fn types_that_do_not_fit_are_no_pair_whatever_the_names_say() {
        let (numbers, text) = ("func(n: s32) -> s32", "func(s: string) -> string");
        assert_eq!(pairs(&[("encode", numbers), ("decode", text)]), [""; 0]);
        assert_eq!(pairs(&[("upper", text), ("lower", text)]), [""; 0]);
    }

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(words("toHexString"), ["to", "hex", "string"]);
        assert_eq!(words("my::escape_xml10"), ["escape", "xml", "10"]);
    }
}
