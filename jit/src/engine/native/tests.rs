//! The native tier against the reference, and against systems that give no executable memory.

use cranelift_codegen::isa;

use super::*;
use crate::engine::{Counters, Evaluator, Policy, Tier, reference};
use crate::expr::Predicate;
use crate::mask::Mask;
use crate::op::Type;
use crate::schema::Schema;
use crate::table::Column;
use crate::text;
use crate::tolerance::Tolerance;

/// Relations that this tier takes: every operator and comparison over every kind of column.
const NATIVE: [&str; 41] = [
    "x < y",
    "x <= y",
    "x > y",
    "x >= y",
    "x == y",
    "x != y",
    "not (x <= y)",
    "i < j",
    "i <= j",
    "i == j",
    "i != j",
    "i + 1 >= j * 2",
    "f < g",
    "f <= g",
    "f == g",
    "f != g",
    "f - g == g - f",
    "x < 1",
    "x == inf",
    "x <= -inf",
    "x == 0",
    "x / y == y / x",
    "f / g < 2",
    "i / j <= j / i",
    "1 / x > 0",
    "abs(x) == abs(y)",
    "abs(x - y) + abs(y - x) <= x * y",
    "x + y == y + x and x + y < 3 or x + y >= x",
    "p",
    "not p",
    "p and q",
    "p or x < y",
    "p xor q iff x == x",
    "p implies (q implies i < j)",
    "not p implies i == i",
    "length(s) == length(t)",
    "sum(s) <= sum(t) + length(s)",
    "s == t",
    "flip(s) == t",
    "s != t or p and x < y",
    "x == y and f == g and i == j and (p or s == t) and not (x < f)",
];

fn schema() -> Schema {
    let nums = ["x", "y", "f", "g", "i", "j"].map(|name| (name, Type::Num));
    let others = [("p", Type::Bool), ("q", Type::Bool), ("s", Type::Seq), ("t", Type::Seq)];
    Schema::new(nums.into_iter().chain(others)).unwrap()
}

fn parse(relation: &str) -> Predicate {
    text::parse(relation, &schema()).unwrap_or_else(|error| panic!("{relation}: {error}"))
}

/// All kinds of numbers, in an order that brings every pair of them together on some row.
fn table(rows_per_group: &[usize], tolerance: Tolerance) -> Table {
    let edge = tolerance.abs();
    let any = [
        0.0,
        f64::NAN,
        1.0,
        f64::INFINITY,
        -0.0,
        edge,
        f64::NEG_INFINITY,
        edge.next_up(),
        5e-324,
        -1.0,
        f64::MAX,
        1.0 + 1e-12,
        f64::MIN,
        1.0 + 3e-12,
        -edge,
        1e-310,
        1e300,
    ];
    let finite = [0.0, 0.5, -0.5, edge, 0.5 + edge, -0.0, 1e9, 1e9 + 1e-3, 1e9 + 1e-2, 5e-324, 3.0];
    let rows: usize = rows_per_group.iter().sum();
    let numbers = |values: &[f64], stride: usize| {
        let value = |row: usize| values[(row * stride + row / values.len()) % values.len()];
        Column::Num((0..rows).map(value).collect())
    };
    let flags = |m: usize| Column::Bool((0..rows).map(|row| row % m == 1).collect());
    let sequences = |m: usize| {
        Column::Seq((0..rows).map(|row| (0..row % m).map(|i| (i * i) as f64 - 2.0)).collect())
    };
    let columns = vec![
        numbers(&any, 1),
        numbers(&any, 5),
        numbers(&finite, 1),
        numbers(&finite, 3),
        numbers(&[0.0, 1.0, 2.0, -3.0, 7.0], 1),
        numbers(&[1.0, 0.0, -3.0, 5.0, 1e6, 2.0], 1),
        flags(3),
        flags(5),
        sequences(4),
        sequences(3),
    ];
    Table::grouped(&schema(), columns, rows_per_group, tolerance).unwrap()
}

fn lower(predicate: &Predicate, table: &Table) -> Program {
    let mut program = Program::new();
    program.lower(predicate, table);
    program
}

fn run(code: &Code, table: &Table) -> Mask {
    let mut mask = Mask::empty(table.layout());
    mask.fill(table.layout(), |words| code.run(table, words));
    mask
}

