;; repeat(s, n): s, n times one after the other; the empty text if n is not positive.
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

  ;; Copies bytes one by one; returns where it stopped writing.
  (func $copy (param $to i32) (param $from i32) (param $length i32) (result i32)
    (local $i i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        (i32.store8
          (i32.add (local.get $to) (local.get $i))
          (i32.load8_u (i32.add (local.get $from) (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i32.add (local.get $to) (local.get $length)))

  ;; Gives back a text: the address of its address and its length, which are at 0.
  (func $text (param $at i32) (param $length i32) (result i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $length))
    (i32.const 0))

  (func $repeat (export "repeat") (param $s i32) (param $length i32) (param $n i32) (result i32)
    (local $total i32)
    (local $begin i32)
    (local $end i32)
    (local $i i32)
    ;; if (n <= 0) return ""
    (if (i32.le_s (local.get $n) (i32.const 0))
      (then (return (call $text (local.get $s) (i32.const 0)))))
    ;; total = length * n
    (local.set $total (i32.mul (local.get $length) (local.get $n)))
    (local.set $begin (call $alloc (local.get $total)))
    ;; end = begin; for (i = 0; i < n; i++) end = copy(end, s)
    (local.set $end (local.get $begin))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
        (local.set $end (call $copy (local.get $end) (local.get $s) (local.get $length)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (call $text (local.get $begin) (local.get $total))))
