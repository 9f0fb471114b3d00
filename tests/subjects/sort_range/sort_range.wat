;; sort_range(a, from, to): sorts a[from..to] in place, by insertion. Refuses a range that is not in a.
(module
  (memory (export "memory") 1)

  ;; The address of a[i].
  (func $element (param $a i32) (param $i i32) (result i32)
    (i32.add (local.get $a) (i32.mul (local.get $i) (i32.const 4))))

  (func $sort_range (export "sort_range")
      (param $a i32) (param $length i32) (param $from i32) (param $to i32)
    (local $i i32)
    (local $j i32)
    (local $value i32)
    (local $other i32)
    ;; if (from > to) throw
    (if (i32.gt_s (local.get $from) (local.get $to))
      (then (unreachable)))
    ;; if (from < 0) throw
    (if (i32.lt_s (local.get $from) (i32.const 0))
      (then (unreachable)))
    ;; if (to > length) throw
    (if (i32.gt_s (local.get $to) (local.get $length))
      (then (unreachable)))
    ;; for (i = from + 1; i < to; i++)
    (local.set $i (i32.add (local.get $from) (i32.const 1)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_s (local.get $i) (local.get $to)))
        ;; value = a[i]
        (local.set $value (i32.load (call $element (local.get $a) (local.get $i))))
        ;; for (j = i; j > from && a[j - 1] > value; j--) a[j] = a[j - 1]
        (local.set $j (local.get $i))
        (block $placed
          (loop $shift
            (br_if $placed (i32.le_s (local.get $j) (local.get $from)))
            (local.set $other
              (i32.load
                (call $element (local.get $a) (i32.sub (local.get $j) (i32.const 1)))))
            (br_if $placed (i32.le_s (local.get $other) (local.get $value)))
            (i32.store (call $element (local.get $a) (local.get $j)) (local.get $other))
            (local.set $j (i32.sub (local.get $j) (i32.const 1)))
            (br $shift)))
        ;; a[j] = value
        (i32.store (call $element (local.get $a) (local.get $j)) (local.get $value))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))))
