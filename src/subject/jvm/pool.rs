//! Workers that wait for work.
//!
//! Whoever needs one takes it and gives it back alive; dead ones are replaced when somebody needs them. Knows nothing of
//! what they do.

use std::sync::Mutex;

use super::worker::{Launch, Worker};
use crate::subject::MachineFailure;

/// A worker that has made so many loaders goes: what they leave behind in a JVM is never all given back.
const MOST_LOADERS: u32 = 2_000;

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
        let waiting = self.idle.lock().unwrap_or_else(|broken| broken.into_inner()).pop();
        waiting.map_or_else(|| Worker::start(&self.launch), Ok)
    }

    /// Takes back a worker that is alive.
    pub(super) fn give_back(&self, worker: Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(|broken| broken.into_inner());
        if worker.loaders < MOST_LOADERS && idle.len() < self.jobs {
            idle.push(worker);
        }
    }
}
