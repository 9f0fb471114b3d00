//! What is known of the types of expressions, without a compiler: as much as a reader sees at a glance.
//!
//! It only keeps us from making mutants that the compiler would refuse. What is not known is [`KnownType::Nothing`].

use super::syntax::comparison;
use crate::subject::rust::types::Primitive;

/// What is known of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KnownType {
    /// The type is this one.
    Exactly(Primitive),
    /// An integer of some width.
    Integer,
    /// A float of some width.
    Float,
    /// The type is not known.
    Nothing,
}

impl KnownType {
    pub(super) fn is_number(self) -> bool {
        match self {
            KnownType::Exactly(primitive) => {
                !matches!(primitive, Primitive::Bool | Primitive::Char)
            }
            KnownType::Integer | KnownType::Float => true,
            KnownType::Nothing => false,
        }
    }

    pub(super) fn is_float(self) -> bool {
        matches!(self, KnownType::Float | KnownType::Exactly(Primitive::F32 | Primitive::F64))
    }

    /// Whether a minus is possible for sure.
    pub(super) fn is_signed(self) -> bool {
        match self {
            KnownType::Exactly(primitive) => primitive.is_signed(),
            KnownType::Float => true,
            KnownType::Integer | KnownType::Nothing => false,
        }
    }

    /// Whether a minus is impossible for sure.
    pub(super) fn is_unsigned(self) -> bool {
        match self {
            KnownType::Exactly(primitive) => !primitive.is_signed(),
            KnownType::Integer | KnownType::Float | KnownType::Nothing => false,
        }
    }

    /// The one that says more.
    pub(super) fn or(self, other: KnownType) -> KnownType {
        match (self, other) {
            (KnownType::Exactly(_), _) => self,
            (_, KnownType::Exactly(_)) => other,
            (KnownType::Nothing, _) => other,
            _ => self,
        }
    }
}

/// The variables in scope, innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    all: Vec<(String, KnownType)>,
}

impl Variables {
    /// How many there are; for [`Variables::leave`].
    pub(super) fn mark(&self) -> usize {
        self.all.len()
    }

    /// Forgets those since the mark.
    pub(super) fn leave(&mut self, mark: usize) {
        self.all.truncate(mark);
    }

    pub(super) fn bind(&mut self, name: String, known: KnownType) {
        self.all.push((name, known));
    }

    /// What is known of a variable; nothing if there is no such variable.
    pub(super) fn get(&self, name: &str) -> Option<KnownType> {
        self.all.iter().rev().find(|(known, _)| known == name).map(|(_, known)| *known)
    }

