//! A relation as a tree, and as text with something else in the place of its variables.
//!
//! The core keeps relations flat; sentences for people are made from the root down. A relation has at most
//! 1,024 nodes, so recursion is bounded.

use genmorph_jit::engine::scalar;
use genmorph_jit::op::{Assoc, Fixity};
use genmorph_jit::{ArithmeticOp, Class, Leaf, Node, Op, Predicate, Tolerance, Value, Var};

/// An expression with its operands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    /// An operator and its operands, one or two.
    Op(Op, Vec<Tree>),
    /// A variable of the relation.
    Var(Var),
    /// A constant number of the relation.
    Num(f64),
    /// A constant truth value.
    Bool(bool),
}

impl Tree {
    /// The tree of a relation.
    pub(crate) fn of(predicate: &Predicate) -> Tree {
        predicate.fold(
            |leaf| match leaf {
                Leaf::Var(var) => Tree::Var(var),
                Leaf::Num(number) => Tree::Num(number),
                Leaf::Bool(truth) => Tree::Bool(truth),
            },
            |op, operands| Tree::Op(op, operands.into()),
        )
    }

    /// The tree in postfix order, as the core has it.
    pub(super) fn nodes(&self) -> Vec<Node> {
        match self {
            Tree::Op(op, operands) => {
                let mut nodes: Vec<Node> = operands.iter().flat_map(Tree::nodes).collect();
                nodes.push(Node::Op(*op));
                nodes
            }
            Tree::Var(var) => vec![Node::Var(*var)],
            Tree::Num(number) => vec![Node::Num(*number)],
            Tree::Bool(truth) => vec![Node::Bool(*truth)],
        }
    }

    /// The value of the tree where variables have these.
    pub(super) fn value(
        &self,
        variable: &dyn Fn(Var) -> Value<'static>,
        tolerance: &Tolerance,
    ) -> Value<'static> {
        scalar::value(&self.nodes(), tolerance, variable)
    }

    /// The text of the tree with the fewest parentheses; `say` may give another text for a whole subtree, a
    /// variable's for instance.
    pub(super) fn text(&self, say: &dyn Fn(&Tree) -> Option<String>) -> String {
        if let Some(text) = say(self) {
            return text;
        }
        let (op, operands) = match self {
            Tree::Op(op, operands) => (*op, operands),
            Tree::Num(number) => return number_text(*number),
            Tree::Bool(truth) => return truth.to_string(),
            Tree::Var(var) => return format!("?{}", var.0),
        };
        let fixity = op.fixity();
        let is_arithmetic = matches!(op.class(), Class::Arithmetic(op) if op != ArithmeticOp::Abs);
        let texts: Vec<String> = operands
            .iter()
            .enumerate()
            .map(|(side, operand)| {
                let text = operand.text(say);
                let is_said = say(operand).is_some();
                let minus = side == 1 && is_arithmetic && text.starts_with('-');
                if minus || (!is_said && operand.needs_parentheses(fixity, side)) {
                    format!("({text})")
                } else {
                    text
                }
            })
            .collect();
        match fixity {
            Fixity::Call => format!("{}({})", op.spelling(), texts.join(", ")),
            Fixity::Prefix(_) => format!("{} {}", op.spelling(), texts[0]),
            Fixity::Infix(..) => format!("{} {} {}", texts[0], op.spelling(), texts[1]),
        }
    }

    /// Whether the tree would read differently on that side of an operator (0 is left) without them.
    pub(super) fn needs_parentheses(&self, operator: Fixity, side: usize) -> bool {
        match operator {
            Fixity::Call => false,
            Fixity::Prefix(binding) => self.binding() < binding,
            Fixity::Infix(binding, assoc) => {
                let groups_itself = match assoc {
                    Assoc::Left => side == 0,
                    Assoc::Right => side == 1,
                    Assoc::None => false,
                };
                let held = self.binding();
                held < binding || (held == binding && !groups_itself)
            }
        }
    }

    /// How tightly its text holds together.
    fn binding(&self) -> u8 {
        match self {
            Tree::Op(op, _) => match op.fixity() {
                Fixity::Infix(binding, _) | Fixity::Prefix(binding) => binding,
                Fixity::Call => u8::MAX,
            },
            Tree::Var(_) | Tree::Num(_) | Tree::Bool(_) => u8::MAX,
        }
    }
}

/// A number with the fewest digits, and an exponent only where that spares a row of zeros.
pub(super) fn number_text(value: f64) -> String {
    const READABLE: usize = 12;
    if value.is_nan() {
        return "NaN".to_owned();
    }
    // Zeros have no sign that an operator could see.
    let value = if value == 0.0 { 0.0 } else { value };
    let plain = format!("{value}");
    let scientific = format!("{value:e}");
    let is_long = plain.len() > READABLE && scientific.len() < plain.len();
    if is_long { scientific } else { plain }
}

#[cfg(test)]
mod tests {
    use genmorph_jit::{Schema, Type, parse};

    use super::*;

    #[test]
    fn a_tree_has_the_text_of_its_relation() {
        let schema = Schema::new([("a", Type::Num), ("b", Type::Num), ("s", Type::Seq)]).unwrap();
        for text in [
            "a - (b - 2) == a / (b * 3)",
            "(a + b) * 2 < abs(a - b)",
            "not (a < b and b < 1) implies length(remove(s, 1)) == 3",
            "(a < b iff b < 1) or not a < 2",
            "truncate(flip(s), -2) != toString(1e300)",
        ] {
            let predicate = parse(text, &schema).unwrap();
            let name = |tree: &Tree| match tree {
                Tree::Var(var) => schema.name(*var).map(str::to_owned),
                Tree::Op(..) | Tree::Num(_) | Tree::Bool(_) => None,
            };
            assert_eq!(Tree::of(&predicate).text(&name), text);
        }
    }

    #[test]
    fn a_negative_number_after_an_operator_is_in_parentheses() {
        let schema = Schema::new([("a", Type::Num), ("b", Type::Num)]).unwrap();
        let tree = Tree::of(&parse("a * b - a == b", &schema).unwrap());
        let minus = |tree: &Tree| matches!(tree, Tree::Var(_)).then(|| "-2".to_owned());
        assert_eq!(tree.text(&minus), "-2 * (-2) - (-2) == -2");
    }
}
