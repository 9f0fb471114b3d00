//! Workers that wait for work.
//!
//! Whoever needs one takes it and gives it back alive; dead ones are replaced when somebody needs them.

use std::sync::{Mutex, PoisonError};

use super::worker::{Launch, Worker};
use crate::subject::MachineFailure;

/// Workers, at most as many waiting as there are jobs.
#[derive(Debug)]
pub(super) struct Pool {
    launch: Launch,
    jobs: usize,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    pub(super) fn new(launch: Launch, jobs: usize) -> Pool {
        Pool { launch, jobs: jobs.max(1), idle: Mutex::new(Vec::new()) }
    }

    /// A worker that waits, or a new one.
    pub(super) fn take(&self) -> Result<Worker, MachineFailure> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        waiting.map_or_else(|| self.fresh(), Ok)
    }

    /// A worker that has run nothing yet.
    pub(super) fn fresh(&self) -> Result<Worker, MachineFailure> {
        Worker::start(&self.launch)
    }

    /// Takes back a worker that is alive.
    pub(super) fn give_back(&self, worker: Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.jobs {
            idle.push(worker);
        }
    }
}
