//! Nothing is allocated per evaluation once scratch memory has grown.
//!
//! One test, in a binary of its own: the counter sees the whole process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use genmorph_jit::oracle::{self, Choices};
use genmorph_jit::{
    Batch, Columns, Comparator, ComparisonOp, DEFAULT_MEMORY, Evaluator, Isa, Leaf, Mask,
    OneThread, Op, Policy, Predicate, Program, Schema, Table, Tier, Type, Values, text,
};

/// The system's allocator, counted.
struct CountingAllocator;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every method passes its arguments to `System` unchanged and returns what it returns; the
// counter is no part of the memory.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: our caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: our caller keeps the contract of `GlobalAlloc::alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: our caller keeps the contract of `GlobalAlloc::realloc`, and every block is `System`'s.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: our caller keeps the contract of `GlobalAlloc::dealloc`, and every block is `System`'s.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: CountingAllocator = CountingAllocator;

/// Allocations while `run` runs, the second time: the first one grows the scratch memory.
fn steady(mut run: impl FnMut()) -> usize {
    run();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    run();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// Every way to compute, and then what comes.
fn relations(schema: &Schema) -> Vec<Predicate> {
    let written = [
        "a + b * 2 == abs(c) / b and not (a < c) or p",
        "(a + b) * (b + c) - (a - b) * (b - c) <= (a * b) / (c * c)",
        "p xor q implies (p iff a >= b)",
        "flip(s) == t or length(remove(s, a)) > 2",
        "sum(remove(flip(s), a)) == sum(truncate(t, -1)) and s != remove(t, b)",
        "toString(a + b) == s or length(toString(c)) == length(flip(truncate(s, a)))",
        "remove(remove(toString(a), 0), -1) == flip(truncate(toString(b), 2))",
        "true",
    ];
    let parse = |text| text::parse(text, schema).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut choices = Choices::from_seed(11);
    let drawn = (0..200).map(|_| oracle::predicate(&mut choices, schema, 60));
    written.map(parse).into_iter().chain(drawn).collect()
}

/// The schema of the relations above, and tables of a few shapes over it.
fn world() -> (Schema, Vec<Arc<Table>>) {
    use genmorph_jit::Type::{Bool, Num, Seq};
    let variables = [("a", Num), ("b", Num), ("c", Num), ("p", Bool), ("q", Bool)];
    let schema = Schema::new(variables.into_iter().chain([("s", Seq), ("t", Seq)]));
    let schema = schema.expect("distinct names");
    let tables = (0..40).map(|seed| oracle::table(&mut Choices::from_seed(seed), &schema));
    let tables: Vec<Arc<Table>> = tables.filter(|table| table.rows() > 1).map(Arc::new).collect();
    assert!(tables.iter().any(|table| table.rows() > 64));
    (schema, tables)
}

#[test]
fn nothing_is_allocated_in_the_steady_state() {
    let (schema, tables) = world();
    let relations = relations(&schema);
    let table = &tables[0];
    assert_ne!(ALLOCATIONS.load(Ordering::Relaxed), 0, "the counter counts");

    let mut program = Program::new();
    let lowered = steady(|| {
        for table in &tables {
            relations.iter().for_each(|relation| program.lower(relation, table));
        }
    });
    assert_eq!(lowered, 0, "lowering");

    // Relations that native code declines run as bytecode, and that is remembered as well.
    let mut native = Evaluator::new(Policy::Only(Tier::Native));
    let mut mask = Mask::empty(table.layout());
    let compiled = steady(|| {
        relations.iter().for_each(|relation| native.mask_into(relation, table, &mut mask));
    });
    assert_eq!(compiled, 0, "native");

    for table in &tables {
        let mut batch = Batch::new(Arc::clone(table), DEFAULT_MEMORY);
        let counted = steady(|| {
            batch.counts(&relations, &OneThread);
        });
        assert_eq!(counted, 0, "a population that was seen before");
    }

    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        slices_and_columns(table, isa);
        let mut evaluator = Evaluator::with_isa(Policy::Only(Tier::Bytecode), isa);
        let mut mask = Mask::empty(table.layout());
        for relation in &relations {
            let alone = steady(|| evaluator.mask_into(relation, table, &mut mask));
            assert_eq!(alone, 0, "{isa:?}: {}", relation.display(&schema));
        }
        let mixed = steady(|| {
            for table in &tables {
                for relation in &relations {
                    evaluator.mask_into(relation, table, &mut mask);
                }
            }
        });
        assert_eq!(mixed, 0, "{isa:?}: all relations on all tables");
        assert_eq!(evaluator.counters().fallbacks, 0, "the reference engine allocates");
    }
}

/// Comparators never allocate, and an operator into a column that was filled before does not either.
fn slices_and_columns(table: &Table, isa: Isa) {
    let mut columns = Columns::new(table).with_isa(isa);
    let [a, b] = ["a", "b"].map(|name| {
        columns.leaf(Leaf::Var(table.schema().var(name).expect("a variable of the schema")))
    });
    let mut number = Values::empty(Type::Num);
    let mut truth = Values::empty(Type::Bool);
    let applied = steady(|| {
        for op in [Op::Add, Op::Sub, Op::Mul, Op::Div] {
            columns.apply_into(op, &[&a, &b], &mut number);
        }
        columns.apply_into(Op::Abs, &[&a], &mut number);
        columns.apply_into(Op::Le, &[&number, &b], &mut truth);
    });
    assert_eq!(applied, 0, "{isa:?}: operators on columns");
    let (Some(a), Some(b)) = (a.numbers(), b.numbers()) else { panic!("numbers") };
    let mut bits = vec![0; a.len().div_ceil(64)];
    let compared = steady(|| {
        for &op in ComparisonOp::ALL {
            if let Some(comparator) = Comparator::with_isa(op, table.tolerance(), isa) {
                comparator.compare(a, b, &mut bits);
                std::hint::black_box(comparator.first_failure(a, b));
            }
        }
    });
    assert_eq!(compared, 0, "{isa:?}: comparisons of slices");
}
