//! Expressions as flat postfix code, and predicates: expressions proven to be well-typed and Bool.
//!
//! A subtree is a slice that ends at its root, so crossover is a splice and copying is a memcpy.

use std::fmt;
use std::ops::Range;

use crate::op::{Op, Type};
use crate::schema::{Schema, Var};

/// The most nodes a predicate may have. Evolved relations have about 16.
pub const MAX_NODES: usize = 1024;

/// One node of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// An operator, applied to the subtrees before it.
    Op(Op),
    /// A variable of the schema.
    Var(Var),
    /// A constant number; never NaN inside a [`Predicate`].
    Num(f64),
    /// A constant truth value.
    Bool(bool),
}

impl Node {
    /// How many subtrees the node takes.
    #[inline]
    pub const fn arity(self) -> usize {
        match self {
            Node::Op(op) => op.arity(),
            Node::Var(_) | Node::Num(_) | Node::Bool(_) => 0,
        }
    }

    /// The type of the subtree that ends in this node; `None` for a variable the schema lacks.
    #[inline]
    pub fn result(self, schema: &Schema) -> Option<Type> {
        match self {
            Node::Op(op) => Some(op.result()),
            Node::Var(var) => schema.type_of(var),
            Node::Num(_) => Some(Type::Num),
            Node::Bool(_) => Some(Type::Bool),
        }
    }

    /// Whether two nodes are the same to the last bit of a constant (`==` merges 0 and -0).
    #[inline]
    pub fn same(self, other: Node) -> bool {
        match (self, other) {
            (Node::Num(a), Node::Num(b)) => a.to_bits() == b.to_bits(),
            _ => self == other,
        }
    }

    /// Whether two lists of nodes are the same to the last bit.
    #[inline]
    pub fn are_same(a: &[Node], b: &[Node]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(*b))
    }
}

/// A node without operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf {
    /// A variable of the schema.
    Var(Var),
    /// A constant number, possibly infinite.
    Num(f64),
    /// A constant truth value.
    Bool(bool),
}

impl From<Leaf> for Node {
    fn from(leaf: Leaf) -> Node {
        match leaf {
            Leaf::Var(var) => Node::Var(var),
            Leaf::Num(value) => Node::Num(value),
            Leaf::Bool(value) => Node::Bool(value),
        }
    }
}

/// What the operands of an operator were folded to, from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operands<T> {
    /// The operand of a unary operator.
    One([T; 1]),
    /// The operands of a binary operator.
    Two([T; 2]),
}

impl<T> Operands<T> {
    /// The operands as a slice of one or two.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        match self {
            Operands::One(operands) => operands,
            Operands::Two(operands) => operands,
        }
    }

    /// The operands with each replaced.
    #[inline]
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Operands<U> {
        match self {
            Operands::One(operands) => Operands::One(operands.map(f)),
            Operands::Two(operands) => Operands::Two(operands.map(f)),
        }
    }
}

impl<T> From<Operands<T>> for Vec<T> {
    fn from(operands: Operands<T>) -> Vec<T> {
        match operands {
            Operands::One(operands) => operands.into(),
            Operands::Two(operands) => operands.into(),
        }
    }
}

/// Nodes in postfix order. Nothing is checked until it becomes a [`Predicate`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expr(pub Vec<Node>);

impl Expr {
    /// The expression that ends at `root`, as a range of node indices.
    ///
    /// # Panics
    /// If the nodes up to `root` do not form an expression.
    pub fn subtree(&self, root: usize) -> Range<usize> {
        subtree(&self.0, root)
    }

    /// Folds the expression from its leaves to its root; see [`fold`].
    ///
    /// # Panics
    /// If the nodes are not one expression.
    pub fn fold<T>(&self, leaf: impl FnMut(Leaf) -> T, op: impl FnMut(Op, Operands<T>) -> T) -> T {
        fold(&self.0, leaf, op)
    }
}

impl From<Vec<Node>> for Expr {
    fn from(nodes: Vec<Node>) -> Self {
        Expr(nodes)
    }
}

