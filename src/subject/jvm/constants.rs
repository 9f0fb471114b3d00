//! The literals of a method and of what it calls in its class: likely to matter as inputs.

use std::collections::BTreeMap;

use super::class::{Arg, ClassError, ClassFile, op};
use super::literal::Literal;
use crate::subject::Constant;

/// The numbers, most frequent first. Characters are their codes; keys of switches count too.
pub(super) fn of(
    class: &ClassFile,
    method: &str,
    descriptor: &str,
) -> Result<Vec<Constant>, ClassError> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    let mut add = |value: f64| *counts.entry(value.to_bits()).or_default() += 1;
    visit(class, method, descriptor, &mut |found| match found {
        Literal::Int(value) => add(value.into()),
        // Beyond 2^53 the nearest double is near enough for an input.
        Literal::Long(value) => add(value as f64),
        Literal::Float(value) => add(value.into()),
        Literal::Double(value) => add(value),
        Literal::Text(_) => {}
    })?;
    let mut constants: Vec<Constant> = counts
        .into_iter()
        .map(|(bits, count)| Constant { value: f64::from_bits(bits), count })
        .collect();
    constants.sort_by(|a, b| b.count.cmp(&a.count).then(a.value.total_cmp(&b.value)));
    Ok(constants)
}

/// The texts, most frequent first.
pub(super) fn strings(
    class: &ClassFile,
    method: &str,
    descriptor: &str,
) -> Result<Vec<String>, ClassError> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    visit(class, method, descriptor, &mut |found| {
        if let Literal::Text(text) = found {
            *counts.entry(text).or_default() += 1;
        }
    })?;
    let mut texts: Vec<(String, usize)> = counts.into_iter().collect();
    texts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Ok(texts.into_iter().map(|(text, _)| text).collect())
}

/// Goes through the literals of a method, and of the methods of its class that it calls.
fn visit(
    class: &ClassFile,
    method: &str,
    descriptor: &str,
    found: &mut dyn FnMut(Literal),
) -> Result<(), ClassError> {
    let mut methods = vec![class.method_index(method, descriptor)?];
    class.code(&class.methods[methods[0]])?;
    let name = class.name();
    let mut next = 0;
    while next < methods.len() {
        let is_first = next == 0;
        // A callee may be abstract or native.
        let Ok(code) = class.code(&class.methods[methods[next]]) else {
            next += 1;
            continue;
        };
        for insn in &code.insns {
            if let Some(literal) = Literal::of(insn, &class.pool) {
                found(literal);
            }
            if let Arg::Switch(switch) = &insn.arg {
                let arms = switch.arms.iter().filter(|(_, to)| *to != switch.default);
                arms.for_each(|(key, _)| found(Literal::Int(*key)));
            }
            let is_call = matches!(insn.op, op::INVOKEVIRTUAL..=op::INVOKESTATIC);
            if let Some(index) = insn.pool().filter(|_| is_call && is_first)
                && let Ok(callee) = class.pool.reference(index)
                && callee.class == name
                && let Ok(callee) = class.method_index(&callee.name, &callee.descriptor)
                && !methods.contains(&callee)
            {
                methods.push(callee);
            }
        }
        next += 1;
    }
    Ok(())
}
