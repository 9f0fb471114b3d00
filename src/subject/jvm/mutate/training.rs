//! Group A: what relations are trained on. No change here is one of group B.
//!
//! | operator | changes |
//! |---|---|
//! | `AOR`, `LOR`, `SOR` | arithmetic, logic, shifts: into the other operations of their kind |
//! | `ODL` | an operation into one of its operands |
//! | `ROR` | a comparison into the others; a branch into always or never |
//! | `CRCR` | a constant into 0, 1, -1, its negative, one more, one less; a text into the empty one |
//! | `UOI` | the value of a local into its negative, one more, one less |
//! | `STORE` | a store into nothing, or into one of 0 or `null` |
//! | `CALL` | a call into a constant, one of its arguments, or its receiver |
//! | `RETURN` | what is returned into its negative, one more, its opposite |
//! | `SWITCH` | an arm into the default |

use super::calls::Call;
use super::judging;
use super::stack::{deeper_below, drop_all, drop_below, keep};
use super::{Change, Target, locals};
use crate::subject::jvm::class::{Arg, Insn, Kind, op};
use crate::subject::jvm::literal::Literal;

/// All changes, in the order of the code.
pub(super) fn changes(target: &mut Target<'_>) -> Vec<Change> {
    let removable = locals::removable_stores(target);
    let code = target.code;
    let mut changes = Changes { at: 0, list: Vec::new() };
    for (at, insn) in code.insns.iter().enumerate() {
        changes.at = at;
        changes.operations(insn);
        changes.comparisons(insn);
        changes.constants(insn, code.insns.get(at + 1), target);
        changes.loads(insn);
        changes.stores(insn, removable[at], target);
        changes.calls(insn, target);
        changes.returns(insn, &target.ty.result);
        changes.switches(insn);
    }
    changes.list
}

struct Changes {
    at: usize,
    list: Vec<Change>,
}

/// Families of operations that replace each other: the first of each, all with int and long, and with float and
/// double if they have them.
const ARITHMETIC: [u8; 5] = [op::IADD, op::ISUB, op::IMUL, op::IDIV, op::IREM];
const SHIFTS: [u8; 3] = [op::ISHL, op::ISHR, op::IUSHR];
const LOGIC: [u8; 3] = [op::IAND, op::IOR, op::IXOR];

impl Changes {
    fn add(&mut self, operator: &'static str, instead: Vec<Insn>, deeper: u16, words: String) {
        self.list.push(Change { at: self.at, operator, instead, deeper, words });
    }

