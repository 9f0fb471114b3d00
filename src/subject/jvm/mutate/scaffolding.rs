//! Code that compilers add around that of the source, which PIT 1.7.4 therefore does not mutate.
//!
//! `for (x : y)`, `try (x)`, `assert` and `switch` over strings.

use std::iter;

use super::calls::Call;
use super::filter::is_goto;
use super::pattern::{self, Step, Tests};
use super::{Change, Target};
use crate::subject::jvm::class::{Arg, Insn, op, opcode};

/// Which instructions belong to an `assert`, or find the arm of a `switch` over strings.
pub(super) fn added(target: &Target<'_>) -> Vec<bool> {
    let insns = &target.code.insns;
    let mut added = vec![false; insns.len()];
    for (at, pair) in insns.windows(2).enumerate() {
        let end = match (&pair[1].arg, pair[1].op) {
            (Arg::Jump(end), op::IFNE) if is_disabled(target, &pair[0]) => *end,
            (Arg::Switch(switch), _) if is_hash(target, &pair[0]) => {
                // A new line ends it, whatever is there.
                let lines = target.code.lines.iter().map(|(first, _)| *first);
                lines.filter(|first| *first > at + 1).chain([switch.default]).min().unwrap_or(0)
            }
            _ => continue,
        };
        if let Some(range) = added.get_mut(at..end) {
            range.fill(true);
        }
    }
    added
}

/// Whether an instruction asks if assertions are disabled.
fn is_disabled(target: &Target<'_>, insn: &Insn) -> bool {
    let field = insn.pool().filter(|_| insn.op == op::GETSTATIC);
    let field = field.and_then(|index| target.pool.reference(index).ok());
    field.is_some_and(|field| field.name == "$assertionsDisabled")
}

fn is_hash(target: &Target<'_>, insn: &Insn) -> bool {
    let call = Call::of(insn, target.pool);
    call.is_some_and(|call| call.class == "java/lang/String" && call.name == "hashCode")
}

/// What compilers write to close a resource: labels, instructions, and calls of methods by their names.
const CLOSING: [&str; 4] = [
    // Since Java 11.
    "label aload close() label goto label astore aload aload addSuppressed()",
    // Up to Java 8.
    "ifnull aload ifnull label aload close() label goto label astore label aload aload addSuppressed() label goto label aload close()",
    // Of Eclipse's compiler.
    "close() label aload athrow label astore aload ifnonnull aload astore goto label",
    "ifnonnull aload astore goto label aload aload if_acmpeq aload aload addSuppressed() label",
];

/// Where the instruction that is changed is noted.
const FOUND: usize = 0;

/// A pattern somewhere in a method, on the way through which the changed instruction was noted.
fn around<'a>(t: Tests<'a>, steps: impl IntoIterator<Item = Step<'a>>) -> Vec<Step<'a>> {
    let steps = iter::once(t.anything()).chain(steps);
    steps.chain([t.anything(), t.noted(FOUND)]).collect()
}

/// A call that satisfies a condition.
fn call<'a>(target: &'a Target<'_>, test: impl Fn(&Call) -> bool + 'a) -> Step<'a> {
    let (t, pool) = (Tests { insns: &target.code.insns }, &*target.pool);
    t.insn(move |insn| {
        insn.op != op::INVOKEDYNAMIC && Call::of(insn, pool).is_some_and(|call| test(&call))
    })
}

/// `FTRYWR`: the change is in what a compiler adds to close a resource.
pub(super) fn closes(target: &Target<'_>, change: &Change) -> bool {
    if target.code.handlers.len() < 2 {
        return false;
    }
    let t = Tests { insns: &target.code.insns };
    let step = |word: &'static str| match (word, word.strip_suffix("()")) {
        ("label", _) => t.label(),
        (_, Some(name)) => t.noting(call(target, move |call| call.name == name), change.at, FOUND),
        (name, None) => {
            let opcode = opcode(name).expect("CLOSING has names of instructions");
            t.noting(t.insn(move |insn| insn.op == opcode), change.at, FOUND)
        }
    };
    let patterns = CLOSING.map(|words| around(t, words.split(' ').map(step)));
    pattern::matches(&patterns, pattern::nodes(target).into_iter())
}

/// `FFEACH`: the change is in what a compiler adds for `for (x : y)`, over an array or with an iterator.
pub(super) fn iterates(target: &Target<'_>, change: &Change) -> bool {
    let insns = &target.code.insns;
    if insns[change.at].op != op::IINC && !insns[change.at].is_conditional() {
        return false;
    }
    let t = Tests { insns };
    let noting = |step| t.noting(step, change.at, FOUND);
    let is = |opcode: u8| t.insn(move |insn| insn.op == opcode);
    let call = |test: fn(&Call) -> bool| call(target, test);
    let iterator = || call(|call| call.ty.result.ends_with("java/util/Iterator;"));
    let has_next = || call(|call| call.class == "java/util/Iterator" && call.name == "hasNext");
    let next = || call(|call| call.class == "java/util/Iterator" && call.name == "next");
    let iterator_first = vec![
        iterator(),
        is(op::ASTORE),
        t.new_label(1),
        is(op::ALOAD),
        has_next(),
        noting(t.conditional_jump(2)),
        is(op::ALOAD),
        next(),
        t.anything(),
        t.known_jump(1, is_goto),
        t.known_label(2),
    ];
    let iterator_last = vec![
        iterator(),
        is(op::ASTORE),
        t.new_jump(3, is_goto),
        t.new_label(4),
        is(op::ALOAD),
        next(),
        t.anything(),
        t.known_label(3),
        is(op::ALOAD),
        has_next(),
        noting(t.known_jump(4, Insn::is_conditional)),
    ];
    let array_first = vec![
        is(op::ARRAYLENGTH),
        is(op::ISTORE),
        is(op::ICONST_0),
        t.store(5),
        t.new_label(6),
        is(op::ILOAD),
        is(op::ILOAD),
        noting(t.conditional_jump(7)),
        t.anything(),
        noting(t.increment(5)),
        t.known_jump(6, is_goto),
    ];
    let array_last = vec![
        is(op::ARRAYLENGTH),
        is(op::ISTORE),
        is(op::ICONST_0),
        t.store(8),
        t.new_jump(9, is_goto),
        t.new_label(10),
        t.anything(),
        noting(t.increment(8)),
        t.known_label(9),
        is(op::ILOAD),
        is(op::ILOAD),
        noting(t.known_jump(10, Insn::is_conditional)),
    ];
    let patterns = [iterator_first, iterator_last, array_last, array_first];
    let patterns = patterns.map(|steps| around(t, steps));
    pattern::matches(&patterns, pattern::nodes(target).into_iter())
}
