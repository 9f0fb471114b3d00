//! A variant of a class that tells how near it came to both sides of its branches.
//!
//! `RUNTIME.md` says what the added calls record. Fuel is the same as in the plain variant. Knows nothing of
//! what distances are used for.

use super::class::{Arg, ClassError, ClassFile, Code, Entry, Insn, Pool, Slot, op};
use super::instrument::{Hooks, RUNTIME, weave_all};
use super::literal::Literal;
use crate::subject::Branch;

/// More arms of one switch than this have no branches: every visit looks at all of them.
const MOST_ARMS: usize = 200;

/// Rewrites a class as [`instrument::class`](super::instrument::class) does, with probes in the methods in scope, which are told by
/// name and descriptor. The first branch has the number `first`. A method that has no room for probes gets none.
pub(super) fn class(
    class: &ClassFile,
    first: u32,
    in_scope: impl Fn(&str, &str) -> bool,
) -> Result<(ClassFile, Vec<Branch>), ClassError> {
    let mut rewritten = class.clone();
    let hooks = weave_all(&mut rewritten)?;
    let probes = Probes::add(&mut rewritten.pool)?;
    let mut branches = Vec::new();
    for (index, member) in class.methods.iter().enumerate() {
        if !in_scope(&member.name, &member.descriptor) {
            continue;
        }
        let code = match class.code(member) {
            Ok(code) => code,
            Err(ClassError::NoCode { .. }) => continue,
            Err(error) => return Err(error),
        };
        let next = first + branches.len() as u32;
        let (sites, fits) =
            probes.weave(&mut rewritten, index, &code, ProbePlan { next, hooks: &hooks })?;
        if fits {
            let function = format!("{}.{}", class.simple_name(), member.name);
            branches.extend(sites.into_iter().map(|at| Branch {
                function: function.clone(),
                offset: code.offsets[at],
                line: class.line(&code, at),
            }));
        }
    }
    Ok((rewritten, branches))
}

/// Where in the constant pool the recording methods are.
struct Probes {
    test_int: u16,
    compare_int: u16,
    compare_long: u16,
    compare_float: u16,
    compare_double: u16,
    test_null: u16,
    compare_reference: u16,
    equals: u16,
}

/// What the probes of a method need.
#[derive(Clone, Copy)]
struct ProbePlan<'a> {
    /// The number of the next branch.
    next: u32,
    hooks: &'a Hooks,
}

impl Probes {
    fn add(pool: &mut Pool) -> Result<Probes, ClassError> {
        let mut add = |name, descriptor| pool.add_method(RUNTIME, name, descriptor);
        Ok(Probes {
            test_int: add("testI", "(II)V")?,
            compare_int: add("cmpI", "(III)V")?,
            compare_long: add("cmpJ", "(JJI)I")?,
            compare_float: add("cmpF", "(FFI)I")?,
            compare_double: add("cmpD", "(DDI)I")?,
            test_null: add("testA", "(Ljava/lang/Object;I)V")?,
            compare_reference: add("cmpA", "(Ljava/lang/Object;Ljava/lang/Object;I)V")?,
            equals: add("eqA", "(Ljava/lang/Object;Ljava/lang/Object;I)Z")?,
        })
    }

