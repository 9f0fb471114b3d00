//! What is in the locals of a method before each instruction, as far as it takes to leave out a store.
//!
//! A store can be left out if the local has a value of the very type that is stored: then all that the verifier
//! concludes stays the same. Types of references are those that the instruction before the store names.

use std::collections::BTreeMap;

use super::calls::Call;
use super::{Insn, Target};
use crate::subject::jvm::class::{Arg, Kind, op};
use crate::subject::jvm::literal::Literal;

/// What a local holds.
#[derive(Clone, Debug, PartialEq)]
enum Held {
    /// Nothing, different things, or what is not known.
    Unknown,
    Number(Kind),
    Null,
    /// A reference, by the text of its type.
    Reference(String),
}

/// For each instruction, whether it is a store that can be left out.
pub(super) fn removable_stores(target: &Target<'_>) -> Vec<bool> {
    let before = solve(target);
    let insns = target.code.insns.iter().enumerate();
    insns
        .map(|(at, insn)| {
            let (op::ISTORE..=op::ASTORE, Arg::Local(local)) = (insn.op, &insn.arg) else {
                return false;
            };
            let Some(held) = before[at].as_ref().and_then(|locals| locals.get(usize::from(*local)))
            else {
                return false;
            };
            match stored(target, at) {
                Held::Unknown | Held::Null => false,
                Held::Reference(_) if *held == Held::Null => true,
                value => *held == value,
            }
        })
        .collect()
}

/// The locals before each instruction; `None` where code is never reached.
fn solve(target: &Target<'_>) -> Vec<Option<Vec<Held>>> {
    let code = target.code;
    let receiver = (!target.is_static).then_some(1);
    let parameters = receiver.into_iter().chain(target.ty.kinds().map(Kind::words)).collect();
    let typed: BTreeMap<usize, Vec<bool>> = code.typed_locals(parameters).into_iter().collect();
    let mut before = vec![None; code.insns.len()];
    let mut todo = vec![0];
    if let Some(first) = before.first_mut() {
        *first = Some(entry(target));
    }
    while let Some(at) = todo.pop() {
        let Some(Some(mut locals)) = before.get(at).cloned() else { continue };
        let mut reach = |locals: &[Held], next: usize| {
            let mut locals = locals.to_vec();
            // What has no type there is lost.
            if let Some(typed) = typed.get(&next) {
                let is_typed = |local: usize| typed.get(local) == Some(&true);
                let lost = locals.iter_mut().enumerate().filter(|(local, _)| !is_typed(*local));
                lost.for_each(|(_, held)| *held = Held::Unknown);
            }
            if let Some(known) = before.get_mut(next)
                && merge(known, &locals)
            {
                todo.push(next);
            }
        };
        let handlers = code.handlers.iter().filter(|range| (range.from..range.to).contains(&at));
        let handlers: Vec<usize> = handlers.map(|handler| handler.target).collect();
        handlers.iter().for_each(|handler| reach(&locals, *handler));
        store(target, at, &mut locals);
        handlers.iter().for_each(|handler| reach(&locals, *handler));
        let insn = &code.insns[at];
        insn.targets().into_iter().for_each(|next| reach(&locals, next));
        if !insn.ends_flow() {
            reach(&locals, at + 1);
        }
    }
    before
}

/// The locals at the beginning: the parameters.
fn entry(target: &Target<'_>) -> Vec<Held> {
    let mut locals = vec![Held::Unknown; usize::from(target.code.max_locals)];
    let mut next = usize::from(!target.is_static);
    for (text, kind) in target.ty.parameters.iter().zip(target.ty.kinds()) {
        if let Some(local) = locals.get_mut(next) {
            *local = of_type(text, kind);
        }
        next += usize::from(kind.words());
    }
    locals
}

fn of_type(text: &str, kind: Kind) -> Held {
    if kind == Kind::Reference { Held::Reference(text.into()) } else { Held::Number(kind) }
}

/// Takes in what is known on another way to an instruction; whether that changes anything.
fn merge(known: &mut Option<Vec<Held>>, other: &[Held]) -> bool {
    let Some(known) = known else {
        *known = Some(other.to_vec());
        return true;
    };
    let mut changed = false;
    for (known, other) in known.iter_mut().zip(other) {
        let merged = match (&*known, other) {
            (a, b) if a == b => continue,
            (Held::Null, Held::Reference(_)) => other.clone(),
            (Held::Reference(_), Held::Null) => continue,
            _ => Held::Unknown,
        };
        if *known != merged {
            *known = merged;
            changed = true;
        }
    }
    changed
}

/// What a store leaves in the locals.
fn store(target: &Target<'_>, at: usize, locals: &mut [Held]) {
    let insn = &target.code.insns[at];
    let (op::ISTORE..=op::ASTORE, Arg::Local(local)) = (insn.op, &insn.arg) else { return };
    let local = usize::from(*local);
    let value = stored(target, at);
    let words = usize::from(Kind::nth(insn.op - op::ISTORE).words());
    // A long or double that ends here has lost its half.
    if let Some(before) = local.checked_sub(1)
        && matches!(locals.get(before), Some(Held::Number(kind)) if kind.words() == 2)
    {
        locals[before] = Held::Unknown;
    }
    if let Some(range) = locals.get_mut(local..local + words) {
        range.fill(Held::Unknown);
        range[0] = value;
    }
}

/// The type of what a store stores.
fn stored(target: &Target<'_>, at: usize) -> Held {
    let kind = Kind::nth(target.code.insns[at].op - op::ISTORE);
    if kind != Kind::Reference {
        return Held::Number(kind);
    }
    // Something else may come from elsewhere.
    if at == 0 || is_target(target, at) {
        return Held::Unknown;
    }
    pushed(target, &target.code.insns[at - 1]).unwrap_or(Held::Unknown)
}

fn is_target(target: &Target<'_>, at: usize) -> bool {
    // Labels are more than targets: a store that begins a line is rare.
    target.code.labels[at]
}

/// The type of the reference that an instruction pushes, if it says so.
fn pushed(target: &Target<'_>, insn: &Insn) -> Option<Held> {
    let text = match insn.op {
        op::ACONST_NULL => return Some(Held::Null),
        op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC => Call::of(insn, target.pool)?.ty.result,
        op::GETSTATIC | op::GETFIELD => target.pool.reference(insn.pool()?).ok()?.descriptor,
        op::CHECKCAST => {
            let class = target.pool.class(insn.pool()?).ok()?;
            if class.starts_with('[') { class } else { format!("L{class};") }
        }
        op::LDC => match Literal::of(insn, target.pool)? {
            Literal::Text(_) => "Ljava/lang/String;".into(),
            _ => return None,
        },
        _ => return None,
    };
    text.starts_with(['L', '[']).then_some(Held::Reference(text))
}
