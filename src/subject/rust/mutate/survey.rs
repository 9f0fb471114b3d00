//! Goes through the bodies of functions and notes what can be changed, watched and counted.
//!
//! Which changes an expression allows is in `training.rs` and `judging.rs`. Code that is made by macros is opaque: it is
//! noted as such. Constants, patterns and lengths of arrays are left alone, because a mutant cannot be switched there.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::known::{self, Known, Variables};
use super::site::{Arm, Changes, Insert, Piece, Watch};
use super::{judging, training};
use crate::subject::rule::Rule;
use crate::subject::rust::source::bytes;

/// A mutant, before the compiler has seen it.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) number: u32,
    pub(crate) rule: Rule,
    /// The function that it is in.
    pub(crate) function: String,
    pub(crate) file: usize,
    /// What it replaces, in bytes, and by what.
    pub(crate) range: Range<usize>,
    pub(crate) new: String,
    pub(crate) change: String,
    /// Counted from 1.
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A branch.
#[derive(Clone, Debug)]
pub(crate) struct Fork {
    pub(crate) function: String,
    pub(crate) file: usize,
    pub(crate) at: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Code that is not mutated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opaque {
    pub(crate) what: String,
    pub(crate) file: usize,
    pub(crate) line: usize,
}

/// What all files have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) forks: Vec<Fork>,
    pub(crate) opaque: Vec<Opaque>,
    /// By their bits: how often each number stands there.
    pub(crate) constants: BTreeMap<u64, usize>,
}

/// A file that is gone through.
pub(crate) struct Survey<'s> {
    pub(crate) text: &'s str,
    pub(crate) file: usize,
    pub(crate) changes: Changes,
    pub(crate) found: &'s mut Found,
    function: String,
    /// What the function returns, unless we are in a closure.
    result: Option<syn::Type>,
    pub(super) variables: Variables,
    /// Whether integers of unknown type may have a sign.
    pub(super) has_signed: bool,
    /// Variables that are declared without a value: their first assignment cannot be left out.
    deferred: Vec<String>,
    /// Whether the expression decides a branch, or is part of what does.
    in_condition: bool,
}

/// How an expression is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Its value.
    Value,
    /// The place that it is: assigned to, borrowed, or the receiver of a method.
    Place,
}

