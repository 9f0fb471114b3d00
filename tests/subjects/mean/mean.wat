;; mean(values): the sum by the number of values. Refuses an empty list.
(module
  (memory (export "memory") 1)

  (func $mean (export "mean") (param $values i32) (param $length i32) (result f64)
    (local $i i32)
    (local $sum f64)
    ;; if (length == 0) throw
    (if (i32.eq (local.get $length) (i32.const 0))
      (then (unreachable)))
    ;; for (i = 0; i < length; i++) sum += values[i]
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        (local.set $sum
          (f64.add
            (local.get $sum)
            (f64.load
              (i32.add (local.get $values) (i32.mul (local.get $i) (i32.const 8))))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    ;; return sum / length
    (f64.div (local.get $sum) (f64.convert_i32_s (local.get $length)))))
