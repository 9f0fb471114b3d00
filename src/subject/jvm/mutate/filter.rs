//! Which mutants of group B PIT 1.7.4 leaves out by default.
//!
//! PIT matches patterns of instructions that compilers write, and so do we, label by label where it does.

use std::collections::BTreeSet;

use super::calls::Call;
use super::pattern::{self, Node, Tests};
use super::{Change, Target, scaffolding};
use crate::subject::jvm::class::{ClassFile, Insn, Member, op};
use crate::subject::jvm::literal::Literal;

/// Takes away what PIT would not report.
pub(super) fn apply(target: &Target<'_>, changes: &mut Vec<Change>) {
    let added = scaffolding::added(target);
    let logged = logged_lines(target);
    changes.retain(|change| {
        !added[change.at]
            && !target.code.line(change.at).is_some_and(|line| logged.contains(&line))
            && !returns_that_already(target, change)
            && !counts_a_loop(target, change)
            && !scaffolding::iterates(target, change)
            && !scaffolding::closes(target, change)
    });
}

/// Whether PIT leaves out a whole method: the compiler added it and it is no lambda, or only the initialiser of the class calls
/// it (`FSTATI`), or every enum has it (`FENUM`).
pub(super) fn is_left_out(class: &ClassFile, method: &Member) -> bool {
    let is_added = method.is_synthetic() && !method.name.starts_with("lambda$");
    let is_enum = class.super_name().as_deref() == Some("java/lang/Enum");
    let is_enums = is_enum && method.is_static() && ["values", "valueOf"].contains(&&*method.name);
    is_added || is_enums || method.name == "<clinit>" || initialises(class, method)
}

/// Whether a private method is called by the initialiser of its class, and by no other method of it.
fn initialises(class: &ClassFile, method: &Member) -> bool {
    if !method.is_private() {
        return false;
    }
    let name = class.name();
    let calls = |caller: &Member| {
        let insns = class.code(caller).map(|code| code.insns).unwrap_or_default();
        insns.iter().filter_map(|insn| Call::of(insn, &class.pool)).any(|call| {
            call.class == name && call.name == method.name && call.descriptor == method.descriptor
        })
    };
    let mut callers = class.methods.iter().filter(|caller| calls(caller)).peekable();
    callers.peek().is_some() && callers.all(|caller| caller.name == "<clinit>")
}

/// `FLOGCALL`: the lines with a call of a logger.
fn logged_lines(target: &Target<'_>) -> BTreeSet<u16> {
    const LOGGERS: [&str; 5] = [
        "java/util/logging/",
        "org/apache/commons/logging/",
        "org/apache/log4j/",
        "org/apache/logging/log4j/",
        "org/slf4j/",
    ];
    let is_logger = |insn: &Insn| {
        Call::of(insn, target.pool)
            .is_some_and(|call| LOGGERS.iter().any(|logger| call.class.starts_with(logger)))
    };
    let insns = target.code.insns.iter().enumerate();
    insns.filter(|(_, insn)| is_logger(insn)).filter_map(|(at, _)| target.code.line(at)).collect()
}

/// `FRETEQUIV`: the value is the constant that is returned instead, going by the instruction before the return.
fn returns_that_already(target: &Target<'_>, change: &Change) -> bool {
    let insn = |back: usize| change.at.checked_sub(back).map(|at| &target.code.insns[at]);
    let Some(before) = insn(1) else { return false };
    let is_zero =
        |insn: &Insn| matches!(insn.op, op::ICONST_0 | op::LCONST_0 | op::FCONST_0 | op::DCONST_0);
    // No label may stand between a constant and the call that puts it into an object.
    let together =
        !target.code.labels[change.at] && !target.code.labels[change.at.saturating_sub(1)];
    let call = Call::of(before, target.pool);
    let is_boxed = |is_constant: &dyn Fn(&Insn) -> bool| {
        together
            && call.as_ref().is_some_and(|call| call.name == "valueOf")
            && insn(2).is_some_and(is_constant)
    };
    let is_field = |name: &str| {
        !target.code.labels[change.at]
            && before.op == op::GETSTATIC
            && before
                .pool()
                .and_then(|index| target.pool.reference(index).ok())
                .is_some_and(|field| field.class == "java/lang/Boolean" && field.name == name)
    };
    let is_empty_call = || {
        call.as_ref().is_some_and(|call| {
            call.ty.parameters.is_empty()
                && matches!(
                    (call.class.as_str(), call.name.as_str()),
                    ("java/util/Optional" | "java/util/stream/Stream", "empty")
                        | ("java/util/Collections", "emptyList" | "emptyMap" | "emptySet")
                        | ("java/util/List" | "java/util/Set", "of")
                )
        })
    };
    let is_empty = || {
        is_boxed(&is_zero)
            || is_field("FALSE")
            || Literal::of(before, target.pool) == Some(Literal::Text(String::new()))
            || is_empty_call()
    };
    match change.operator {
        "PRIMITIVE_RETURNS" => is_zero(before),
        "FALSE_RETURNS" => is_zero(before) || is_empty(),
        "TRUE_RETURNS" => {
            let is_one = |insn: &Insn| insn.op == op::ICONST_1;
            is_one(before) || is_boxed(&is_one) || is_field("TRUE")
        }
        "EMPTY_RETURNS" => is_empty(),
        "NULL_RETURNS" => before.op == op::ACONST_NULL,
        _ => false,
    }
}

/// `FFLC`: the change is in the `i++` of a loop that compares `i` with a byte, a call or the length of an array.
fn counts_a_loop(target: &Target<'_>, change: &Change) -> bool {
    let insns = &target.code.insns;
    if insns[change.at].op != op::IINC {
        return false;
    }
    let [counter, start, end, other, other_start, other_end] = [0, 1, 2, 3, 4, 5];
    let t = Tests { insns };
    let is_bound = |insn: &Insn| {
        matches!(insn.op, op::BIPUSH | op::ARRAYLENGTH | op::INVOKEVIRTUAL..=op::INVOKEINTERFACE)
    };
    // `i = …; start: if (i >= bound) goto end; …; i++; goto start; end:`
    let first = [
        t.anything(),
        t.store(counter),
        t.new_label(start),
        t.load(counter),
        t.insns(|insn| insn.op == op::ALOAD),
        t.insn(is_bound),
        t.new_jump(end, Insn::is_conditional),
        t.label(),
        t.anything(),
        t.this_increment(change.at, counter),
        t.known_jump(start, |_| true),
        t.known_label(end),
        t.anything(),
    ];
    // `i = …; goto end; start: …; i++; end: if (i < bound) goto start`
    let last = [
        t.anything(),
        t.store(other),
        t.label(),
        t.new_jump(other_end, is_goto),
        t.new_label(other_start),
        t.anything(),
        t.this_increment(change.at, other),
        t.known_label(other_end),
        t.load(other),
        t.anything(),
        t.insn(is_bound),
        t.known_jump(other_start, Insn::is_conditional),
        t.anything(),
    ];
    let is_seen = |node: &Node| match node {
        Node::Insn(at) => insns[*at].op != op::GETFIELD,
        Node::Label(_) => true,
    };
    pattern::matches(&[&first, &last], pattern::nodes(target).into_iter().filter(is_seen))
}

pub(super) fn is_goto(insn: &Insn) -> bool {
    insn.op == op::GOTO
}
