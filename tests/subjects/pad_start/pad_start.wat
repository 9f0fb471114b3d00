;; pad_start(text, n, c): the text with the character c before it until it has n characters.
(module
  (memory (export "memory") 1)

  ;; Where free memory begins. Nothing is ever given back: memory is as it was before every call.
  (global $heap (mut i32) (i32.const 16))

  ;; New memory of this size; grows if there is not enough, and gives up if it cannot.
  (func $alloc (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $heap))
    (global.set $heap (i32.add (local.get $at) (local.get $size)))
    (block $enough
      (br_if $enough
        (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
      (br_if $enough
        (i32.ne
          (memory.grow
            (i32.add (i32.div_u (local.get $size) (i32.const 65536)) (i32.const 1)))
          (i32.const -1)))
      (unreachable))
    (local.get $at))

  ;; The canonical ABI's way to place arguments. Arguments are texts, which need no alignment.
  (func (export "cabi_realloc")
      (param $old i32) (param $old_size i32) (param $align i32) (param $size i32) (result i32)
    (call $alloc (local.get $size)))

  ;; How many characters a text has: bytes that do not continue one.
  (func $count (param $at i32) (param $length i32) (result i32)
    (local $i i32)
    (local $count i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        ;; if ((text[i] & 0xc0) != 0x80) count++
        (if (i32.ne
              (i32.and
                (i32.load8_u (i32.add (local.get $at) (local.get $i)))
                (i32.const 0xc0))
              (i32.const 0x80))
          (then (local.set $count (i32.add (local.get $count) (i32.const 1)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (local.get $count))

  ;; Writes a byte that continues a character: the six bits of c from `shift` on.
  (func $continue (param $to i32) (param $c i32) (param $shift i32)
    (i32.store8
      (local.get $to)
      (i32.or
        (i32.const 0x80)
        (i32.and (i32.shr_u (local.get $c) (local.get $shift)) (i32.const 0x3f)))))

  ;; Writes a character in UTF-8; returns where it stopped writing.
  (func $put (param $to i32) (param $c i32) (result i32)
    (if (i32.lt_u (local.get $c) (i32.const 0x80))
      (then
        (i32.store8 (local.get $to) (local.get $c))
        (return (i32.add (local.get $to) (i32.const 1)))))
    (if (i32.lt_u (local.get $c) (i32.const 0x800))
      (then
        (i32.store8
          (local.get $to)
          (i32.or (i32.const 0xc0) (i32.shr_u (local.get $c) (i32.const 6))))
        (call $continue (i32.add (local.get $to) (i32.const 1)) (local.get $c) (i32.const 0))
        (return (i32.add (local.get $to) (i32.const 2)))))
    (if (i32.lt_u (local.get $c) (i32.const 0x10000))
      (then
        (i32.store8
          (local.get $to)
          (i32.or (i32.const 0xe0) (i32.shr_u (local.get $c) (i32.const 12))))
        (call $continue (i32.add (local.get $to) (i32.const 1)) (local.get $c) (i32.const 6))
        (call $continue (i32.add (local.get $to) (i32.const 2)) (local.get $c) (i32.const 0))
        (return (i32.add (local.get $to) (i32.const 3)))))
    (i32.store8
      (local.get $to)
      (i32.or (i32.const 0xf0) (i32.shr_u (local.get $c) (i32.const 18))))
    (call $continue (i32.add (local.get $to) (i32.const 1)) (local.get $c) (i32.const 12))
    (call $continue (i32.add (local.get $to) (i32.const 2)) (local.get $c) (i32.const 6))
    (call $continue (i32.add (local.get $to) (i32.const 3)) (local.get $c) (i32.const 0))
    (i32.add (local.get $to) (i32.const 4)))

  ;; Gives back a text: the address of its address and its length, which are at 0.
  (func $text (param $at i32) (param $length i32) (result i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $length))
    (i32.const 0))

  (func $pad_start (export "pad_start")
      (param $at i32) (param $length i32) (param $n i32) (param $c i32) (result i32)
    (local $missing i32)
    (local $begin i32)
    (local $end i32)
    (local $i i32)
    ;; missing = n - count(text)
    (local.set $missing
      (i32.sub (local.get $n) (call $count (local.get $at) (local.get $length))))
    ;; if (missing <= 0) return text
    (if (i32.le_s (local.get $missing) (i32.const 0))
      (then (return (call $text (local.get $at) (local.get $length)))))
    ;; No character has more than four bytes.
    (local.set $begin
      (call $alloc
        (i32.add (i32.mul (local.get $missing) (i32.const 4)) (local.get $length))))
    ;; end = begin; for (; missing > 0; missing--) end = put(end, c)
    (local.set $end (local.get $begin))
    (block $padded
      (loop $pad
        (br_if $padded (i32.le_s (local.get $missing) (i32.const 0)))
        (local.set $end (call $put (local.get $end) (local.get $c)))
        (local.set $missing (i32.sub (local.get $missing) (i32.const 1)))
        (br $pad)))
    ;; for (i = 0; i < length; i++) *end++ = text[i]
    (block $copied
      (loop $copy
        (br_if $copied (i32.ge_s (local.get $i) (local.get $length)))
        (i32.store8
          (local.get $end)
          (i32.load8_u (i32.add (local.get $at) (local.get $i))))
        (local.set $end (i32.add (local.get $end) (i32.const 1)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $copy)))
    (call $text (local.get $begin) (i32.sub (local.get $end) (local.get $begin)))))
