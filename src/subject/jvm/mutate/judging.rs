//! Group B: the mutators that PIT 1.7.4 has by default, under their names, before its filters.
//!
//! The relations of the paper were judged by these, so what they do is taken from PIT to the letter. `filter.rs` takes
//! away those that PIT does not report.

use super::calls::Call;
use super::stack::drop_all;
use super::{Change, Target};
use crate::subject::jvm::class::{Arg, ClassError, Entry, Insn, Kind, op};

/// All changes, in the order of the code.
pub(super) fn changes(target: &mut Target<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    let code = target.code;
    for (at, insn) in code.insns.iter().enumerate() {
        let mut add = |operator, instead: Vec<Insn>, words: String| {
            // A long or double that is put into an object takes a word more than the object.
            let deeper = u16::from(operator == "EMPTY_RETURNS");
            changes.push(Change { at, operator, instead, deeper, words });
        };
        let mut swap = |operator, to: u8| {
            let other = Insn { op: to, arg: insn.arg.clone() };
            let words = format!("{} instead of {}", other.name(), insn.name());
            add(operator, vec![other], words);
        };
        if let Some(other) = arithmetic(insn.op) {
            swap("MATH", other);
        }
        if let Some(other) = negated(insn.op) {
            swap("NEGATE_CONDITIONALS", other);
        }
        if let Some(other) = boundary(insn.op) {
            swap("CONDITIONALS_BOUNDARY", other);
        }
        match (insn.op, &insn.arg) {
            (op::INEG..=op::DNEG, _) => {
                add("INVERT_NEGS", Vec::new(), format!("no {}", insn.name()));
            }
            (op::IINC, Arg::Iinc(local, amount)) => {
                let other = amount.wrapping_neg();
                let words = format!("local {local} += {other} instead of += {amount}");
                add("INCREMENTS", vec![Insn::new(op::IINC, Arg::Iinc(*local, other))], words);
            }
            (op::INVOKEVIRTUAL..=op::INVOKEINTERFACE, _) => {
                let call = Call::of(insn, target.pool);
                let Some(call) = call.filter(|call| call.ty.result == "V") else { continue };
                if !call.is_constructor() {
                    let words = format!("no call of {}", call.title());
                    add("VOID_METHOD_CALLS", drop_all(&call.operands()), words);
                }
            }
            (op::IRETURN..=op::ARETURN, _) => {
                for (operator, value, words) in returns(target, insn.op) {
                    // Only a full constant pool fails.
                    let Ok(value) = value else { continue };
                    let kind = Kind::nth(insn.op - op::IRETURN);
                    let pushed = [Insn::pop(kind)].into_iter().chain(value).chain([insn.clone()]);
                    add(operator, pushed.collect(), format!("returns {words}"));
                }
            }
            _ => {}
        }
    }
    changes
}

/// PIT's `MATH`: the opcode that replaces an arithmetic one.
pub(super) fn arithmetic(opcode: u8) -> Option<u8> {
    // Each family has int, long, float and double, in this order; shifts and logic have int and long.
    let family = |from: u8, to: u8| Some(to + (opcode - from));
    match opcode {
        op::IADD..=op::DADD => family(op::IADD, op::ISUB),
        op::ISUB..=op::DSUB => family(op::ISUB, op::IADD),
        op::IMUL..=op::DMUL => family(op::IMUL, op::IDIV),
        op::IDIV..=op::DDIV => family(op::IDIV, op::IMUL),
        op::IREM..=op::DREM => family(op::IREM, op::IMUL),
        op::ISHL..=op::LSHL => family(op::ISHL, op::ISHR),
        op::ISHR..=op::LSHR => family(op::ISHR, op::ISHL),
        op::IUSHR..=op::LUSHR => family(op::IUSHR, op::ISHL),
        op::IAND..=op::LAND => family(op::IAND, op::IOR),
        op::IOR..=op::LOR => family(op::IOR, op::IAND),
        op::IXOR..=op::LXOR => family(op::IXOR, op::IAND),
        _ => None,
    }
}

/// PIT's `NEGATE_CONDITIONALS`: the opcode of the opposite condition.
pub(super) fn negated(opcode: u8) -> Option<u8> {
    match opcode {
        // Pairs of opposites stand next to each other, beginning with odd numbers.
        op::IFEQ..=op::IF_ACMPNE => Some(((opcode - op::IFEQ) ^ 1) + op::IFEQ),
        op::IFNULL => Some(op::IFNONNULL),
        op::IFNONNULL => Some(op::IFNULL),
        _ => None,
    }
}

