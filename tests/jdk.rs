//! The JDK that tests of Java methods use.

use std::path::PathBuf;
use std::sync::OnceLock;

use genmorph::subject::jvm::{Jdk, Search};

use crate::tools;

/// The JDK of this machine, if there is one.
#[track_caller]
pub fn jdk() -> Option<&'static Jdk> {
    static JDK: OnceLock<Option<Jdk>> = OnceLock::new();
    let jdk = JDK.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let search = Search {
            java_home: std::env::var_os("JAVA_HOME").map(PathBuf::from),
            path: std::env::split_paths(&path).collect(),
            ..Search::default()
        };
        Jdk::find(&search).ok()
    });
    tools::found("jdk", jdk.as_ref())
}