/// The subtree of `nodes` that ends at `root`, as a range of node indices.
///
/// # Panics
/// If the nodes up to `root` do not form an expression.
pub fn subtree(nodes: &[Node], root: usize) -> Range<usize> {
    let mut wanted = 1;
    let mut start = root + 1;
    while wanted > 0 {
        start = start.checked_sub(1).expect("the nodes before a root are its subtrees");
        wanted = wanted - 1 + nodes[start].arity();
    }
    start..root + 1
}

/// Folds an expression from its leaves to its root: `leaf` makes a result of every leaf, `op` one of every
/// operator and the results of its operands.
///
/// # Panics
/// If the nodes are not one expression.
#[inline]
pub fn fold<T>(
    nodes: &[Node],
    mut leaf: impl FnMut(Leaf) -> T,
    mut op: impl FnMut(Op, Operands<T>) -> T,
) -> T {
    const OPERANDS: &str = "the nodes before an operator are its operands";
    // Half of the nodes are leaves that may all wait for an operator.
    let mut stack: Vec<T> = Vec::with_capacity(nodes.len() / 2 + 1);
    for &node in nodes {
        let result = match node {
            Node::Var(var) => leaf(Leaf::Var(var)),
            Node::Num(value) => leaf(Leaf::Num(value)),
            Node::Bool(value) => leaf(Leaf::Bool(value)),
            Node::Op(at) => {
                let last = stack.pop().expect(OPERANDS);
                match at.arity() {
                    1 => op(at, Operands::One([last])),
                    _ => op(at, Operands::Two([stack.pop().expect(OPERANDS), last])),
                }
            }
        };
        stack.push(result);
    }
    let root = stack.pop().expect("an expression has a root");
    assert!(stack.is_empty(), "an expression has one root");
    root
}

/// Why an expression is not a predicate. `node` counts in postfix order from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TypeError {
    /// An expression without nodes.
    #[error("the expression is empty")]
    Empty,
    /// More than [`MAX_NODES`] nodes.
    #[error("the expression has {nodes} nodes; at most {MAX_NODES} are allowed")]
    TooLarge {
        /// The number of nodes.
        nodes: usize,
    },
    /// A variable that the schema lacks.
    #[error("node {node}: there is no variable number {}", var.0)]
    UnknownVariable {
        /// The index of the node.
        node: usize,
        /// The variable that is not there.
        var: Var,
    },
    /// NaN as a constant.
    #[error("node {node}: a constant must be a number")]
    NotANumber {
        /// The index of the node.
        node: usize,
    },
    /// An operator with too few subtrees before it.
    #[error("node {node}: `{}` has too few operands", op.spelling())]
    MissingOperand {
        /// The index of the node.
        node: usize,
        /// The operator at that node.
        op: Op,
    },
    /// An operand of the wrong type.
    #[error("node {node}: operand {operand} of `{}` must be {expected}, found {found}", op.spelling())]
    Operand {
        /// Where the operator stands.
        node: usize,
        /// The operator at that node.
        op: Op,
        /// Which operand, counted from 1.
        operand: usize,
        /// The type it needs.
        expected: Type,
        /// The type it has.
        found: Type,
    },
    /// Several expressions side by side.
    #[error("{roots} expressions stand side by side; a predicate is one")]
    Roots {
        /// How many expressions there are.
        roots: usize,
    },
    /// The whole is not a truth value.
    #[error("a relation must be Bool, found {found}")]
    Root {
        /// The type of the whole expression.
        found: Type,
    },
}

/// A well-typed expression of type Bool over a schema: it can be evaluated and cannot fail.
#[derive(Clone, PartialEq)]
pub struct Predicate(Box<[Node]>);

impl Predicate {
    /// Checks an expression against a schema. After this nobody asks for its types again.
    pub fn new(expr: Expr, schema: &Schema) -> Result<Predicate, TypeError> {
        let found = check(&expr.0, schema)?;
        if found != Type::Bool {
            return Err(TypeError::Root { found });
        }
        Ok(Predicate(expr.0.into_boxed_slice()))
    }

    /// The nodes in postfix order.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.0
    }

    /// The number of nodes, leaves included: the size of the relation.
    #[inline]
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Folds the relation from its leaves to its root; see [`fold`].
    pub fn fold<T>(&self, leaf: impl FnMut(Leaf) -> T, op: impl FnMut(Op, Operands<T>) -> T) -> T {
        fold(&self.0, leaf, op)
    }

    /// Takes the nodes back, to build another expression from them.
    pub fn into_expr(self) -> Expr {
        Expr(self.0.into_vec())
    }
}

