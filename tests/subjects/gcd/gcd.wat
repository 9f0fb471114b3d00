;; gcd(p, q): the greatest common divisor, by Euclid. gcd(p, 0) is |p|.
;; Refuses what has the divisor 2^31, which is no 32-bit integer.
(module
  (func $gcd (export "gcd") (param $p i32) (param $q i32) (result i32)
    (local $u i32)
    (local $v i32)
    (local $rest i32)
    ;; Both negative: every integer has a negative, but the least one has no positive.
    ;; u = p > 0 ? -p : p; v = q > 0 ? -q : q
    (local.set $u (local.get $p))
    (if (i32.gt_s (local.get $p) (i32.const 0))
      (then (local.set $u (i32.sub (i32.const 0) (local.get $p)))))
    (local.set $v (local.get $q))
    (if (i32.gt_s (local.get $q) (i32.const 0))
      (then (local.set $v (i32.sub (i32.const 0) (local.get $q)))))
    ;; while (v != 0) { rest = u % v; u = v; v = rest }
    (block $done
      (loop $next
        (br_if $done (i32.eq (local.get $v) (i32.const 0)))
        (local.set $rest (i32.rem_s (local.get $u) (local.get $v)))
        (local.set $u (local.get $v))
        (local.set $v (local.get $rest))
        (br $next)))
    ;; if (u == -2^31) throw
    (if (i32.eq (local.get $u) (i32.const -2147483648))
      (then (unreachable)))
    (i32.sub (i32.const 0) (local.get $u))))
