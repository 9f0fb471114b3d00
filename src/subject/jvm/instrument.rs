//! What is added to every class: fuel, limits on memory, and no way out of the JVM.
//!
//! `RUNTIME.md` says what the added calls do. Knows nothing of mutants: whatever stands in the slots of a method is
//! woven in, changed or not.

use super::class::{Arg, ClassError, ClassFile, Code, CodeNames, Insn, Pool, Slot, access, op};

/// The class that added code calls.
pub(super) const RUNTIME: &str = "gm/Rt";

/// Rewrites a class: ticks, allocation, redirected calls. A method that is too large for that stays as it is.
pub(super) fn class(bytes: &[u8]) -> Result<Vec<u8>, ClassError> {
    let mut class = ClassFile::parse(bytes)?;
    weave_all(&mut class)?;
    Ok(class.to_bytes())
}

/// Rewrites a class, and makes it and one of its methods public.
#[cfg(test)]
pub(super) fn expose(bytes: &[u8], method: &str, descriptor: &str) -> Result<Vec<u8>, ClassError> {
    let mut class = ClassFile::parse(bytes)?;
    open(&mut class, method, descriptor)?;
    weave_all(&mut class)?;
    Ok(class.to_bytes())
}

/// Makes a class and one of its methods public; which one it is.
pub(super) fn open(
    class: &mut ClassFile,
    method: &str,
    descriptor: &str,
) -> Result<usize, ClassError> {
    let index = class.method_index(method, descriptor)?;
    class.access |= access::PUBLIC;
    let flags = &mut class.methods[index].access;
    *flags = *flags & !(access::PRIVATE | access::PROTECTED) | access::PUBLIC;
    Ok(index)
}

/// Puts hooks into all methods of a class.
pub(super) fn weave_all(class: &mut ClassFile) -> Result<Hooks, ClassError> {
    let hooks = Hooks::add(&mut class.pool)?;
    for index in 0..class.methods.len() {
        let code = match class.code(&class.methods[index]) {
            Ok(code) => code,
            Err(ClassError::NoCode { .. }) => continue,
            Err(error) => return Err(error),
        };
        let mut slots = code.slots();
        let deeper = hooks.weave(&code, &mut slots);
        match class.set_code(index, &code, &slots, deeper, &hooks.names) {
            // It has no ticks of its own; what it calls has.
            Err(ClassError::TooLarge { .. }) => {}
            other => other?,
        }
    }
    Ok(hooks)
}

/// Where in the constant pool of a class the added calls are.
#[derive(Clone, Debug)]
pub(super) struct Hooks {
    tick: u16,
    alloc: u16,
    grid: u16,
    /// Methods of the JDK that must not be called, and what is called instead.
    redirected: Vec<(u16, Redirection)>,
    pub(super) names: CodeNames,
}

/// A method of ours that is called instead of one of the JDK.
#[derive(Clone, Copy, Debug)]
struct Redirection {
    method: u16,
    /// Words on top of the stack that it does not take.
    above: u16,
    /// Words below its arguments that it leaves.
    below: u16,
}

impl Hooks {
    /// Adds to a constant pool what the added calls need.
    pub(super) fn add(pool: &mut Pool) -> Result<Hooks, ClassError> {
        let mut redirected = Vec::new();
        for index in 0..pool.entries().len() {
            let index = index as u16;
            let Some((name, descriptor, above, below)) = redirection(pool, index) else { continue };
            let method = pool.add_method(RUNTIME, name, descriptor)?;
            redirected.push((index, Redirection { method, above, below }));
        }
        Ok(Hooks {
            tick: pool.add_method(RUNTIME, "tick", "()V")?,
            alloc: pool.add_method(RUNTIME, "alloc", "(I)I")?,
            grid: pool.add_method(RUNTIME, "grid", "(II)V")?,
            redirected,
            names: CodeNames::add(pool)?,
        })
    }

    /// Adds calls to what is in the slots; how many words deeper the stack becomes.
    pub(super) fn weave(&self, code: &Code, slots: &mut [Slot]) -> u16 {
        let mut deeper = 0;
        let heads = code.loop_heads();
        for (at, (insn, slot)) in code.insns.iter().zip(slots).enumerate() {
            if at == 0 || heads[at] {
                slot.before.insert(0, Insn::call(self.tick));
            }
            let Some(list) = &slot.instead else {
                if self.concerns(insn) {
                    let mut list = Vec::new();
                    deeper = deeper.max(self.rewrite(insn, &mut list));
                    slot.instead = Some(list);
                }
                continue;
            };
            if list.iter().any(|insn| self.concerns(insn)) {
                let mut rewritten = Vec::new();
                for insn in list {
                    deeper = deeper.max(self.rewrite(insn, &mut rewritten));
                }
                slot.instead = Some(rewritten);
            }
        }
        deeper
    }

    fn concerns(&self, insn: &Insn) -> bool {
        match insn.op {
            op::NEWARRAY | op::ANEWARRAY | op::MULTIANEWARRAY => true,
            op::INVOKESTATIC | op::INVOKEVIRTUAL => self.redirect(insn).is_some(),
            _ => false,
        }
    }

    fn redirect(&self, insn: &Insn) -> Option<Redirection> {
        let index = insn.pool()?;
        self.redirected.iter().find(|(from, _)| *from == index).map(|(_, to)| *to)
    }

    fn rewrite(&self, insn: &Insn, out: &mut Vec<Insn>) -> u16 {
        match (insn.op, &insn.arg) {
            (op::NEWARRAY | op::ANEWARRAY, _) => out.push(Insn::call(self.alloc)),
            (op::MULTIANEWARRAY, Arg::Counted(_, 2..)) => {
                out.extend([Insn::plain(op::DUP2), Insn::call(self.grid), insn.clone()]);
                return 2;
            }
            (op::MULTIANEWARRAY, _) => out.push(Insn::call(self.alloc)),
            (op::INVOKESTATIC | op::INVOKEVIRTUAL, _) => {
                if let Some(to) = self.redirect(insn) {
                    let pops = |count: u16| (0..count).map(|_| Insn::plain(op::POP));
                    out.extend(pops(to.above));
                    out.push(Insn::call(to.method));
                    out.extend(pops(to.below));
                    return 0;
                }
            }
            _ => {}
        }
        out.push(insn.clone());
        0
    }
}

/// What is called instead of a method: name, descriptor, words above its arguments, words below.
fn redirection(pool: &Pool, index: u16) -> Option<(&'static str, &'static str, u16, u16)> {
    if !matches!(pool.get(index), Ok(super::class::Entry::Method(..))) {
        return None;
    }
    let method = pool.reference(index).ok()?;
    match (method.class.as_str(), method.name.as_str(), method.descriptor.as_str()) {
        ("java/lang/System", "exit", "(I)V") => Some(("exit", "(I)V", 0, 0)),
        ("java/lang/Runtime", "exit", "(I)V") => Some(("exit", "(I)V", 0, 1)),
        ("java/lang/Runtime", "halt", "(I)V") => Some(("halt", "(I)V", 0, 1)),
        ("java/lang/Thread", "sleep", "(J)V") => Some(("sleep", "(J)V", 0, 0)),
        ("java/lang/Thread", "sleep", "(JI)V") => Some(("sleep", "(J)V", 1, 0)),
        _ => None,
    }
}
