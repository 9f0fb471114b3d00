//! The instructions of the JVM: their numbers and names, which the specification gives, and the families they come in.

/// The numbers of instructions. Those that only write another one shorter (`iload_1`, `ldc_w`, `goto_w`) are known
/// to `decode.rs` and `encode.rs` alone.
#[allow(dead_code, reason = "the list is the specification's; what is not used yet is no loss")]
pub(crate) mod op {
    pub(crate) const NOP: u8 = 0;
    pub(crate) const ACONST_NULL: u8 = 1;
    pub(crate) const ICONST_M1: u8 = 2;
    pub(crate) const ICONST_0: u8 = 3;
    pub(crate) const ICONST_1: u8 = 4;
    pub(crate) const ICONST_2: u8 = 5;
    pub(crate) const ICONST_3: u8 = 6;
    pub(crate) const ICONST_4: u8 = 7;
    pub(crate) const ICONST_5: u8 = 8;
    pub(crate) const LCONST_0: u8 = 9;
    pub(crate) const LCONST_1: u8 = 10;
    pub(crate) const FCONST_0: u8 = 11;
    pub(crate) const FCONST_1: u8 = 12;
    pub(crate) const FCONST_2: u8 = 13;
    pub(crate) const DCONST_0: u8 = 14;
    pub(crate) const DCONST_1: u8 = 15;
    pub(crate) const BIPUSH: u8 = 16;
    pub(crate) const SIPUSH: u8 = 17;
    pub(crate) const LDC: u8 = 18;
    pub(crate) const LDC_W: u8 = 19;
    pub(crate) const LDC2_W: u8 = 20;
    pub(crate) const ILOAD: u8 = 21;
    pub(crate) const LLOAD: u8 = 22;
    pub(crate) const FLOAD: u8 = 23;
    pub(crate) const DLOAD: u8 = 24;
    pub(crate) const ALOAD: u8 = 25;
    pub(crate) const IALOAD: u8 = 46;
    pub(crate) const LALOAD: u8 = 47;
    pub(crate) const FALOAD: u8 = 48;
    pub(crate) const DALOAD: u8 = 49;
    pub(crate) const AALOAD: u8 = 50;
    pub(crate) const BALOAD: u8 = 51;
    pub(crate) const CALOAD: u8 = 52;
    pub(crate) const SALOAD: u8 = 53;
    pub(crate) const ISTORE: u8 = 54;
    pub(crate) const LSTORE: u8 = 55;
    pub(crate) const FSTORE: u8 = 56;
    pub(crate) const DSTORE: u8 = 57;
    pub(crate) const ASTORE: u8 = 58;
    pub(crate) const IASTORE: u8 = 79;
    pub(crate) const LASTORE: u8 = 80;
    pub(crate) const FASTORE: u8 = 81;
    pub(crate) const DASTORE: u8 = 82;
    pub(crate) const AASTORE: u8 = 83;
    pub(crate) const BASTORE: u8 = 84;
    pub(crate) const CASTORE: u8 = 85;
    pub(crate) const SASTORE: u8 = 86;
    pub(crate) const POP: u8 = 87;
    pub(crate) const POP2: u8 = 88;
    pub(crate) const DUP: u8 = 89;
    pub(crate) const DUP_X1: u8 = 90;
    pub(crate) const DUP_X2: u8 = 91;
    pub(crate) const DUP2: u8 = 92;
    pub(crate) const DUP2_X1: u8 = 93;
    pub(crate) const DUP2_X2: u8 = 94;
    pub(crate) const SWAP: u8 = 95;
    pub(crate) const IADD: u8 = 96;
    pub(crate) const LADD: u8 = 97;
    pub(crate) const FADD: u8 = 98;
    pub(crate) const DADD: u8 = 99;
    pub(crate) const ISUB: u8 = 100;
    pub(crate) const LSUB: u8 = 101;
    pub(crate) const FSUB: u8 = 102;
    pub(crate) const DSUB: u8 = 103;
    pub(crate) const IMUL: u8 = 104;
    pub(crate) const LMUL: u8 = 105;
    pub(crate) const FMUL: u8 = 106;
    pub(crate) const DMUL: u8 = 107;
    pub(crate) const IDIV: u8 = 108;
    pub(crate) const LDIV: u8 = 109;
    pub(crate) const FDIV: u8 = 110;
    pub(crate) const DDIV: u8 = 111;
    pub(crate) const IREM: u8 = 112;
    pub(crate) const LREM: u8 = 113;
    pub(crate) const FREM: u8 = 114;
    pub(crate) const DREM: u8 = 115;
    pub(crate) const INEG: u8 = 116;
    pub(crate) const LNEG: u8 = 117;
    pub(crate) const FNEG: u8 = 118;
    pub(crate) const DNEG: u8 = 119;
    pub(crate) const ISHL: u8 = 120;
    pub(crate) const LSHL: u8 = 121;
    pub(crate) const ISHR: u8 = 122;
    pub(crate) const LSHR: u8 = 123;
    pub(crate) const IUSHR: u8 = 124;
    pub(crate) const LUSHR: u8 = 125;
    pub(crate) const IAND: u8 = 126;
    pub(crate) const LAND: u8 = 127;
    pub(crate) const IOR: u8 = 128;
    pub(crate) const LOR: u8 = 129;
    pub(crate) const IXOR: u8 = 130;
    pub(crate) const LXOR: u8 = 131;
    pub(crate) const IINC: u8 = 132;
    pub(crate) const I2L: u8 = 133;
    pub(crate) const I2F: u8 = 134;
    pub(crate) const I2D: u8 = 135;
    pub(crate) const L2I: u8 = 136;
    pub(crate) const L2F: u8 = 137;
    pub(crate) const L2D: u8 = 138;
    pub(crate) const F2I: u8 = 139;
    pub(crate) const F2L: u8 = 140;
    pub(crate) const F2D: u8 = 141;
    pub(crate) const D2I: u8 = 142;
    pub(crate) const D2L: u8 = 143;
    pub(crate) const D2F: u8 = 144;
    pub(crate) const I2B: u8 = 145;
    pub(crate) const I2C: u8 = 146;
    pub(crate) const I2S: u8 = 147;
    pub(crate) const LCMP: u8 = 148;
    pub(crate) const FCMPL: u8 = 149;
    pub(crate) const FCMPG: u8 = 150;
    pub(crate) const DCMPL: u8 = 151;
    pub(crate) const DCMPG: u8 = 152;
    pub(crate) const IFEQ: u8 = 153;
    pub(crate) const IFNE: u8 = 154;
    pub(crate) const IFLT: u8 = 155;
    pub(crate) const IFGE: u8 = 156;
    pub(crate) const IFGT: u8 = 157;
    pub(crate) const IFLE: u8 = 158;
    pub(crate) const IF_ICMPEQ: u8 = 159;
    pub(crate) const IF_ICMPNE: u8 = 160;
    pub(crate) const IF_ICMPLT: u8 = 161;
    pub(crate) const IF_ICMPGE: u8 = 162;
    pub(crate) const IF_ICMPGT: u8 = 163;
    pub(crate) const IF_ICMPLE: u8 = 164;
    pub(crate) const IF_ACMPEQ: u8 = 165;
    pub(crate) const IF_ACMPNE: u8 = 166;
    pub(crate) const GOTO: u8 = 167;
    pub(crate) const JSR: u8 = 168;
    pub(crate) const RET: u8 = 169;
    pub(crate) const TABLESWITCH: u8 = 170;
    pub(crate) const LOOKUPSWITCH: u8 = 171;
    pub(crate) const IRETURN: u8 = 172;
    pub(crate) const LRETURN: u8 = 173;
    pub(crate) const FRETURN: u8 = 174;
    pub(crate) const DRETURN: u8 = 175;
    pub(crate) const ARETURN: u8 = 176;
    pub(crate) const RETURN: u8 = 177;
    pub(crate) const GETSTATIC: u8 = 178;
    pub(crate) const PUTSTATIC: u8 = 179;
    pub(crate) const GETFIELD: u8 = 180;
    pub(crate) const PUTFIELD: u8 = 181;
    pub(crate) const INVOKEVIRTUAL: u8 = 182;
    pub(crate) const INVOKESPECIAL: u8 = 183;
    pub(crate) const INVOKESTATIC: u8 = 184;
    pub(crate) const INVOKEINTERFACE: u8 = 185;
    pub(crate) const INVOKEDYNAMIC: u8 = 186;
    pub(crate) const NEW: u8 = 187;
    pub(crate) const NEWARRAY: u8 = 188;
    pub(crate) const ANEWARRAY: u8 = 189;
    pub(crate) const ARRAYLENGTH: u8 = 190;
    pub(crate) const ATHROW: u8 = 191;
    pub(crate) const CHECKCAST: u8 = 192;
    pub(crate) const INSTANCEOF: u8 = 193;
    pub(crate) const MONITORENTER: u8 = 194;
    pub(crate) const MONITOREXIT: u8 = 195;
    pub(crate) const WIDE: u8 = 196;
    pub(crate) const MULTIANEWARRAY: u8 = 197;
    pub(crate) const IFNULL: u8 = 198;
    pub(crate) const IFNONNULL: u8 = 199;
    pub(crate) const GOTO_W: u8 = 200;
    pub(crate) const JSR_W: u8 = 201;
}

