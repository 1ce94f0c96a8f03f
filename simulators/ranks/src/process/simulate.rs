//! The command `simulate` of an engine that runs programs: it reads one point from standard input and
//! answers on standard output.

#![expect(unsafe_code, reason = "system calls")]

use super::folder;
use super::reply::Reply;
use crate::{names, program, watch};
use engine::{Key, Metric, Point, Usage, send_tables};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::process::ExitCode;

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}

/// Computes a point in this process and writes its tables to a folder. The error is a sentence for the
/// user.
pub type Compute = fn(&Point, &Path) -> Result<Vec<Metric>, String>;

/// The compilers among the commands, for the help of an engine.
pub const COMPILERS: (&str, &str) = (
    "cc|c++|fc ARGUMENT...",
    "compiles and links a program of MPI for simulators, as mpicc, mpicxx and mpifort do (weft-cc, \
     weft-c++, weft-fc).",
);

/// Runs one of the commands of engines that run programs, if `words` are one: `simulate`, `cc`, `c++` or `fc`.
pub fn command(words: &[String], point: Compute) -> Option<ExitCode> {
    match words {
        [first, rest @ ..] if first == "simulate" => {
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            Some(simulate(&rest, point))
        }
        [first, rest @ ..] if ["cc", "c++", "fc"].contains(&first.as_str()) => {
            Some(program::compile(first, rest))
        }
        _ => None,
    }
}

/// Computes the point that standard input holds. `words` are the number of the process that asks, the
/// descriptor to which tables go, and the folder in which the program runs.
fn simulate(words: &[&str], point: Compute) -> ExitCode {
    let [parent, tables, folder] = words else { return ExitCode::from(2) };
    die_with(parent);
    folder::set(folder.into());
    let (Ok(mut answer), Ok(control), Ok(tables)) =
        (take_answer(), take_control(), take_tables(tables))
    else {
        return ExitCode::from(3);
    };
    watch::set_answer(answer.as_raw_fd());
    let written = answer.write_all(&answer_to(control, tables, point));
    // What the program printed is flushed; its own exit handlers do not run.
    // SAFETY: two calls of the C library without memory of ours.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(if written.is_ok() { 0 } else { 3 })
    }
}

/// The line that answers the point in the second line of `control`; the first is the key of its seal.
/// Over `control` the parent may later ask which rank exceeds a limit.
fn answer_to(control: File, tables: File, compute: Compute) -> Vec<u8> {
    let mut reader = BufReader::new(control);
    let (mut key, mut text) = (String::new(), String::new());
    let read = reader.read_line(&mut key).and_then(|_| reader.read_line(&mut text));
    let key = Key::of(&key);
    if let Some(key) = &key {
        send_tables(tables, key);
    }
    let reply = reply_to(read.map(|_| text), reader.into_inner(), compute);
    reply.line(key.as_ref())
}

fn reply_to(text: io::Result<String>, control: File, compute: Compute) -> Reply {
    let text = text.map_err(|error| error.to_string());
    let point =
        text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    let result = match point {
        Ok(point) => {
            watch::listen(control);
            // Tables have names alone: the process that asks has their folder.
            std::panic::catch_unwind(|| compute(&point, Path::new("")))
                .unwrap_or_else(|panic| Err(format!("the engine panicked: {}", words(&*panic))))
        }
        Err(error) => Err(format!("the point cannot be read: {error}")),
    };
    let usage = Some(Usage::of_process());
    match result {
        Ok(metrics) => Reply { metrics, usage, notes: watch::notes(), ..Reply::default() },
        Err(error) => {
            let error = Some(names::in_words_of_the_program(&error));
            Reply { error, usage, ..Reply::default() }
        }
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

/// Asks the kernel to kill this process when its parent ends.
fn die_with(parent: &str) {
    // SAFETY: two system calls without memory.
    let now = unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::getppid()
    };
    // In a PID namespace the parent may have the number 0 here.
    if now != 0 && now.to_string() != parent {
        std::process::exit(3);
    }
}

/// Takes standard input for the point alone: a program that reads it finds its end.
fn take_control() -> io::Result<File> {
    let nowhere = File::open("/dev/null")?;
    // SAFETY: both descriptors are open; the copy is closed by the file alone.
    unsafe {
        let copy = libc::fcntl(libc::STDIN_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if copy < 0 || libc::dup2(nowhere.as_raw_fd(), libc::STDIN_FILENO) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(File::from_raw_fd(copy))
    }
}

/// Takes the descriptor of tables, which no compiler gets.
fn take_tables(number: &str) -> io::Result<File> {
    let number = number.parse().map_err(io::Error::other)?;
    // SAFETY: the process that asks has opened it for this one; only the file closes it.
    unsafe {
        if libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(File::from_raw_fd(number))
    }
}

/// Takes standard output for the answer alone. What the program prints goes to standard error line by
/// line, so that a crash loses little.
fn take_answer() -> io::Result<File> {
    // SAFETY: descriptors 1 and 2 are open; the copy is closed by the file alone, and not passed on
    // to a compiler; `stdout` is the C library's own stream.
    unsafe {
        let copy = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if copy < 0 || libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO) < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, 0);
        Ok(File::from_raw_fd(copy))
    }
}
