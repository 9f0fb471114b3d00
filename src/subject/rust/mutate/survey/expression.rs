//! Expressions, by their kind and by how they are used.

use syn::spanned::Spanned;

use super::Survey;
use crate::subject::rust::mutate::judging;
use crate::subject::rust::mutate::known::KnownType;
use crate::subject::rust::mutate::site::Watch;
use crate::subject::rust::mutate::syntax::{has_attributes, macro_name};
use crate::subject::rust::source::bytes;

/// How an expression is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Its value is used.
    Value,
    /// It is a place that is assigned to, borrowed, or the receiver of a method.
    Place,
}

impl Survey<'_> {
    /// An expression whose value is used.
    pub(in crate::subject::rust::mutate) fn value(&mut self, expr: &syn::Expr) {
        self.used(expr, Use::Value);
    }

    pub(super) fn used(&mut self, expr: &syn::Expr, how: Use) {
        let outer = std::mem::replace(&mut self.in_condition, false);
        self.expression(expr, how);
        self.in_condition = outer;
    }

    /// A part of a condition.
    pub(super) fn part(&mut self, expr: &syn::Expr) {
        let outer = std::mem::replace(&mut self.in_condition, true);
        self.expression(expr, Use::Value);
        self.in_condition = outer;
    }

    /// An expression, and all that is in it. Of what may be a condition, the truth is watched.
    pub(super) fn expression(&mut self, expr: &syn::Expr, how: Use) {
        if has_attributes(expr) {
            // Such code may not even be compiled, and may not stand among operands.
            return;
        }
        let range = bytes(expr);
        let is_truth = matches!(
            expr,
            syn::Expr::Lit(_)
                | syn::Expr::Path(_)
                | syn::Expr::MethodCall(_)
                | syn::Expr::Call(_)
                | syn::Expr::Field(_)
                | syn::Expr::Index(_)
                | syn::Expr::Macro(_)
        );
        if is_truth {
            self.watch(&range, Watch::Truth);
        }
        match expr {
            syn::Expr::Binary(binary) => self.binary(binary, &range),
            syn::Expr::Unary(unary) => self.unary(unary, &range, how),
            syn::Expr::Range(ends) => self.range(ends, &range),
            syn::Expr::Index(index) => self.index(index),
            syn::Expr::Lit(literal) => {
                self.literal(&literal.lit, &range, false, KnownType::Nothing);
            }
            syn::Expr::Path(path) => {
                if let (Some(name), Use::Value) = (path.path.get_ident(), how) {
                    judging::variable(self, &name.to_string(), &range);
                }
            }
            syn::Expr::MethodCall(call) => {
                judging::method(self, call, &range);
                self.used(&call.receiver, Use::Place);
                call.args.iter().for_each(|argument| self.value(argument));
            }
            syn::Expr::Call(call) => {
                if !matches!(&*call.func, syn::Expr::Path(_)) {
                    self.used(&call.func, Use::Place);
                }
                call.args.iter().for_each(|argument| self.value(argument));
            }
            syn::Expr::If(branches) => self.branches(branches, &range),
            syn::Expr::Match(choice) => self.choice(choice),
            syn::Expr::While(repeat) => self.while_loop(repeat),
            syn::Expr::ForLoop(repeat) => self.for_loop(repeat),
            syn::Expr::Loop(repeat) => self.looped(&repeat.body, false),
            syn::Expr::Closure(closure) => self.closure(closure),
            syn::Expr::Return(returned) => {
                if let Some(expr) = &returned.expr {
                    self.returned(expr);
                    self.value(expr);
                }
            }
            syn::Expr::Macro(call) => self.opaque(macro_name(&call.mac), expr.span()),
            syn::Expr::Async(_) | syn::Expr::Await(_) => {
                self.opaque("async code".to_owned(), expr.span());
            }
            _ => self.parts(expr, how),
        }
    }

    /// The parts of an expression that has nothing to change but in them.
    fn parts(&mut self, expr: &syn::Expr, how: Use) {
        match expr {
            syn::Expr::Paren(inner) => self.expression(&inner.expr, how),
            syn::Expr::Group(inner) => self.expression(&inner.expr, how),
            syn::Expr::Assign(assign) => {
                self.used(&assign.left, Use::Place);
                self.value(&assign.right);
            }
            syn::Expr::Reference(reference) => self.used(&reference.expr, Use::Place),
            syn::Expr::RawAddr(reference) => self.used(&reference.expr, Use::Place),
            syn::Expr::Field(field) => self.used(&field.base, Use::Place),
            syn::Expr::Break(broken) => {
                if let Some(expr) = &broken.expr {
                    self.value(expr);
                }
            }
            syn::Expr::Block(block) => self.block(&block.block),
            syn::Expr::Unsafe(block) => self.block(&block.block),
            syn::Expr::Cast(cast) => self.value(&cast.expr),
            syn::Expr::Try(inner) => self.used(&inner.expr, Use::Place),
            syn::Expr::Let(binding) => self.used(&binding.expr, Use::Place),
            syn::Expr::Tuple(tuple) => tuple.elems.iter().for_each(|e| self.value(e)),
            syn::Expr::Array(array) => array.elems.iter().for_each(|e| self.value(e)),
            syn::Expr::Repeat(repeat) => self.value(&repeat.expr),
            syn::Expr::Struct(made) => made.fields.iter().for_each(|field| {
                // `Point { x }` has no expression of its own.
                if field.colon_token.is_some() {
                    self.value(&field.expr);
                }
            }),
            // Constants, and syntax that is not stable yet.
            _ => {}
        }
    }
}
