//! The Python side: one program, put together from the files of `harness/`, that needs the standard library only.

/// Reads the program from the channel and runs it, with builtins of its own.
pub(super) const BOOT: &str = include_str!("harness/boot.py");

/// The program.
pub(super) const PROGRAM: &str = concat!(
    include_str!("harness/channel.py"),
    include_str!("harness/forms.py"),
    include_str!("harness/function.py"),
    include_str!("harness/scope.py"),
    include_str!("harness/mutate.py"),
    include_str!("harness/probe.py"),
    include_str!("harness/batch.py"),
    include_str!("harness/main.py"),
);
