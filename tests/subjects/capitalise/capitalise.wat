;; capitalise(s): s with its first character in upper case, if that is a letter from a to z.
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

  (func $capitalise (export "capitalise") (param $s i32) (param $length i32) (result i32)
    (local $result i32)
    (local $first i32)
    (local $i i32)
    (local.set $result (call $alloc (local.get $length)))
    ;; for (i = 0; i < length; i++) result[i] = s[i]
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        (i32.store8
          (i32.add (local.get $result) (local.get $i))
          (i32.load8_u (i32.add (local.get $s) (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    ;; if (length > 0)
    (if (i32.gt_s (local.get $length) (i32.const 0))
      (then
        (local.set $first (i32.load8_u (local.get $s)))
        ;; if (first >= 'a' && first <= 'z') result[0] = first - 32
        (if (i32.ge_u (local.get $first) (i32.const 97))
          (then
            (if (i32.le_u (local.get $first) (i32.const 122))
              (then
                (i32.store8
                  (local.get $result)
                  (i32.sub (local.get $first) (i32.const 32)))))))))
    ;; A text is given back by the address of its address and its length, which are at 0.
    (i32.store (i32.const 0) (local.get $result))
    (i32.store (i32.const 4) (local.get $length))
    (i32.const 0)))
