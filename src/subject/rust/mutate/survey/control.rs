//! Conditions, loops, choices and closures: what decides which code runs, and how often.

use std::ops::Range;

use super::Survey;
use super::expression::Use;
use crate::subject::rule::Rule;
use crate::subject::rust::mutate::known::KnownType;
use crate::subject::rust::mutate::site::{Arm, Insert, InsertOf};
use crate::subject::rust::mutate::syntax::{bind_lets, has_attributes, has_let, unparenthesised};
use crate::subject::rust::mutate::{judging, training};
use crate::subject::rust::source::bytes;

impl Survey<'_> {
    /// An expression that decides whether something happens.
    pub(super) fn condition(&mut self, expr: &syn::Expr, is_loop: bool) {
        if has_let(expr) {
            // `let` is no expression of its own: only what is beside it can be changed.
            self.expression(expr, Use::Value);
            return;
        }
        let inner = unparenthesised(expr);
        let range = bytes(inner);
        let fork = self.fork(range.start);
        self.changes.site(&range).branch = Some(fork);
        training::condition(self, &range, is_loop);
        judging::condition(self, inner, &range);
        self.part(inner);
    }

    pub(super) fn branches(&mut self, branches: &syn::ExprIf, range: &Range<usize>) {
        let mark = self.variables.mark();
        if has_let(&branches.cond) {
            if let Some((_, other)) = &branches.else_branch
                && let syn::Expr::Block(other) = &**other
            {
                let fork = self.fork(range.start);
                for (block, taken) in [(&branches.then_branch, 1), (&other.block, 0)] {
                    let at = block.brace_token.span.open().byte_range().end;
                    self.insert(at, format!("crate::__genmorph::took({fork}, 1, {});", 1 - taken));
                }
            }
            self.used(&branches.cond, Use::Value);
            bind_lets(&mut self.variables, &branches.cond);
        } else {
            self.condition(&branches.cond, false);
        }
        self.block(&branches.then_branch);
        self.variables.leave(mark);
        if let Some((_, other)) = &branches.else_branch {
            self.value(other);
        }
    }

    pub(super) fn looped(&mut self, body: &syn::Block, has_end: bool) {
        let open = body.brace_token.span.open().byte_range().end;
        let close = body.brace_token.span.close().byte_range().start;
        self.insert(open, "crate::__genmorph::tick();".to_owned());
        if has_end && !body.stmts.is_empty() {
            let number = self.number();
            let change = "the loop left after its first round".to_owned();
            let text = format!("; if crate::__genmorph::m() == {number} {{ break; }}");
            let arm = Arm { number, rule: Rule::Lbm, pieces: Vec::new(), change: change.clone() };
            self.changes.inserts.push(Insert { at: close..close, text, of: InsertOf::Mutant(arm) });
            self.candidate(number, Rule::Lbm, close..close, "; break; ".to_owned(), change);
        }
        self.block(body);
    }

    pub(super) fn choice(&mut self, choice: &syn::ExprMatch) {
        self.used(&choice.expr, Use::Place);
        let arms = choice.arms.len();
        let first = self.inventory.forks.len();
        if arms > 1 {
            for arm in &choice.arms {
                self.fork(bytes(&arm.pat).start);
            }
        }
        for (number, arm) in choice.arms.iter().enumerate() {
            let mark = self.variables.mark();
            self.variables.bind_pattern(&arm.pat, KnownType::Nothing);
            if let syn::Pat::Guard(guard) = &arm.pat {
                self.condition(&guard.guard, false);
            }
            if arms > 1 && !has_attributes(&arm.body) {
                let body = bytes(&*arm.body);
                let took = format!("{{ crate::__genmorph::took({first}, {arms}, {number}); ");
                self.changes.site(&body).around = Some((took, " }".to_owned()));
            }
            self.value(&arm.body);
            self.variables.leave(mark);
        }
    }

    pub(super) fn while_loop(&mut self, repeat: &syn::ExprWhile) {
        let mark = self.variables.mark();
        self.condition(&repeat.cond, true);
        bind_lets(&mut self.variables, &repeat.cond);
        self.looped(&repeat.body, true);
        self.variables.leave(mark);
    }

    pub(super) fn for_loop(&mut self, repeat: &syn::ExprForLoop) {
        self.value(&repeat.expr);
        let mark = self.variables.mark();
        let known = match unparenthesised(&repeat.expr) {
            syn::Expr::Range(ends) => [&ends.start, &ends.end]
                .into_iter()
                .flatten()
                .fold(KnownType::Nothing, |known, end| known.or(self.variables.of(end))),
            _ => KnownType::Nothing,
        };
        self.variables.bind_pattern(&repeat.pat, known);
        self.looped(&repeat.body, true);
        self.variables.leave(mark);
    }

    pub(super) fn closure(&mut self, closure: &syn::ExprClosure) {
        let mark = self.variables.mark();
        for input in &closure.inputs {
            self.variables.bind_pattern(input, KnownType::Nothing);
        }
        let outer = self.result.take();
        let body = bytes(&*closure.body);
        if !has_attributes(&closure.body) {
            let tick = "{ crate::__genmorph::tick(); ".to_owned();
            self.changes.site(&body).around = Some((tick, " }".to_owned()));
        }
        self.value(&closure.body);
        self.result = outer;
        self.variables.leave(mark);
    }

    /// What a function returns may be something else.
    pub(super) fn returned(&mut self, expr: &syn::Expr) {
        let Some(ty) = self.result.clone().filter(|_| !has_attributes(expr)) else { return };
        let range = bytes(expr);
        self.changes.site(&range).is_macro = matches!(expr, syn::Expr::Macro(_));
        for (code, words) in judging::results(&ty, "gm_v") {
            self.result(&range, &code, &words);
        }
    }
}