    fn operations(&mut self, insn: &Insn) {
        let families: [(&'static str, &[u8], u8); 3] =
            [("AOR", &ARITHMETIC, 4), ("SOR", &SHIFTS, 2), ("LOR", &LOGIC, 2)];
        for (operator, family, kinds) in families {
            let member = |first: &&u8| (**first..**first + kinds).contains(&insn.op);
            let Some(first) = family.iter().find(member) else { continue };
            let number = insn.op - first;
            for other in family.iter().map(|first| first + number) {
                if other != insn.op && Some(other) != judging::arithmetic(insn.op) {
                    let other = Insn::plain(other);
                    let words = format!("{} instead of {}", other.name(), insn.name());
                    self.add(operator, vec![other], 0, words);
                }
            }
            let kind = Kind::nth(number);
            let second = if operator == "SOR" { Kind::Int } else { kind };
            let words = format!("the first operand instead of {}", insn.name());
            self.add("ODL", vec![Insn::pop(second)], 0, words);
            if second == kind {
                let words = format!("the second operand instead of {}", insn.name());
                self.add("ODL", drop_below(kind, kind), deeper_below(kind, kind), words);
            }
        }
    }

    fn comparisons(&mut self, insn: &Insn) {
        let Arg::Jump(target) = insn.arg else { return };
        if !insn.is_conditional() {
            return;
        }
        let family = match insn.op {
            op::IFEQ..=op::IFLE => op::IFEQ..=op::IFLE,
            op::IF_ICMPEQ..=op::IF_ICMPLE => op::IF_ICMPEQ..=op::IF_ICMPLE,
            // References are equal or not; they have no order.
            other => other..=other,
        };
        for other in family {
            let judged = [judging::negated(insn.op), judging::boundary(insn.op)];
            if other != insn.op && !judged.contains(&Some(other)) {
                let other = Insn::jump(other, target);
                let words = format!("{} instead of {}", other.name(), insn.name());
                self.add("ROR", vec![other], 0, words);
            }
        }
        let pop = match insn.op {
            op::IF_ICMPEQ..=op::IF_ACMPNE => op::POP2,
            _ => op::POP,
        };
        // Not a `goto`: behind one, the verifier wants a frame.
        for (jump, words) in [(op::IFEQ, "always"), (op::IFNE, "never")] {
            let instead =
                vec![Insn::plain(pop), Insn::plain(op::ICONST_0), Insn::jump(jump, target)];
            self.add("ROR", instead, 0, format!("{} {words} jumps", insn.name()));
        }
    }

    fn constants(&mut self, insn: &Insn, next: Option<&Insn>, target: &mut Target<'_>) {
        let Some(literal) = Literal::of(insn, target.pool) else { return };
        let is_returned = next.is_some_and(|next| next.op == op::IRETURN);
        if is_returned && target.ty.result == "Z" {
            return; // There are only two, and group B has the other one.
        }
        for other in literal.others() {
            // Only a full constant pool fails.
            let Ok(push) = other.push(target.pool) else { continue };
            self.add("CRCR", vec![push], 0, format!("{other} instead of {literal}"));
        }
    }

    fn loads(&mut self, insn: &Insn) {
        let (op::ILOAD..=op::DLOAD, Arg::Local(local)) = (insn.op, &insn.arg) else { return };
        let kind = Kind::nth(insn.op - op::ILOAD);
        for (tail, words) in unary(kind) {
            let instead = [insn.clone()].into_iter().chain(tail).collect();
            self.add("UOI", instead, kind.words(), format!("{words} of local {local}"));
        }
    }

    fn stores(&mut self, insn: &Insn, is_removable: bool, target: &Target<'_>) {
        match (insn.op, &insn.arg) {
            (op::ISTORE..=op::ASTORE, Arg::Local(local)) => {
                let kind = Kind::nth(insn.op - op::ISTORE);
                if is_removable {
                    let words = format!("no store to local {local}");
                    self.add("STORE", vec![Insn::pop(kind)], 0, words);
                }
                let instead = vec![Insn::pop(kind), Insn::zero(kind), insn.clone()];
                let value = if kind == Kind::Reference { "null" } else { "0" };
                self.add("STORE", instead, 0, format!("{value} stored to local {local}"));
            }
            (op::IASTORE..=op::SASTORE, _) => {
                let kind = match insn.op {
                    op::LASTORE => Kind::Long,
                    op::DASTORE => Kind::Double,
                    _ => Kind::Int,
                };
                let instead = drop_all(&[Kind::Reference, Kind::Int, kind]);
                self.add("STORE", instead, 0, "no store to the array".into());
            }
            (op::PUTSTATIC | op::PUTFIELD, Arg::Pool(index)) => {
                let Ok(field) = target.pool.reference(*index) else { return };
                let Some(kind) = Kind::of(&field.descriptor) else { return };
                let object = (insn.op == op::PUTFIELD).then_some(Kind::Reference);
                let operands: Vec<Kind> = object.into_iter().chain([kind]).collect();
                let words = format!("no store to field {}", field.name);
                self.add("STORE", drop_all(&operands), 0, words);
            }
            (op::IINC, Arg::Iinc(local, amount)) => {
                let words = format!("local {local} unchanged instead of += {amount}");
                self.add("STORE", Vec::new(), 0, words);
            }
            _ => {}
        }
    }

    fn calls(&mut self, insn: &Insn, target: &mut Target<'_>) {
        let Some(call) = Call::of(insn, target.pool) else { return };
        let Some(kind) = call.ty.result_kind() else { return };
        let (operands, title) = (call.operands(), call.title());
        // What is pushed may need a word more than what was popped.
        let deeper = kind.words();
        let mut constant = |push: Insn, words: &str| {
            let instead = drop_all(&operands).into_iter().chain([push]).collect();
            self.add("CALL", instead, deeper, format!("{words} instead of a call of {title}"));
        };
        constant(Insn::zero(kind), if kind == Kind::Reference { "null" } else { "0" });
        match call.ty.result.as_str() {
            "Z" => constant(Insn::plain(op::ICONST_1), "true"),
            "Ljava/lang/String;" => {
                if let Ok(text) = target.pool.add_text("") {
                    constant(Insn::new(op::LDC, Arg::Pool(text)), "\"\"");
                }
            }
            _ => {}
        }
        let receiver = call.has_receiver.then(|| format!("L{};", call.class));
        let types: Vec<&String> = receiver.iter().chain(&call.ty.parameters).collect();
        for (number, text) in types.iter().enumerate() {
            if **text == call.ty.result {
                let (instead, deeper) = keep(&operands, number);
                let words = match (call.has_receiver, number) {
                    (true, 0) => "the receiver".into(),
                    (true, _) => format!("argument {number}"),
                    (false, _) => format!("argument {}", number + 1),
                };
                self.add("CALL", instead, deeper, format!("{words} instead of a call of {title}"));
            }
        }
    }

    fn returns(&mut self, insn: &Insn, result: &str) {
        let op::IRETURN..=op::DRETURN = insn.op else { return };
        let kind = Kind::nth(insn.op - op::IRETURN);
        let mut add = |mut instead: Vec<Insn>, words: String| {
            instead.push(insn.clone());
            self.add("RETURN", instead, kind.words(), words);
        };
        if result == "Z" {
            add(
                vec![Insn::plain(op::ICONST_1), Insn::plain(op::IXOR)],
                "returns the opposite".into(),
            );
            return;
        }
        for (tail, words) in unary(kind).into_iter().take(2) {
            add(tail, format!("returns {words} of the value"));
        }
    }

    fn switches(&mut self, insn: &Insn) {
        let Arg::Switch(switch) = &insn.arg else { return };
        for (number, (key, target)) in switch.arms.iter().enumerate() {
            if *target != switch.default {
                let mut other = switch.clone();
                other.arms[number].1 = switch.default;
                let instead = vec![Insn::new(insn.op, Arg::Switch(other))];
                self.add("SWITCH", instead, 0, format!("case {key} is the default"));
            }
        }
    }
}

/// The negative, one more, one less, of a number on the stack.
fn unary(kind: Kind) -> Vec<(Vec<Insn>, &'static str)> {
    let number = kind.number();
    let one = Insn::plain(match kind {
        Kind::Long => op::LCONST_1,
        Kind::Float => op::FCONST_1,
        Kind::Double => op::DCONST_1,
        Kind::Int | Kind::Reference => op::ICONST_1,
    });
    vec![
        (vec![Insn::plain(op::INEG + number)], "the negative"),
        (vec![one.clone(), Insn::plain(op::IADD + number)], "one more"),
        (vec![one, Insn::plain(op::ISUB + number)], "one less"),
    ]
}