impl<'s> Survey<'s> {
    pub(crate) fn new(text: &'s str, file: usize, found: &'s mut Found) -> Survey<'s> {
        Survey {
            text,
            file,
            changes: Changes::default(),
            found,
            function: String::new(),
            result: None,
            variables: Variables::default(),
            has_signed: false,
            deferred: Vec::new(),
            in_condition: false,
        }
    }

    /// Goes through a function.
    pub(crate) fn function(&mut self, name: &str, sig: &syn::Signature, block: &syn::Block) {
        let outer = (
            std::mem::replace(&mut self.function, name.to_owned()),
            std::mem::take(&mut self.variables),
            self.result.take(),
            std::mem::take(&mut self.deferred),
            self.has_signed,
        );
        let whole = &self.text[bytes(sig).start..bytes(block).end];
        let word = |c: char| !c.is_alphanumeric() && c != '_';
        let signed = ["i8", "i16", "i32", "i64", "i128", "isize"];
        self.has_signed = whole.split(word).any(|word| signed.iter().any(|ty| word.ends_with(ty)));
        for input in &sig.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.variables.bind_pattern(&typed.pat, known::of_type(&typed.ty));
            }
        }
        let result = match &sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
        };
        self.result = result;
        let inside = block.brace_token.span.open().byte_range().end;
        self.insert(inside, "let _gm_depth = crate::__genmorph::enter();".to_owned());
        if let Some(syn::Stmt::Expr(tail, None)) = block.stmts.last() {
            self.returned(tail);
        }
        self.block(block);
        (self.function, self.variables, self.result, self.deferred, self.has_signed) = outer;
    }

    /// The text of something.
    pub(super) fn source(&self, range: &Range<usize>) -> &'s str {
        &self.text[range.clone()]
    }

    /// A mutant that has other text in a place.
    pub(super) fn replace(&mut self, range: &Range<usize>, rule: Rule, pieces: Vec<Piece>) {
        let new = self.written(&pieces);
        let old = self.source(range);
        let change = format!("`{}` instead of `{}`", short(&new), short(old));
        self.arm(range, rule, pieces, new, change, false);
    }

    /// A mutant that has another value in place of `gm_v`, the value of an expression.
    fn result(&mut self, range: &Range<usize>, code: &str, words: &str) {
        let old = self.source(range);
        let change = format!("{words} instead of returning `{}`", short(old));
        let new = words.replace("returning ", "");
        self.arm(range, Rule::Ret, vec![Piece::Text(code.to_owned())], new, change, true);
    }

    fn arm(
        &mut self,
        range: &Range<usize>,
        rule: Rule,
        pieces: Vec<Piece>,
        new: String,
        change: String,
        is_result: bool,
    ) {
        if plain(&new) == plain(self.source(range)) {
            return;
        }
        let number = self.number();
        let site = self.changes.site(range);
        let arms = if is_result { &mut site.results } else { &mut site.arms };
        // The same code twice is one mutant.
        if arms.iter().any(|arm| arm.change == change) {
            return;
        }
        arms.push(Arm { number, rule, pieces, change: change.clone() });
        self.candidate(number, rule, range.clone(), new, change);
    }

    fn number(&self) -> u32 {
        self.found.candidates.len() as u32 + 1
    }

    fn candidate(
        &mut self,
        number: u32,
        rule: Rule,
        range: Range<usize>,
        new: String,
        change: String,
    ) {
        let (line, column) = place(self.text, range.start);
        let (function, file) = (self.function.clone(), self.file);
        self.found.candidates.push(Candidate {
            number,
            rule,
            function,
            file,
            range,
            new,
            change,
            line,
            column,
        });
    }

    /// The text of pieces.
    fn written(&self, pieces: &[Piece]) -> String {
        let parts = pieces.iter().map(|piece| match piece {
            Piece::Source(range) => self.source(range),
            Piece::Text(text) => text,
        });
        parts.collect()
    }

    fn insert(&mut self, at: usize, text: String) {
        self.changes.inserts.push(Insert { at: at..at, text, arm: None });
    }

    fn fork(&mut self, at: usize) -> usize {
        let (line, column) = place(self.text, at);
        let (function, file) = (self.function.clone(), self.file);
        self.found.forks.push(Fork { function, file, at, line, column });
        self.found.forks.len() - 1
    }

    pub(super) fn constant(&mut self, value: f64) {
        *self.found.constants.entry(value.to_bits()).or_default() += 1;
    }

    fn opaque(&mut self, what: String, span: proc_macro2::Span) {
        self.found.opaque.push(Opaque { what, file: self.file, line: span.start().line });
    }

    fn block(&mut self, block: &syn::Block) {
        let mark = self.variables.mark();
        let outer = std::mem::replace(&mut self.in_condition, false);
        block.stmts.iter().for_each(|stmt| self.statement(stmt));
        self.in_condition = outer;
        self.variables.leave(mark);
    }

    fn statement(&mut self, stmt: &syn::Stmt) {
        match stmt {
            syn::Stmt::Local(local) => {
                let mut known = Known::Nothing;
                if let Some(init) = &local.init {
                    known = self.variables.of(&init.expr);
                    self.value(&init.expr);
                    if let Some((_, other)) = &init.diverge {
                        self.value(other);
                    }
                } else if let syn::Pat::Ident(pat) = &local.pat {
                    self.deferred.push(pat.ident.to_string());
                }
                self.variables.bind_pattern(&local.pat, known);
            }
            syn::Stmt::Item(syn::Item::Fn(item)) => {
                let name = format!("{}::{}", self.function, item.sig.ident);
                if item.sig.constness.is_none() && item.sig.asyncness.is_none() {
                    self.function(&name, &item.sig, &item.block);
                }
            }
            syn::Stmt::Item(_) => {}
            syn::Stmt::Expr(expr, semi) => {
                if semi.is_some() && self.can_go(expr) {
                    let range = bytes(stmt);
                    self.changes.site(&range).is_statement = true;
                    let change = format!("nothing instead of `{}`", short(self.source(&range)));
                    self.arm(&range, Rule::Std, Vec::new(), String::new(), change, false);
                }
                self.value(expr);
            }
            syn::Stmt::Macro(stmt) => self.opaque(macro_name(&stmt.mac), stmt.span()),
        }
    }

    /// Whether a statement may be left out: it assigns, or calls for the effect.
    fn can_go(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Assign(assign) => match &*assign.left {
                syn::Expr::Path(path) => {
                    let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                    !self.deferred.contains(&name)
                }
                _ => true,
            },
            syn::Expr::Binary(binary) => is_assignment(&binary.op),
            syn::Expr::MethodCall(_) | syn::Expr::Call(_) => true,
            _ => false,
        }
    }

    /// An expression whose value is used.
    pub(super) fn value(&mut self, expr: &syn::Expr) {
        self.used(expr, Use::Value);
    }

    fn used(&mut self, expr: &syn::Expr, how: Use) {
        let outer = std::mem::replace(&mut self.in_condition, false);
        self.expression(expr, how);
        self.in_condition = outer;
    }

    /// A part of a condition.
    fn part(&mut self, expr: &syn::Expr) {
        let outer = std::mem::replace(&mut self.in_condition, true);
        self.expression(expr, Use::Value);
        self.in_condition = outer;
    }

    /// An expression that decides whether something happens.
    fn condition(&mut self, expr: &syn::Expr, is_loop: bool) {
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

    fn watch(&mut self, range: &Range<usize>, watch: Watch) {
        if self.in_condition {
            self.changes.site(range).watch = Some(watch);
        }
    }

    fn expression(&mut self, expr: &syn::Expr, how: Use) {
        let range = bytes(expr);
        match expr {
            syn::Expr::Binary(binary) => self.binary(binary, &range),
            syn::Expr::Unary(unary) => self.unary(unary, &range, how),
            syn::Expr::Lit(literal) => {
                self.watch(&range, Watch::Truth);
                self.literal(&literal.lit, &range, false, Known::Nothing);
            }
            syn::Expr::Paren(inner) => self.expression(&inner.expr, how),
            syn::Expr::Group(inner) => self.expression(&inner.expr, how),
            syn::Expr::Path(path) => {
                self.watch(&range, Watch::Truth);
                if let (Some(name), Use::Value) = (path.path.get_ident(), how) {
                    judging::variable(self, &name.to_string(), &range);
                }
            }
            syn::Expr::MethodCall(call) => {
                self.watch(&range, Watch::Truth);
                judging::method(self, call, &range);
                self.used(&call.receiver, Use::Place);
                call.args.iter().for_each(|argument| self.value(argument));
            }
            syn::Expr::Call(call) => {
                self.watch(&range, Watch::Truth);
                if !matches!(&*call.func, syn::Expr::Path(_)) {
                    self.used(&call.func, Use::Place);
                }
                call.args.iter().for_each(|argument| self.value(argument));
            }
            syn::Expr::Assign(assign) => {
                self.used(&assign.left, Use::Place);
                self.value(&assign.right);
            }
            syn::Expr::Reference(reference) => self.used(&reference.expr, Use::Place),
            syn::Expr::RawAddr(reference) => self.used(&reference.expr, Use::Place),
            syn::Expr::Field(field) => {
                self.watch(&range, Watch::Truth);
                self.used(&field.base, Use::Place);
            }
            syn::Expr::Index(index) => {
                self.watch(&range, Watch::Truth);
                self.used(&index.expr, Use::Place);
                match unparenthesised(&index.index) {
                    syn::Expr::Lit(literal) => {
                        let known = Known::Exactly(crate::subject::rust::types::Primitive::Usize);
                        self.literal(&literal.lit, &bytes(&*index.index), false, known);
                    }
                    index => self.value(index),
                }
            }
            syn::Expr::Range(ends) => {
                judging::range(self, ends, &range);
                let partner = |end: &Option<Box<syn::Expr>>, this: &Self| {
                    end.as_ref().map_or(Known::Nothing, |end| this.variables.of(end))
                };
                let (start, end) = (partner(&ends.start, self), partner(&ends.end, self));
                for (expr, other) in [(&ends.start, end), (&ends.end, start)] {
                    if let Some(expr) = expr {
                        self.beside(expr, other);
                    }
                }
            }
            syn::Expr::If(branches) => self.branches(branches, &range),
            syn::Expr::While(repeat) => {
                let mark = self.variables.mark();
                self.condition(&repeat.cond, true);
                bind_lets(&mut self.variables, &repeat.cond);
                self.looped(&repeat.body, true);
                self.variables.leave(mark);
            }
            syn::Expr::ForLoop(repeat) => {
                self.value(&repeat.expr);
                let mark = self.variables.mark();
                let known = match unparenthesised(&repeat.expr) {
                    syn::Expr::Range(ends) => [&ends.start, &ends.end]
                        .into_iter()
                        .flatten()
                        .fold(Known::Nothing, |known, end| known.or(self.variables.of(end))),
                    _ => Known::Nothing,
                };
                self.variables.bind_pattern(&repeat.pat, known);
                self.looped(&repeat.body, true);
                self.variables.leave(mark);
            }
            syn::Expr::Loop(repeat) => self.looped(&repeat.body, false),
            syn::Expr::Match(choice) => self.choice(choice),
            syn::Expr::Closure(closure) => {
                let mark = self.variables.mark();
                for input in &closure.inputs {
                    self.variables.bind_pattern(input, Known::Nothing);
                }
                let outer = self.result.take();
                let body = bytes(&*closure.body);
                let tick = "{ crate::__genmorph::tick(); ".to_owned();
                self.changes.site(&body).around = Some((tick, " }".to_owned()));
                self.value(&closure.body);
                self.result = outer;
                self.variables.leave(mark);
            }
            syn::Expr::Return(returned) => {
                if let Some(expr) = &returned.expr {
                    self.returned(expr);
                    self.value(expr);
                }
            }
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
            syn::Expr::Macro(call) => {
                self.watch(&range, Watch::Truth);
                self.opaque(macro_name(&call.mac), expr.span());
            }
            syn::Expr::Async(_) | syn::Expr::Await(_) => {
                self.opaque("async code".to_owned(), expr.span());
            }
            syn::Expr::Const(_) => {}
            _ => {}
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary, range: &Range<usize>) {
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
                self.beside(
                    &binary.right,
                    Known::Exactly(crate::subject::rust::types::Primitive::U32),
                );
            }
            _ => {
                self.watch(range, Watch::Truth);
                self.beside(&binary.left, known.1);
                self.beside(&binary.right, known.0);
            }
        }
    }

    /// An operand, of which it is known what stands on the other side.
    fn beside(&mut self, expr: &syn::Expr, other: Known) {
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

    fn unary(&mut self, unary: &syn::ExprUnary, range: &Range<usize>, how: Use) {
        match (&unary.op, &*unary.expr) {
            (syn::UnOp::Neg(_), syn::Expr::Lit(literal)) => {
                self.literal(&literal.lit, range, true, Known::Nothing);
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

    fn literal(
        &mut self,
        literal: &syn::Lit,
        range: &Range<usize>,
        is_negative: bool,
        other: Known,
    ) {
        training::literal(self, literal, range, is_negative, other);
        judging::literal(self, literal, range, is_negative, other);
        if let Some(value) = number(literal) {
            self.constant(if is_negative { -value } else { value });
        }
    }

    fn branches(&mut self, branches: &syn::ExprIf, range: &Range<usize>) {
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

    fn looped(&mut self, body: &syn::Block, has_end: bool) {
        let open = body.brace_token.span.open().byte_range().end;
        let close = body.brace_token.span.close().byte_range().start;
        self.insert(open, "crate::__genmorph::tick();".to_owned());
        if has_end && !body.stmts.is_empty() {
            let number = self.number();
            let change = "the loop left after its first round".to_owned();
            let text = format!("; if crate::__genmorph::m() == {number} {{ break; }}");
            let arm = Arm { number, rule: Rule::Lbm, pieces: Vec::new(), change: change.clone() };
            self.changes.inserts.push(Insert { at: close..close, text, arm: Some(arm) });
            self.candidate(number, Rule::Lbm, close..close, "; break; ".to_owned(), change);
        }
        self.block(body);
    }

    fn choice(&mut self, choice: &syn::ExprMatch) {
        self.used(&choice.expr, Use::Place);
        let arms = choice.arms.len();
        let first = self.found.forks.len();
        if arms > 1 {
            for arm in &choice.arms {
                self.fork(bytes(&arm.pat).start);
            }
        }
        for (number, arm) in choice.arms.iter().enumerate() {
            let mark = self.variables.mark();
            self.variables.bind_pattern(&arm.pat, Known::Nothing);
            if let syn::Pat::Guard(guard) = &arm.pat {
                self.condition(&guard.guard, false);
            }
            if arms > 1 {
                let body = bytes(&*arm.body);
                let took = format!("{{ crate::__genmorph::took({first}, {arms}, {number}); ");
                self.changes.site(&body).around = Some((took, " }".to_owned()));
            }
            self.value(&arm.body);
            self.variables.leave(mark);
        }
    }

    /// What a function returns may be something else.
    fn returned(&mut self, expr: &syn::Expr) {
        let Some(ty) = self.result.clone() else { return };
        let range = bytes(expr);
        for (code, words) in judging::results(&ty, "gm_v") {
            self.result(&range, &code, &words);
        }
    }
}

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

fn has_let(expr: &syn::Expr) -> bool {
    let mut lets = Lets::default();
    lets.visit_expr(expr);
    lets.0
}

/// Whether one side of `&&` is a `let`.
pub(super) fn has_let_between(binary: &syn::ExprBinary) -> bool {
    has_let(&binary.left) || has_let(&binary.right)
}

/// Binds what `let`s in a condition bind.
fn bind_lets(variables: &mut Variables, expr: &syn::Expr) {
    match expr {
        syn::Expr::Let(binding) => variables.bind_pattern(&binding.pat, Known::Nothing),
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

fn macro_name(mac: &syn::Macro) -> String {
    let name =
        mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    format!("{name}!")
}

/// The line and column of a byte, counted from 1.
fn place(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line as u32, before[start..].chars().count() as u32 + 1)
}

/// On one line, and not too long.
fn short(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST {
        line
    } else {
        line.chars().take(MOST).chain(['…']).collect()
    }
}

/// Without spaces.
fn plain(text: &str) -> String {
    text.split_whitespace().collect()
}
