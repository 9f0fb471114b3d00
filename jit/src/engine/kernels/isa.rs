//! Instruction sets, and which of them this machine has.

/// An instruction set that the kernels are built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// What every machine of the target has: SSE2 on x86-64, NEON on aarch64. Through `wide`.
    Portable,
    /// 256-bit lanes (x86-64 with AVX2 and POPCNT).
    Avx2,
    /// 512-bit lanes and mask registers (x86-64 with AVX-512 F, BW, DQ, VL, VBMI and VPOPCNTDQ).
    Avx512,
}

impl Isa {
    /// All instruction sets, from the narrowest.
    pub const ALL: [Isa; 3] = [Isa::Portable, Isa::Avx2, Isa::Avx512];

    /// Whether this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Isa::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                Isa::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx2 | Isa::Avx512 => false,
        }
    }

    /// The widest that this machine has.
    pub fn best() -> Isa {
        let widest = Isa::ALL.into_iter().rev().find(|isa| isa.is_available());
        widest.expect("the portable kernels run everywhere")
    }
}
