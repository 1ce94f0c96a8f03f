//! A point in a process of its own: whatever its program does ends that process only.

#![expect(unsafe_code, reason = "system calls")]

use super::log::{Log, is_readable};
use super::outside::last_rank;
use crate::watch::{Over, SIGNAL};
use engine::{Answer, Limits, Metric, Point, Usage, resident_bytes};
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two looks at what the process takes.
const LOOK: Duration = Duration::from_millis(50);
/// For a process that takes too much to say itself which rank does.
const ANSWER: Duration = Duration::from_secs(1);

/// What the process writes when it is done, or when its program brought it down.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    pub error: Option<String>,
    pub metrics: Vec<Metric>,
    pub usage: Option<Usage>,
}

/// Computes the point by `simulate` of this executable, with tables in the folder `out`.
pub fn run_point(point: &Point, out: &Path) -> Answer {
    match start(point, out) {
        Ok((child, control)) => wait(child, &control, point),
        Err(error) => Err(format!("cannot start a process for the point: {error}")).into(),
    }
}

/// The process, and what it listens to: it ends when that is closed.
fn start(point: &Point, out: &Path) -> io::Result<(Child, ChildStdin)> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["simulate", &std::process::id().to_string()])
        .arg(out)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // With all that it starts, so that all of it can be ended.
        .process_group(0)
        .spawn()?;
    let mut control = child.stdin.take().expect("it is piped");
    let mut text = serde_json::to_vec(point)?;
    text.push(b'\n');
    // In one piece: every write to a pipe wakes the reader. A child that is gone already is told by
    // how it ended.
    let _ = control.write_all(&text);
    Ok((child, control))
}

fn wait(mut child: Child, control: &ChildStdin, point: &Point) -> Answer {
    let output = child.stderr.take().expect("it is piped");
    let answer = child.stdout.take().expect("it is piped");
    let (prints_too_much, is_ended) = (AtomicBool::new(false), AtomicBool::new(false));
    let bounds = Bounds {
        process: child.id(),
        start: Instant::now(),
        limits: &point.limits,
        prints_too_much: &prints_too_much,
    };
    let (heard, ended) = std::thread::scope(|scope| {
        let log = Log {
            point_id: &point.point_id,
            limit_bytes: point.limits.output_bytes,
            too_much: &prints_too_much,
        };
        let is_ended = &is_ended;
        scope.spawn(move || log.pass_on(output, is_ended));
        let heard = first_line(answer, control, &bounds);
        if heard.is_err() {
            end_all(&child);
        }
        let ended = end(&child);
        is_ended.store(true, Ordering::Relaxed);
        (heard, ended)
    });
    let (status, usage) = match ended {
        Ok(ended) => ended,
        Err(error) => return Err(format!("waiting for the point's process: {error}")).into(),
    };
    let result = match heard.map(|text| serde_json::from_slice(&text).ok()) {
        Err(error) | Ok(Some(Reply { error: Some(error), .. })) => Err(error),
        Ok(Some(Reply { metrics, usage, .. })) => {
            return Answer { result: Ok(metrics), elsewhere: usage };
        }
        Ok(None) => Err(without_words(status)),
    };
    Answer { result, elsewhere: Some(usage) }
}

/// What a point's process may take, and takes.
struct Bounds<'a> {
    process: u32,
    start: Instant,
    limits: &'a Limits,
    prints_too_much: &'a AtomicBool,
}

impl Bounds<'_> {
    fn over(&self) -> Option<Over> {
        if self.start.elapsed() > self.limits.timeout() {
            return Some(Over::Seconds(self.limits.timeout_s));
        }
        if self.prints_too_much.load(Ordering::Relaxed) {
            return Some(Over::Output(self.limits.output_bytes));
        }
        let bytes = self.limits.memory();
        (resident_bytes(&self.process.to_string()) > bytes).then_some(Over::Memory(bytes))
    }

    /// The question which rank takes too much.
    fn ask(&self, mut control: &ChildStdin, over: Over) {
        // How a process ended shows that it is gone.
        let _ = control.write_all(&over.bytes());
        // SAFETY: a system call without memory; the child was not waited for.
        unsafe { libc::kill(self.process as libc::pid_t, SIGNAL) };
    }

    /// What can be said about a process that does not answer.
    fn silent(&self, over: Over) -> String {
        let rank = last_rank(self.process);
        let rank = rank.map_or_else(String::new, |rank| format!("rank {rank} ran last: "));
        format!("{rank}{over}")
    }
}

/// What comes before the end of the first line; all there is where none ends. A process that the
/// program has started may keep the pipe open.
///
/// # Errors
/// When the process takes too much, and does not say so itself.
fn first_line(
    mut answer: ChildStdout,
    control: &ChildStdin,
    bounds: &Bounds,
) -> Result<Vec<u8>, String> {
    let (mut text, mut chunk) = (vec![], [0; 4096]);
    let mut asked: Option<(Instant, Over)> = None;
    loop {
        if !is_readable(answer.as_fd(), LOOK) {
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
            continue;
        }
        match answer.read(&mut chunk) {
            Ok(0) | Err(_) => return Ok(text),
            Ok(count) => text.extend_from_slice(&chunk[..count]),
        }
        if let Some(end) = text.iter().position(|&byte| byte == b'\n') {
            text.truncate(end);
            return Ok(text);
        }
    }
}

/// Kills the process and what it has started.
fn end_all(child: &Child) {
    // SAFETY: a system call without memory; the group has the number of the child.
    unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
}

/// Waits for the end, ends what the process has left behind, and takes what it and its compiler used.
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

/// Makes a system call until no signal interrupts it.
fn again(mut call: impl FnMut() -> libc::c_int) -> io::Result<()> {
    while call() < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(())
}

fn without_words(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(libc::SIGKILL), _) => {
            "the point's process was killed by SIGKILL: out of memory, or somebody killed it".into()
        }
        (Some(signal), _) => format!("the point's process was killed by signal {signal}"),
        (_, code) => format!(
            "the point's process ended without an answer, exit code {}: the program may have called \
             _exit",
            code.unwrap_or_default()
        ),
    }
}
