//! Goes through the bodies of functions and notes what can be changed, watched and counted.
//!
//! ```text
//!  mod          functions, blocks and statements      expression   one expression, by its kind
//!  control      conditions, loops, choices, closures  operators    operands and literals
//!  notes        what is noted of a place
//! ```
//!
//! Which changes an expression allows is in `training.rs` and `judging.rs`. Code that is made by macros is opaque: it is
//! noted as such. Constants, patterns and lengths of arrays are left alone, because a mutant cannot be switched there.

mod control;
mod expression;
mod notes;
mod operators;

use syn::spanned::Spanned;

use self::notes::short;
use super::inventory::Inventory;
use super::known::{self, KnownType, Variables};
use super::site::{Changes, Insert, InsertOf};
use super::syntax::{has_attributes, is_assignment, macro_name};
use crate::subject::rule::Rule;
use crate::subject::rust::source::bytes;

/// The survey of a file.
pub(crate) struct Survey<'s> {
    pub(crate) text: &'s str,
    pub(crate) file: usize,
    /// The function that is gone through, by its number.
    home: usize,
    pub(crate) changes: Changes,
    pub(crate) inventory: &'s mut Inventory,
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

impl<'s> Survey<'s> {
    pub(crate) fn new(text: &'s str, file: usize, inventory: &'s mut Inventory) -> Survey<'s> {
        Survey {
            text,
            file,
            home: 0,
            changes: Changes::default(),
            inventory,
            function: String::new(),
            result: None,
            variables: Variables::default(),
            has_signed: false,
            deferred: Vec::new(),
            in_condition: false,
        }
    }

    /// Goes through a function, which has a number among those of the crate.
    pub(crate) fn numbered(
        &mut self,
        number: usize,
        name: &str,
        sig: &syn::Signature,
        block: &syn::Block,
    ) {
        self.home = number;
        self.changes.functions.push((bytes(sig).start..bytes(block).end, number));
        if let Some(constant) = &sig.constness {
            // A switch is no constant.
            let at = constant.span.byte_range();
            self.changes.inserts.push(Insert { at, text: String::new(), of: InsertOf::Function });
        }
        self.function(name, sig, block);
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
                let mut known = KnownType::Nothing;
                if let Some(init) = &local.init {
                    known = self.variables.of(&init.expr);
                    self.value(&init.expr);
                    if let Some((_, other)) = &init.diverge {
                        self.value(other);
                    }
                } else {
                    deferred(&local.pat, &mut self.deferred);
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
                if semi.is_some() && !has_attributes(expr) && self.can_go(expr) {
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
}

/// The variables of a `let` without a value.
fn deferred(pat: &syn::Pat, found: &mut Vec<String>) {
    match pat {
        syn::Pat::Ident(pat) => found.push(pat.ident.to_string()),
        syn::Pat::Type(pat) => deferred(&pat.pat, found),
        syn::Pat::Tuple(pat) => pat.elems.iter().for_each(|part| deferred(part, found)),
        _ => {}
    }
}
