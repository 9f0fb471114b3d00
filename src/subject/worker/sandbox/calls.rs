//! The system calls that a worker may make.
//!
//! Two filters, both in force. The first lists the calls that exist for a worker: what is not listed, or will be invented, is
//! answered as by a kernel that does not know it, so that libraries fall back to an older call (`clone3` to `clone`, whose flags
//! a filter can read). The second refuses some of the listed ones because of their arguments, and those that a program
//! should see refused rather than missing.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use libc as c;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

/// Requests for signals to another process; the same on every machine, and not in `libc`.
const F_SETSIG: c::c_int = 10;
const F_SETOWN_EX: c::c_int = 15;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;

/// Calls that every system has: files that Landlock guards, memory, threads, signals, time, pipes.
const LISTED: &[i64] = &[
    // Files that are open, and files by name.
    c::SYS_read,
    c::SYS_write,
    c::SYS_pread64,
    c::SYS_pwrite64,
    c::SYS_readv,
    c::SYS_writev,
    c::SYS_preadv,
    c::SYS_pwritev,
    c::SYS_preadv2,
    c::SYS_pwritev2,
    c::SYS_openat,
    c::SYS_close,
    c::SYS_close_range,
    c::SYS_fstat,
    c::SYS_newfstatat,
    c::SYS_statx,
    c::SYS_statfs,
    c::SYS_fstatfs,
    c::SYS_lseek,
    c::SYS_ioctl,
    c::SYS_fcntl,
    c::SYS_flock,
    c::SYS_fsync,
    c::SYS_fdatasync,
    c::SYS_ftruncate,
    c::SYS_fallocate,
    c::SYS_fadvise64,
    c::SYS_sync_file_range,
    c::SYS_copy_file_range,
    c::SYS_sendfile,
    c::SYS_splice,
    c::SYS_tee,
    c::SYS_getdents64,
    c::SYS_getcwd,
    c::SYS_chdir,
    c::SYS_fchdir,
    c::SYS_mkdirat,
    c::SYS_unlinkat,
    c::SYS_renameat2,
    c::SYS_linkat,
    c::SYS_symlinkat,
    c::SYS_readlinkat,
    c::SYS_faccessat,
    c::SYS_faccessat2,
    c::SYS_umask,
    c::SYS_dup,
    c::SYS_dup3,
    c::SYS_pipe2,
    c::SYS_memfd_create,
    // Memory.
    c::SYS_brk,
    c::SYS_mmap,
    c::SYS_munmap,
    c::SYS_mprotect,
    c::SYS_mremap,
    c::SYS_madvise,
    c::SYS_msync,
    c::SYS_mincore,
    c::SYS_mlock,
    c::SYS_mlock2,
    c::SYS_munlock,
    c::SYS_get_mempolicy,
    c::SYS_set_mempolicy,
    c::SYS_mbind,
    c::SYS_pkey_alloc,
    c::SYS_pkey_free,
    c::SYS_pkey_mprotect,
    // Threads, and the one program that the process becomes.
    c::SYS_clone,
    c::SYS_execve,
    c::SYS_exit,
    c::SYS_exit_group,
    c::SYS_wait4,
    c::SYS_waitid,
    c::SYS_futex,
    c::SYS_set_tid_address,
    c::SYS_set_robust_list,
    c::SYS_get_robust_list,
    c::SYS_rseq,
    c::SYS_membarrier,
    c::SYS_prctl,
    c::SYS_capget,
    c::SYS_getcpu,
    c::SYS_sched_yield,
    c::SYS_sched_getaffinity,
    c::SYS_sched_getparam,
    c::SYS_sched_getscheduler,
    c::SYS_sched_get_priority_max,
    c::SYS_sched_get_priority_min,
    c::SYS_getpid,
    c::SYS_getppid,
    c::SYS_gettid,
    c::SYS_getuid,
    c::SYS_geteuid,
    c::SYS_getgid,
    c::SYS_getegid,
    c::SYS_getresuid,
    c::SYS_getresgid,
    c::SYS_getgroups,
    c::SYS_getpgid,
    c::SYS_getsid,
    c::SYS_getpriority,
    c::SYS_getrusage,
    c::SYS_prlimit64,
    c::SYS_sysinfo,
    c::SYS_uname,
    c::SYS_getrandom,
    // Signals, to itself.
    c::SYS_rt_sigaction,
    c::SYS_rt_sigprocmask,
    c::SYS_rt_sigreturn,
    c::SYS_rt_sigpending,
    c::SYS_rt_sigsuspend,
    c::SYS_rt_sigtimedwait,
    c::SYS_sigaltstack,
    c::SYS_kill,
    c::SYS_tgkill,
    c::SYS_restart_syscall,
    // Time.
    c::SYS_clock_gettime,
    c::SYS_clock_getres,
    c::SYS_clock_nanosleep,
    c::SYS_nanosleep,
    c::SYS_gettimeofday,
    c::SYS_times,
    c::SYS_getitimer,
    c::SYS_setitimer,
    c::SYS_timer_create,
    c::SYS_timer_settime,
    c::SYS_timer_gettime,
    c::SYS_timer_getoverrun,
    c::SYS_timer_delete,
    c::SYS_timerfd_create,
    c::SYS_timerfd_settime,
    c::SYS_timerfd_gettime,
    // Waiting, and channels that stay within the process or were there before.
    c::SYS_epoll_create1,
    c::SYS_epoll_ctl,
    c::SYS_epoll_pwait,
    c::SYS_epoll_pwait2,
    c::SYS_eventfd2,
    c::SYS_ppoll,
    c::SYS_pselect6,
    c::SYS_socketpair,
    c::SYS_sendto,
    c::SYS_recvfrom,
    c::SYS_sendmsg,
    c::SYS_recvmsg,
    c::SYS_shutdown,
    c::SYS_getsockname,
    c::SYS_getpeername,
    c::SYS_getsockopt,
    c::SYS_setsockopt,
];

