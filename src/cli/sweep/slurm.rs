//! The scripts that a sweep is submitted to Slurm as: an array of tasks, and a job that merges.
//!
//! Texts only; `submit.rs` runs what is to be run.

use std::path::Path;

use genmorph::support::shell;

/// How a sweep is run on a cluster.
#[derive(Clone, Debug)]
pub(super) struct Cluster<'c> {
    /// The program, and the folder of the sweep, from the root: every node has to see both.
    pub(super) program: &'c Path,
    pub(super) sweep: &'c Path,
    /// Elements of the array.
    pub(super) tasks: usize,
    /// Processors of each task.
    pub(super) cpus: u16,
    /// The most time of a task, as Slurm writes it.
    pub(super) time: Option<&'c str>,
    pub(super) partition: Option<&'c str>,
    /// Further options for `sbatch`.
    pub(super) options: &'c [String],
}

/// A task gets a signal this many seconds before its time is up, so that it can finish a unit and ask to be queued again.
const NOTICE: u32 = 60;

impl Cluster<'_> {
    /// The script of the array of tasks.
    pub(super) fn array(&self) -> String {
        let Cluster { tasks, cpus, time, .. } = self;
        let mut more = vec![
            format!("--array=0-{}", tasks - 1),
            // A node that fails takes its tasks with it; they start again elsewhere, and skip what is done.
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--cpus-per-task={cpus}"),
        ];
        if let Some(time) = time {
            more.push(format!("--time={time}"));
            more.push(format!("--signal=B:USR1@{NOTICE}"));
        }
        let head = self.head("genmorph", "%A_%a", &more);
        let run =
            self.command(&format!("run {} --shards {tasks} --jobs {cpus}", quoted(self.sweep)));
        format!(
            "{head}
# Killed, cancelled or out of time: what is done is safe, and is not done again.
{run} &
worker=$!
late=
trap 'signal=1; late=1; kill -TERM \"$worker\"' USR1
trap 'signal=1; kill -TERM \"$worker\"' TERM
while :; do
    signal=
    wait \"$worker\"
    ended=$?
    # 127: it has been waited for already, when the signal came.
    [ \"$ended\" -eq 127 ] || code=$ended
    # A signal ends the wait, not the worker.
    [ -n \"$signal\" ] || break
done
trap - USR1 TERM
if [ -n \"$late\" ] && [ \"$code\" -eq 130 ]; then
    echo 'out of time: the rest is queued again'
    scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}\" && sleep 60
fi
exit \"$code\"
"
        )
    }

    /// The job that merges.
    pub(super) fn merge(&self) -> String {
        let head = self.head("genmorph-merge", "merge_%j", &["--requeue".to_owned()]);
        let merge = self.command(&format!("merge {} --force", quoted(self.sweep)));
        format!("{head}\nexec {merge}\n")
    }

    fn head(&self, name: &str, log: &str, more: &[String]) -> String {
        let log = self.sweep.join("slurm/log").join(format!("{log}.txt"));
        let mut options = vec![
            format!("--job-name={name}"),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--output={}", quoted(&log)),
        ];
        options.extend(self.partition.map(|partition| format!("--partition={partition}")));
        options.extend_from_slice(more);
        options.extend_from_slice(self.options);
        let lines: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
        format!("#!/bin/bash\n{lines}# Written by `genmorph sweep submit slurm`.")
    }

    fn command(&self, command: &str) -> String {
        format!("{} sweep {command}", quoted(self.program))
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    shell::quoted(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_say_what_is_to_be_done() {
        let options = ["--account=me".to_owned()];
        let cluster = Cluster {
            program: Path::new("/opt/my tools/genmorph"),
            sweep: Path::new("/data/sweep"),
            tasks: 7,
            cpus: 2,
            time: Some("01:00:00"),
            partition: Some("main"),
            options: &options,
        };
        let array = cluster.array();
        assert!(array.starts_with("#!/bin/bash\n#SBATCH "), "{array}");
        for line in [
            "#SBATCH --array=0-6",
            "#SBATCH --requeue",
            "#SBATCH --time=01:00:00",
            "#SBATCH --signal=B:USR1@60",
            "#SBATCH --partition=main",
            "#SBATCH --account=me",
            "#SBATCH --output=/data/sweep/slurm/log/%A_%a.txt",
            "'/opt/my tools/genmorph' sweep run /data/sweep --shards 7 --jobs 2 &",
        ] {
            assert!(array.lines().any(|other| other == line), "{line}\nis not in\n{array}");
        }
        assert!(cluster.merge().contains("genmorph' sweep merge /data/sweep --force\n"));
        let unlimited = Cluster { time: None, ..cluster }.array();
        assert!(!unlimited.contains("--signal") && !unlimited.contains("--time"), "{unlimited}");
    }
}