const NAMES: [&str; 202] = [
    "nop",
    "aconst_null",
    "iconst_m1",
    "iconst_0",
    "iconst_1",
    "iconst_2",
    "iconst_3",
    "iconst_4",
    "iconst_5",
    "lconst_0",
    "lconst_1",
    "fconst_0",
    "fconst_1",
    "fconst_2",
    "dconst_0",
    "dconst_1",
    "bipush",
    "sipush",
    "ldc",
    "ldc_w",
    "ldc2_w",
    "iload",
    "lload",
    "fload",
    "dload",
    "aload",
    "iload_0",
    "iload_1",
    "iload_2",
    "iload_3",
    "lload_0",
    "lload_1",
    "lload_2",
    "lload_3",
    "fload_0",
    "fload_1",
    "fload_2",
    "fload_3",
    "dload_0",
    "dload_1",
    "dload_2",
    "dload_3",
    "aload_0",
    "aload_1",
    "aload_2",
    "aload_3",
    "iaload",
    "laload",
    "faload",
    "daload",
    "aaload",
    "baload",
    "caload",
    "saload",
    "istore",
    "lstore",
    "fstore",
    "dstore",
    "astore",
    "istore_0",
    "istore_1",
    "istore_2",
    "istore_3",
    "lstore_0",
    "lstore_1",
    "lstore_2",
    "lstore_3",
    "fstore_0",
    "fstore_1",
    "fstore_2",
    "fstore_3",
    "dstore_0",
    "dstore_1",
    "dstore_2",
    "dstore_3",
    "astore_0",
    "astore_1",
    "astore_2",
    "astore_3",
    "iastore",
    "lastore",
    "fastore",
    "dastore",
    "aastore",
    "bastore",
    "castore",
    "sastore",
    "pop",
    "pop2",
    "dup",
    "dup_x1",
    "dup_x2",
    "dup2",
    "dup2_x1",
    "dup2_x2",
    "swap",
    "iadd",
    "ladd",
    "fadd",
    "dadd",
    "isub",
    "lsub",
    "fsub",
    "dsub",
    "imul",
    "lmul",
    "fmul",
    "dmul",
    "idiv",
    "ldiv",
    "fdiv",
    "ddiv",
    "irem",
    "lrem",
    "frem",
    "drem",
    "ineg",
    "lneg",
    "fneg",
    "dneg",
    "ishl",
    "lshl",
    "ishr",
    "lshr",
    "iushr",
    "lushr",
    "iand",
    "land",
    "ior",
    "lor",
    "ixor",
    "lxor",
    "iinc",
    "i2l",
    "i2f",
    "i2d",
    "l2i",
    "l2f",
    "l2d",
    "f2i",
    "f2l",
    "f2d",
    "d2i",
    "d2l",
    "d2f",
    "i2b",
    "i2c",
    "i2s",
    "lcmp",
    "fcmpl",
    "fcmpg",
    "dcmpl",
    "dcmpg",
    "ifeq",
    "ifne",
    "iflt",
    "ifge",
    "ifgt",
    "ifle",
    "if_icmpeq",
    "if_icmpne",
    "if_icmplt",
    "if_icmpge",
    "if_icmpgt",
    "if_icmple",
    "if_acmpeq",
    "if_acmpne",
    "goto",
    "jsr",
    "ret",
    "tableswitch",
    "lookupswitch",
    "ireturn",
    "lreturn",
    "freturn",
    "dreturn",
    "areturn",
    "return",
    "getstatic",
    "putstatic",
    "getfield",
    "putfield",
    "invokevirtual",
    "invokespecial",
    "invokestatic",
    "invokeinterface",
    "invokedynamic",
    "new",
    "newarray",
    "anewarray",
    "arraylength",
    "athrow",
    "checkcast",
    "instanceof",
    "monitorenter",
    "monitorexit",
    "wide",
    "multianewarray",
    "ifnull",
    "ifnonnull",
    "goto_w",
    "jsr_w",
];

/// The name of an instruction.
pub(crate) fn name(opcode: u8) -> &'static str {
    NAMES.get(usize::from(opcode)).copied().unwrap_or("unknown")
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
