//! `genmorph sweep submit`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;
use genmorph::sweep::{Folder, Manifest, Status};

use super::super::whole::cannot;
use super::super::{Ending, Failure, output, print};
use super::slurm::Cluster;

/// Submit a sweep to a job scheduler: an array of tasks, and a job that merges when they have ended
///
/// The scripts and what tasks say are in the folder `slurm` of the sweep, which all nodes must see under the same name.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The job scheduler that the script is for
    engine: Engine,

    /// The folder of the sweep
    sweep: PathBuf,

    /// Into how many tasks the units are packed [default: 20 units each, at most 1000 tasks]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    tasks: Option<u32>,

    /// Processors of each task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    cpus: u16,

    /// The most time of a task, as Slurm writes it: 30 (minutes), 02:00:00. What is not done by then is queued again
    #[arg(long, value_name = "TIME")]
    time: Option<String>,

    /// The partition of the cluster
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,

    /// Anything else to tell sbatch, such as --option=--account=me; may be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    option: Vec<String>,

    /// Write the scripts, and submit nothing
    #[arg(long)]
    dry_run: bool,
}

/// The job schedulers that genmorph knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    Slurm,
}

/// Units of a task without --tasks: units take seconds, and the start of a task may, too. A guess.
const PACKED: usize = 20;
/// The most tasks without --tasks: Slurm's own default allows 1001.
const MOST: usize = 1000;

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    match args.engine {
        Engine::Slurm => slurm(args),
    }
}

fn slurm(args: &Args) -> Result<Ending, Failure> {
    let manifest = Manifest::read(&args.sweep)?;
    let folder = Folder::open(&args.sweep.join(Folder::NAME), &manifest)?;
    let status = Status::of(&manifest, &[folder])?;
    if status.missing.is_empty() && status.damaged.is_empty() {
        print(&"all units have a result: `genmorph sweep merge` merges them\n")?;
        return Ok(Ending::Done);
    }
    let sweep = args.sweep.canonicalize().map_err(|error| cannot("use", &args.sweep, &error))?;
    let program = env::current_exe()
        .map_err(|error| Failure::Bug(format!("cannot find out where this program is: {error}")))?;
    let units = manifest.units.len();
    let packed = || units.div_ceil(PACKED).min(MOST);
    let cluster = Cluster {
        program: &program,
        sweep: &sweep,
        tasks: args.tasks.map_or_else(packed, |tasks| tasks as usize).min(units),
        cpus: args.cpus,
        time: args.time.as_deref(),
        partition: args.partition.as_deref(),
        options: &args.option,
    };
    let scripts = sweep.join("slurm");
    let log = scripts.join("log");
    fs::create_dir_all(&log).map_err(|error| cannot("create", &log, &error))?;
    let array = script(&scripts, "array.sh", &cluster.array())?;
    let merge = script(&scripts, "merge.sh", &cluster.merge())?;
    if args.dry_run {
        print(&format_args!(
            "{units} units in {} tasks; to submit:\n  sbatch --parsable {}\n  sbatch --dependency=afterany:JOB {}\n",
            cluster.tasks,
            array.display(),
            merge.display()
        ))?;
        return Ok(Ending::Done);
    }
    let job = sbatch(&[], &array)?;
    // After any end: if units are missing, the merge says so and fails, which a dependency on success would never do.
    let merging = sbatch(&[format!("--dependency=afterany:{job}")], &merge)?;
    print(&format_args!(
        "{units} units in {} tasks: job {job}; merged by job {merging}\n",
        cluster.tasks
    ))?;
    Ok(Ending::Done)
}

fn script(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    output::write(&path, text)?;
    Ok(path)
}

/// Submits a script, and returns the number of the job.
fn sbatch(options: &[String], script: &Path) -> Result<String, Failure> {
    let output = Command::new("sbatch").arg("--parsable").args(options).arg(script).output();
    let output = output.map_err(|error| {
        Failure::Input(format!("cannot run sbatch: {error}\nis this a machine from which jobs are submitted? --dry-run only writes the scripts"))
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if !output.status.success() {
        return Err(Failure::Input(format!(
            "sbatch refuses {}: {}",
            script.display(),
            text(&output.stderr)
        )));
    }
    // The number, and the cluster after a semicolon.
    let told = text(&output.stdout);
    let job = told.split(';').next().unwrap_or_default().to_owned();
    if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Failure::Input(format!(
            "sbatch did not print the number of the job, but: {told}"
        )));
    }
    Ok(job)
}
