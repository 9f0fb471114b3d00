;; log10(x): x is reduced to one decade around 1, then the series of the inverse hyperbolic tangent.
;; Of 0 it is -inf, of negative numbers NaN.
(module
  ;; ln(m) = 2 (z + z^3 / 3 + z^5 / 5 + ...) with z = (m - 1) / (m + 1), until nothing changes any more.
  (func $ln (param $m f64) (result f64)
    (local $z f64)
    (local $square f64)
    (local $power f64)
    (local $sum f64)
    (local $before f64)
    (local $n f64)
    ;; z = (m - 1) / (m + 1)
    (local.set $z
      (f64.div
        (f64.sub (local.get $m) (f64.const 1))
        (f64.add (local.get $m) (f64.const 1))))
    ;; square = z * z; power = z; sum = z; n = 1
    (local.set $square (f64.mul (local.get $z) (local.get $z)))
    (local.set $power (local.get $z))
    (local.set $sum (local.get $z))
    (local.set $n (f64.const 1))
    ;; do { before = sum; power *= square; n += 2; sum += power / n } while (sum != before)
    (loop $next
      (local.set $before (local.get $sum))
      (local.set $power (f64.mul (local.get $power) (local.get $square)))
      (local.set $n (f64.add (local.get $n) (f64.const 2)))
      (local.set $sum
        (f64.add (local.get $sum) (f64.div (local.get $power) (local.get $n))))
      (br_if $next (f64.ne (local.get $sum) (local.get $before))))
    (f64.mul (f64.const 2) (local.get $sum)))

  (func $log10 (export "log10") (param $x f64) (result f64)
    (local $exponent f64)
    ;; if (x < 0) return NaN
    (if (f64.lt (local.get $x) (f64.const 0))
      (then (return (f64.const nan))))
    ;; if (x == 0) return -inf
    (if (f64.eq (local.get $x) (f64.const 0))
      (then (return (f64.const -inf))))
    ;; NaN and inf stay what they are: if (!(x < inf)) return x
    (if (i32.eqz (f64.lt (local.get $x) (f64.const inf)))
      (then (return (local.get $x))))
    ;; while (x > sqrt(10)) { x /= 10; exponent++ }
    (block $small
      (loop $divide
        (br_if $small (i32.eqz (f64.gt (local.get $x) (f64.const 3.1622776601683795))))
        (local.set $x (f64.div (local.get $x) (f64.const 10)))
        (local.set $exponent (f64.add (local.get $exponent) (f64.const 1)))
        (br $divide)))
    ;; while (x < 1 / sqrt(10)) { x *= 10; exponent-- }
    (block $large
      (loop $multiply
        (br_if $large (i32.eqz (f64.lt (local.get $x) (f64.const 0.31622776601683794))))
        (local.set $x (f64.mul (local.get $x) (f64.const 10)))
        (local.set $exponent (f64.sub (local.get $exponent) (f64.const 1)))
        (br $multiply)))
    ;; return exponent + ln(x) / ln(10)
    (f64.add
      (local.get $exponent)
      (f64.div (call $ln (local.get $x)) (f64.const 2.302585092994046)))))
