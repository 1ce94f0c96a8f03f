//! A point in a process of its own: whatever its program does ends that process only.

use engine::{Answer, Metric, Point, Usage};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Output of one point's program that goes to the log.
const LOG_BYTES: usize = 64 << 10;

/// What the process writes when it is done, or when its program brought it down.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Reply {
    pub error: Option<String>,
    pub metrics: Vec<Metric>,
    pub usage: Option<Usage>,
}

/// Computes the point by `weft-rdma simulate`, with tables in the folder `out`.
pub fn run_point(point: &Point, out: &Path) -> Answer {
    match start(point, out) {
        Ok(child) => wait(child, &point.point_id),
        Err(error) => Err(format!("cannot start weft-rdma for the point: {error}")).into(),
    }
}

fn start(point: &Point, out: &Path) -> io::Result<Child> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["simulate", &std::process::id().to_string()])
        .arg(out)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = child.stdin.take().expect("it is piped");
    // In one piece: every write to a pipe wakes the reader. A child that is gone already is told by
    // how it ended.
    let _ = input.write_all(&serde_json::to_vec(point)?);
    Ok(child)
}

fn wait(mut child: Child, point_id: &str) -> Answer {
    let log = child.stderr.take().expect("it is piped");
    let mut answer = child.stdout.take().expect("it is piped");
    let mut text = String::new();
    std::thread::scope(|scope| {
        scope.spawn(|| pass_on(log, point_id));
        let _ = answer.read_to_string(&mut text);
    });
    let (status, usage) = match end(&child) {
        Ok(ended) => ended,
        Err(error) => return Err(format!("waiting for the point's process: {error}")).into(),
    };
    let reply: Option<Reply> = text.lines().last().and_then(|line| serde_json::from_str(line).ok());
    let result = match reply {
        Some(Reply { error: Some(error), .. }) => Err(error),
        Some(Reply { metrics, usage, .. }) => {
            return Answer { result: Ok(metrics), elsewhere: usage };
        }
        None => Err(without_words(status)),
    };
    Answer { result, elsewhere: Some(usage) }
}

/// Lines to standard error, each with its point, until there are too many.
fn pass_on(log: impl Read, point_id: &str) {
    let mut reader = BufReader::new(log);
    let (mut line, mut passed) = (Vec::new(), 0);
    loop {
        line.clear();
        // Takes what a program writes without ends of lines in pieces.
        match (&mut reader).take(LOG_BYTES as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if passed > LOG_BYTES {
            continue;
        }
        passed += line.len();
        let words = String::from_utf8_lossy(&line);
        eprintln!("point {point_id}: {}", words.strip_suffix('\n').unwrap_or(&words));
        if passed > LOG_BYTES {
            eprintln!("point {point_id}: its program prints more than {LOG_BYTES} B; the rest is left out");
        }
    }
}

/// Waits for the end, and takes what the process and its compiler used.
fn end(child: &Child) -> io::Result<(ExitStatus, Usage)> {
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both are valid for writes, and the child was not waited for.
        let waited =
            unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, usage.as_mut_ptr()) };
        if waited >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: all-zero bytes are a valid rusage, and the kernel wrote one.
    let usage = unsafe { usage.assume_init() };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    let cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    let peak_rss_bytes = usage.ru_maxrss as u64 * 1024;
    Ok((ExitStatus::from_raw(status), Usage { cpu_s, peak_rss_bytes }))
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
