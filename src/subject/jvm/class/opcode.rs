//! The instructions of the JVM: their numbers and names, which the specification gives, and the families they come in.

/// Makes a constant of each name, numbered from 0 on, and the list of the names.
macro_rules! instructions {
    ($($name:ident)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "the specification's names")]
        enum Number { $($name),* }

        const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The numbers of instructions. Those that only write another one shorter (`iload_1`, `ldc_w`, `goto_w`) are known
        /// to `decode.rs` and `encode.rs` alone.
        #[allow(dead_code, reason = "the list is the specification's; what is not used yet is no loss")]
        pub(crate) mod op {
            $(pub(crate) const $name: u8 = super::Number::$name as u8;)*
        }
    };
}

instructions! {
    // Constants, from 0 on.
    NOP ACONST_NULL ICONST_M1 ICONST_0 ICONST_1 ICONST_2 ICONST_3 ICONST_4 ICONST_5 LCONST_0
    LCONST_1 FCONST_0 FCONST_1 FCONST_2 DCONST_0 DCONST_1 BIPUSH SIPUSH LDC LDC_W LDC2_W
    // Loads, from 21 on.
    ILOAD LLOAD FLOAD DLOAD ALOAD ILOAD_0 ILOAD_1 ILOAD_2 ILOAD_3 LLOAD_0 LLOAD_1 LLOAD_2 LLOAD_3
    FLOAD_0 FLOAD_1 FLOAD_2 FLOAD_3 DLOAD_0 DLOAD_1 DLOAD_2 DLOAD_3 ALOAD_0 ALOAD_1 ALOAD_2 ALOAD_3
    IALOAD LALOAD FALOAD DALOAD AALOAD BALOAD CALOAD SALOAD
    // Stores, from 54 on.
    ISTORE LSTORE FSTORE DSTORE ASTORE ISTORE_0 ISTORE_1 ISTORE_2 ISTORE_3 LSTORE_0 LSTORE_1
    LSTORE_2 LSTORE_3 FSTORE_0 FSTORE_1 FSTORE_2 FSTORE_3 DSTORE_0 DSTORE_1 DSTORE_2 DSTORE_3
    ASTORE_0 ASTORE_1 ASTORE_2 ASTORE_3 IASTORE LASTORE FASTORE DASTORE AASTORE BASTORE CASTORE
    SASTORE
    // The operand stack, from 87 on.
    POP POP2 DUP DUP_X1 DUP_X2 DUP2 DUP2_X1 DUP2_X2 SWAP
    // Arithmetic, from 96 on.
    IADD LADD FADD DADD ISUB LSUB FSUB DSUB IMUL LMUL FMUL DMUL IDIV LDIV FDIV DDIV IREM LREM FREM
    DREM INEG LNEG FNEG DNEG ISHL LSHL ISHR LSHR IUSHR LUSHR IAND LAND IOR LOR IXOR LXOR IINC
    // Conversions, from 133 on.
    I2L I2F I2D L2I L2F L2D F2I F2L F2D D2I D2L D2F I2B I2C I2S
    // Comparisons, from 148 on.
    LCMP FCMPL FCMPG DCMPL DCMPG IFEQ IFNE IFLT IFGE IFGT IFLE IF_ICMPEQ IF_ICMPNE IF_ICMPLT
    IF_ICMPGE IF_ICMPGT IF_ICMPLE IF_ACMPEQ IF_ACMPNE
    // Control, from 167 on.
    GOTO JSR RET TABLESWITCH LOOKUPSWITCH IRETURN LRETURN FRETURN DRETURN ARETURN RETURN
    // References, from 178 on.
    GETSTATIC PUTSTATIC GETFIELD PUTFIELD INVOKEVIRTUAL INVOKESPECIAL INVOKESTATIC INVOKEINTERFACE
    INVOKEDYNAMIC NEW NEWARRAY ANEWARRAY ARRAYLENGTH ATHROW CHECKCAST INSTANCEOF MONITORENTER
    MONITOREXIT
    // The rest, from 196 on.
    WIDE MULTIANEWARRAY IFNULL IFNONNULL GOTO_W JSR_W
}

/// The name of an instruction.
pub(crate) fn name(opcode: u8) -> String {
    NAMES.get(usize::from(opcode)).copied().unwrap_or("unknown").to_ascii_lowercase()
}

/// The number of the instruction with a name.
pub(crate) fn opcode(name: &str) -> Option<u8> {
    let place = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name))?;
    u8::try_from(place).ok()
}

/// Whether code never goes on behind an instruction.
pub(crate) fn ends_flow(opcode: u8) -> bool {
    matches!(
        opcode,
        op::GOTO | op::RET | op::TABLESWITCH | op::LOOKUPSWITCH | op::IRETURN
            ..=op::RETURN | op::ATHROW
    )
}

/// Whether it jumps or goes on, depending on one or two operands.
pub(crate) fn is_conditional(opcode: u8) -> bool {
    matches!(opcode, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_numbers() {
        let known =
            [(op::NOP, "nop"), (op::IADD, "iadd"), (op::IFEQ, "ifeq"), (op::JSR_W, "jsr_w")];
        assert_eq!(known.map(|(opcode, _)| name(opcode)), known.map(|(_, name)| name));
        assert_eq!((op::IADD, op::IFEQ, op::RETURN, op::WIDE), (0x60, 0x99, 0xb1, 0xc4));
        assert_eq!(name(250), "unknown");
    }
}