/// PIT's `CONDITIONALS_BOUNDARY`: the opcode with the other boundary.
pub(super) fn boundary(opcode: u8) -> Option<u8> {
    match opcode {
        op::IFLT => Some(op::IFLE),
        op::IFLE => Some(op::IFLT),
        op::IFGT => Some(op::IFGE),
        op::IFGE => Some(op::IFGT),
        op::IF_ICMPLT => Some(op::IF_ICMPLE),
        op::IF_ICMPLE => Some(op::IF_ICMPLT),
        op::IF_ICMPGT => Some(op::IF_ICMPGE),
        op::IF_ICMPGE => Some(op::IF_ICMPGT),
        _ => None,
    }
}

type Value = Result<Vec<Insn>, ClassError>;

/// What a method may return instead, by the type that it declares: operator, code, words.
fn returns(target: &mut Target<'_>, opcode: u8) -> Vec<(&'static str, Value, String)> {
    let zero = Insn::zero(Kind::nth(opcode - op::IRETURN));
    let result = target.ty.result.clone();
    match result.as_str() {
        "Z" => {
            let value = |opcode| Ok(vec![Insn::plain(opcode)]);
            return vec![
                ("TRUE_RETURNS", value(op::ICONST_1), "true".into()),
                ("FALSE_RETURNS", value(op::ICONST_0), "false".into()),
            ];
        }
        "Ljava/lang/Boolean;" => {
            let mut value = |opcode| boxed(target, Insn::plain(opcode), "java/lang/Boolean", "Z");
            return vec![
                ("TRUE_RETURNS", value(op::ICONST_1), "true".into()),
                ("FALSE_RETURNS", value(op::ICONST_0), "false".into()),
            ];
        }
        _ => {}
    }
    if opcode != op::ARETURN {
        return vec![("PRIMITIVE_RETURNS", Ok(vec![zero]), "0".into())];
    }
    if let Some((value, words)) = empty(target, &result) {
        return vec![("EMPTY_RETURNS", value, words)];
    }
    if target.annotations.iter().any(|name| name.ends_with("NotNull;")) {
        return Vec::new();
    }
    vec![("NULL_RETURNS", Ok(vec![zero]), "null".into())]
}

/// The empty value of a type that has one.
fn empty(target: &mut Target<'_>, result: &str) -> Option<(Value, String)> {
    let class = result.strip_prefix('L')?.strip_suffix(';')?;
    let plain = Insn::plain;
    let zero =
        |target: &mut Target<'_>, insn, of| Some((boxed(target, insn, class, of), "0".into()));
    let call = |target: &mut Target<'_>, class: &str, name: &str| {
        let method = target.pool.add_method(class, name, &format!("(){result}"));
        let words = format!("{}.{name}()", class.rsplit('/').next().unwrap_or(class));
        Some((method.map(|method| vec![Insn::call(method)]), words))
    };
    match class {
        "java/lang/Integer" => zero(target, plain(op::ICONST_0), "I"),
        "java/lang/Short" => zero(target, plain(op::ICONST_0), "S"),
        "java/lang/Character" => zero(target, plain(op::ICONST_0), "C"),
        "java/lang/Long" => zero(target, plain(op::LCONST_0), "J"),
        "java/lang/Float" => zero(target, plain(op::FCONST_0), "F"),
        "java/lang/Double" => zero(target, plain(op::DCONST_0), "D"),
        "java/lang/String" => {
            let text = target.pool.add_text("");
            let value = text.map(|text| vec![Insn::new(op::LDC, Arg::Pool(text))]);
            Some((value, "\"\"".into()))
        }
        "java/util/Optional" => call(target, class, "empty"),
        "java/util/stream/Stream" => {
            let names = [class, "empty", "()Ljava/util/stream/Stream;"];
            let value = target.pool.add_reference(Entry::InterfaceMethod, names);
            Some((value.map(|method| vec![Insn::call(method)]), "Stream.empty()".into()))
        }
        "java/util/List" => call(target, "java/util/Collections", "emptyList"),
        "java/util/Map" => call(target, "java/util/Collections", "emptyMap"),
        "java/util/Set" => call(target, "java/util/Collections", "emptySet"),
        "java/util/Collection" => {
            let method =
                target.pool.add_method("java/util/Collections", "emptyList", "()Ljava/util/List;");
            Some((method.map(|method| vec![Insn::call(method)]), "Collections.emptyList()".into()))
        }
        _ => None,
    }
}

/// A primitive value in an object.
fn boxed(target: &mut Target<'_>, value: Insn, class: &str, of: &str) -> Value {
    let method = target.pool.add_method(class, "valueOf", &format!("({of})L{class};"))?;
    Ok(vec![value, Insn::call(method)])
}
