;; index_of(a, x): where x is in a for the first time, counted from 0; -1 if it is not.
(module
  (memory (export "memory") 1)

  (func $index_of (export "index_of")
      (param $a i32) (param $length i32) (param $x i32) (result i32)
    (local $i i32)
    ;; for (i = 0; i < length; i++) if (a[i] == x) return i
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $length)))
        (if (i32.eq
              (i32.load (i32.add (local.get $a) (i32.mul (local.get $i) (i32.const 4))))
              (local.get $x))
          (then (return (local.get $i))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i32.const -1)))
