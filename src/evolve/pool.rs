//! Threads for the search. However many there are, results come back in the order of the items.

use genmorph_jit::{OneThread, Threads};
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::EvolveError;

/// Some threads, or only the caller's.
#[derive(Debug)]
pub(crate) struct Pool(Option<rayon::ThreadPool>);

impl Pool {
    /// A pool of `jobs` threads; 0 is one per processor.
    pub(crate) fn new(jobs: usize) -> Result<Pool, EvolveError> {
        if jobs == 1 {
            return Ok(Pool(None));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        Ok(Pool(Some(pool.map_err(|error| EvolveError::Threads(error.to_string()))?)))
    }

    /// One result per item, in their order. `chunk` items at a time share what `scratch` makes.
    pub(crate) fn map<I: Sync, T: Send, S>(
        &self,
        items: &[I],
        chunk: usize,
        scratch: impl Fn() -> S + Sync,
        each: impl Fn(&mut S, &I) -> T + Sync,
    ) -> Vec<T> {
        let mut parts: Vec<(&[I], Vec<T>)> =
            items.chunks(chunk).map(|items| (items, Vec::new())).collect();
        self.for_each(&mut parts, |(items, results)| {
            let mut scratch = scratch();
            results.extend(items.iter().map(|item| each(&mut scratch, item)));
        });
        let mut all = Vec::with_capacity(items.len());
        all.extend(parts.into_iter().flat_map(|(_, results)| results));
        all
    }
}

impl Threads for Pool {
    fn for_each<T: Send>(&self, items: &mut [T], each: impl Fn(&mut T) + Sync + Send) {
        match &self.0 {
            None => OneThread.for_each(items, each),
            Some(pool) => pool.install(|| items.par_iter_mut().for_each(each)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1_000).collect();
        for jobs in [1, 2, 5] {
            let doubled = Pool::new(jobs).unwrap().map(&items, 7, || (), |(), i| 2 * i);
            assert!(doubled.iter().enumerate().all(|(i, d)| *d == 2 * i), "{jobs}");
        }
    }
}