    /// The other variables of just this type.
    pub(super) fn like(&self, name: &str, primitive: Primitive) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (other, known) in self.all.iter().rev() {
            let is_shadowed = self.get(other) != Some(*known);
            if *known == KnownType::Exactly(primitive)
                && other != name
                && !is_shadowed
                && !found.contains(other)
            {
                found.push(other.clone());
            }
        }
        found
    }

    /// Binds all names of a pattern.
    pub(super) fn bind_pattern(&mut self, pat: &syn::Pat, known: KnownType) {
        match pat {
            syn::Pat::Ident(pat) if pat.by_ref.is_none() => self.bind(pat.ident.to_string(), known),
            syn::Pat::Ident(pat) => self.bind(pat.ident.to_string(), KnownType::Nothing),
            syn::Pat::Type(pat) => self.bind_pattern(&pat.pat, of_type(&pat.ty)),
            syn::Pat::Paren(pat) => self.bind_pattern(&pat.pat, known),
            syn::Pat::Reference(pat) => self.bind_pattern(&pat.pat, KnownType::Nothing),
            syn::Pat::Guard(pat) => self.bind_pattern(&pat.pat, known),
            syn::Pat::Tuple(pat) => {
                pat.elems.iter().for_each(|p| self.bind_pattern(p, KnownType::Nothing));
            }
            syn::Pat::TupleStruct(pat) => {
                pat.elems.iter().for_each(|p| self.bind_pattern(p, KnownType::Nothing));
            }
            syn::Pat::Slice(pat) => {
                pat.elems.iter().for_each(|p| self.bind_pattern(p, KnownType::Nothing));
            }
            syn::Pat::Or(pat) => {
                pat.cases.iter().for_each(|p| self.bind_pattern(p, KnownType::Nothing));
            }
            syn::Pat::Struct(pat) => {
                pat.fields.iter().for_each(|f| self.bind_pattern(&f.pat, KnownType::Nothing));
            }
            _ => {}
        }
    }

    /// What is known of an expression.
    pub(super) fn of(&self, expr: &syn::Expr) -> KnownType {
        match expr {
            syn::Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Int(int) => match Primitive::named(int.suffix()) {
                    Some(primitive) => KnownType::Exactly(primitive),
                    None => KnownType::Integer,
                },
                syn::Lit::Float(float) => match Primitive::named(float.suffix()) {
                    Some(primitive) => KnownType::Exactly(primitive),
                    None => KnownType::Float,
                },
                syn::Lit::Bool(_) => KnownType::Exactly(Primitive::Bool),
                syn::Lit::Char(_) => KnownType::Exactly(Primitive::Char),
                syn::Lit::Byte(_) => KnownType::Exactly(Primitive::U8),
                _ => KnownType::Nothing,
            },
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.get(&name.to_string()).unwrap_or(KnownType::Nothing),
                None => constant(&path.path),
            },
            syn::Expr::Paren(inner) => self.of(&inner.expr),
            syn::Expr::Group(inner) => self.of(&inner.expr),
            syn::Expr::Unary(unary) if !matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.of(&unary.expr)
            }
            syn::Expr::Cast(cast) => of_type(&cast.ty),
            syn::Expr::Binary(binary) => match binary.op {
                syn::BinOp::Shl(_) | syn::BinOp::Shr(_) => self.of(&binary.left),
                syn::BinOp::And(_) | syn::BinOp::Or(_) => KnownType::Exactly(Primitive::Bool),
                op if comparison(&op).is_some() => KnownType::Exactly(Primitive::Bool),
                _ => self.of(&binary.left).or(self.of(&binary.right)),
            },
            syn::Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "len" | "count" | "capacity" | "len_utf8" | "len_utf16" => {
                    KnownType::Exactly(Primitive::Usize)
                }
                "abs" | "min" | "max" | "pow" | "powi" | "powf" | "sqrt" | "clamp"
                | "rem_euclid" | "div_euclid" | "wrapping_add" | "wrapping_sub"
                | "wrapping_mul" | "saturating_add" | "saturating_sub" | "saturating_mul"
                | "floor" | "ceil" | "round" | "trunc" | "signum" => self.of(&call.receiver),
                "is_empty" | "contains" | "starts_with" | "ends_with" | "is_some" | "is_none" => {
                    KnownType::Exactly(Primitive::Bool)
                }
                _ => KnownType::Nothing,
            },
            syn::Expr::If(branches) => match branches.then_branch.stmts.last() {
                Some(syn::Stmt::Expr(last, None)) => self.of(last),
                _ => KnownType::Nothing,
            },
            _ => KnownType::Nothing,
        }
    }
}

/// What is known of a type that is written.
pub(super) fn of_type(ty: &syn::Type) -> KnownType {
    let syn::Type::Path(path) = ty else { return KnownType::Nothing };
    let named = path.path.get_ident().and_then(|name| Primitive::named(&name.to_string()));
    named.map_or(KnownType::Nothing, KnownType::Exactly)
}

/// The type of a constant such as `i32::MAX` or `f64::EPSILON`, by the path that names it.
fn constant(path: &syn::Path) -> KnownType {
    let mut names = path.segments.iter().rev();
    let (last, owner) = (names.next(), names.next());
    match (last, owner) {
        (Some(last), Some(owner))
            if last.ident.to_string().chars().all(|c| c.is_uppercase() || c == '_') =>
        {
            Primitive::named(&owner.ident.to_string())
                .map_or(KnownType::Nothing, KnownType::Exactly)
        }
        _ => KnownType::Nothing,
    }
}
