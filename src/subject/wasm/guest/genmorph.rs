//! What a function needs to be a subject of genmorph, in Rust. Copy this file next to your `lib.rs`.
//!
//! ```ignore
//! #[macro_use]
//! mod genmorph;
//!
//! fn pad_start(text: &str, n: i32, c: char) -> String { … }
//!
//! genmorph! { pad_start: func(text: string, n: s32, c: char) -> string }
//! ```
//!
//! The function takes and gives ordinary types: `bool`, integers, floats, `char`, `&str`, `&[T]` or
//! `&mut [T]`; it may return `String` and `Vec<T>`. The macro says the same in the types of WIT, which become the name
//! of the export. A function refuses an input by a panic. README.md has the flags for the compiler.
//!
//! Compiled to WebAssembly only, where it runs in a sandbox. Knows nothing of genmorph.

#![allow(dead_code, reason = "few subjects need all of it")]

use std::alloc::Layout;

/// Exports a function under a name that says its signature in WIT types.
macro_rules! genmorph {
    ($function:ident : func($($parameters:tt)*) $(-> $($result:tt)+)?) => {
        genmorph! { @parameters
            $function
            (concat!(
                "gm:", stringify!($function), ": ",
                stringify!(func($($parameters)*) $(-> $($result)+)?)
            ))
            [] []
            ($($parameters)*) ($($($result)+)?)
        }
    };

    // Parameter by parameter: what the host passes, and what the function gets.
    (@parameters $f:ident $name:tt [$($core:tt)*] [$($got:tt)*]
        ($p:ident : string $(, $($rest:tt)*)?) $r:tt) => {
        genmorph! { @parameters $f $name
            [$($core)* ($p: *const u8, length: usize)]
            [$($got)* ($crate::genmorph::text($p, length))]
            ($($($rest)*)?) $r }
    };
    (@parameters $f:ident $name:tt [$($core:tt)*] [$($got:tt)*]
        ($p:ident : list<$t:ident> $(, $($rest:tt)*)?) $r:tt) => {
        genmorph! { @parameters $f $name
            [$($core)* ($p: *mut genmorph!(@type $t), length: usize)]
            [$($got)* ($crate::genmorph::list($p, length))]
            ($($($rest)*)?) $r }
    };
    (@parameters $f:ident $name:tt [$($core:tt)*] [$($got:tt)*]
        ($p:ident : $t:ident $(, $($rest:tt)*)?) $r:tt) => {
        genmorph! { @parameters $f $name
            [$($core)* ($p: genmorph!(@type $t))]
            [$($got)* ($p)]
            ($($($rest)*)?) $r }
    };

    // All parameters are read: by result.
    (@parameters $f:ident ($name:expr) [$(($($core:tt)*))*] [$(($($got:tt)*))*] () ()) => {
        const _: () = {
            #[allow(improper_ctypes_definitions, reason = "the host passes valid characters")]
            #[unsafe(export_name = $name)]
            extern "C" fn exported($($($core)*),*) {
                $f($($($got)*),*)
            }
        };
    };
    (@parameters $f:ident ($name:expr) [$(($($core:tt)*))*] [$(($($got:tt)*))*] () (string)) => {
        const _: () = {
            #[allow(improper_ctypes_definitions, reason = "the host passes valid characters")]
            #[unsafe(export_name = $name)]
            extern "C" fn exported($($($core)*),*) -> *const $crate::genmorph::Sequence {
                $crate::genmorph::give(String::into_bytes($f($($($got)*),*)))
            }
        };
    };
    (@parameters $f:ident ($name:expr) [$(($($core:tt)*))*] [$(($($got:tt)*))*] () (list<$t:ident>)) => {
        const _: () = {
            #[allow(improper_ctypes_definitions, reason = "the host passes valid characters")]
            #[unsafe(export_name = $name)]
            extern "C" fn exported($($($core)*),*) -> *const $crate::genmorph::Sequence {
                let elements: Vec<genmorph!(@type $t)> = $f($($($got)*),*);
                $crate::genmorph::give(elements)
            }
        };
    };
    (@parameters $f:ident ($name:expr) [$(($($core:tt)*))*] [$(($($got:tt)*))*] () ($t:ident)) => {
        const _: () = {
            #[allow(improper_ctypes_definitions, reason = "the host passes valid characters")]
            #[unsafe(export_name = $name)]
            extern "C" fn exported($($($core)*),*) -> genmorph!(@type $t) {
                $f($($($got)*),*)
            }
        };
    };

    (@type bool) => { bool };
    (@type s8) => { i8 };
    (@type u8) => { u8 };
    (@type s16) => { i16 };
    (@type u16) => { u16 };
    (@type s32) => { i32 };
    (@type u32) => { u32 };
    (@type s64) => { i64 };
    (@type u64) => { u64 };
    (@type f32) => { f32 };
    (@type f64) => { f64 };
    (@type char) => { char };
}

/// A text or a list that is returned: where it is, and how many bytes or elements it has.
#[repr(C)]
pub struct Sequence {
    at: *const u8,
    length: usize,
}

/// A text that the host has placed in memory.
pub fn text<'a>(at: *const u8, length: usize) -> &'a str {
    // SAFETY: the host places arguments by `cabi_realloc`, and nobody else has them during the call.
    let bytes = unsafe { std::slice::from_raw_parts(at, length) };
    std::str::from_utf8(bytes).expect("texts are in UTF-8")
}

/// A list that the host has placed in memory, aligned for its elements.
pub fn list<'a, T>(at: *mut T, length: usize) -> &'a mut [T] {
    // SAFETY: as for `text`; the host has written values of this type.
    unsafe { std::slice::from_raw_parts_mut(at, length) }
}

/// Gives elements to the host. Memory is as it was before every call, so they need not be freed.
pub fn give<T>(elements: Vec<T>) -> *const Sequence {
    let elements = elements.leak();
    Box::leak(Box::new(Sequence { at: elements.as_ptr().cast(), length: elements.len() }))
}

/// The canonical ABI's way to place arguments in memory.
#[unsafe(no_mangle)]
extern "C" fn cabi_realloc(old: *mut u8, old_size: usize, align: usize, size: usize) -> *mut u8 {
    let layout = Layout::from_size_align(old_size, align).expect("the host knows alignments");
    // SAFETY: what is old came from here with the same layout, and no size is 0.
    unsafe {
        match (old_size, size) {
            (_, 0) => std::ptr::without_provenance_mut(align),
            (0, _) => std::alloc::alloc(Layout::from_size_align_unchecked(size, align)),
            _ => std::alloc::realloc(old, layout, size),
        }
    }
}
