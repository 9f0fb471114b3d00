//! Handles Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;

/// The first Ctrl-C sets the flag, which ends a run as soon as its results are saved; the second ends it
/// immediately.
pub(super) fn on_interrupt(cancelled: &Arc<AtomicBool>) -> Result<(), Failure> {
    let cancelled = Arc::clone(cancelled);
    ctrlc::set_handler(move || {
        if cancelled.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|error| Failure::Bug(format!("cannot listen for Ctrl-C: {error}")))
}
