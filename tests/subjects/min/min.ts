// min(values): the least of them, in AssemblyScript; NaN if one of them is. Refuses an empty list.
// A list<f64> comes as the address of its elements and their number.

export function min(values: usize, length: i32): f64 {
  if (length == 0) unreachable();
  let least = load<f64>(values);
  for (let i = 1; i < length; i++) {
    const value = load<f64>(values + i * 8);
    if (value != value) return value;
    if (value < least) least = value;
  }
  return least;
}
