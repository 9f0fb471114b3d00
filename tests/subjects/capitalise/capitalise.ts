// capitalise(s): s with its first character in upper case, if that is a letter from a to z, in AssemblyScript.
// A string comes as the address of its bytes and their number, and goes as the address of both.

export function capitalise(s: usize, length: i32): usize {
  const result = heap.alloc(length);
  for (let i = 0; i < length; i++) {
    store<u8>(result + i, load<u8>(s + i));
  }
  if (length > 0) {
    const first = load<u8>(s);
    if (first >= 97 && first <= 122) store<u8>(result, first - 32);
  }
  const sequence = heap.alloc(8);
  store<usize>(sequence, result);
  store<i32>(sequence, length, 4);
  return sequence;
}

// The canonical ABI's way to place arguments in memory.
export function cabi_realloc(old: usize, oldSize: usize, align: usize, size: usize): usize {
  return heap.alloc(size);
}
