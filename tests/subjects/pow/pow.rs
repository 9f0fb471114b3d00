//! `pow(k, e)`: k to the power of e, by squaring. Products wrap around, a negative exponent is refused.

#[macro_use]
mod genmorph;

fn pow(k: i32, mut e: i32) -> i32 {
    assert!(e >= 0);
    let mut result = 1_i32;
    let mut k2p = k;
    while e != 0 {
        if e & 1 != 0 {
            result = result.wrapping_mul(k2p);
        }
        k2p = k2p.wrapping_mul(k2p);
        e >>= 1;
    }
    result
}

genmorph! { pow: func(k: s32, e: s32) -> s32 }
