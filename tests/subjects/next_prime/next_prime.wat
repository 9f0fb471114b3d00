;; next_prime(n): the least prime that is not less than n. Refuses a negative n.
(module
  ;; Whether an odd n > 1 is prime.
  (func $is_prime (param $n i32) (result i32)
    (local $d i32)
    ;; for (d = 3; d <= n / d; d += 2) if (n % d == 0) return false
    (local.set $d (i32.const 3))
    (block $done
      (loop $next
        (br_if $done (i32.gt_s (local.get $d) (i32.div_s (local.get $n) (local.get $d))))
        (if (i32.eq (i32.rem_s (local.get $n) (local.get $d)) (i32.const 0))
          (then (return (i32.const 0))))
        (local.set $d (i32.add (local.get $d) (i32.const 2)))
        (br $next)))
    (i32.const 1))

  (func $next_prime (export "next_prime") (param $n i32) (result i32)
    (local $rest i32)
    ;; if (n < 0) throw
    (if (i32.lt_s (local.get $n) (i32.const 0))
      (then (unreachable)))
    ;; if (n <= 2) return 2
    (if (i32.le_s (local.get $n) (i32.const 2))
      (then (return (i32.const 2))))
    ;; n |= 1
    (local.set $n (i32.or (local.get $n) (i32.const 1)))
    ;; if (is_prime(n)) return n
    (if (call $is_prime (local.get $n))
      (then (return (local.get $n))))
    ;; Go on to n % 3 == 2: from there, steps of 2 and 4 pass all that neither 2 nor 3 divides.
    (local.set $rest (i32.rem_s (local.get $n) (i32.const 3)))
    (if (i32.eq (local.get $rest) (i32.const 0))
      (then (local.set $n (i32.add (local.get $n) (i32.const 2)))))
    (if (i32.eq (local.get $rest) (i32.const 1))
      (then (local.set $n (i32.add (local.get $n) (i32.const 4)))))
    (loop $next
      (if (call $is_prime (local.get $n))
        (then (return (local.get $n))))
      (local.set $n (i32.add (local.get $n) (i32.const 2)))
      (if (call $is_prime (local.get $n))
        (then (return (local.get $n))))
      (local.set $n (i32.add (local.get $n) (i32.const 4)))
      (br $next))
    (unreachable)))
