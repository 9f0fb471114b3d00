// gcd(p, q): the greatest common divisor, by Euclid, in AssemblyScript. gcd(p, 0) is |p|.

export function gcd(p: i32, q: i32): i32 {
  // Both negative: every integer has a negative, but the least one has no positive.
  let u = p > 0 ? -p : p;
  let v = q > 0 ? -q : q;
  while (v != 0) {
    const rest = u % v;
    u = v;
    v = rest;
  }
  // 2^31 is no 32-bit integer.
  if (u == i32.MIN_VALUE) unreachable();
  return -u;
}
