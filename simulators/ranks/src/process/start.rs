//! Starts the process of a point, which gets what it needs and nothing else.

#![expect(unsafe_code, reason = "system calls")]

use super::folder::WorkingFolder;
use engine::{Key, Point};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

/// What libraries read that would use all processors: OpenMP, and OpenBLAS, which prefers its own.
const ONE_THREAD: [(&str, &str); 2] = [("OMP_NUM_THREADS", "1"), ("OPENBLAS_NUM_THREADS", "1")];
/// Variables that name folders in which compilers and the loader look.
pub(crate) const SEARCHED: [&str; 8] = [
    "PATH",
    "LD_LIBRARY_PATH",
    "LIBRARY_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
];
/// Variables that a point's process gets besides those: weft's, and what a program may know of its
/// surroundings.
const VARIABLES: [&str; 10] = [
    "WEFT_CC",
    "WEFT_CONFINEMENT",
    "WEFT_CXX",
    "WEFT_FC",
    "WEFT_PROGRAM_CACHE",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "TZ",
];
/// Descriptors from here on are those of this process.
const FIRST_OWN: RawFd = 3;
/// Where the kernel cannot close all of them at once.
const MOST_OWN: RawFd = 1024;

/// A process that computes a point.
pub(super) struct Started {
    pub child: Child,
    /// Its standard input, over which it takes key, point and questions.
    pub control: ChildStdin,
    /// Its tables come here.
    pub tables: File,
    /// Seals what it answers.
    pub key: Key,
}

/// Starts the process.
pub(super) fn start(point: &Point, folder: &WorkingFolder) -> io::Result<Started> {
    let key = Key::random()?;
    let (tables, theirs) = pipe()?;
    let passed = theirs.as_raw_fd();
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["simulate", &std::process::id().to_string(), &passed.to_string()])
        .arg(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_clear()
        .envs(allowed())
        // No library of the program may start threads, which the confinement denies.
        .envs(ONE_THREAD)
        // A group of its own, so that the process and all that it starts can be killed together.
        .process_group(0);
    // SAFETY: between fork and exec there are only system calls.
    unsafe { command.pre_exec(move || keep_open(passed)) };
    let mut child = command.spawn()?;
    drop(theirs);
    let mut control = child.stdin.take().expect("it is piped");
    let mut text = format!("{}\n", key.text()).into_bytes();
    serde_json::to_writer(&mut text, point)?;
    text.push(b'\n');
    // One write, because every write to a pipe wakes the reader. It fails if the child has ended
    // already; how the child ended is reported later.
    let _ = control.write_all(&text);
    Ok(Started { child, control, tables, key })
}

fn allowed() -> impl Iterator<Item = (&'static str, OsString)> {
    let names = VARIABLES.into_iter().chain(SEARCHED);
    names.filter_map(|name| Some((name, std::env::var_os(name)?)))
}

/// A pipe that no other process inherits: the end that is read, and the one that is written.
fn pipe() -> io::Result<(File, File)> {
    let mut ends = [0; 2];
    // SAFETY: valid for two numbers, which are open files that nobody else has.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

/// Closes at `exec` all files but the first three and this one: those of the shard among them.
fn keep_open(passed: RawFd) -> io::Result<()> {
    // SAFETY: system calls without memory.
    unsafe {
        let flags = libc::CLOSE_RANGE_CLOEXEC;
        if libc::syscall(libc::SYS_close_range, FIRST_OWN, libc::c_uint::MAX, flags) < 0 {
            for each in FIRST_OWN..MOST_OWN {
                libc::fcntl(each, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
        if libc::fcntl(passed, libc::F_SETFD, 0) < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
