//! Operators, their operands, and literals.

use std::ops::Range;

use super::Survey;
use super::expression::Use;
use crate::subject::rust::mutate::known::KnownType;
use crate::subject::rust::mutate::site::Watch;
use crate::subject::rust::mutate::syntax::{
    comparison, has_let, is_assignment, number, unparenthesised,
};
use crate::subject::rust::mutate::{judging, training};
use crate::subject::rust::source::bytes;
use crate::subject::rust::types::Primitive;

impl Survey<'_> {
    pub(super) fn binary(&mut self, binary: &syn::ExprBinary, range: &Range<usize>) {
        let (left, right) = (bytes(&*binary.left), bytes(&*binary.right));
        training::binary(self, binary, range);
        judging::binary(self, binary, range);
        let known = (self.variables.of(&binary.left), self.variables.of(&binary.right));
        match binary.op {
            syn::BinOp::And(_) | syn::BinOp::Or(_) => {
                let is_and = matches!(binary.op, syn::BinOp::And(_));
                let lets = has_let(&binary.left) || has_let(&binary.right);
                if !lets {
                    self.watch(range, Watch::Joined { left, right, is_and });
                }
                for side in [&binary.left, &binary.right] {
                    // Beside a `let` nothing holds a distance that anybody asks for.
                    if self.in_condition && !lets {
                        self.part(side);
                    } else {
                        self.used(side, Use::Value);
                    }
                }
            }
            op if comparison(&op).is_some() => {
                let op = comparison(&op).unwrap_or_default();
                self.watch(range, Watch::Compared { left, right, op });
                self.beside(&binary.left, known.1);
                self.beside(&binary.right, known.0);
            }
            op if is_assignment(&op) => {
                self.used(&binary.left, Use::Place);
                self.beside(&binary.right, known.0);
            }
            syn::BinOp::Shl(_) | syn::BinOp::Shr(_) => {
                self.watch(range, Watch::Truth);
                self.value(&binary.left);
                // A shift by less than nothing is no mistake that anybody makes.
                self.beside(&binary.right, KnownType::Exactly(Primitive::U32));
            }
            _ => {
                self.watch(range, Watch::Truth);
                self.beside(&binary.left, known.1);
                self.beside(&binary.right, known.0);
            }
        }
    }

    /// An operand, of which it is known what stands on the other side.
    pub(super) fn beside(&mut self, expr: &syn::Expr, other: KnownType) {
        let inner = unparenthesised(expr);
        let outer = std::mem::replace(&mut self.in_condition, false);
        match inner {
            syn::Expr::Lit(literal) => self.literal(&literal.lit, &bytes(inner), false, other),
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => {
                match &*unary.expr {
                    syn::Expr::Lit(literal) => {
                        self.literal(&literal.lit, &bytes(inner), true, other);
                    }
                    _ => self.expression(inner, Use::Value),
                }
            }
            _ => self.expression(inner, Use::Value),
        }
        self.in_condition = outer;
    }

    pub(super) fn unary(&mut self, unary: &syn::ExprUnary, range: &Range<usize>, how: Use) {
        match (&unary.op, &*unary.expr) {
            (syn::UnOp::Neg(_), syn::Expr::Lit(literal)) => {
                self.literal(&literal.lit, range, true, KnownType::Nothing);
            }
            (syn::UnOp::Neg(_), _) => {
                training::negation(self, unary, range);
                self.value(&unary.expr);
            }
            (syn::UnOp::Not(_), _) => {
                training::negation(self, unary, range);
                if self.in_condition {
                    self.watch(range, Watch::Not(bytes(&*unary.expr)));
                    self.part(unparenthesised(&unary.expr));
                } else {
                    self.value(&unary.expr);
                }
            }
            _ => {
                self.watch(range, Watch::Truth);
                self.used(&unary.expr, if how == Use::Place { Use::Place } else { Use::Value });
            }
        }
    }

    pub(super) fn literal(
        &mut self,
        literal: &syn::Lit,
        range: &Range<usize>,
        is_negative: bool,
        other: KnownType,
    ) {
        training::literal(self, literal, range, is_negative, other);
        judging::literal(self, literal, range, is_negative, other);
        if let Some(value) = number(literal) {
            self.constant(if is_negative { -value } else { value });
        }
    }

    pub(super) fn index(&mut self, index: &syn::ExprIndex) {
        self.used(&index.expr, Use::Place);
        match unparenthesised(&index.index) {
            syn::Expr::Lit(literal) => {
                let known = KnownType::Exactly(Primitive::Usize);
                self.literal(&literal.lit, &bytes(&*index.index), false, known);
            }
            index => self.value(index),
        }
    }

    pub(super) fn range(&mut self, ends: &syn::ExprRange, range: &Range<usize>) {
        judging::range(self, ends, range);
        let partner = |end: &Option<Box<syn::Expr>>, this: &Self| {
            end.as_ref().map_or(KnownType::Nothing, |end| this.variables.of(end))
        };
        let (start, end) = (partner(&ends.start, self), partner(&ends.end, self));
        for (expr, other) in [(&ends.start, end), (&ends.end, start)] {
            if let Some(expr) = expr {
                self.beside(expr, other);
            }
        }
    }
}
