//! Java methods as subjects: any static method on a class path, run in worker JVMs.
//!
//! ```text
//!  subject ──► run ──► worker ══ socket ══► JVM: harness/gm
//!     │         └─ protocol: typed columns   (defines classes, calls, reports what happened)
//!     └─ classes: the class path, rewritten
//! ```
//!
//! All decisions are made on this side: which classes there are, what a call may spend, what a death means (`subject/worker`).
//! Files are read for classes and written for the harness.

mod access;
mod class;
mod classes;
mod classpath;
mod constants;
mod definition;
mod doctor;
mod error;
mod foreign;
mod harness;
mod identity;
mod instrument;
mod jdk;
mod literal;
mod maven;
mod method;
mod mutate;
mod outline;
mod probe;
mod protocol;
mod run;
mod subject;
#[cfg(test)]
mod tests;
mod texts;
mod types;
mod worker;

pub use self::access::{Access, Reach};
pub use self::classpath::ClassPath;
pub use self::definition::{BadDefinition, JavaDefinition};
pub use self::doctor::{Report, examine};
pub use self::error::JvmError;
pub use self::foreign::{read_class, read_reply};
pub use self::harness::install as install_harness;
pub use self::identity::PitMutant;
pub use self::jdk::{Jdk, JdkError, OLDEST, Search};
pub use self::maven::{Coordinates, MavenError, Repositories};
pub use self::method::{BadName, Method, MethodName};
pub use self::subject::{JavaSpec, JvmSubject, Runtime};
pub use self::types::{Element, Form, JavaType};

/// An empty folder for a test.
#[cfg(test)]
fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new("target/scratch/jvm").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    folder
}
