//! What is printed reads back, and nothing that is read panics.

use std::fmt;

use crate::expr::{Node, Predicate};
use crate::op::Op;
use crate::oracle::choices::Choices;
use crate::schema::{RESERVED, Schema};
use crate::text;

/// A text that did not read back to what was printed.
#[derive(Clone, Debug, PartialEq)]
pub struct TextFault {
    /// The text that was read or printed.
    pub text: String,
    /// What went wrong with it.
    pub fault: String,
}

impl std::error::Error for TextFault {}

impl fmt::Display for TextFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n    {}", self.fault, self.text)
    }
}

/// Whether a predicate reads back from its text as the same nodes, constants to the last bit, and as a
/// tree shows one line per node.
pub fn text_round_trips(predicate: &Predicate, schema: &Schema) -> Result<(), TextFault> {
    let printed = predicate.display(schema).to_string();
    let fault = |fault: String| TextFault { text: printed.clone(), fault };
    let back =
        text::parse(&printed, schema).map_err(|error| fault(format!("does not read: {error}")))?;
    if !Node::are_same(back.nodes(), predicate.nodes()) {
        return Err(fault(format!("reads as {:?}, not {:?}", back.nodes(), predicate.nodes())));
    }
    let lines = text::tree(predicate.nodes(), schema).lines().count();
    if lines != predicate.size() {
        return Err(fault(format!("{lines} lines of a tree of {} nodes", predicate.size())));
    }
    Ok(())
}

/// Reads any text as a relation. If it is one, it is returned, and its text reads back; if not, the
/// error can be shown.
///
/// # Panics
/// Never: that is what it is for.
pub fn parse_never_panics(text: &str, schema: &Schema) -> Result<Option<Predicate>, TextFault> {
    if let Ok(expr) = text::parse_expr(text, schema) {
        let printed = text::print(&expr.0, schema);
        let back = text::parse_expr(&printed, schema);
        if !back.as_ref().is_ok_and(|back| Node::are_same(&back.0, &expr.0)) {
            let fault = format!("prints as `{printed}`, which reads as {back:?}");
            return Err(TextFault { text: text.to_owned(), fault });
        }
    }
    match text::parse(text, schema) {
        Err(error) if error.to_string().is_empty() => {
            Err(TextFault { text: text.to_owned(), fault: "an error without a message".to_owned() })
        }
        Err(_) => Ok(None),
        Ok(predicate) => {
            text_round_trips(&predicate, schema)?;
            Ok(Some(predicate))
        }
    }
}

/// A text of the words of the language and the variables of a schema, in no order, now and then with
/// something else between.
pub fn text(choices: &mut Choices<'_>, schema: &Schema) -> String {
    let mut text = String::new();
    for _ in 0..choices.below(60) {
        text.push_str(word(choices, schema));
        if !choices.one_in(3) {
            text.push(' ');
        }
    }
    text
}

/// A text with up to three pieces cut out or words put in: nearly what it was.
pub fn damaged(choices: &mut Choices<'_>, text: &str, schema: &Schema) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + choices.below(3) {
        let from = text.floor_char_boundary(choices.below(text.len() + 1));
        let to = text.ceil_char_boundary((from + choices.below(6)).min(text.len()));
        let piece = if choices.bool() { word(choices, schema) } else { "" };
        text.replace_range(from..to, piece);
    }
    text
}

fn word<'s>(choices: &mut Choices<'_>, schema: &'s Schema) -> &'s str {
    const SIGNS: [&str; 22] = [
        "(", ")", "(", ")", ",", "+", "-", "*", "/", "==", "!=", "<", ">", "<=", ">=", "!", "&&",
        "||", "=>", " ", "\n", "=",
    ];
    const NUMBERS: [&str; 14] = [
        "0",
        "1",
        "-1",
        ".5",
        "2.",
        "1e9",
        "1e-9",
        "1e400",
        "1e-400",
        "12abc",
        "0x10",
        "1e",
        "1.2.3",
        "99999999999999999999",
    ];
    const STRANGE: [&str; 8] = ["\u{0}", "ß", "\u{2028}", "\u{1F600}", "\"", "#", "e\u{301}", "٣"];
    match choices.weighted(&[8, 10, 4, 4, 1]) {
        0 => {
            let nth = choices.below(schema.len());
            schema.iter().nth(nth).map_or("x", |(_, name, _)| name)
        }
        1 => choices.pick(&SIGNS),
        2 if choices.bool() => choices.pick(&RESERVED),
        2 => choices.pick(&Op::ALL).spelling(),
        3 => choices.pick(&NUMBERS),
        _ => choices.pick(&STRANGE),
    }
}
