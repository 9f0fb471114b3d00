//! The side of the sandbox that becomes a worker: gives up rights, then executes the program.
//!
//! Landlock is about files: what is not listed here cannot be opened, listed, made or removed. What it does not know of, such as
//! permissions, sockets and processes, is left to the system calls of `calls.rs`.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, make_bitflags,
    path_beneath_rules,
};

use super::calls;

/// What the oldest kernels with Landlock know, and what is used where the kernel knows it.
const OLDEST: ABI = ABI::V1;
const NEWEST: ABI = ABI::V9;

/// Programs and libraries of the system, and what it says of itself. None of it is private.
const SYSTEM: [&str; 23] = [
    "/bin",
    "/etc/alternatives",
    "/etc/crypto-policies",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/pki/java",
    "/etc/ssl/certs",
    "/etc/timezone",
    "/gnu/store",
    "/lib",
    "/lib64",
    "/nix/store",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/self",
    "/proc/stat",
    "/proc/sys",
    "/sbin",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/usr",
];
/// Folders in /etc that begin like this have the settings of a JDK.
const OF_JAVA: &str = "java";
/// Devices that are no hardware.
const DEVICES: [&str; 5] = ["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Whether the kernel knows Landlock; if not, the reason.
pub(super) fn supported() -> Result<(), String> {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let created = ruleset.handle_access(AccessFs::from_all(OLDEST)).and_then(Ruleset::create);
    created.map_err(|_| "Landlock is not available".to_owned())?;
    calls::supported()
}

/// Gives up rights and executes a program: its room, what it can read, `--`, the program and its arguments. Returns only
/// to say why that failed.
pub(super) fn become_worker(arguments: impl Iterator<Item = OsString>) -> io::Error {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut arguments = arguments;
    for argument in arguments.by_ref().take_while(|argument| argument != "--") {
        paths.push(argument.into());
    }
    let (Some((room, readable)), Some(program)) = (paths.split_first(), arguments.next()) else {
        return io::Error::other("a worker in a sandbox needs a folder and a program");
    };
    let restricted = restrict_files(room, readable).and_then(|()| calls::restrict(process::id()));
    match restricted {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(message) => io::Error::other(format!("the sandbox cannot be entered: {message}")),
    }
}

/// From here on only these files can be opened.
fn restrict_files(room: &Path, readable: &[PathBuf]) -> Result<(), String> {
    let status = ruleset(room, readable).map_err(|error| error.to_string())?;
    match status {
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
        RulesetStatus::NotEnforced => Err("Landlock is not in force".to_owned()),
    }
}

fn ruleset(room: &Path, readable: &[PathBuf]) -> Result<RulesetStatus, RulesetError> {
    let settings = fs::read_dir("/etc").into_iter().flatten().flatten();
    let settings = settings.map(|entry| entry.path()).filter(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(OF_JAVA))
    });
    let system = SYSTEM.iter().map(PathBuf::from).chain(settings);
    let own: BitFlags<AccessFs> = make_bitflags!(AccessFs::{
        Execute | ReadFile | ReadDir | WriteFile | RemoveDir | RemoveFile | MakeReg | MakeDir | MakeSym | MakeFifo | Refer | Truncate
    });
    let device = make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate});
    let reading = AccessFs::from_read(NEWEST);
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(OLDEST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(system, reading))?
        .add_rules(path_beneath_rules(readable, reading))?
        .add_rules(path_beneath_rules(DEVICES, device))?
        .add_rules(path_beneath_rules([room], own))?
        .restrict_self()?;
    Ok(status.ruleset)
}
