//! Example functions of many kinds and a small runner, for tests of code transformations.

use wasmi::{Config, Engine, Linker, Store, Val};

use super::module::Module;

/// Functions in WAT with all kinds of control flow, types and memory accesses. The function under test comes first.
pub(super) const EXAMPLES: [(&str, &str); 11] = [
    ("pow", POW),
    ("gcd", GCD),
    ("sort", SORT),
    ("capitalise", CAPITALISE),
    ("days", DAYS),
    ("sin", SIN),
    ("fibonacci", FIBONACCI),
    ("clamp", CLAMP),
    ("round", ROUND),
    ("between", BETWEEN),
    ("frame", FRAME),
];

/// A power by repeated squaring.
pub(super) const POW: &str = r#"(module
  (func $pow (export "pow") (param $k i32) (param $e i64) (result i32) (local $result i32)
    (if (i64.lt_s (local.get $e) (i64.const 0)) (then (unreachable)))
    (local.set $result (i32.const 1))
    (block $done
      (loop $next
        (br_if $done (i64.eqz (local.get $e)))
        (if (i64.ne (i64.and (local.get $e) (i64.const 1)) (i64.const 0))
          (then (local.set $result (i32.mul (local.get $result) (local.get $k)))))
        (local.set $k (i32.mul (local.get $k) (local.get $k)))
        (local.set $e (i64.shr_s (local.get $e) (i64.const 1)))
        (br $next)))
    (local.get $result)))"#;

/// Euclid's algorithm, with a loop and no memory.
pub(super) const GCD: &str = r#"(module
  (func $gcd (export "gcd") (param $a i32) (param $b i32) (result i32) (local $t i32)
    (loop $next
      (if (i32.ne (local.get $b) (i32.const 0))
        (then
          (local.set $t (i32.rem_u (local.get $a) (local.get $b)))
          (local.set $a (local.get $b))
          (local.set $b (local.get $t))
          (br $next))))
    (local.get $a)))"#;

/// Insertion sort of 32-bit integers in memory.
pub(super) const SORT: &str = r#"(module
  (memory (export "memory") 1)
  (func $sort (export "sort") (param $list i32) (param $count i32) (local $i i32) (local $j i32) (local $x i32)
    (local.set $i (i32.const 1))
    (block $done
      (loop $outer
        (br_if $done (i32.ge_s (local.get $i) (local.get $count)))
        (local.set $x (i32.load (i32.add (local.get $list) (i32.shl (local.get $i) (i32.const 2)))))
        (local.set $j (local.get $i))
        (block $placed
          (loop $inner
            (br_if $placed (i32.le_s (local.get $j) (i32.const 0)))
            (br_if $placed (i32.le_s
              (i32.load (i32.add (local.get $list) (i32.shl (i32.sub (local.get $j) (i32.const 1)) (i32.const 2))))
              (local.get $x)))
            (i32.store (i32.add (local.get $list) (i32.shl (local.get $j) (i32.const 2)))
              (i32.load (i32.add (local.get $list) (i32.shl (i32.sub (local.get $j) (i32.const 1)) (i32.const 2)))))
            (local.set $j (i32.sub (local.get $j) (i32.const 1)))
            (br $inner)))
        (i32.store (i32.add (local.get $list) (i32.shl (local.get $j) (i32.const 2))) (local.get $x))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $outer)))))"#;

/// Turns letters into capitals in place: a helper function, a condition of two parts, and a result that is dropped.
pub(super) const CAPITALISE: &str = r#"(module
  (memory (export "memory") 1) (data (i32.const 1024) "some text")
  (global $calls (mut i32) (i32.const 0))
  (func $capitalise (export "capitalise") (param $text i32) (param $length i32) (result i32) (local $i i32) (local $c i32)
    (local.set $i (i32.const 0))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (local.get $length)))
        (local.set $c (i32.load8_u (i32.add (local.get $text) (local.get $i))))
        (if (i32.and (i32.ge_u (local.get $c) (i32.const 97)) (i32.le_u (local.get $c) (i32.const 122)))
          (then (i32.store8 (i32.add (local.get $text) (local.get $i)) (call $upper (local.get $c) (i32.const 32)))))
        (drop (call $count (i32.const 1)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next)))
    (i32.eqz (i32.or (i32.eqz (local.get $length)) (i32.eq (i32.load8_u (i32.const 1024)) (i32.const 115)))))
  (func $upper (param $c i32) (param $by i32) (result i32) (i32.sub (local.get $c) (local.get $by)))
  (func $count (param $n i32) (result i32)
    (global.set $calls (i32.add (global.get $calls) (local.get $n)))
    (global.get $calls)))"#;

/// A switch with a branch table.
pub(super) const DAYS: &str = r#"(module
  (func $days (export "days") (param $month i32) (param $leap i32) (result i32)
    (block $other (block $short (block $february
      (br_table $february $other $short $other $short $other (i32.sub (local.get $month) (i32.const 2))))
      (return (select (i32.const 29) (i32.const 28) (local.get $leap))))
      (return (i32.const 30)))
    (i32.const 31)))"#;

