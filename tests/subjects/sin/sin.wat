;; sin(x): x is reduced to [-pi/2, pi/2] by half turns, then the Taylor series up to x^21.
(module
  (func $series (param $x f64) (result f64)
    (local $square f64)
    (local $term f64)
    (local $sum f64)
    (local $power f64)
    ;; square = x * x; term = x; sum = x
    (local.set $square (f64.mul (local.get $x) (local.get $x)))
    (local.set $term (local.get $x))
    (local.set $sum (local.get $x))
    ;; for (power = 3; power <= 21; power += 2)
    (local.set $power (f64.const 3))
    (block $done
      (loop $next
        (br_if $done (f64.gt (local.get $power) (f64.const 21)))
        ;; term = -term * square / ((power - 1) * power)
        (local.set $term
          (f64.div
            (f64.mul (f64.neg (local.get $term)) (local.get $square))
            (f64.mul (f64.sub (local.get $power) (f64.const 1)) (local.get $power))))
        ;; sum += term
        (local.set $sum (f64.add (local.get $sum) (local.get $term)))
        (local.set $power (f64.add (local.get $power) (f64.const 2)))
        (br $next)))
    (local.get $sum))

  (func $sin (export "sin") (param $x f64) (result f64)
    (local $turns f64)
    (local $reduced f64)
    (local $sum f64)
    ;; turns = round(x / pi): half turns
    (local.set $turns (f64.nearest (f64.div (local.get $x) (f64.const 3.141592653589793))))
    ;; pi in two parts: the products with the first, of 33 bits, are exact.
    ;; reduced = x - turns * pi_high - turns * pi_low
    (local.set $reduced
      (f64.sub
        (f64.sub
          (local.get $x)
          (f64.mul (local.get $turns) (f64.const 3.141592653468251)))
        (f64.mul (local.get $turns) (f64.const 1.2154201256553426e-10))))
    (local.set $sum (call $series (local.get $reduced)))
    ;; if (turns is odd) return -sum
    (if (f64.eq
          (f64.sub
            (local.get $turns)
            (f64.mul (f64.floor (f64.div (local.get $turns) (f64.const 2))) (f64.const 2)))
          (f64.const 1))
      (then (return (f64.neg (local.get $sum)))))
    (local.get $sum)))
