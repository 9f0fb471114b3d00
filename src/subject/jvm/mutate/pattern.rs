//! Patterns over the instructions of a method and the labels between them.
//!
//! PIT describes what compilers write by such patterns, and which mutants it leaves out depends on how it matches them: all ways
//! through a pattern are followed at once, and share what was noted on any of them. A local noted at one store is
//! therefore replaced by that of the next store anywhere, so that a loop with a store in its body is no match. Ours does the same.

use super::Target;
use crate::subject::jvm::class::{Arg, Insn, op};

/// What is read: an instruction, or the label before one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Node {
    Insn(usize),
    Label(usize),
}

/// What is noted on the way, by number: locals, and labels by the instruction after them. All patterns share them.
pub(super) type Notes = [Option<usize>; 12];

/// Whether a node is what is wanted; may note things.
pub(super) type Test<'a> = Box<dyn Fn(&mut Notes, Node) -> bool + 'a>;

/// A part of a pattern.
pub(super) enum Step<'a> {
    One(Test<'a>),
    /// Any number of them, also none.
    Many(Test<'a>),
}

/// All nodes of a method, in order.
pub(super) fn nodes(target: &Target<'_>) -> Vec<Node> {
    let code = target.code;
    let mut nodes = Vec::with_capacity(2 * code.insns.len());
    for at in 0..code.labels.len() {
        if code.labels[at] {
            nodes.push(Node::Label(at));
        }
        if at < code.insns.len() {
            nodes.push(Node::Insn(at));
        }
    }
    nodes
}

/// Whether the whole of the nodes matches one of the patterns.
pub(super) fn matches<'a>(
    patterns: &[impl AsRef<[Step<'a>]>],
    nodes: impl Iterator<Item = Node>,
) -> bool {
    let mut notes = Notes::default();
    let patterns: Vec<&[Step<'_>]> = patterns.iter().map(AsRef::as_ref).collect();
    let begin = |steps: &&[Step<'_>]| {
        let mut states = vec![false; steps.len() + 1];
        enter(steps, &mut states, 0);
        states
    };
    let mut states: Vec<Vec<bool>> = patterns.iter().map(begin).collect();
    for node in nodes {
        for (steps, states) in patterns.iter().zip(&mut states) {
            let mut next = vec![false; steps.len() + 1];
            for (at, step) in steps.iter().enumerate().filter(|(at, _)| states[*at]) {
                match step {
                    Step::One(test) if test(&mut notes, node) => enter(steps, &mut next, at + 1),
                    Step::Many(test) if test(&mut notes, node) => enter(steps, &mut next, at),
                    _ => {}
                }
            }
            *states = next;
        }
    }
    states.iter().any(|states| states.last() == Some(&true))
}

/// Marks a state, and those that need no node to get to.
fn enter(steps: &[Step<'_>], states: &mut [bool], at: usize) {
    states[at] = true;
    if let Some(Step::Many(_)) = steps.get(at) {
        enter(steps, states, at + 1);
    }
}

/// Makes tests for the nodes of a method.
#[derive(Clone, Copy)]
pub(super) struct Tests<'a> {
    pub(super) insns: &'a [Insn],
}

impl<'a> Tests<'a> {
    /// Anything, any number of times.
    pub(super) fn anything(self) -> Step<'a> {
        Step::Many(Box::new(|_, _| true))
    }

    /// An instruction that satisfies a condition.
    pub(super) fn insn(self, test: impl Fn(&Insn) -> bool + 'a) -> Step<'a> {
        Step::One(self.test(move |_, _, insn| test(insn)))
    }

    /// Any number of instructions that satisfy a condition.
    pub(super) fn insns(self, test: impl Fn(&Insn) -> bool + 'a) -> Step<'a> {
        Step::Many(self.test(move |_, _, insn| test(insn)))
    }

    /// The same, and if it is one very instruction, that is noted.
    pub(super) fn noting(self, step: Step<'a>, this: usize, note: usize) -> Step<'a> {
        let (Step::One(test) | Step::Many(test)) = step;
        Step::One(Box::new(move |notes, node| {
            let is_match = test(notes, node);
            if is_match && node == Node::Insn(this) {
                notes[note] = Some(this);
            }
            is_match
        }))
    }

    /// Anything, if something was noted before.
    pub(super) fn noted(self, note: usize) -> Step<'a> {
        Step::One(Box::new(move |notes, _| notes[note].is_some()))
    }

    /// An increment of a noted local.
    pub(super) fn increment(self, note: usize) -> Step<'a> {
        Step::One(self.test(move |notes, _, insn| match insn.arg {
            Arg::Iinc(local, _) => notes[note] == Some(local.into()),
            _ => false,
        }))
    }

    /// One very instruction, if it increments a noted local.
    pub(super) fn this_increment(self, this: usize, note: usize) -> Step<'a> {
        Step::One(self.test(move |notes, at, insn| match insn.arg {
            Arg::Iinc(local, _) => at == this && notes[note] == Some(local.into()),
            _ => false,
        }))
    }

    /// A store of an int to a local, which is noted.
    pub(super) fn store(self, note: usize) -> Step<'a> {
        Step::One(self.test(move |notes, _, insn| match (insn.op, &insn.arg) {
            (op::ISTORE, Arg::Local(local)) => {
                notes[note] = Some((*local).into());
                true
            }
            _ => false,
        }))
    }

    /// The value of a noted local.
    pub(super) fn load(self, note: usize) -> Step<'a> {
        Step::One(self.test(move |notes, _, insn| match (insn.op, &insn.arg) {
            (op::ILOAD, Arg::Local(local)) => notes[note] == Some((*local).into()),
            _ => false,
        }))
    }

    pub(super) fn label(self) -> Step<'a> {
        Step::One(Box::new(|_, node| matches!(node, Node::Label(_))))
    }

    /// A label, which is noted.
    pub(super) fn new_label(self, note: usize) -> Step<'a> {
        Step::One(Box::new(move |notes, node| match node {
            Node::Label(at) => {
                notes[note] = Some(at);
                true
            }
            Node::Insn(_) => false,
        }))
    }

    /// Matches the label that was noted before.
    pub(super) fn known_label(self, note: usize) -> Step<'a> {
        Step::One(Box::new(move |notes, node| match node {
            Node::Label(at) => notes[note] == Some(at),
            Node::Insn(_) => false,
        }))
    }

    /// A jump that satisfies a condition; its target is noted, whether it does or not.
    pub(super) fn new_jump(self, note: usize, test: impl Fn(&Insn) -> bool + 'a) -> Step<'a> {
        Step::One(self.test(move |notes, _, insn| match insn.arg {
            Arg::Jump(target) => {
                notes[note] = Some(target);
                test(insn)
            }
            _ => false,
        }))
    }

    /// A conditional jump; its target is noted.
    pub(super) fn conditional_jump(self, note: usize) -> Step<'a> {
        Step::One(self.test(move |notes, _, insn| match insn.arg {
            Arg::Jump(target) if insn.is_conditional() => {
                notes[note] = Some(target);
                true
            }
            _ => false,
        }))
    }

    /// A jump to a noted label that satisfies a condition.
    pub(super) fn known_jump(self, note: usize, test: impl Fn(&Insn) -> bool + 'a) -> Step<'a> {
        Step::One(self.test(move |notes, _, insn| match insn.arg {
            Arg::Jump(target) => notes[note] == Some(target) && test(insn),
            _ => false,
        }))
    }

    fn test(self, test: impl Fn(&mut Notes, usize, &Insn) -> bool + 'a) -> Test<'a> {
        Box::new(move |notes, node| match node {
            Node::Insn(at) => test(notes, at, &self.insns[at]),
            Node::Label(_) => false,
        })
    }
}
