//! Seccomp: which system calls the process may make from now on. All others fail.

use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare,
    SeccompCondition, SeccompFilter, SeccompRule, apply_filter_all_threads,
};
use std::collections::BTreeMap;

/// What programs, the C library and the engine need: memory, open files, clocks, their own signals.
/// Landlock decides which files may be opened.
const ALLOWED: &[i64] = &[
    // memory
    libc::SYS_brk,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_membarrier,
    // files that are open
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_close,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_fcntl,
    libc::SYS_ioctl,
    libc::SYS_fadvise64,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    // names of files
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_umask,
    libc::SYS_getcwd,
    // time
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getitimer,
    libc::SYS_setitimer,
    // signals of its own
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigsuspend,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // itself
    libc::SYS_futex,
    libc::SYS_rseq,
    libc::SYS_set_robust_list,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_getrusage,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// The same under older names, which aarch64 does not have. A folder is made by its path alone: no folders lie
/// deeper than paths are long.
#[cfg(target_arch = "x86_64")]
const OLDER: &[i64] = &[
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_unlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_rename,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
    libc::SYS_getrlimit,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[i64] = &[libc::SYS_mkdirat];

/// Calls that open files, with the place of their flags.
#[cfg(target_arch = "x86_64")]
const OPENING: [(i64, u8); 2] = [(libc::SYS_openat, 2), (libc::SYS_open, 1)];
#[cfg(not(target_arch = "x86_64"))]
const OPENING: [(i64, u8); 1] = [(libc::SYS_openat, 2)];

/// They begin a process or a thread. The C library blocks signals around them, so a report by a signal
/// would end the process.
#[cfg(target_arch = "x86_64")]
const BEGINNING: &[i64] = &[libc::SYS_clone, libc::SYS_clone3, libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const BEGINNING: &[i64] = &[libc::SYS_clone, libc::SYS_clone3];

/// Calls that the log names; the others have their number.
const NAMED: &[(i64, &str)] = &[
    (libc::SYS_socket, " (socket)"),
    (libc::SYS_socketpair, " (socketpair)"),
    (libc::SYS_connect, " (connect)"),
    (libc::SYS_bind, " (bind)"),
    (libc::SYS_ptrace, " (ptrace)"),
    (libc::SYS_process_vm_readv, " (process_vm_readv)"),
    (libc::SYS_process_vm_writev, " (process_vm_writev)"),
    (libc::SYS_execve, " (execve)"),
    (libc::SYS_kill, " (kill of another process)"),
    (libc::SYS_openat, " (openat that empties a file)"),
    (libc::SYS_linkat, " (linkat)"),
    (libc::SYS_symlinkat, " (symlinkat)"),
    (libc::SYS_fchmodat, " (fchmodat)"),
    (libc::SYS_prctl, " (prctl)"),
    (libc::SYS_prlimit64, " (setrlimit)"),
    (libc::SYS_io_uring_setup, " (io_uring_setup)"),
    (libc::SYS_mount, " (mount)"),
    (libc::SYS_unshare, " (unshare)"),
    (libc::SYS_bpf, " (bpf)"),
];

/// The name of a call for the log.
pub(super) fn name(call: u32) -> &'static str {
    let named = NAMED.iter().find(|(number, _)| *number == i64::from(call));
    named.map_or("", |(_, name)| name)
}

/// Closes all other system calls, for every thread of the process. Returns the name of the layer, or why
/// it is missing.
pub(super) fn close() -> Result<String, String> {
    let apply = || {
        apply_filter_all_threads(&beginnings()?)?;
        apply_filter_all_threads(&others()?)
    };
    match apply() {
        Ok(()) => Ok("seccomp".into()),
        Err(error) => Err(format!("seccomp: {error}")),
    }
}

fn beginnings() -> Result<BpfProgram, Error> {
    let rules = BEGINNING.iter().map(|&call| (call, vec![])).collect();
    let denied = SeccompAction::Errno(libc::EPERM as u32);
    filter(rules, SeccompAction::Allow, denied)
}

fn others() -> Result<BpfProgram, Error> {
    let calls = [ALLOWED, OLDER, BEGINNING].concat();
    let mut rules: BTreeMap<_, _> = calls.into_iter().map(|call| (call, vec![])).collect();
    // Signals go to this process alone.
    let own = u64::from(std::process::id());
    for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_tkill] {
        rules.insert(call, vec![rule(0, Compare::Eq, own)?]);
    }
    for (call, flags) in OPENING {
        rules.insert(call, opening(flags)?);
    }
    rules.insert(libc::SYS_prlimit64, vec![reading_limits()?]);
    filter(rules, SeccompAction::Trap, SeccompAction::Allow)
}

/// `getrlimit` of the C library: `prlimit64` of this process without new limits.
fn reading_limits() -> Result<SeccompRule, Error> {
    let nothing = |argument| SeccompCondition::new(argument, Length::Qword, Compare::Eq, 0);
    Ok(SeccompRule::new(vec![nothing(0)?, nothing(2)?])?)
}

/// The rules of a call that opens files, by the place of its flags: older kernels let it empty a file
/// that it opens to read.
fn opening(flags: u8) -> Result<Vec<SeccompRule>, Error> {
    let masked = |mask: i32, value: i32| rule(flags, Compare::MaskedEq(mask as u64), value as u64);
    let writing = [libc::O_WRONLY, libc::O_RDWR].map(|flag| masked(flag, flag));
    [masked(libc::O_TRUNC, 0)].into_iter().chain(writing).collect()
}

fn rule(argument: u8, compare: Compare, value: u64) -> Result<SeccompRule, Error> {
    let condition = SeccompCondition::new(argument, Length::Dword, compare, value)?;
    Ok(SeccompRule::new(vec![condition])?)
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    others: SeccompAction,
    these: SeccompAction,
) -> Result<BpfProgram, Error> {
    let architecture = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, others, these, architecture)?.try_into()?)
}
