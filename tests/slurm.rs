//! A sweep on a real Slurm cluster: a controller and three nodes on this machine, one of which dies in the middle.
//!
//! Needs root and Debian's `slurm-wlm` (slurmctld, slurmd, munge); without them the test says so and checks nothing. No
//! systemd, no database: the daemons are children of the test, each node has a port of its own, and all files are in
//! one folder. Whatever happens, no process outlives the test.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{genmorph, succeeds};
use crate::folder::Folder;
use crate::sweep::{merged, subject};
use crate::tools;

const TWICE: &str = r#"(module (func (export "twice") (param i32) (result i32)
    local.get 0 i32.const 1 i32.shl i32.const 1 i32.add))"#;

/// Every process of the cluster has this in its environment, with the folder of the cluster.
const MARK: &str = "GENMORPH_TEST_CLUSTER";
const NODES: [&str; 3] = ["n1", "n2", "n3"];
/// Eight units each.
const TASKS: usize = 3;
const UNITS: usize = 24;

/// A cluster, until it is dropped.
struct Cluster {
    folder: PathBuf,
    daemons: Vec<Child>,
    /// The daemons of the nodes.
    nodes: Vec<Child>,
}

impl Cluster {
    fn start() -> Cluster {
        // Not in the target folder: the path of a socket must be short.
        let folder = std::env::temp_dir().join(format!("genmorph-slurm-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for name in ["state", "log", "spool/n1", "spool/n2", "spool/n3"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        let key = folder.join("munge.key");
        fs::write(&key, [7; 64]).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o400)).unwrap();
        fs::write(folder.join("slurm.conf"), configuration(&folder)).unwrap();

        let mut cluster = Cluster { folder, daemons: Vec::new(), nodes: Vec::new() };
        let at = |name: &str| cluster.folder.join(name).display().to_string();
        let munged = [
            "--foreground".to_owned(),
            // Of the folder it does not mind that others may look into it.
            "--force".to_owned(),
            format!("--key-file={}", at("munge.key")),
            format!("--socket={}", at("munge.sock")),
            format!("--pid-file={}", at("munged.pid")),
            format!("--log-file={}", at("log/munged.txt")),
            format!("--seed-file={}", at("munged.seed")),
        ];
        let munged = cluster.daemon("munged", &munged);
        cluster.daemons.push(munged);
        cluster.wait("munged", |cluster| cluster.folder.join("munge.sock").exists());
        let controller = cluster.daemon("slurmctld", &["-D".to_owned()]);
        cluster.daemons.push(controller);
        for node in NODES {
            let node =
                cluster.daemon("slurmd", &["-D".to_owned(), "-N".to_owned(), node.to_owned()]);
            cluster.nodes.push(node);
        }
        cluster.wait("three idle nodes", |cluster| {
            cluster
                .ask("sinfo", &["-h", "-N", "-o", "%t"])
                .lines()
                .filter(|line| *line == "idle")
                .count()
                == 3
        });
        cluster
    }

