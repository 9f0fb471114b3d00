//! Whether Java methods can be run on this machine, and what to install if not.
//!
//! Looks, compiles the harness, and starts a worker. Prints nothing.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::JvmError;
use super::harness;
use super::jdk::{Jdk, JdkError, Search};
use super::maven::{Coordinates, Repositories};
use super::worker::Launch;
use crate::subject::Isolation;
use crate::subject::worker::Pool;

/// What Java methods need, and what of it was found.
#[derive(Debug)]
pub struct Report {
    /// The JDK, or why there is none.
    pub jdk: Result<Jdk, JdkError>,
    /// How long a worker takes to its first answer, or why there is no answer; `None` without a JDK.
    pub worker: Option<Result<Duration, String>>,
    /// The folder that is kept between runs.
    pub cache: PathBuf,
    /// Maven, if it is there.
    pub mvn: Option<PathBuf>,
    /// Artifacts, and where their jars are.
    pub jars: Vec<(Coordinates, Option<PathBuf>)>,
}

/// Looks for all that is needed, and for the jars of some artifacts.
pub fn examine(
    search: &Search,
    cache: &Path,
    repositories: &Repositories,
    artifacts: &[Coordinates],
    isolation: Isolation,
) -> Report {
    let jdk = Jdk::find(search);
    let worker = jdk.as_ref().ok().map(|jdk| first_answer(jdk, cache, isolation));
    let jars = artifacts.iter().map(|artifact| (artifact.clone(), repositories.look_up(artifact)));
    Report {
        worker,
        cache: cache.to_owned(),
        mvn: repositories.mvn.clone(),
        jars: jars.collect(),
        jdk,
    }
}

fn first_answer(jdk: &Jdk, cache: &Path, isolation: Isolation) -> Result<Duration, String> {
    let harness = harness::install(jdk, cache).map_err(|error| error.to_string())?;
    let patience = Duration::from_secs(10);
    let launch = Launch { jdk: jdk.clone(), harness, patience, longest: patience, isolation };
    let start = Instant::now();
    let pool = Pool::new(launch, 1);
    let mut worker = pool.fresh().map_err(|failure| JvmError::from(failure).to_string())?;
    worker.ping().map_err(|death| format!("the Java worker does not answer: {death:?}"))?;
    Ok(start.elapsed())
}

impl Report {
    /// Whether Java methods can be run.
    pub fn can_run(&self) -> bool {
        matches!(self.worker, Some(Ok(_)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.jdk {
            Ok(jdk) => {
                writeln!(f, "JDK      {jdk}")?;
                writeln!(f, "java     {}", jdk.java.display())?;
                writeln!(f, "javac    {}", jdk.javac.display())?;
            }
            Err(error) => writeln!(f, "JDK      {error}")?,
        }
        match &self.worker {
            Some(Ok(time)) => {
                writeln!(f, "worker   answers, {} ms after its start", time.as_millis())?;
            }
            Some(Err(error)) => writeln!(f, "worker   {error}")?,
            None => {}
        }
        writeln!(f, "cache    {}", self.cache.display())?;
        match &self.mvn {
            Some(mvn) => writeln!(f, "mvn      {}", mvn.display())?,
            None => writeln!(
                f,
                "mvn      not found: --maven finds only jars that are on this machine (Debian: apt install maven)"
            )?,
        }
        for (artifact, jar) in &self.jars {
            match jar {
                Some(jar) => writeln!(f, "jar      {artifact} in {}", jar.display())?,
                None if self.mvn.is_some() => {
                    writeln!(
                        f,
                        "jar      {artifact} is not here yet; mvn fetches it when it is needed"
                    )?;
                }
                None => writeln!(f, "jar      {artifact} is not here")?,
            }
        }
        match self.can_run() {
            true => writeln!(f, "Java methods can be run."),
            false => writeln!(f, "Java methods cannot be run."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_jdk_the_report_says_what_to_install() {
        let search = Search { installed: Some(Vec::new()), ..Search::default() };
        let cache = super::super::scratch("doctor");
        let artifact = "a:b:1".parse().unwrap();
        let report =
            examine(&search, &cache, &Repositories::default(), &[artifact], Isolation::default());
        let text = report.to_string();
        assert!(!report.can_run());
        for part in
            ["apt install openjdk-17-jdk-headless", "apt install maven", "a:b:1 is not here"]
        {
            assert!(text.contains(part), "{text}");
        }
    }
}
