//! Texts that are elements of arrays and lists: relations know sequences of numbers, so these texts have numbers.
//!
//! The number of a text is its place here, so that a sequence of them is a sequence of numbers of which equality, length and
//! order mean what they should; what a method returns besides gets a number from its hash, on the Java side.

/// Empty, short, alike but for case or blanks, numbers, beyond ASCII, and beyond the first plane.
const USUAL: [&str; 16] = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "A",
    "Ab",
    " ",
    " a ",
    "0",
    "-1",
    "10",
    "true",
    "é",
    "\u{1f600}",
    "a longer text, of several words",
];

/// Literals that get a number, at most.
const LITERALS: usize = 16;

/// The texts that have numbers: some usual ones, then those that stand in the code.
pub(super) fn numbered(literals: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = USUAL.iter().map(|&text| text.to_owned()).collect();
    for literal in literals.iter().take(LITERALS) {
        if !texts.contains(literal) {
            texts.push(literal.clone());
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_one_number() {
        let literals: Vec<String> = ["x", "a", "y"].map(str::to_owned).to_vec();
        let texts = numbered(&literals);
        assert_eq!(texts[USUAL.len()..], ["x", "y"]);
        assert_eq!(texts[0], "");
    }
}
