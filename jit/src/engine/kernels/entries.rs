//! The entries: every kernel, compiled once per instruction set.

use super::arithmetic::{
    ABS, ADD, ANY, DIV, EQ, FINITE, INTEGER, LE, LT, MUL, SUB, arith, compare, equal,
    first_failure, logic_words, ones,
};
use super::extra::extra;
use super::isa::Isa;
use super::lanes::Pointer;
use super::measures::{measure, text_views};
use super::portable::Portable;
use super::runs::{Runs, Same, same_runs};
use super::side::LEAF;
use super::spread::{Planes, spread};
use super::sums::sums;
use super::views::{Views, ViewsMut, flip_views, remove_views, truncate_views};
#[cfg(target_arch = "x86_64")]
use super::x86_64::{Avx2, Avx512};
use crate::op::LogicOp;
use crate::program::{DirectMeasure, Extra};
use crate::table::prefix::Prefix;
use crate::tolerance::Tolerance;

// SAFETY (of all entries): the caller has the instruction set, `words * 64` rows behind every pointer (a
// splat has eight lanes) and as many words behind a pointer to bits, and nothing that is written overlaps
// anything that is read. An entry that takes a number of rows has that many behind every pointer.
pub(super) type ArithEntry = unsafe fn(*mut f64, [Pointer; 4], usize, &Tolerance);
pub(super) type ExtraEntry = unsafe fn(*mut f64, [Pointer; 2], usize, &Tolerance);
pub(super) type CompareEntry = unsafe fn(*mut u64, [Pointer; 4], usize, &Tolerance, u64);
pub(super) type FailureEntry = unsafe fn(*const f64, *const f64, usize, &Tolerance, u8) -> usize;
pub(super) type LogicEntry = unsafe fn(&mut [u64], &[u64], &[u64]);
pub(super) type OnesEntry = unsafe fn(&[u64]) -> u64;
pub(super) type EqualEntry = unsafe fn(*mut u64, *const u32, *const u32, usize);
pub(super) type FlipEntry = unsafe fn(ViewsMut<'_>, Views<'_>, u32);
pub(super) type TextEntry = unsafe fn(*mut u32, *mut u32, Pointer, usize);
pub(super) type IndexEntry = unsafe fn(ViewsMut<'_>, Views<'_>, &[f64]);
pub(super) type MeasureEntry = unsafe fn(*mut f64, [Pointer; 2], usize);
pub(super) type SumsEntry = unsafe fn(&mut [f64], Views<'_>, Option<&[u32]>, &Prefix) -> bool;
pub(super) type SpreadEntry = unsafe fn(*mut u64, *const u64, Planes);
pub(super) type RunsEntry = unsafe fn(u64, [Views<'_>; 2], Runs<'_>) -> Same;

/// The entries for one instruction set.
pub(crate) struct Kernels {
    pub(super) isa: Isa,
    /// By operation, left side and right side.
    pub(super) arith: [[[ArithEntry; 6]; 6]; 5],
    /// By comparison, domain, left side and right side.
    pub(super) compare: [[[[CompareEntry; 6]; 6]; 3]; 3],
    /// By comparison, of any numbers.
    pub(super) first_failure: [FailureEntry; 3],
    pub(super) logic: [LogicEntry; 6],
    pub(super) ones: OnesEntry,
    pub(super) equal: EqualEntry,
    pub(super) flip: FlipEntry,
    /// With an index per row, and with one index for all rows.
    pub(super) truncate: [IndexEntry; 2],
    pub(super) remove: [IndexEntry; 2],
    pub(super) text: TextEntry,
    pub(super) measures: [MeasureEntry; 4],
    pub(super) sums: SumsEntry,
    pub(super) same_runs: RunsEntry,
    pub(super) spread: SpreadEntry,
    pub(super) extra: [ExtraEntry; 4],
}

/// One entry per left side and right side; `Side::split` has the order. What comes before the sides stays
/// as it is.
macro_rules! sides {
    ($entry:ident $(, $fixed:ident)*) => {
        [
            sides!(@right $entry, [$($fixed),*], ADD),
            sides!(@right $entry, [$($fixed),*], SUB),
            sides!(@right $entry, [$($fixed),*], MUL),
            sides!(@right $entry, [$($fixed),*], DIV),
            sides!(@right $entry, [$($fixed),*], ABS),
            sides!(@right $entry, [$($fixed),*], LEAF),
        ]
    };
    // The right side of `abs` is not read.
    (@right $entry:ident, [ABS], $left:ident) => {
        [$entry::<ABS, $left, LEAF>; 6]
    };
    (@right $entry:ident, [$($fixed:ident),*], $left:ident) => {
        [
            $entry::<$($fixed,)* $left, ADD>,
            $entry::<$($fixed,)* $left, SUB>,
            $entry::<$($fixed,)* $left, MUL>,
            $entry::<$($fixed,)* $left, DIV>,
            $entry::<$($fixed,)* $left, ABS>,
            $entry::<$($fixed,)* $left, LEAF>,
        ]
    };
}

/// One entry per domain, left side and right side.
macro_rules! domains {
    ($entry:ident, $comparison:ident) => {
        [
            sides!($entry, $comparison, INTEGER),
            sides!($entry, $comparison, FINITE),
            sides!($entry, $comparison, ANY),
        ]
    };
}

/// One kernel behind the instruction set of `$feature`: the only place where it is switched on.
macro_rules! entry {
    (
        [$($feature:literal)?]
        fn $name:ident [$($generics:tt)*] ($($argument:ident: $ty:ty),*) $(-> $result:ty)?
        = $kernel:expr
    ) => {
        $(#[target_feature(enable = $feature)])?
        unsafe fn $name<$($generics)*>($($argument: $ty),*) $(-> $result)? {
            // SAFETY: forwarded; this entry has the instruction set. Some kernels are safe.
            #[allow(unused_unsafe, reason = "one form of entry for safe and for unsafe kernels")]
            unsafe {
                $kernel($($argument),*)
            }
        }
    };
}

/// Instantiates every kernel for one instruction set.
macro_rules! kernels {
    ($table:ident, $isa:expr, $lanes:ty $(, $feature:literal)?) => {
        pub(super) static $table: Kernels = {
            entry! {
                [$($feature)?]
                fn arith_entry[const OP: u8, const FX: u8, const FY: u8](
                    to: *mut f64, operands: [Pointer; 4], words: usize, tolerance: &Tolerance
                ) = arith::<$lanes, OP, FX, FY>
            }
            entry! {
                [$($feature)?]
                fn compare_entry[const COMPARISON: u8, const DOMAIN: u8, const FX: u8, const FY: u8](
                    to: *mut u64, operands: [Pointer; 4], words: usize, tolerance: &Tolerance, flip: u64
                ) = compare::<$lanes, COMPARISON, DOMAIN, FX, FY>
            }
            entry! {
                [$($feature)?]
                fn failure_entry[const COMPARISON: u8](
                    a: *const f64, b: *const f64, rows: usize, tolerance: &Tolerance, flip: u8
                ) -> usize = first_failure::<$lanes, COMPARISON>
            }
            entry! {
                [$($feature)?]
                fn logic_entry[const OP: u8](to: &mut [u64], a: &[u64], b: &[u64]) = logic_words::<OP>
            }
            entry! { [$($feature)?] fn ones_entry[](words: &[u64]) -> u64 = ones }
            entry! {
                [$($feature)?]
                fn equal_entry[](to: *mut u64, a: *const u32, b: *const u32, words: usize)
                = equal::<$lanes>
            }
            entry! {
                [$($feature)?]
                fn flip_entry[](to: ViewsMut<'_>, s: Views<'_>, twice: u32) = flip_views
            }
            entry! {
                [$($feature)?]
                fn truncate_entry[const SPLAT: bool](to: ViewsMut<'_>, s: Views<'_>, n: &[f64])
                = truncate_views::<SPLAT>
            }
            entry! {
                [$($feature)?]
                fn remove_entry[const SPLAT: bool](to: ViewsMut<'_>, s: Views<'_>, n: &[f64])
                = remove_views::<SPLAT>
            }
            entry! {
                [$($feature)?]
                fn text_entry[](starts: *mut u32, lens: *mut u32, n: Pointer, words: usize)
                = text_views::<$lanes>
            }
            entry! {
                [$($feature)?]
                fn measure_entry[const MEASURE: u8](
                    to: *mut f64, operands: [Pointer; 2], words: usize
                ) = measure::<$lanes, MEASURE>
            }
            entry! {
                [$($feature)?]
                fn sums_entry[](
                    to: &mut [f64], s: Views<'_>, removed: Option<&[u32]>, prefix: &Prefix
                ) -> bool = sums
            }
            entry! {
                [$($feature)?]
                fn same_runs_entry[](rows: u64, views: [Views<'_>; 2], runs: Runs<'_>) -> Same
                = same_runs::<$lanes>
            }
            entry! {
                [$($feature)?]
                fn spread_entry[](to: *mut u64, few: *const u64, planes: Planes) = spread::<$lanes>
            }
            entry! {
                [$($feature)?]
                fn extra_entry[const OP: u8](
                    to: *mut f64, operands: [Pointer; 2], words: usize, tolerance: &Tolerance
                ) = extra::<OP>
            }
            Kernels {
                isa: $isa,
                arith: [
                    sides!(arith_entry, ADD),
                    sides!(arith_entry, SUB),
                    sides!(arith_entry, MUL),
                    sides!(arith_entry, DIV),
                    sides!(arith_entry, ABS),
                ],
                compare: [
                    domains!(compare_entry, EQ),
                    domains!(compare_entry, LT),
                    domains!(compare_entry, LE),
                ],
                first_failure: [
                    failure_entry::<EQ>,
                    failure_entry::<LT>,
                    failure_entry::<LE>,
                ],
                logic: [
                    logic_entry::<{ LogicOp::And as u8 }>,
                    logic_entry::<{ LogicOp::Or as u8 }>,
                    logic_entry::<{ LogicOp::Xor as u8 }>,
                    logic_entry::<{ LogicOp::Iff as u8 }>,
                    logic_entry::<{ LogicOp::Implies as u8 }>,
                    logic_entry::<{ LogicOp::Not as u8 }>,
                ],
                ones: ones_entry,
                equal: equal_entry,
                flip: flip_entry,
                truncate: [truncate_entry::<false>, truncate_entry::<true>],
                remove: [remove_entry::<false>, remove_entry::<true>],
                text: text_entry,
                measures: [
                    measure_entry::<{ DirectMeasure::TruncatedLength as u8 }>,
                    measure_entry::<{ DirectMeasure::RemovedLength as u8 }>,
                    measure_entry::<{ DirectMeasure::TextLength as u8 }>,
                    measure_entry::<{ DirectMeasure::TextSum as u8 }>,
                ],
                sums: sums_entry,
                same_runs: same_runs_entry,
                spread: spread_entry,
                extra: [
                    extra_entry::<{ Extra::Min as u8 }>,
                    extra_entry::<{ Extra::Max as u8 }>,
                    extra_entry::<{ Extra::Mod as u8 }>,
                    extra_entry::<{ Extra::Floor as u8 }>,
                ],
            }
        };
    };
}

kernels!(PORTABLE, Isa::Portable, Portable);
#[cfg(target_arch = "x86_64")]
kernels!(AVX2, Isa::Avx2, Avx2, "avx2,popcnt");
#[cfg(target_arch = "x86_64")]
kernels!(
    AVX512,
    Isa::Avx512,
    Avx512,
    "avx2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq"
);
