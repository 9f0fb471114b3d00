;; stirling2(n, k): in how many ways n things go into k parts, none of them empty (Stirling numbers
;; of the second kind). Refuses k < 0 and k > n, and n > 25, where some do not fit into 64 bits.
(module
  ;; A row of the triangle: S(i, 0) to S(i, k), eight bytes each.
  (memory (export "memory") 1)

  ;; The address of S(i, j) in the row.
  (func $entry (param $j i32) (result i32)
    (i32.mul (local.get $j) (i32.const 8)))

  (func $stirling2 (export "stirling2") (param $n i32) (param $k i32) (result i64)
    (local $i i32)
    (local $j i32)
    ;; if (k < 0) throw
    (if (i32.lt_s (local.get $k) (i32.const 0))
      (then (unreachable)))
    ;; if (k > n) throw
    (if (i32.gt_s (local.get $k) (local.get $n))
      (then (unreachable)))
    ;; if (n > 25) throw
    (if (i32.gt_s (local.get $n) (i32.const 25))
      (then (unreachable)))
    ;; S(0, 0) = 1; S(0, j) = 0 for all j > 0
    (i64.store (call $entry (i32.const 0)) (i64.const 1))
    (local.set $j (i32.const 1))
    (block $cleared
      (loop $clear
        (br_if $cleared (i32.gt_s (local.get $j) (local.get $k)))
        (i64.store (call $entry (local.get $j)) (i64.const 0))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br $clear)))
    ;; for (i = 1; i <= n; i++)
    (local.set $i (i32.const 1))
    (block $done
      (loop $rows
        (br_if $done (i32.gt_s (local.get $i) (local.get $n)))
        ;; for (j = k; j > 0; j--) S(i, j) = j * S(i - 1, j) + S(i - 1, j - 1)
        (local.set $j (local.get $k))
        (block $filled
          (loop $entries
            (br_if $filled (i32.le_s (local.get $j) (i32.const 0)))
            (i64.store (call $entry (local.get $j))
              (i64.add
                (i64.mul
                  (i64.extend_i32_s (local.get $j))
                  (i64.load (call $entry (local.get $j))))
                (i64.load (call $entry (i32.sub (local.get $j) (i32.const 1))))))
            (local.set $j (i32.sub (local.get $j) (i32.const 1)))
            (br $entries)))
        ;; S(i, 0) = 0
        (i64.store (call $entry (i32.const 0)) (i64.const 0))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $rows)))
    (i64.load (call $entry (local.get $k)))))
