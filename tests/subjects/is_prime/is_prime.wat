;; is_prime(n): whether n has exactly two divisors, by trial division.
(module
  (func $is_prime (export "is_prime") (param $n i32) (result i32)
    (local $d i32)
    ;; if (n < 2) return false
    (if (i32.lt_s (local.get $n) (i32.const 2))
      (then (return (i32.const 0))))
    ;; if (n % 2 == 0) return n == 2
    (if (i32.eq (i32.rem_s (local.get $n) (i32.const 2)) (i32.const 0))
      (then (return (i32.eq (local.get $n) (i32.const 2)))))
    ;; for (d = 3; d <= n / d; d += 2) if (n % d == 0) return false
    (local.set $d (i32.const 3))
    (block $done
      (loop $next
        (br_if $done (i32.gt_s (local.get $d) (i32.div_s (local.get $n) (local.get $d))))
        (if (i32.eq (i32.rem_s (local.get $n) (local.get $d)) (i32.const 0))
          (then (return (i32.const 0))))
        (local.set $d (i32.add (local.get $d) (i32.const 2)))
        (br $next)))
    (i32.const 1)))