    /// Probes a method; the instruction of each branch, and whether there was room.
    fn weave(
        &self,
        class: &mut ClassFile,
        method: usize,
        code: &Code,
        weaving: ProbePlan<'_>,
    ) -> Result<(Vec<usize>, bool), ClassError> {
        let mut slots = code.slots();
        let mut sites = Vec::new();
        let is_target = code.is_target();
        for (at, insn) in code.insns.iter().enumerate() {
            let number = weaving.next + sites.len() as u32;
            match &insn.arg {
                Arg::Jump(_) if insn.is_conditional() => {
                    let before = at.checked_sub(1).filter(|_| !is_target[at]);
                    self.conditional(class, code, Place { at, before, number }, &mut slots)?;
                    sites.push(at);
                }
                Arg::Switch(switch) => {
                    let arms = switch.arms.iter().filter(|(_, to)| *to != switch.default);
                    for (key, _) in arms.take(MOST_ARMS) {
                        let number = weaving.next + sites.len() as u32;
                        slots[at].before.extend([
                            Insn::plain(op::DUP),
                            Literal::Int(*key).push(&mut class.pool)?,
                            site(&mut class.pool, number, 0, EQ)?,
                            Insn::call(self.compare_int),
                        ]);
                        sites.push(at);
                    }
                }
                _ => {}
            }
        }
        // Two copies and the site, at most.
        let deeper = 3 + weaving.hooks.weave(code, &mut slots);
        match class.set_code(method, code, &slots, deeper, &weaving.hooks.names) {
            Ok(()) => Ok((sites, true)),
            Err(ClassError::TooLarge { .. }) => Ok((sites, false)),
            Err(error) => Err(error),
        }
    }

    fn conditional(
        &self,
        class: &mut ClassFile,
        code: &Code,
        place: Place,
        slots: &mut [Slot],
    ) -> Result<(), ClassError> {
        let Place { at, before, number } = place;
        let pool = &mut class.pool;
        let opcode = code.insns[at].op;
        let (copy, method, relation) = match opcode {
            op::IFEQ..=op::IFLE => {
                let relation = opcode - op::IFEQ;
                if let Some(before) = before
                    && let Some((method, nan)) =
                        self.instead_of(&code.insns[before], pool, relation)
                {
                    let call = vec![site(pool, number, nan, relation)?, Insn::call(method)];
                    slots[before].instead = Some(call);
                    return Ok(());
                }
                (op::DUP, self.test_int, relation)
            }
            op::IF_ICMPEQ..=op::IF_ICMPLE => (op::DUP2, self.compare_int, opcode - op::IF_ICMPEQ),
            op::IF_ACMPEQ | op::IF_ACMPNE => {
                (op::DUP2, self.compare_reference, opcode - op::IF_ACMPEQ)
            }
            _ => (op::DUP, self.test_null, opcode - op::IFNULL),
        };
        let recorded = [Insn::plain(copy), site(pool, number, 0, relation)?, Insn::call(method)];
        slots[at].before.extend(recorded);
        Ok(())
    }

    /// What records a comparison whose result an `ifeq` … `ifle` looks at; and what it gives for NaN.
    fn instead_of(&self, insn: &Insn, pool: &Pool, relation: u8) -> Option<(u16, u8)> {
        match insn.op {
            op::LCMP => Some((self.compare_long, 0)),
            op::FCMPL | op::FCMPG => Some((self.compare_float, insn.op - op::FCMPL)),
            op::DCMPL | op::DCMPG => Some((self.compare_double, insn.op - op::DCMPL)),
            op::INVOKEVIRTUAL if relation <= NE => {
                let Ok(Entry::Method(..)) = pool.get(insn.pool()?) else { return None };
                let method = pool.reference(insn.pool()?).ok()?;
                let is_equals = method.name == "equals"
                    && method.descriptor == "(Ljava/lang/Object;)Z"
                    && ["java/lang/String", "java/lang/Object"].contains(&method.class.as_str());
                is_equals.then_some((self.equals, 0))
            }
            _ => None,
        }
    }
}

/// A conditional jump that is probed.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    /// The instruction before it, if that is the only way to it.
    before: Option<usize>,
    /// The number of its branch.
    number: u32,
}

const EQ: u8 = 0;
const NE: u8 = 1;

fn site(pool: &mut Pool, number: u32, nan: u8, relation: u8) -> Result<Insn, ClassError> {
    let site = number << 4 | u32::from(nan) << 3 | u32::from(relation);
    Literal::Int(site.cast_signed()).push(pool)
}