#[test]
fn native_equals_the_reference() {
    let sizes: [&[usize]; 10] =
        [&[0], &[1], &[63], &[64], &[65], &[127], &[200], &[100, 0, 71], &[1, 1, 1], &[300]];
    let paper = Tolerance::PAPER;
    for tolerance in [Tolerance::default(), paper, Tolerance::new(0.0, 0.0).unwrap()] {
        for groups in sizes {
            let table = table(groups, tolerance);
            let predicates = NATIVE.map(parse);
            let programs: Vec<Program> = predicates.iter().map(|p| lower(p, &table)).collect();
            let codes = compile_many(&programs, &table).unwrap();
            for (predicate, (code, relation)) in predicates.iter().zip(codes.iter().zip(NATIVE)) {
                let code = code.as_ref().unwrap_or_else(|reason| panic!("{relation}: {reason}"));
                let expected = reference::evaluate(predicate, &table);
                assert_eq!(run(code, &table), expected, "{relation} on {groups:?}, {tolerance}");
            }
        }
    }
}

#[test]
fn every_pair_of_special_numbers_is_met() {
    let table = table(&[300], Tolerance::default());
    let schema = schema();
    let [x, y] = ["x", "y"].map(|name| schema.var(name).unwrap());
    let pairs: std::collections::HashSet<String> = (0..300)
        .map(|row| format!("{:?} {:?}", table.value(x, row), table.value(y, row)))
        .collect();
    assert_eq!(pairs.len(), 17 * 17);
}

#[test]
fn a_constant_relation_holds_everywhere_or_nowhere() {
    let table = table(&[65, 3], Tolerance::default());
    let codes = ["1 < 2", "1 > 2"].map(|relation| lower(&parse(relation), &table));
    let codes = compile_many(&codes, &table).unwrap();
    assert_eq!(run(codes[0].as_ref().unwrap(), &table).count_ones(), 68);
    assert_eq!(run(codes[1].as_ref().unwrap(), &table).count_ones(), 0);
}

#[test]
fn three_hundred_relations_share_a_module_and_outlive_each_other() {
    let table = table(&[200], Tolerance::default());
    let predicates: Vec<Predicate> =
        (0..300).map(|i| parse(&format!("{} and x + {i} <= y", NATIVE[i % 40]))).collect();
    let programs: Vec<Program> = predicates.iter().map(|p| lower(p, &table)).collect();
    let mut codes = compile_many(&programs, &table).unwrap();
    while let Some(code) = codes.pop() {
        let expected = reference::evaluate(&predicates[codes.len()], &table);
        assert_eq!(run(&code.unwrap(), &table), expected);
    }
}

#[test]
fn native_declines_to_string() {
    let table = table(&[65], Tolerance::default());
    for relation in ["toString(x) == s", "remove(s, i) == t", "length(remove(s, i)) < 3"] {
        assert_eq!(ir(&lower(&parse(relation), &table), &table), Err("sequence operators"));
    }
    let predicate = parse("toString(x) == s");
    let mut evaluator = Evaluator::new(Policy::Only(Tier::Native));
    for fallbacks in 1..=3 {
        let mask = evaluator.mask(&predicate, &table);
        assert_eq!(mask, reference::evaluate(&predicate, &table));
        assert_eq!(evaluator.counters().fallbacks, fallbacks);
    }
    assert_eq!(evaluator.counters().compiles, 0);
}

#[test]
fn native_declines_what_is_too_large() {
    let table = table(&[65], Tolerance::default());
    let atoms = (0..33).map(|i| format!("x < {i}")).collect::<Vec<_>>().join(" and ");
    assert_eq!(ir(&lower(&parse(&atoms), &table), &table), Err("too many comparisons"));
    let sum = format!("{} < 3", vec!["x"; 258].join(" + "));
    assert_eq!(ir(&lower(&parse(&sum), &table), &table), Err("too many instructions"));
}