impl fmt::Debug for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Predicate").field(&&*self.0).finish()
    }
}

/// The type of a well-formed expression.
pub fn check(nodes: &[Node], schema: &Schema) -> Result<Type, TypeError> {
    if nodes.is_empty() {
        return Err(TypeError::Empty);
    }
    if nodes.len() > MAX_NODES {
        return Err(TypeError::TooLarge { nodes: nodes.len() });
    }
    let mut types: Vec<Type> = Vec::with_capacity(nodes.len());
    for (node, &at) in nodes.iter().enumerate() {
        let result = match at {
            Node::Num(value) if value.is_nan() => return Err(TypeError::NotANumber { node }),
            Node::Var(var) => {
                schema.type_of(var).ok_or(TypeError::UnknownVariable { node, var })?
            }
            Node::Num(_) => Type::Num,
            Node::Bool(_) => Type::Bool,
            Node::Op(op) => {
                let expected = op.signature().operands;
                let first = types
                    .len()
                    .checked_sub(expected.len())
                    .ok_or(TypeError::MissingOperand { node, op })?;
                for (i, (&expected, &found)) in expected.iter().zip(&types[first..]).enumerate() {
                    if expected != found {
                        let operand = i + 1;
                        return Err(TypeError::Operand { node, op, operand, expected, found });
                    }
                }
                types.truncate(first);
                op.result()
            }
        };
        types.push(result);
    }
    match types[..] {
        [ty] => Ok(ty),
        _ => Err(TypeError::Roots { roots: types.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Schema {
        Schema::new([("x", Type::Num), ("p", Type::Bool), ("s", Type::Seq)]).unwrap()
    }

    const X: Node = Node::Var(Var(0));
    const P: Node = Node::Var(Var(1));
    const S: Node = Node::Var(Var(2));

    #[test]
    fn a_predicate_is_one_well_typed_truth_value() {
        let new = |nodes: &[Node]| Predicate::new(Expr(nodes.to_vec()), &schema());
        assert!(new(&[X, Node::Num(1.0), Node::Op(Op::Lt), P, Node::Op(Op::And)]).is_ok());
        assert_eq!(new(&[]), Err(TypeError::Empty));
        assert_eq!(new(&[X]), Err(TypeError::Root { found: Type::Num }));
        assert_eq!(new(&[P, P]), Err(TypeError::Roots { roots: 2 }));
        assert_eq!(
            new(&[P, Node::Op(Op::And)]),
            Err(TypeError::MissingOperand { node: 1, op: Op::And })
        );
        assert_eq!(new(&[Node::Num(f64::NAN)]), Err(TypeError::NotANumber { node: 0 }));
        assert_eq!(
            new(&[Node::Var(Var(3))]),
            Err(TypeError::UnknownVariable { node: 0, var: Var(3) })
        );
        assert_eq!(
            new(&[S, P, Node::Op(Op::Remove)]),
            Err(TypeError::Operand {
                node: 2,
                op: Op::Remove,
                operand: 2,
                expected: Type::Num,
                found: Type::Bool
            })
        );
        assert_eq!(new(&vec![P; MAX_NODES + 1]), Err(TypeError::TooLarge { nodes: MAX_NODES + 1 }));
    }

    #[test]
    fn a_subtree_is_a_slice() {
        let expr = Expr(vec![X, Node::Num(1.0), Node::Op(Op::Lt), P, Node::Op(Op::And)]);
        assert_eq!(expr.subtree(4), 0..5);
        assert_eq!(expr.subtree(3), 3..4);
        assert_eq!(expr.subtree(2), 0..3);
    }

    #[test]
    fn a_fold_sees_operands_from_left_to_right() {
        let expr = Expr(vec![X, Node::Num(1.0), Node::Op(Op::Lt), P, Node::Op(Op::And)]);
        let text = expr.fold(
            |leaf| format!("{:?}", Node::from(leaf)),
            |op, operands| format!("({op:?} {})", Vec::from(operands).join(" ")),
        );
        assert_eq!(text, "(And (Lt Var(Var(0)) Num(1.0)) Var(Var(1)))");
    }
}
