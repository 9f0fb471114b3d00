//! Terms: expressions of any type, proven to be well-typed.
//!
//! A [`Predicate`] says on which rows something holds; a [`Term`] has a value on every row. What the values are
//! for is the caller's business.

use std::fmt;

use crate::expr::{Expr, Node, Predicate, TypeError, check};
use crate::op::Type;
use crate::schema::Schema;

/// A well-typed expression of type Num, Bool or Seq over a schema: it can be evaluated and cannot fail.
#[derive(Clone, PartialEq)]
pub struct Term {
    nodes: Box<[Node]>,
    ty: Type,
}

impl Term {
    /// Checks an expression against a schema. After this nobody asks for its types again.
    pub fn new(expr: Expr, schema: &Schema) -> Result<Term, TypeError> {
        let ty = check(&expr.0, schema)?;
        Ok(Term { nodes: expr.0.into_boxed_slice(), ty })
    }

    /// The type of the values.
    #[inline]
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The nodes in postfix order.
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The number of nodes, leaves included.
    #[inline]
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Takes the nodes back, to build another expression from them.
    pub fn into_expr(self) -> Expr {
        Expr(self.nodes.into_vec())
    }
}

impl From<Predicate> for Term {
    fn from(predicate: Predicate) -> Term {
        Term { nodes: predicate.into_expr().0.into_boxed_slice(), ty: Type::Bool }
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Term").field(&&*self.nodes).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_expr;

    #[test]
    fn a_term_is_one_well_typed_expression_of_any_type() {
        let schema = Schema::new([("x", Type::Num), ("p", Type::Bool), ("s", Type::Seq)]).unwrap();
        let term = |text: &str| Term::new(parse_expr(text, &schema).unwrap(), &schema).unwrap();
        for (text, ty) in [
            ("x + length(s)", Type::Num),
            ("p and x < 1", Type::Bool),
            ("truncate(flip(s), x)", Type::Seq),
        ] {
            assert_eq!(term(text).ty(), ty);
            assert_eq!(term(text).display(&schema).to_string(), text);
        }
        assert_eq!(Term::new(Expr(Vec::new()), &schema), Err(TypeError::Empty));
        let x = Node::Var(crate::schema::Var(0));
        assert_eq!(Term::new(Expr(vec![x, x]), &schema), Err(TypeError::Roots { roots: 2 }));
    }
}
