//! The threads that relations are evaluated and bred on. The only place that knows rayon.

use genmorph_jit::Threads;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

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

    /// Does work on one of the threads, so that what it hands to the others is near: from outside, each
    /// time threads are called for costs a wake-up.
    pub fn within<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// One result per item, in their order. `chunk` items at a time share what `scratch` makes.
    pub fn map<I: Sync, T: Send, S>(
        &self,
        items: &[I],
        chunk: usize,
        scratch: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, &I) -> T + Sync,
    ) -> Vec<T> {
        let mut parts: Vec<(&[I], Vec<T>)> =
            items.chunks(chunk).map(|items| (items, Vec::with_capacity(items.len()))).collect();
        self.for_each(&mut parts, |(items, results)| {
            let mut scratch = scratch();
            results.extend(items.iter().map(|item| each(&mut scratch, item)));
        });
        let mut all = Vec::with_capacity(items.len());
        all.extend(parts.into_iter().flat_map(|(_, results)| results));
        all
    }

    /// The same for work that can fail: the first failure in the order of the items.
    ///
    /// # Errors
    /// When the work on an item fails.
    pub fn try_map<I: Sync, T: Send, E: Send, S>(
        &self,
        items: &[I],
        chunk: usize,
        scratch: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, &I) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        self.map(items, chunk, scratch, each).into_iter().collect()
    }
}

impl Threads for Jobs {
    fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send) {
        match &self.0 {
            Some(pool) if items.len() > 1 => pool.install(|| {
                // Items are few and large: each may go to another thread.
                items.par_iter_mut().with_max_len(1).for_each(each);
            }),
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

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1_000).collect();
        for jobs in [1, 2, 5] {
            let doubled = Jobs::new(jobs).unwrap().map(&items, 7, || (), |(), i| 2 * i);
            assert!(doubled.iter().enumerate().all(|(i, d)| *d == 2 * i), "{jobs}");
        }
    }
}
