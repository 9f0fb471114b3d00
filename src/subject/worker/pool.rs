//! Workers that wait for work.
//!
//! A caller takes one and gives it back alive; dead ones are replaced on demand. Knows nothing of what they do.

use std::sync::{Mutex, PoisonError};

use crate::subject::MachineFailure;

/// Starts workers of one language.
pub(in crate::subject) trait Backend {
    /// A process that runs calls.
    type Worker;

    /// Starts a worker and waits until it is ready.
    fn start(&self) -> Result<Self::Worker, MachineFailure>;

    /// Whether a worker that is given back may be used again.
    fn is_reusable(_worker: &Self::Worker) -> bool {
        true
    }
}

/// Workers, at most as many waiting as there are jobs.
#[derive(Debug)]
pub(in crate::subject) struct Pool<B: Backend> {
    backend: B,
    jobs: usize,
    idle: Mutex<Vec<B::Worker>>,
}

impl<B: Backend> Pool<B> {
    pub(in crate::subject) fn new(backend: B, jobs: usize) -> Pool<B> {
        Pool { backend, jobs: jobs.max(1), idle: Mutex::new(Vec::new()) }
    }

    /// A worker that waits, or a new one.
    pub(in crate::subject) fn take(&self) -> Result<B::Worker, MachineFailure> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.map_or_else(|| self.fresh(), Ok)
    }

    /// A worker that has run nothing yet.
    pub(in crate::subject) fn fresh(&self) -> Result<B::Worker, MachineFailure> {
        self.backend.start()
    }

    /// Takes back a worker that is alive.
    pub(in crate::subject) fn give_back(&self, worker: B::Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if B::is_reusable(&worker) && idle.len() < self.jobs {
            idle.push(worker);
        }
    }
}
