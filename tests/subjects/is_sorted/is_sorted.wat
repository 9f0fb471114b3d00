;; is_sorted(a): whether no element is less than the one before it.
(module
  (memory (export "memory") 1)

  (func $is_sorted (export "is_sorted") (param $a i32) (param $length i32) (result i32)
    (local $i i32)
    (local $previous i32)
    (local $current i32)
    ;; if (length < 2) return true
    (if (i32.lt_s (local.get $length) (i32.const 2))
      (then (return (i32.const 1))))
    ;; previous = a[0]
    (local.set $previous (i32.load (local.get $a)))
    ;; for (i = 1; i < length; i++)
    (local.set $i (i32.const 1))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        (local.set $current
          (i32.load (i32.add (local.get $a) (i32.mul (local.get $i) (i32.const 4)))))
        ;; if (previous > current) return false
        (if (i32.gt_s (local.get $previous) (local.get $current))
          (then (return (i32.const 0))))
        (local.set $previous (local.get $current))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i32.const 1)))
