//! Whether Java, Rust and Python functions run in a sandbox: set once, when the flags are known.

use std::sync::OnceLock;

use genmorph::subject::Isolation;

static ISOLATION: OnceLock<Isolation> = OnceLock::new();

/// Sets it for this process; `--no-sandbox` is what the user says.
pub(super) fn set(no_sandbox: bool) {
    let isolation = if no_sandbox { Isolation::Nothing } else { Isolation::default() };
    // Flags are read once.
    let _ = ISOLATION.set(isolation);
}

/// What worker processes are kept from.
pub(super) fn get() -> Isolation {
    ISOLATION.get().copied().unwrap_or_default()
}
