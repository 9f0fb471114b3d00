//! The threads that batches of relations are evaluated on. The only place that knows rayon.

use genmorph_jit::Threads;
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

/// A fixed number of threads. What is computed does not depend on how many.
#[derive(Debug)]
pub struct Jobs(Option<rayon::ThreadPool>);

/// Threads that the system does not give.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {jobs} threads: {source}; ask for fewer with --jobs")]
pub struct NoThreads {
    jobs: usize,
    source: rayon::ThreadPoolBuildError,
}

impl Jobs {
    /// This many threads; 0 is one per core.
    ///
    /// # Errors
    /// When the system refuses them.
    pub fn new(jobs: usize) -> Result<Jobs, NoThreads> {
        let jobs = if jobs == 0 { Jobs::cores() } else { jobs };
        if jobs == 1 {
            return Ok(Jobs(None));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        pool.map(|pool| Jobs(Some(pool))).map_err(|source| NoThreads { jobs, source })
    }

    /// How many threads this machine runs at once.
    pub fn cores() -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }

    /// How many threads these are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}

impl Threads for Jobs {
    fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send) {
        match &self.0 {
            Some(pool) if items.len() > 1 => pool.install(|| items.par_iter_mut().for_each(each)),
            _ => items.iter_mut().for_each(each),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_visited_once_on_any_number_of_threads() {
        for jobs in [1, 2, 5] {
            let jobs = Jobs::new(jobs).unwrap();
            let mut items = vec![0_u32; 1000];
            jobs.for_each(&mut items, |item| *item += 1);
            assert!(items.iter().all(|item| *item == 1));
        }
        assert_eq!(Jobs::new(3).unwrap().count(), 3);
    }
}
