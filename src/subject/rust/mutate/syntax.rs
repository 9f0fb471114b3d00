//! Questions about a piece of syntax, which its text alone answers.

use syn::visit::{self, Visit};

use super::known::{KnownType, Variables};

/// Only for finding `let` in conditions.
#[derive(Default)]
struct Lets(bool);

impl<'ast> Visit<'ast> for Lets {
    fn visit_expr(&mut self, expr: &'ast syn::Expr) {
        match expr {
            syn::Expr::Let(_) => self.0 = true,
            syn::Expr::Block(_)
            | syn::Expr::Closure(_)
            | syn::Expr::If(_)
            | syn::Expr::Match(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }
}

pub(super) fn has_let(expr: &syn::Expr) -> bool {
    let mut lets = Lets::default();
    lets.visit_expr(expr);
    lets.0
}

/// Whether one side of `&&` is a `let`.
pub(super) fn has_let_between(binary: &syn::ExprBinary) -> bool {
    has_let(&binary.left) || has_let(&binary.right)
}

/// Binds what `let`s in a condition bind.
pub(super) fn bind_lets(variables: &mut Variables, expr: &syn::Expr) {
    match expr {
        syn::Expr::Let(binding) => variables.bind_pattern(&binding.pat, KnownType::Nothing),
        syn::Expr::Binary(binary) => {
            bind_lets(variables, &binary.left);
            bind_lets(variables, &binary.right);
        }
        _ => {}
    }
}

pub(super) fn unparenthesised(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(inner) => unparenthesised(&inner.expr),
        syn::Expr::Group(inner) => unparenthesised(&inner.expr),
        expr => expr,
    }
}

/// The operator of a comparison.
pub(super) fn comparison(op: &syn::BinOp) -> Option<&'static str> {
    match op {
        syn::BinOp::Eq(_) => Some("=="),
        syn::BinOp::Ne(_) => Some("!="),
        syn::BinOp::Lt(_) => Some("<"),
        syn::BinOp::Le(_) => Some("<="),
        syn::BinOp::Gt(_) => Some(">"),
        syn::BinOp::Ge(_) => Some(">="),
        _ => None,
    }
}

pub(super) fn is_assignment(op: &syn::BinOp) -> bool {
    matches!(
        op,
        syn::BinOp::AddAssign(_)
            | syn::BinOp::SubAssign(_)
            | syn::BinOp::MulAssign(_)
            | syn::BinOp::DivAssign(_)
            | syn::BinOp::RemAssign(_)
            | syn::BinOp::BitXorAssign(_)
            | syn::BinOp::BitAndAssign(_)
            | syn::BinOp::BitOrAssign(_)
            | syn::BinOp::ShlAssign(_)
            | syn::BinOp::ShrAssign(_)
    )
}

/// The number that a literal is.
pub(super) fn number(literal: &syn::Lit) -> Option<f64> {
    match literal {
        syn::Lit::Int(int) => int.base10_parse::<u128>().ok().map(|value| value as f64),
        syn::Lit::Float(float) => float.base10_parse().ok(),
        syn::Lit::Char(c) => Some(f64::from(u32::from(c.value()))),
        syn::Lit::Byte(byte) => Some(f64::from(byte.value())),
        _ => None,
    }
}

pub(super) fn macro_name(mac: &syn::Macro) -> String {
    let name =
        mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    format!("{name}!")
}

/// Whether an expression has attributes of its own, which may leave it out.
pub(super) fn has_attributes(expr: &syn::Expr) -> bool {
    let attrs = match expr {
        syn::Expr::Array(e) => &e.attrs,
        syn::Expr::Assign(e) => &e.attrs,
        syn::Expr::Binary(e) => &e.attrs,
        syn::Expr::Block(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::Cast(e) => &e.attrs,
        syn::Expr::Closure(e) => &e.attrs,
        syn::Expr::Field(e) => &e.attrs,
        syn::Expr::ForLoop(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Index(e) => &e.attrs,
        syn::Expr::Let(e) => &e.attrs,
        syn::Expr::Lit(e) => &e.attrs,
        syn::Expr::Loop(e) => &e.attrs,
        syn::Expr::Macro(e) => &e.attrs,
        syn::Expr::Match(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Paren(e) => &e.attrs,
        syn::Expr::Path(e) => &e.attrs,
        syn::Expr::Range(e) => &e.attrs,
        syn::Expr::Reference(e) => &e.attrs,
        syn::Expr::Return(e) => &e.attrs,
        syn::Expr::Struct(e) => &e.attrs,
        syn::Expr::Try(e) => &e.attrs,
        syn::Expr::Tuple(e) => &e.attrs,
        syn::Expr::Unary(e) => &e.attrs,
        syn::Expr::Unsafe(e) => &e.attrs,
        syn::Expr::While(e) => &e.attrs,
        _ => return false,
    };
    !attrs.is_empty()
}
