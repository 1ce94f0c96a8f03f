//! Computes a point in a process of its own: whatever its program does, only that process ends.

#![expect(unsafe_code, reason = "system calls")]

use super::folder::WorkingFolder;
use super::lines::Lines;
use super::log::{Log, is_readable};
use super::outside::last_rank;
use super::reply::{Received, log_once};
use super::start::{Started, start};
use super::tables::Tables;
use super::used::{memory_bytes, unlinked_bytes};
use crate::watch::{Over, SIGNAL};
use engine::{Answer, Limits, Point, TableReceiver, Unanswered, Usage};
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two checks of what the process uses.
const LOOK: Duration = Duration::from_millis(50);
/// How long a process that exceeds a limit has to report which rank is running.
const ANSWER: Duration = Duration::from_secs(1);

/// Computes the point by the command `simulate` of this executable, with tables in the folder `out`.
pub fn run_point(point: &Point, out: &Path) -> Answer {
    let started =
        WorkingFolder::new(&point.point_id).and_then(|folder| Ok((start(point, &folder)?, folder)));
    match started {
        Ok((started, folder)) => wait(started, point, (out, &folder)),
        Err(error) => Err(format!("cannot start a process for the point: {error}")).into(),
    }
}

fn wait(started: Started, point: &Point, (out, folder): (&Path, &WorkingFolder)) -> Answer {
    let Started { mut child, control, tables: pipe, key } = started;
    let tables = Tables::default();
    let output = child.stderr.take().expect("it is piped");
    let answer = child.stdout.take().expect("it is piped");
    let (prints_too_much, is_ended) = (AtomicBool::new(false), AtomicBool::new(false));
    let bounds = Bounds {
        process: child.id(),
        start: Instant::now(),
        limits: &point.limits,
        prints_too_much: &prints_too_much,
        folder,
        tables: &tables,
    };
    let (received, ended) = std::thread::scope(|scope| {
        let log = Log {
            point_id: &point.point_id,
            limit_bytes: point.limits.output_bytes,
            too_much: &prints_too_much,
        };
        let is_ended = &is_ended;
        scope.spawn(move || log.pass_on(output, is_ended));
        scope.spawn(|| {
            tables.receive(pipe, is_ended, TableReceiver::new(out, &point.point_id, &key));
        });
        let received = receive(answer, &control, &bounds);
        if received.is_err() {
            end_all(&child);
        }
        let ended = end(&child);
        is_ended.store(true, Ordering::Relaxed);
        (received, ended)
    });
    let (status, usage) = match ended {
        Ok(ended) => ended,
        Err(error) => return Err(format!("waiting for the point's process: {error}")).into(),
    };
    let no_more = |own: Usage| Usage {
        cpu_s: own.cpu_s.min(usage.cpu_s),
        peak_rss_bytes: own.peak_rss_bytes.min(usage.peak_rss_bytes),
    };
    let received = tables.problem().map_or(received, Err);
    let result = match received.and_then(|text| Received::read(&text, point, &key)) {
        Ok(Received::Metrics(metrics, own, notes)) => {
            return Answer { result: Ok(metrics), elsewhere: own.map(no_more), notes };
        }
        Ok(Received::Failed(error)) => error,
        Ok(Received::Nothing) => without_answer(status),
        Err(error) => error,
    };
    Answer { result: Err(Unanswered::Failed(result)), elsewhere: Some(usage), notes: vec![] }
}

/// The limits of a point's process, and how to check them.
struct Bounds<'a> {
    process: u32,
    start: Instant,
    limits: &'a Limits,
    prints_too_much: &'a AtomicBool,
    /// What the program writes there counts as its output.
    folder: &'a WorkingFolder,
    tables: &'a Tables,
}