#[test]
fn sequences_that_nearly_have_the_same_elements_are_declined() {
    let schema = Schema::new([("s", Type::Seq), ("t", Type::Seq)]).unwrap();
    let column = || Column::Seq((0..9).map(|row| [f64::from(row) * 1e-10]).collect());
    let table = Table::new(&schema, vec![column(), column()], Tolerance::default()).unwrap();
    let predicate = text::parse("s == t", &schema).unwrap();
    let reason = "sequences whose elements differ by less than the tolerance";
    assert_eq!(ir(&lower(&predicate, &table), &table), Err(reason));
}

#[test]
fn the_ir_is_one_loop() {
    let table = table(&[65], Tolerance::default());
    let ir = ir(&lower(&parse("x < y and x == f or p"), &table), &table).unwrap();
    assert_eq!(ir.matches("vhigh_bits").count(), 2, "{ir}");
    assert_eq!(ir.matches("istore8").count(), 1, "{ir}");
    // Four pairs of rows of three columns, eight bits of one, and four pointers.
    assert_eq!(ir.matches("load").count(), 3 * 4 + 1 + 4, "{ir}");
}

#[test]
fn a_batch_is_compiled_once_and_found_again() {
    let table = table(&[65], Tolerance::default());
    let mut predicates: Vec<Predicate> = NATIVE.map(parse).into();
    predicates.push(parse("remove(s, i) == t"));
    predicates.push(parse(NATIVE[0]));
    let mut cache = Cache::default();
    let mut counters = Counters::default();
    cache.compile(&predicates, &table, &mut counters);
    assert_eq!((counters.compiles, counters.fallbacks), (41, 1));
    for predicate in &predicates {
        if let Some(code) = cache.get(predicate, &table, &mut counters) {
            assert_eq!(run(&code, &table), reference::evaluate(predicate, &table));
        }
    }
    cache.compile(&predicates, &table, &mut counters);
    assert_eq!((counters.compiles, counters.fallbacks), (41, 3));
}

#[test]
fn a_relation_has_other_code_for_another_table() {
    let predicate = parse("x == y");
    let mut evaluator = Evaluator::new(Policy::Only(Tier::Native));
    for tolerance in [Tolerance::default(), Tolerance::PAPER] {
        let table = table(&[100, 71], tolerance);
        let mask = evaluator.mask(&predicate, &table);
        assert_eq!(mask, reference::evaluate(&predicate, &table));
    }
    assert_eq!(evaluator.counters().compiles, 2);
}

#[test]
fn a_full_cache_forgets_and_goes_on() {
    let table = table(&[1], Tolerance::default());
    let mut cache = Cache::default();
    let mut counters = Counters::default();
    // Declined relations fill it as well as compiled ones, and faster.
    let fill: Vec<Predicate> = (0..5_000).map(|i| parse(&format!("toString({i}) == s"))).collect();
    cache.compile(&fill, &table, &mut counters);
    assert_eq!(counters.fallbacks, 5_000);
    let predicate = parse("x < y");
    assert!(cache.get(&predicate, &table, &mut counters).is_some());
}

#[test]
fn a_relation_is_hot_when_seen_often_enough() {
    for (isa, rows) in [(Isa::Portable, 4_096), (Isa::Portable, 100), (Isa::Avx512, 100)] {
        let table = table(&[rows], Tolerance::default());
        assert!(is_worthwhile(isa, &table));
        let predicate = parse("x < y");
        let mut cache = Cache::default();
        let mut counters = Counters::default();
        for _ in 1..Breakeven::of(isa).sightings(table.rows()) {
            assert!(cache.get_hot(&predicate, &table, isa, &mut counters).is_none());
        }
        assert_eq!(counters, Counters::default());
        let code = cache.get_hot(&predicate, &table, isa, &mut counters);
        assert_eq!(run(&code.unwrap(), &table), reference::evaluate(&predicate, &table));
        assert_eq!(counters.compiles, 1);
    }
    assert!(!is_worthwhile(Isa::Avx512, &table(&[18_000], Tolerance::default())));
}

#[test]
#[should_panic(expected = "compiled for another table")]
fn code_refuses_another_table() {
    let [table, other] = [table(&[64], Tolerance::default()), table(&[64], Tolerance::default())];
    let codes = compile_many(&[lower(&parse("x < y"), &table)], &table).unwrap();
    run(codes[0].as_ref().unwrap(), &other);
}

