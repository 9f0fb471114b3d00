//! The forms of relations that people write down for such functions, a line each that `genmorph filter` takes, on a real function.

use crate::cli::genmorph;
use crate::folder::subject;

/// A form, the example function, and a relation of that form that holds for it.
const LINES: [(&str, &str, &str); 25] = [
    ("exchange", "gcd", "PermuteParameters on p, q => out_f == out_s"),
    ("scale all parameters", "gcd", "NumericMultiplication(3) on p, q => out_f == 3 * out_s"),
    ("negate all parameters", "gcd", "NumericMultiplication(-1) on p, q => out_f == out_s"),
    ("add another parameter", "gcd", "NumericAddition(q) on p => out_f == out_s"),
    ("odd function", "sin", "NumericMultiplication(-1) on x => out_f == -out_s"),
    ("complement", "sin", "NumericComplement(3.141592653589793) on x => out_f == out_s"),
    ("reverse", "min", "SequenceFlip on values => out_f == out_s"),
    ("rotate", "min", "SequenceRotate(2) on values => out_f == out_s"),
    ("sort", "min", "SequenceSort on values => out_f == out_s"),
    ("exchange elements", "min", "SequenceSwap(0, -1) on values => out_f == out_s"),
    ("append an element", "min", "SequenceAppend(values[0]) on values => out_f == out_s"),
    ("insert in front", "min", "SequencePrepend(values[-1]) on values => out_f == out_s"),
    ("duplicate", "min", "SequenceDouble on values => out_f == out_s"),
    ("scale every element", "min", "SequenceMultiply(2) on values => out_f == 2 * out_s"),
    ("add to every element", "is_sorted", "SequenceAdd(5) on a => out_f == out_s"),
    ("replace an element", "is_sorted", "SequenceReplace(0, -20) on a => out_s implies out_f"),
    ("append a parameter", "index_of", "SequenceAppend(x) on a => out_f == out_s or out_s < 0"),
    ("upper case", "capitalise", "TextUpper on s => length(out_f) == length(out_s)"),
    ("lower case", "capitalise", "TextLower on s => length(out_f) == length(out_s)"),
    ("join with itself", "repeat", "SequenceDouble on s => length(out_f) == 2 * length(out_s)"),
    ("homomorphism of texts", "repeat", "SequenceFlip on s => out_f == flip(out_s)"),
    ("outcomes are the same", "sort_range", "SequenceSort on a => throws_f iff throws_s"),
    (
        "an error stays one",
        "truncate",
        "NumericAddition(1) on max_width => throws_f implies throws_s",
    ),
    ("precondition", "min", "SequenceFlip on values => throws_s iff length(values_s) == 0"),
    ("precondition of a number", "pow", "NumericAddition(1) on e => throws_s iff e_s < 0"),
];

#[test]
fn the_forms_of_relations_that_people_write_are_one_line_each() {
    for (form, function, line) in LINES {
        let definition = subject(&format!("{function}/subject.toml"));
        let run = genmorph(&["filter", line, &definition, "--hunt", "200", "--fresh", "400"]);
        assert_eq!(run.code, Some(0), "{form}: {line}\n{}{}", run.out, run.err);
        assert!(run.out.contains("1 of 1 stand"), "{form}: {line}\n{}", run.out);
    }
}
