//! Terms of input relations that the relation language cannot say, such as `rotate(s_s, 1)`: kept as texts.

use genmorph_jit::{Schema, Var};

use super::{ATOM, Piece, Printer, conjuncts};
use crate::claims::relation;
use crate::show::report::tree::Tree;

/// The parts of an input relation: those that are relations, and the texts that other variables are set to.
pub(super) fn read(input_relation: &str, schema: &Schema) -> (Vec<Tree>, Vec<(Var, String)>) {
    let tree = |text: &str| relation::read(text, schema).ok().map(|found| Tree::of(&found));
    if let Some(whole) = tree(input_relation) {
        return (conjuncts(&whole), Vec::new());
    }
    let (mut known, mut texts) = (Vec::new(), Vec::new());
    for part in input_relation.split(" and ") {
        let set = part.split_once(" == ");
        let set = set.and_then(|(name, term)| Some((variable(name, schema)?, term.to_owned())));
        match (tree(part), set) {
            (Some(tree), _) => known.extend(conjuncts(&tree)),
            (None, Some(set)) => texts.push(set),
            // Not an input relation of a transformation: nothing is known of it.
            (None, None) => return Default::default(),
        }
    }
    (known, texts)
}

fn variable(name: &str, schema: &Schema) -> Option<Var> {
    schema.iter().find(|(_, known, _)| *known == name).map(|(var, ..)| var)
}

/// Whether a text calls something of this name.
pub(super) fn calls(text: &str, name: &str) -> bool {
    let call = format!("{name}(");
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(&call).any(|(at, _)| !text[..at].ends_with(is_part))
}

impl Printer<'_> {
    /// A text with the variables of the source named as in a call.
    pub(super) fn spoken(&self, text: &str) -> Piece {
        let mut shown = String::new();
        let mut rest = text;
        let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        while let Some(start) = rest.find(is_letter) {
            // A character in quotes is none of a name.
            let is_quoted = rest[..start].ends_with('\'');
            let word = &rest[start..];
            let end = word.find(|c| !is_letter(c)).unwrap_or(word.len());
            let name = word[..end].strip_suffix("_s").filter(|_| !is_quoted);
            let known =
                |name: &&str| self.signature.inputs.iter().any(|input| input.name == **name);
            shown += &rest[..start];
            shown += name.filter(known).unwrap_or(&word[..end]);
            rest = &word[end..];
        }
        let binding = if text.contains(" ++ ") { 0 } else { ATOM };
        Piece { text: shown + rest, binding, number: None }
    }
}
