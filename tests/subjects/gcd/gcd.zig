// gcd(p, q): the greatest common divisor, by Euclid, in Zig. gcd(p, 0) is |p|.

fn gcd(p: i32, q: i32) callconv(.c) i32 {
    // Both negative: every integer has a negative, but the least one has no positive.
    var u = if (p > 0) -p else p;
    var v = if (q > 0) -q else q;
    while (v != 0) {
        // The least integer divided by -1 overflows in Zig.
        const rest = if (v == -1) 0 else @rem(u, v);
        u = v;
        v = rest;
    }
    // Overflows for 2^31, which is no 32-bit integer.
    return -u;
}

comptime {
    @export(&gcd, .{ .name = "gm:gcd: func(p: s32, q: s32) -> s32" });
}
