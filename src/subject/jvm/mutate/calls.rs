//! Calls: what they take from the stack and what they leave.

use crate::subject::jvm::class::{Insn, Kind, MethodType, Pool, op};

/// What an instruction calls.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The class, as `java/lang/String`; empty for `invokedynamic`.
    pub(super) class: String,
    pub(super) name: String,
    pub(super) descriptor: String,
    pub(super) ty: MethodType,
    /// Whether an object comes before the arguments.
    pub(super) has_receiver: bool,
}

impl Call {
    /// The call that an instruction is.
    pub(super) fn of(insn: &Insn, pool: &Pool) -> Option<Call> {
        if !matches!(insn.op, op::INVOKEVIRTUAL..=op::INVOKEDYNAMIC) {
            return None;
        }
        let method = pool.reference(insn.pool()?).ok()?;
        Some(Call {
            ty: MethodType::parse(&method.descriptor).ok()?,
            class: method.class,
            name: method.name,
            descriptor: method.descriptor,
            has_receiver: !matches!(insn.op, op::INVOKESTATIC | op::INVOKEDYNAMIC),
        })
    }

    /// The kinds of what it takes, with the receiver, from the bottom to the top.
    pub(super) fn operands(&self) -> Vec<Kind> {
        let receiver = self.has_receiver.then_some(Kind::Reference);
        receiver.into_iter().chain(self.ty.kinds()).collect()
    }

    /// Whether it calls a constructor.
    pub(super) fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }

    /// Class and method for people, such as `Arrays.sort`.
    pub(super) fn title(&self) -> String {
        match self.class.rsplit('/').next() {
            Some(class) if !class.is_empty() => format!("{class}.{}", self.name),
            _ => self.name.clone(),
        }
    }
}
