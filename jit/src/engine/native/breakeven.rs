//! When machine code pays. The numbers come from `cargo bench --bench breakeven`, benches/record/.
//!
//! Knows nothing of how code is made or run.

use crate::engine::kernels::Isa;

/// Against kernels of one instruction set: where native code wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Breakeven {
    /// The largest small table, in rows: there bytecode spends its time on getting ready, and machine code is ready.
    pub(super) small_rows: usize,
    /// The smallest large table, in rows. Between the two the native tier is not asked.
    pub(super) min_rows: usize,
    /// Rows run natively until the time saved has paid for the compilation.
    row_runs: usize,
}

/// As many runs pay on small tables: compiling takes 250–500 µs, and a run on 100 rows saves 0.15 µs.
const SMALL_RUNS: u32 = 3_000;

impl Breakeven {
    /// From the runs of 2026-11-16 (Ice Lake and Zen 4, AVX-512): compiling takes 200–500 µs. Against the
    /// portable kernels a run saves 0.1–0.9 ns per row. Against AVX2 and AVX-512 it loses while the
    /// columns fit the caches; on a million rows, where memory decides and machine code reads each
    /// column once, it takes 0.75–1.1 of their time, and the larger the relation the less. A run on
    /// 100 rows takes half the time on every instruction set, because nothing is lowered.
    pub(super) fn of(isa: Isa) -> Breakeven {
        match isa {
            Isa::Portable => Breakeven { small_rows: 4_096, min_rows: 4_096, row_runs: 400_000 },
            Isa::Avx2 | Isa::Avx512 => {
                Breakeven { small_rows: 256, min_rows: 600_000, row_runs: 3_000_000 }
            }
        }
    }

    /// Whether native code can win on a table of this many rows.
    pub(super) fn is_worthwhile(self, rows: usize) -> bool {
        rows <= self.small_rows || rows >= self.min_rows
    }

    /// How often a relation must be seen on a table of this many rows before it is compiled.
    ///
    /// As often as native code would have to run to pay: a relation seen that often is likely to
    /// be seen as often again, and at worst twice the optimal time is spent.
    pub(super) fn sightings(self, rows: usize) -> u32 {
        let runs = self.row_runs.div_ceil(rows.max(1)).try_into().unwrap_or(u32::MAX);
        if rows <= self.small_rows { runs.min(SMALL_RUNS) } else { runs }
    }
}