/// A power series, in f64 with an f32 at the end.
pub(super) const SIN: &str = r#"(module
  (func $sin (export "sin") (param $x f64) (result f64) (local $term f64) (local $sum f64) (local $n f64)
    (local.set $sum (local.tee $term (local.get $x)))
    (local.set $n (f64.const 1))
    (loop $next
      (local.set $term (f64.div
        (f64.neg (f64.mul (local.get $term) (f64.mul (local.get $x) (local.get $x))))
        (f64.mul (f64.add (local.get $n) (f64.const 1)) (f64.add (local.get $n) (f64.const 2)))))
      (local.set $sum (f64.add (local.get $sum) (local.get $term)))
      (local.set $n (f64.add (local.get $n) (f64.const 2)))
      (br_if $next (f64.gt (f64.abs (local.get $term)) (f64.const 1e-17))))
    (f64.promote_f32 (f32.demote_f64 (local.get $sum)))))"#;

/// A function that calls itself twice.
pub(super) const FIBONACCI: &str = r#"(module
  (func $fibonacci (export "fibonacci") (param $n i32) (result i64)
    (if (result i64) (i32.lt_u (local.get $n) (i32.const 2))
      (then (i64.extend_i32_u (local.get $n)))
      (else (i64.add
        (call $fibonacci (i32.sub (local.get $n) (i32.const 1)))
        (call $fibonacci (i32.sub (local.get $n) (i32.const 2))))))))"#;

/// Choices by `select`, without jumps.
pub(super) const CLAMP: &str = r#"(module
  (func $clamp (export "clamp") (param $x i64) (param $low i64) (param $high i64) (result i64)
    (local.set $x (select (local.get $low) (local.get $x) (i64.lt_s (local.get $x) (local.get $low))))
    (select (local.get $high) (local.get $x) (i64.gt_s (local.get $x) (local.get $high)))))"#;

/// Intrinsics, signs, shifts, and code that is never reached.
pub(super) const ROUND: &str = r#"(module
  (func $round (export "round") (param $x f32) (param $mode i32) (result f32) (local $y f32)
    (local.set $y (f32.floor (local.get $x)))
    (if (i32.eq (local.get $mode) (i32.const 1)) (then (local.set $y (f32.ceil (local.get $x)))))
    (if (i32.xor (local.get $mode) (i32.const -1)) (then
      (local.set $y (f32.min (f32.nearest (local.get $y)) (f32.const 1000)))))
    (if (i32.shr_s (i32.shl (i32.sub (i32.const 0) (local.get $mode)) (i32.const 24)) (i32.const 24)) (then
      (return (f32.sqrt (f32.copysign (local.get $y) (f32.max (local.get $x) (f32.const 0.5)))))
      (drop (i32.add (i32.const 77) (i32.const 78)))))
    (f32.trunc (local.get $y))))"#;

/// Conditions of several parts that are used as a value.
pub(super) const BETWEEN: &str = r#"(module
  (func $between (export "between") (param $x f64) (param $n i64) (result i32)
    (if (i32.eqz (i32.or (f64.lt (local.get $x) (f64.const 2.5)) (i64.gt_u (local.get $n) (i64.const 10))))
      (then (return (i32.const 1))))
    (i32.and (i32.eqz (f64.eq (local.get $x) (f64.const 7))) (i64.le_s (local.get $n) (i64.const -3)))))"#;

/// Variables in a stack frame, as unoptimised compilers keep them.
pub(super) const FRAME: &str = r#"(module
  (memory 2) (global $__stack_pointer (mut i32) (i32.const 66560))
  (func $frame (export "frame") (param $x i32) (result i32) (local $fp i32)
    (global.set 0 (local.tee $fp (i32.sub (global.get 0) (i32.const 16))))
    (i32.store offset=12 (local.get $fp) (local.get $x))
    (i32.store offset=8 (local.get $fp) (i32.mul (i32.load offset=12 (local.get $fp)) (i32.const 3)))
    (local.set $x (i32.load (i32.add (local.get $fp) (i32.const 8))))
    (global.set 0 (i32.add (local.get $fp) (i32.const 16)))
    (i32.add (local.get $x) (i32.const 5))))"#;

/// Parses WAT as a module.
pub(super) fn parse(text: &str) -> Module {
    Module::parse(wat::parse_str(text).unwrap()).unwrap()
}

/// An instance of a module whose loops are bounded.
pub(super) struct Machine {
    pub(super) store: Store<()>,
    pub(super) instance: wasmi::Instance,
}

impl Machine {
    pub(super) fn new(binary: &[u8]) -> Machine {
        let mut config = Config::default();
        config.consume_fuel(true);
        let engine = Engine::new(&config);
        let module = wasmi::Module::new(&engine, binary).unwrap();
        let mut store = Store::new(&engine, ());
        store.set_fuel(1_000_000).unwrap();
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).unwrap();
        Machine { store, instance }
    }

    /// Calls a function; `None` if it traps or does not end.
    pub(super) fn call(&mut self, name: &str, arguments: &[Val]) -> Option<Vec<Val>> {
        self.store.set_fuel(100_000).unwrap();
        let function = self.instance.get_func(&self.store, name).unwrap();
        let mut results = vec![Val::I32(0); function.ty(&self.store).results().len()];
        function.call(&mut self.store, arguments, &mut results).ok()?;
        Some(results)
    }

    /// The content of an exported memory.
    pub(super) fn memory(&mut self, name: &str) -> &mut [u8] {
        let memory = self.instance.get_memory(&self.store, name).unwrap();
        memory.data_mut(&mut self.store)
    }
}
