;; min(values): the least of them; NaN if one of them is. Refuses an empty list.
(module
  (memory (export "memory") 1)

  (func $min (export "min") (param $values i32) (param $length i32) (result f64)
    (local $i i32)
    (local $value f64)
    (local $least f64)
    ;; if (length == 0) throw
    (if (i32.eq (local.get $length) (i32.const 0))
      (then (unreachable)))
    ;; least = values[0]
    (local.set $least (f64.load (local.get $values)))
    ;; for (i = 1; i < length; i++)
    (local.set $i (i32.const 1))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        (local.set $value
          (f64.load (i32.add (local.get $values) (i32.mul (local.get $i) (i32.const 8)))))
        ;; if (value != value) return value
        (if (f64.ne (local.get $value) (local.get $value))
          (then (return (local.get $value))))
        ;; if (value < least) least = value
        (if (f64.lt (local.get $value) (local.get $least))
          (then (local.set $least (local.get $value))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (local.get $least)))