    /// A command that knows this cluster.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env(MARK, &self.folder)
            .env("SLURM_CONF", self.folder.join("slurm.conf"))
            .env("PATH", path())
            .stdin(Stdio::null());
        command
    }

    fn daemon(&self, program: &str, args: &[String]) -> Child {
        let log =
            fs::File::create(self.folder.join(format!("log/{program}-{}.err", self.nodes.len())));
        let mut command = self.command(program);
        command.args(args).stdout(Stdio::null()).stderr(log.unwrap());
        command.spawn().unwrap()
    }

    fn ask(&self, program: &str, args: &[&str]) -> String {
        let output: Output = self.command(program).args(args).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn wait(&self, what: &str, mut is_so: impl FnMut(&Cluster) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            if start.elapsed() > Duration::from_secs(180) {
                let queue = self.ask("squeue", &["-r"]);
                let nodes = self.ask("sinfo", &["-N"]);
                let log =
                    fs::read_to_string(self.folder.join("log/slurmctld.txt")).unwrap_or_default();
                panic!("no {what} after three minutes\n{queue}\n{nodes}\n{log}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A node dies as if its plug was pulled: the daemon, its steps and whatever they run.
    fn kill_node(&mut self, place: usize) {
        self.nodes[place].kill().unwrap();
        self.nodes[place].wait().unwrap();
        let name = format!("SLURMD_NODENAME={}", NODES[place]);
        let jobs: Vec<u32> = self.processes(Some(&name));
        assert!(!jobs.is_empty(), "the node runs something");
        // The steps first, so that they cannot say how their jobs ended.
        let steps: Vec<u32> =
            jobs.iter().copied().filter_map(parent).filter(|pid| is_step(*pid)).collect();
        steps.into_iter().chain(jobs).for_each(kill);
    }

    /// The processes of the cluster; those with this in their environment, too.
    fn processes(&self, also: Option<&str>) -> Vec<u32> {
        let mark = format!("{MARK}={}", self.folder.display());
        let is_ours = |pid: &u32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let has = |text: &str| {
                environment.split(|byte| *byte == 0).any(|entry| entry == text.as_bytes())
            };
            has(&mark) && also.is_none_or(has)
        };
        let entries = fs::read_dir("/proc").unwrap();
        let pids = entries.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
        pids.filter(is_ours).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in self.nodes.iter_mut().chain(&mut self.daemons) {
            let _ = child.kill();
            let _ = child.wait();
        }
        for _ in 0..100 {
            let left = self.processes(None);
            if left.is_empty() {
                break;
            }
            left.into_iter().for_each(kill);
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Three nodes of one processor on this machine, which are soon missed when they are gone.
fn configuration(folder: &Path) -> String {
    let free = || TcpListener::bind("127.0.0.1:0").unwrap();
    // Held together, so that they are different.
    let sockets = [free(), free(), free(), free()];
    let ports = sockets.each_ref().map(|socket| socket.local_addr().unwrap().port());
    let nodes: String = NODES
        .iter()
        .zip(&ports[1..])
        .map(|(name, port)| {
            format!("NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN\n")
        })
        .collect();
    let folder = folder.display();
    format!(
        "ClusterName=genmorph
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
SlurmctldPort={}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.txt
SlurmdLogFile={folder}/log/slurmd-%n.txt
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=3
InactiveLimit=0
KillWait=2
ReturnToService=2
JobRequeue=1
{nodes}PartitionName=main Nodes={} Default=YES MaxTime=INFINITE State=UP
",
        ports[0],
        NODES.join(",")
    )
}

/// Where programs are, those of the system's administrator too.
fn path() -> String {
    format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())
}

/// Why there can be no cluster here.
fn obstacle() -> Option<String> {
    for program in ["munged", "slurmctld", "slurmd", "sbatch", "scontrol"] {
        let version = Command::new(program).arg("--version").env("PATH", path()).output();
        if version.is_err() {
            return Some(format!("no {program} (Debian: slurm-wlm)"));
        }
    }
    let user = Command::new("id").arg("-u").output().ok()?.stdout;
    (user != b"0\n").then(|| "nodes need root".to_owned())
}

fn parent(pid: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

fn is_step(pid: u32) -> bool {
    fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(b"slurmstepd"))
}

fn kill(pid: u32) {
    let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
}

fn planned(scratch: &Folder, name: &str) -> String {
    let twice = subject(scratch, "twice", TWICE);
    let sweep = scratch.at(name);
    // Long enough for a node to be caught at work, short enough to wait for.
    let settings =
        ["--generations", "40", "--population", "300", "--fresh", "5000", "--sources", "40"];
    let args = ["sweep", "plan", &twice, "--seeds", "1-12", "-o", &sweep];
    succeeds(&[&args[..], &settings].concat());
    sweep
}

/// How many units have a result.
fn done(sweep: &str) -> usize {
    let run = genmorph(&["sweep", "status", sweep, "--format", "json"]);
    let status: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    status["done"].as_u64().unwrap() as usize
}

#[test]
fn a_sweep_survives_the_death_of_a_node_and_merges_to_the_same_bytes() {
    if let Some(obstacle) = obstacle() {
        return tools::skip("slurm", &obstacle);
    }
    let scratch = Folder::of("slurm");
    let local = planned(&scratch, "local");
    assert_eq!(genmorph(&["sweep", "run", &local, "--jobs", "2"]).code, Some(0));
    let expected = merged(&local);

    let sweep = planned(&scratch, "cluster");
    let mut cluster = Cluster::start();
    let tasks = TASKS.to_string();
    let submitted = cluster
        .command(env!("CARGO_BIN_EXE_genmorph"))
        .args(["sweep", "submit", "slurm", &sweep, "--tasks", &tasks])
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&submitted.stdout).into_owned();
    assert!(submitted.status.success(), "{}", String::from_utf8_lossy(&submitted.stderr));
    assert!(out.starts_with("24 units in 3 tasks: job "), "{out}");

    // In the middle: all nodes are at work, and something is done.
    cluster.wait("three tasks at work", |cluster| {
        let told = cluster.ask("squeue", &["-r", "-h", "-t", "RUNNING", "-o", "%N"]);
        told.lines().count() == TASKS && done(&sweep) >= 2
    });
    cluster.kill_node(1);
    let before = done(&sweep);
    assert!(before < UNITS, "the node died in the middle");

    let database = Path::new(&sweep).join("sweep.sqlite");
    let mut restarted = BTreeSet::new();
    cluster.wait("merged result", |cluster| {
        // Slurm notices by itself that the node is gone and queues its task again, to start in two minutes. That is
        // all the test does not wait for.
        for job in cluster.ask("scontrol", &["-o", "show", "jobs"]).lines() {
            let field = |name: &str| job.split(' ').find_map(|part| part.strip_prefix(name));
            let (Some(id), Some(restarts)) = (field("JobId="), field("Restarts=")) else {
                continue;
            };
            let is_new = restarts != "0" && restarted.insert(id.to_owned());
            if is_new && field("JobState=") == Some("PENDING") {
                cluster.ask("scontrol", &["update", &format!("JobId={id}"), "StartTime=now"]);
            }
        }
        std::thread::sleep(Duration::from_millis(200));
        database.exists()
    });
    assert_eq!(restarted.len(), 1, "one task was queued again: {restarted:?}");
    assert!(fs::read(&database).unwrap() == expected, "the bytes of one process and of a cluster");

    let status = genmorph(&["sweep", "status", &sweep]);
    assert_eq!(status.code, Some(0));
    assert!(status.out.starts_with("24 units: 24 done, 0 failed, 0 missing\n"), "{}", status.out);
    assert!(status.out.contains("1 attempts began and have not ended"), "{}", status.out);
    // Whoever merges the results again gets the same.
    assert!(merged(&sweep) == expected);
    drop(cluster);
}
