//! Mutants of one method, in two groups with no operator in common.
//!
//! ```text
//!  Code ─► judging (group B: what PIT does by default) ─► filter ─┐
//!       ─► training (group A: everything else) ───────────────────┴─► Change ─► MutantCode ─► class file
//! ```
//!
//! Every change keeps the frames of the method: it takes from the stack and leaves on it what the original
//! instruction did. Knows nothing of inputs, outputs and of how mutants are run.

mod calls;
mod filter;
mod judging;
mod locals;
mod pattern;
mod scaffolding;
mod stack;
mod training;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::class::{ClassError, ClassFile, Code, Insn, MethodType, Pool};
use super::instrument::{self, Hooks};
use crate::subject::{Group, Line, Mutant};

/// Jumps reach 32,767 bytes. In a shorter method there is room for what is added.
const LARGE: usize = 16_000;

/// A change of one instruction.
#[derive(Clone, Debug)]
struct Change {
    /// The instruction that is replaced.
    at: usize,
    operator: &'static str,
    /// What comes in its place.
    instead: Vec<Insn>,
    /// How many words deeper the stack becomes.
    deeper: u16,
    /// What is changed, in words.
    words: String,
}

/// What mutants are made of.
struct Target<'a> {
    pool: &'a mut Pool,
    code: &'a Code,
    ty: MethodType,
    is_static: bool,
    /// Names of its annotations.
    annotations: Vec<String>,
}

/// All mutants of a method share this: the rewritten class, cut open where the code of the method is.
#[derive(Debug)]
struct Base {
    code: Code,
    hooks: Hooks,
    method: String,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// How a mutant's class is made.
#[derive(Clone, Debug)]
pub struct MutantCode {
    base: Arc<Base>,
    change: Change,
}

/// All mutants of a method: first those of group B, then those of group A, each in the order of the code. None has the
/// code of another or of the original.
pub(super) fn mutants(
    class: &ClassFile,
    method: &str,
    descriptor: &str,
) -> Result<Vec<(Mutant, MutantCode)>, ClassError> {
    let mut rewritten = class.clone();
    let index = instrument::open(&mut rewritten, method, descriptor)?;
    let code = class.code(&class.methods[index])?;
    let hooks = instrument::weave_all(&mut rewritten)?;

    let annotations = class.annotations(&class.methods[index]);
    let mut target = Target {
        pool: &mut rewritten.pool,
        code: &code,
        ty: MethodType::parse(descriptor)?,
        is_static: class.methods[index].is_static(),
        annotations,
    };
    let is_left_out = filter::is_left_out(class, &class.methods[index]);
    let mut judging = if is_left_out { Vec::new() } else { judging::changes(&mut target) };
    filter::apply(&target, &mut judging);
    let training = training::changes(&mut target);

    let (before, after) = rewritten.split_at_code(index)?;
    let base = Arc::new(Base { code, hooks, method: method.into(), before, after });
    let mut known = BTreeSet::from([base.code.bytes(&base.code.slots())]);
    let place = Place { class, method };
    let mut mutants = Vec::new();
    for (group, letter, changes) in [(Group::B, 'B', judging), (Group::A, 'A', training)] {
        let mut number = 0;
        for change in changes {
            let bytes = base.bytes(&change);
            if bytes.is_none() || !known.insert(bytes) {
                continue;
            }
            number += 1;
            let name = format!("{letter}{number}");
            let mutant = place.mutant(name, group, &base.code, &change);
            mutants.push((mutant, MutantCode { base: Arc::clone(&base), change }));
        }
    }
    Ok(mutants)
}

impl MutantCode {
    /// The whole class with the one change, rewritten as [`instrument::expose`] does it.
    pub(super) fn class_bytes(&self) -> Result<Vec<u8>, ClassError> {
        let code = self.base.encode(Some(&self.change))?;
        Ok([self.base.before.as_slice(), &code, &self.base.after].concat())
    }

    /// The `index` under which PIT reports a change of this instruction: it counts labels, lines and frames too, from 1.
    pub(super) fn pit_index(&self) -> usize {
        let (code, at) = (&self.base.code, self.change.at);
        let labels = code.labels[..=at].iter().filter(|is_label| **is_label).count();
        let lines = code.lines.iter().filter(|(first, _)| *first <= at).count();
        1 + at + labels + lines + code.frames_up_to(at)
    }
}

impl Base {
    /// The instructions of the method with a change, without what is added to every class; nothing if they are too long
    /// for it.
    fn bytes(&self, change: &Change) -> Option<Vec<u8>> {
        let mut slots = self.code.slots();
        slots[change.at].instead = Some(change.instead.clone());
        let bytes = self.code.bytes(&slots)?;
        (bytes.len() < LARGE || self.encode(Some(change)).is_ok()).then_some(bytes)
    }

    /// The code of the method with a change.
    fn encode(&self, change: Option<&Change>) -> Result<Vec<u8>, ClassError> {
        let mut slots = self.code.slots();
        if let Some(change) = change {
            slots[change.at].instead = Some(change.instead.clone());
        }
        let deeper =
            self.hooks.weave(&self.code, &mut slots) + change.map_or(0, |change| change.deeper);
        let encoded = self.code.encode(&slots, deeper, &self.hooks.names, &self.method)?;
        let mut bytes = Vec::with_capacity(encoded.data.len() + 6);
        encoded.write(&mut bytes);
        Ok(bytes)
    }
}

/// The class and the method that mutants are made of.
struct Place<'a> {
    class: &'a ClassFile,
    method: &'a str,
}

impl Place<'_> {
    fn mutant(&self, name: String, group: Group, code: &Code, change: &Change) -> Mutant {
        Mutant {
            name,
            group,
            operator: change.operator,
            function: format!("{}.{}", self.class.simple_name(), self.method),
            offset: code.offsets[change.at],
            line: self.class.line(code, change.at),
            change: change.words.clone(),
        }
    }
}

impl ClassFile {
    /// Its name without its package.
    pub(super) fn simple_name(&self) -> String {
        let name = self.name();
        name.rsplit('/').next().unwrap_or_default().into()
    }

    /// Where an instruction is in the source.
    pub(super) fn line(&self, code: &Code, insn: usize) -> Option<Line> {
        Some(Line { file: self.source_file()?, line: code.line(insn)?.into(), column: 0 })
    }
}