#[test]
fn the_same_ir_compiles_for_aarch64() {
    let builder = isa::lookup_by_name("aarch64-unknown-linux-gnu")
        .expect("dev-dependencies: cranelift-codegen has the feature `arm64`");
    let isa = builder.finish(compiler::flags()).unwrap();
    let mut compiler = Compiler::default();
    for tolerance in [Tolerance::default(), Tolerance::PAPER] {
        let table = table(&[65], tolerance);
        for relation in NATIVE {
            let code = compiler.machine_code(&lower(&parse(relation), &table), &table, &*isa);
            assert!(!code.unwrap().is_empty(), "{relation}");
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::process::Command;

    use super::*;

    /// Bytes of executable memory that belongs to no file.
    fn executable_bytes() -> usize {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let size = |line: &str| {
            let mut fields = line.split_whitespace();
            let (range, access) = (fields.next()?, fields.next()?);
            if !access.contains('x') || fields.nth(3).is_some() {
                return None;
            }
            let (from, to) = range.split_once('-')?;
            let address = |text| usize::from_str_radix(text, 16).ok();
            Some(address(to)? - address(from)?)
        };
        maps.lines().filter_map(size).sum()
    }

    #[test]
    fn the_memory_of_dropped_code_is_returned() {
        let table = table(&[65], Tolerance::default());
        let programs = [lower(&parse("x < y"), &table)];
        let kept = compile_many(&programs, &table).unwrap();
        let before = executable_bytes();
        assert!(before > 0, "the kept code is somewhere");
        for _ in 0..2_000 {
            drop(compile_many(&programs, &table).unwrap());
        }
        // A leak would be 8 MiB; other tests compile at the same time, and far less than half of that.
        let grown = executable_bytes().saturating_sub(before);
        assert!(grown < 4 << 20, "grew by {grown} bytes");
        drop(kept);
    }

    const CHILD: &str = "GENMORPH_TEST_REFUSE_EXECUTABLE_MEMORY";
    const UNAVAILABLE: &str = "this kernel cannot refuse executable memory";

    /// Runs itself again in a process that may not make memory executable: what cannot be undone in
    /// a process must not be done to the one that runs the other tests.
    #[test]
    fn refused_executable_memory_is_a_counted_fallback() {
        if std::env::var_os(CHILD).is_some() {
            return evaluate_without_executable_memory();
        }
        let name = "engine::native::tests::linux::refused_executable_memory_is_a_counted_fallback";
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{output}\n{}", String::from_utf8_lossy(&child.stderr));
        assert!(output.contains("1 passed"), "the child found no test named {name}: {output}");
        if output.contains(UNAVAILABLE) {
            // Past the capture of the test harness, so that it is seen.
            let text = format!("skipped: {name}: {UNAVAILABLE} (Linux 6.3 or newer can)\n");
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
        }
    }

    fn evaluate_without_executable_memory() {
        unsafe extern "C" {
            fn prctl(option: i32, ...) -> i32;
        }
        const PR_SET_MDWE: i32 = 65;
        const PR_MDWE_REFUSE_EXEC_GAIN: u64 = 1;
        // SAFETY: five arguments, as prctl(2) asks for; it changes no memory of this process.
        let refused =
            unsafe { prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0_u64, 0_u64, 0_u64) } == 0;
        if !refused {
            return println!("{UNAVAILABLE}");
        }
        let table = table(&[100, 71], Tolerance::default());
        let predicates = NATIVE.map(parse);
        let mut evaluator = Evaluator::new(Policy::Only(Tier::Native));
        for (i, predicate) in predicates.iter().enumerate() {
            let mask = evaluator.mask(predicate, &table);
            assert_eq!(mask, reference::evaluate(predicate, &table));
            assert_eq!(evaluator.counters().fallbacks, i as u64 + 1);
        }
        assert_eq!(evaluator.counters().compiles, 0);
        let mut evaluator = Evaluator::new(Policy::Only(Tier::Native));
        evaluator.compile(&predicates, &table);
        assert_eq!(evaluator.counters().fallbacks, NATIVE.len() as u64);
        assert_eq!(
            compile_many(&[lower(&predicates[0], &table)], &table).err(),
            Some(NoExecutableMemory)
        );
    }
}
