//! Workers that wait for work.
//!
//! A caller takes one and gives it back alive; dead ones are replaced on demand. Knows nothing of what they do.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::subject::MachineFailure;

/// Workers that are killed while they start, one after the other, before the machine is given up.
const MOST_STARTS: usize = 30;

/// Starts workers of one language.
pub(in crate::subject) trait Backend {
    /// A process that runs calls.
    type Worker;

    /// The program that is started.
    fn program(&self) -> &Path;

    /// Starts a worker and waits until it is ready; none if it was killed from outside meanwhile.
    fn start(&self) -> Result<Option<Self::Worker>, MachineFailure>;

    /// Leaves a worker alone for some time, and says whether it is alive afterwards.
    fn is_left_alive(worker: &mut Self::Worker, pause: Duration) -> bool;

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
        for _ in 0..MOST_STARTS {
            if let Some(worker) = self.backend.start()? {
                return Ok(worker);
            }
        }
        Err(self.killed(MOST_STARTS))
    }

    /// The failure of a machine on which `kills` workers in a row were killed from outside.
    pub(in crate::subject) fn killed(&self, kills: usize) -> MachineFailure {
        MachineFailure::Worker {
            command: self.backend.program().display().to_string(),
            message: format!(
                "workers are killed again and again, {kills} in a row, by signals that the function does not cause"
            ),
        }
    }

    /// Takes back a worker that is alive.
    pub(in crate::subject) fn give_back(&self, worker: B::Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if B::is_reusable(&worker) && idle.len() < self.jobs {
            idle.push(worker);
        }
    }
}
