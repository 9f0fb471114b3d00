//! The classes that workers define: those of the class path, rewritten so that they take fuel.
//!
//! Each is rewritten once, when it is first needed. A class that cannot be rewritten is given as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use super::classpath::ClassPath;
use super::error::JvmError;
use super::instrument;
use super::worker::Classes;

/// Class files, and what they have become.
#[derive(Debug)]
pub(super) struct Library {
    path: ClassPath,
    rewritten: Mutex<BTreeMap<String, Option<Arc<[u8]>>>>,
    /// Classes that code needed and that were nowhere, with dots.
    missing: Mutex<BTreeSet<String>>,
}

impl Library {
    pub(super) fn new(path: ClassPath) -> Library {
        Library { path, rewritten: Mutex::default(), missing: Mutex::default() }
    }

    /// The class file as it is on the class path.
    pub(super) fn original(&self, name: &str) -> Result<Option<Vec<u8>>, JvmError> {
        self.path.find(name)
    }

    /// Notes that code needed a class that was nowhere.
    pub(super) fn miss(&self, class: &str) {
        let mut missing = self.missing.lock().unwrap_or_else(|broken| broken.into_inner());
        missing.insert(class.replace('/', "."));
    }

    /// A class that code needed and that was nowhere, if there was one.
    pub(super) fn missing(&self) -> Option<String> {
        let missing = self.missing.lock().unwrap_or_else(|broken| broken.into_inner());
        missing.first().cloned()
    }
}

impl Classes for Library {
    fn class(&self, name: &str) -> Option<Arc<[u8]>> {
        let mut rewritten = self.rewritten.lock().unwrap_or_else(|broken| broken.into_inner());
        if let Some(known) = rewritten.get(name) {
            return known.clone();
        }
        // A jar that can be opened but not read is as good as one without the class: the JVM says which it misses.
        let bytes = self.path.find(name).ok().flatten();
        let class = bytes.map(|bytes| Arc::from(instrument::class(&bytes).unwrap_or(bytes)));
        rewritten.insert(name.to_owned(), class.clone());
        class
    }
}
