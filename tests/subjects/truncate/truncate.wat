;; truncate(s, offset, max_width): at most max_width characters of s, from the character at `offset` on.
;; Beyond the end that is the empty text. Refuses negative offsets and widths.
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

  ;; The byte after n characters, but not after the end.
  (func $skip (param $at i32) (param $end i32) (param $n i32) (result i32)
    (block $done
      (loop $next
        ;; while (n > 0 && at < end)
        (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        ;; do at++ while (at < end && (*at & 0xc0) == 0x80)
        (block $begins
          (loop $continues
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br_if $begins (i32.ge_u (local.get $at) (local.get $end)))
            (br_if $continues
              (i32.eq
                (i32.and (i32.load8_u (local.get $at)) (i32.const 0xc0))
                (i32.const 0x80)))))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $next)))
    (local.get $at))

  (func $truncate (export "truncate")
      (param $s i32) (param $length i32) (param $offset i32) (param $max_width i32) (result i32)
    (local $end i32)
    (local $first i32)
    (local $last i32)
    ;; if (offset < 0) throw
    (if (i32.lt_s (local.get $offset) (i32.const 0))
      (then (unreachable)))
    ;; if (max_width < 0) throw
    (if (i32.lt_s (local.get $max_width) (i32.const 0))
      (then (unreachable)))
    (local.set $end (i32.add (local.get $s) (local.get $length)))
    (local.set $first (call $skip (local.get $s) (local.get $end) (local.get $offset)))
    (local.set $last (call $skip (local.get $first) (local.get $end) (local.get $max_width)))
    ;; The result is a part of s, not a copy of it. Its address and its length are at 0.
    (i32.store (i32.const 0) (local.get $first))
    (i32.store (i32.const 4) (i32.sub (local.get $last) (local.get $first)))
    (i32.const 0)))
