// gcd(p, q): the greatest common divisor, by Euclid. gcd(p, 0) is |p|.
#include "genmorph.h"

GENMORPH_EXPORT("gcd: func(p: s32, q: s32) -> s32")
int32_t gcd(int32_t p, int32_t q) {
    // Both negative: every integer has a negative, but the least one has no positive.
    int32_t u = p > 0 ? -p : p;
    int32_t v = q > 0 ? -q : q;
    while (v != 0) {
        // The least integer divided by -1 overflows in C.
        int32_t rest = v == -1 ? 0 : u % v;
        u = v;
        v = rest;
    }
    // 2^31 is no 32-bit integer.
    if (u == INT32_MIN) {
        __builtin_trap();
    }
    return -u;
}
