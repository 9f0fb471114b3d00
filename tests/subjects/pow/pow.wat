;; pow(k, e): k to the power of e, by squaring. The running example of the paper.
;; Products wrap around at 32 bits. A negative exponent is refused.
(module
  (func $pow (export "pow") (param $k i32) (param $e i32) (result i32)
    (local $result i32)
    (local $k2p i32)
    ;; if (e < 0) throw
    (if (i32.lt_s (local.get $e) (i32.const 0))
      (then (unreachable)))
    ;; result = 1; k2p = k
    (local.set $result (i32.const 1))
    (local.set $k2p (local.get $k))
    ;; while (e != 0)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (i32.ne (local.get $e) (i32.const 0))))
        ;; if ((e & 1) != 0) result *= k2p
        (if (i32.ne (i32.and (local.get $e) (i32.const 1)) (i32.const 0))
          (then
            (local.set $result (i32.mul (local.get $result) (local.get $k2p)))))
        ;; k2p *= k2p
        (local.set $k2p (i32.mul (local.get $k2p) (local.get $k2p)))
        ;; e >>= 1
        (local.set $e (i32.shr_s (local.get $e) (i32.const 1)))
        (br $next)))
    (local.get $result)))
