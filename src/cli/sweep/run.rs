//! `genmorph sweep run`.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use genmorph::sweep::{
    FailedUnits, Folder, Manifest, Shard, Tally, Task, Unit, Worker, run as sweep,
};

use super::super::flags::MachineArgs;
use super::super::{Ending, Failure, budget, print};
use super::interrupt::Interrupt;
use super::progress::Progress;
use super::work::{Bench, GENERATE};
use super::{share, subjects};

/// Run the units of a sweep, or a share of them, that have no result yet
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the sweep
    sweep: PathBuf,

    /// The K-th of N shares [default: that of this element of a Slurm array or pod of an indexed Kubernetes job;
    /// everything where there is neither]
    #[arg(long, value_name = "K/N")]
    shard: Option<Shard>,

    /// How many shares there are, where the job scheduler only says which one this is, counted from 0
    #[arg(long, value_name = "N", conflicts_with = "shard")]
    shards: Option<usize>,

    /// Only this unit: its id, or how that begins
    #[arg(long, value_name = "ID", conflicts_with_all = ["shard", "shards"])]
    unit: Option<String>,

    /// The folder for the results [default: `results` in the folder of the sweep]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,

    /// Try units again that failed before
    #[arg(long)]
    retry_failed: bool,

    /// How long the unit at work may go on after SIGTERM or Ctrl-C before it is left
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = budget::parse)]
    grace: Duration,

    #[command(flatten)]
    machine: MachineArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let manifest = Manifest::read(&args.sweep)?;
    if manifest.work != GENERATE {
        return Err(Failure::Input(format!(
            "the units of this sweep are for `{}`, which `sweep run` does not do",
            manifest.work
        )));
    }
    let get = |name: &str| env::var(name).ok();
    let (units, share) = match &args.unit {
        Some(id) => (vec![one(&manifest, id)?], format!("unit {id}")),
        None => {
            let shard = share::find(args.shard, args.shards, &get)?;
            (shard.of(&manifest.units), shard.to_string())
        }
    };
    subjects::check(&args.sweep, &manifest, &units)?;
    let worker = worker(share, &get);
    let path = args.results.clone().unwrap_or_else(|| args.sweep.join(Folder::NAME));
    let folder = Folder::create(&path, &manifest, &worker)?;

    let interrupt = Interrupt::listen(args.grace)?;
    let machine = args.machine.machine();
    let mut bench = Bench::new(&args.sweep, &manifest, machine, &interrupt);
    let mut progress = Progress::new(&manifest, units.len());
    let failed = if args.retry_failed { FailedUnits::Retry } else { FailedUnits::Skip };
    let task = Task { folder: &folder, units: &units, worker: &worker, failed };
    let tally =
        sweep(&task, &|| interrupt.is_requested(), &mut |unit| bench.work(unit), &mut |event| {
            progress.show(&event);
        });
    progress.finish();
    let Tally { done, failed, done_before, failed_before, left } = tally?;
    print(&format_args!(
        "{} units of shard {}: {done} done, {done_before} done before, {} failed, {left} left\n",
        units.len(),
        worker.shard,
        failed + failed_before,
    ))?;
    Ok(match (left, failed + failed_before) {
        (0, 0) => Ending::Done,
        (0, _) => Ending::Partly,
        _ => Ending::Interrupted,
    })
}

/// The unit whose id begins so.
fn one<'m>(manifest: &'m Manifest, id: &str) -> Result<&'m Unit, Failure> {
    let mut found = manifest.units.iter().filter(|unit| unit.id.to_string().starts_with(id));
    match (found.next(), found.next()) {
        (Some(unit), None) if !id.is_empty() => Ok(unit),
        (None, _) => Err(Failure::Input(format!("the sweep has no unit {id}"))),
        _ => Err(Failure::Input(format!(
            "the ids of several units begin with `{id}`: give more of it"
        ))),
    }
}

/// Who this task is.
fn worker(shard: String, env: share::Env<'_>) -> Worker {
    let machine = || {
        let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
        name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
    };
    let host = env("SLURMD_NODENAME").or_else(machine).or_else(|| env("HOSTNAME"));
    let element =
        || Some(format!("{}_{}", env("SLURM_ARRAY_JOB_ID")?, env("SLURM_ARRAY_TASK_ID")?));
    Worker {
        host: host.unwrap_or_else(|| "unknown".to_owned()),
        process: std::process::id(),
        shard,
        job: element().or_else(|| env("SLURM_JOB_ID")),
    }
}
