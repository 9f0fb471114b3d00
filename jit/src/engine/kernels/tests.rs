//! What the kernels promise beyond the definitions: exactness where they take another way.

use super::*;

/// Significands that division gets wrong first: few bits, many bits, and the neighbours of both.
fn hard_number(bits: u64) -> f64 {
    let random = bits.rotate_left(17).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let significand = match bits % 8 {
        0 => random >> 12,
        1 => random % 16,
        2 => (1 << 52) - 1 - random % 16,
        3 => (random % 4096) << 40,
        4 => (1 << 51) + random % 16,
        5 => (1_u64 << 52) - (1 << (random % 52)),
        6 => 1 << (random % 52),
        _ => random >> 12 & !((1 << (bits >> 3 & 31)) - 1),
    };
    let exponent = 1023 - 390 + (random >> 50) % 780;
    let sign = random & 1 << 63;
    f64::from_bits(sign | exponent << 52 | significand & ((1 << 52) - 1))
}

#[test]
fn tame_division_is_correctly_rounded() {
    const ROWS: usize = 512;
    let rounds = if cfg!(debug_assertions) { 4_000 } else { 200_000 };
    let context = Context { tolerance: Tolerance::new(0.0, 0.0).unwrap(), tame: true };
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    for round in 0..rounds {
        let small = round % 4 == 0;
        let mut number = || {
            let bits = next();
            if small { f64::from((bits >> 40) as i32 % 5000 - 2500) } else { hard_number(bits) }
        };
        let a: Vec<f64> = (0..ROWS).map(|_| number()).collect();
        let b: Vec<f64> = (0..ROWS).map(|_| number()).collect();
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            let mut to = vec![0.0; ROWS];
            let operands = [Source::Rows(&a), Source::Rows(&b)];
            Kernels::of(isa).arith(Operation::Div, &mut to, operands, &context);
            for ((&a, &b), &quotient) in a.iter().zip(&b).zip(&to) {
                let expected = context.tolerance.divide(a, b);
                assert!(
                    expected == quotient,
                    "{isa:?}: {a:e} / {b:e} = {quotient:e}, not {expected:e}"
                );
            }
        }
    }
}