/// Older forms of the same calls, which only this machine has.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    c::SYS_open,
    c::SYS_creat,
    c::SYS_stat,
    c::SYS_lstat,
    c::SYS_access,
    c::SYS_getdents,
    c::SYS_mkdir,
    c::SYS_rmdir,
    c::SYS_unlink,
    c::SYS_rename,
    c::SYS_renameat,
    c::SYS_link,
    c::SYS_symlink,
    c::SYS_readlink,
    c::SYS_dup2,
    c::SYS_pipe,
    c::SYS_poll,
    c::SYS_select,
    c::SYS_epoll_create,
    c::SYS_epoll_wait,
    c::SYS_eventfd,
    c::SYS_arch_prctl,
    c::SYS_getpgrp,
    c::SYS_getrlimit,
    c::SYS_alarm,
    c::SYS_pause,
    c::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[];

/// Calls that are always refused: sockets, permissions, owners, times and attributes of files, which Landlock does not guard, and
/// whatever reaches other processes.
const REFUSED: &[i64] = &[
    c::SYS_socket,
    c::SYS_bind,
    c::SYS_connect,
    c::SYS_listen,
    c::SYS_accept,
    c::SYS_accept4,
    c::SYS_truncate,
    c::SYS_fchmod,
    c::SYS_fchmodat,
    c::SYS_fchown,
    c::SYS_fchownat,
    c::SYS_utimensat,
    c::SYS_setxattr,
    c::SYS_lsetxattr,
    c::SYS_fsetxattr,
    c::SYS_removexattr,
    c::SYS_lremovexattr,
    c::SYS_fremovexattr,
    c::SYS_ptrace,
    c::SYS_process_vm_readv,
    c::SYS_process_vm_writev,
    c::SYS_setpriority,
    c::SYS_setsid,
    c::SYS_setpgid,
    c::SYS_execveat,
];
#[cfg(target_arch = "x86_64")]
const REFUSED_OLDER: &[i64] = &[
    c::SYS_fork,
    c::SYS_vfork,
    c::SYS_chmod,
    c::SYS_chown,
    c::SYS_lchown,
    c::SYS_utime,
    c::SYS_utimes,
    c::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_OLDER: &[i64] = &[];

/// Whether filters can be made for this machine; if not, the reason.
pub(super) fn supported() -> Result<(), String> {
    machine().map(|_| ())
}

/// From here on this process, whose number is given, makes these calls only.
pub(super) fn restrict(process: u32) -> Result<(), String> {
    // The list comes last: it has no call that sets a filter.
    apply(refused(process)?, SeccompAction::Allow, refusal(c::EPERM))?;
    // Of two refusals the kernel reports the later one, so that refused calls are listed as well.
    let listed = [LISTED, OLDER, REFUSED, REFUSED_OLDER].into_iter().flatten();
    let listed = listed.map(|call| (*call, Vec::new()));
    apply(listed.collect(), refusal(c::ENOSYS), SeccompAction::Allow)
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// The calls that are refused, or what their arguments are then.
fn refused(process: u32) -> Result<Rules, String> {
    let always = REFUSED.iter().chain(REFUSED_OLDER).map(|call| (*call, Vec::new()));
    let mut rules: Rules = always.collect();
    let number = |value: c::c_int| u64::from(value.cast_unsigned());
    let mut refuse = |call: i64, conditions: Vec<(u8, Length, Is, u64)>| {
        let conditions = conditions.into_iter().map(|(argument, length, is, value)| {
            SeccompCondition::new(argument, length, is, value).map_err(|error| error.to_string())
        });
        let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
        let rule = SeccompRule::new(conditions).map_err(|error| error.to_string())?;
        rules.entry(call).or_default().push(rule);
        Ok::<(), String>(())
    };
    // A process that is no thread of this one.
    let thread = number(c::CLONE_THREAD);
    refuse(c::SYS_clone, vec![(0, Length::Dword, Is::MaskedEq(thread), 0)])?;
    // Signals to others.
    refuse(c::SYS_kill, vec![(0, Length::Dword, Is::Ne, u64::from(process))])?;
    refuse(c::SYS_tgkill, vec![(0, Length::Dword, Is::Ne, u64::from(process))])?;
    for command in [c::F_SETOWN, F_SETSIG, F_SETOWN_EX] {
        refuse(c::SYS_fcntl, vec![(1, Length::Dword, Is::Eq, number(command))])?;
    }
    for request in [FIOSETOWN, SIOCSPGRP] {
        refuse(c::SYS_ioctl, vec![(1, Length::Dword, Is::Eq, request)])?;
    }
    // Limits are read, not changed.
    refuse(c::SYS_prlimit64, vec![(2, Length::Qword, Is::Ne, 0)])?;
    // Opening a file to read it empties it if asked to, and the first versions of Landlock do not see that.
    let flags = number(c::O_ACCMODE | c::O_TRUNC);
    let emptied = Is::MaskedEq(flags);
    refuse(c::SYS_openat, vec![(2, Length::Dword, emptied.clone(), number(c::O_TRUNC))])?;
    #[cfg(target_arch = "x86_64")]
    refuse(c::SYS_open, vec![(1, Length::Dword, emptied, number(c::O_TRUNC))])?;
    Ok(rules)
}

fn refusal(error: c::c_int) -> SeccompAction {
    SeccompAction::Errno(error.cast_unsigned())
}

fn apply(rules: Rules, otherwise: SeccompAction, then: SeccompAction) -> Result<(), String> {
    let filter = SeccompFilter::new(rules, otherwise, then, machine()?);
    let program: BpfProgram =
        filter.and_then(TryInto::try_into).map_err(|error| error.to_string())?;
    apply_filter(&program).map_err(|error| error.to_string())
}

fn machine() -> Result<TargetArch, String> {
    ARCH.try_into().map_err(|_| format!("there are no filters of system calls for {ARCH}"))
}
