//! Lists, ordinals and names of elements, in English.

use genmorph_jit::Op;

use crate::show::report::tree::Tree;
use crate::subject::kinds::Kind;

/// What a sequence of a kind has.
pub(super) fn element(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Text) => "character",
        Some(Kind::Numbers | Kind::Number | Kind::Boolean) | None => "element",
    }
}

/// The place of an element in words, where there are some.
pub(super) fn ordinal(index: i64) -> Option<&'static str> {
    Some(match index {
        0 => "first",
        1 => "second",
        2 => "third",
        3 => "fourth",
        -1 => "last",
        -2 => "second to last",
        -3 => "third to last",
        _ => return None,
    })
}

/// The operands of an operator that its left operand may be, too: of `a + b + c`, three.
pub(super) fn chain(op: Op, tree: &Tree) -> Vec<&Tree> {
    match tree {
        Tree::Op(inner, operands) if *inner == op && operands.len() == 2 => {
            // Logic may be grouped at will; sums are not the same to the last bit, but the same words.
            let right = match op {
                Op::And | Op::Or => chain(op, &operands[1]),
                _ => vec![&operands[1]],
            };
            let mut parts = chain(op, &operands[0]);
            parts.extend(right);
            parts
        }
        _ => vec![tree],
    }
}

/// What stands between parts: a comma too, where one of them has commas.
pub(super) fn separator(parts: &[String]) -> &'static str {
    if parts.iter().any(|part| part.contains(',')) { ", " } else { " " }
}

/// "a and b", "a, b and c"; with `last` for two that are long: "a, and b".
pub(super) fn listed(parts: &[String], word: &str, last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [a, b] if last == ", " && (a.contains(',') || b.contains(',')) => {
            format!("{a}, {word} {b}")
        }
        [a, b] => format!("{a} {word} {b}"),
        [firsts @ .., b] => {
            let comma = if last == ", " { "," } else { "" };
            format!("{}{comma} {word} {b}", firsts.join(", "))
        }
    }
}