impl Bounds<'_> {
    /// The limit that the process has exceeded.
    fn over(&self) -> Option<Over> {
        if self.start.elapsed() > self.limits.timeout() {
            return Some(Over::Seconds(self.limits.timeout_s));
        }
        let most = self.limits.output_bytes;
        let files = self.folder.size_bytes() + unlinked_bytes(self.process);
        if self.prints_too_much.load(Ordering::Relaxed) || files > most {
            return Some(Over::Output(most));
        }
        let bytes = self.limits.memory();
        (memory_bytes(self.process) > bytes).then_some(Over::Memory(bytes))
    }

    /// Asks the process which rank is running while it exceeds a limit.
    fn ask(&self, mut control: &ChildStdin, over: Over) {
        // The write fails if the process has ended; how it ended is reported later.
        let _ = control.write_all(&over.bytes());
        // SAFETY: a system call without memory; the child was not waited for.
        unsafe { libc::kill(self.process as libc::pid_t, SIGNAL) };
    }

    /// The message about a process that does not answer.
    fn silent(&self, over: Over) -> String {
        let rank = last_rank(self.process);
        let rank = rank.map_or_else(String::new, |rank| format!("rank {rank} ran last: "));
        format!("{rank}{over}")
    }
}

/// The answer: a line, or everything if no line ends. Before it loads a program, the process writes in a
/// line of its own how the program is confined. Reading stops at the end of the answer, because a process
/// that the program has started may keep the pipe open.
///
/// # Errors
/// When the process exceeds a limit and does not report that itself, or answers too much.
fn receive(answer: ChildStdout, control: &ChildStdin, bounds: &Bounds) -> Result<Vec<u8>, String> {
    let mut lines = Lines::of(answer);
    let line = next_line(&mut lines, control, bounds)?;
    match log_once(&line) {
        true => next_line(&mut lines, control, bounds),
        false => Ok(line),
    }
}

fn next_line(
    lines: &mut Lines<ChildStdout>,
    control: &ChildStdin,
    bounds: &Bounds,
) -> Result<Vec<u8>, String> {
    let mut asked: Option<(Instant, Over)> = None;
    loop {
        if let Some(line) = lines.next(|pipe| is_readable(pipe, LOOK))? {
            return Ok(line);
        }
        if let Some(problem) = bounds.tables.problem() {
            return Err(problem);
        }
        match (asked, bounds.over()) {
            (Some((since, over)), _) if since.elapsed() > ANSWER => {
                return Err(bounds.silent(over));
            }
            (None, Some(over)) => {
                bounds.ask(control, over);
                asked = Some((Instant::now(), over));
            }
            _ => {}
        }
    }
}

/// Kills the process and what it has started.
fn end_all(child: &Child) {
    // SAFETY: a system call without memory; the group has the number of the child.
    unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
}

/// Waits for the process to end, kills what it has left behind, and returns what it and its compiler used.
fn end(child: &Child) -> io::Result<(ExitStatus, Usage)> {
    let number = child.id();
    let mut left = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
    let flags = libc::WEXITED | libc::WNOWAIT;
    // SAFETY: the place is valid for writes. The child keeps its number, which is its group's.
    again(|| unsafe { libc::waitid(libc::P_PID, number, left.as_mut_ptr(), flags) })?;
    end_all(child);
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both are valid for writes, and the child was not waited for.
    again(|| unsafe { libc::wait4(number as libc::pid_t, &mut status, 0, usage.as_mut_ptr()) })?;
    // SAFETY: all-zero bytes are a valid rusage, and the kernel wrote one.
    let usage = unsafe { usage.assume_init() };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    let cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    let peak_rss_bytes = usage.ru_maxrss as u64 * 1024;
    Ok((ExitStatus::from_raw(status), Usage { cpu_s, peak_rss_bytes }))
}

/// Repeats a system call until no signal interrupts it.
fn again(mut call: impl FnMut() -> libc::c_int) -> io::Result<()> {
    while call() < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(())
}

fn without_answer(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(libc::SIGKILL), _) => {
            "the point's process was killed by SIGKILL: out of memory, or killed from outside"
                .into()
        }
        (Some(signal), _) => format!("the point's process was killed by signal {signal}"),
        (_, code) => format!(
            "the point's process ended without an answer, exit code {}: the program may have called \
             _exit",
            code.unwrap_or_default()
        ),
    }
}
