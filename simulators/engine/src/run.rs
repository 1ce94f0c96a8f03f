//! Computes the points of a shard on several threads.

use crate::answer::Answer;
use crate::clock::{peak_rss_bytes, thread_cpu_s, utc_now};
use crate::lock::Lock;
use crate::{EngineError, Journal, Line, Point, Shard, Status};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

#[derive(Debug, Clone)]
pub struct Arguments {
    pub shard: PathBuf,
    pub out: PathBuf,
    pub threads: usize,
}

/// What became of the points of a shard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub done: usize,
    pub failed: usize,
    pub skipped: usize,
}

/// Computes every point that the journal does not hold yet.
///
/// `simulate` gets the point and the output folder. Its result depends on the point alone, so the
/// number of threads changes only the order of the journal's lines.
pub fn run<F, A>(engine: &str, arguments: &Arguments, simulate: F) -> Result<Summary, EngineError>
where
    F: Fn(&Point, &Path) -> A + Sync,
    A: Into<Answer>,
{
    let shard = Shard::read(&arguments.shard, engine)?;
    let out = &arguments.out;
    std::fs::create_dir_all(out).map_err(EngineError::io(out))?;
    let _lock = Lock::take(out)?;
    let mut journal = Journal::open(out)?;
    let todo: Vec<&Point> = shard
        .points
        .iter()
        .filter(|point| !journal.holds(&point.point_id, &point.digest))
        .collect();
    let mut summary = Summary { skipped: shard.points.len() - todo.len(), ..Summary::default() };

    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let mut progress = Progress::new(todo.len());
    let outcome = std::thread::scope(|scope| {
        for _ in 0..arguments.threads.clamp(1, todo.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !stop.load(Ordering::Relaxed) {
                    let Some(point) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if sender.send(compute(point, out, &simulate)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            let line = match receiver.recv_timeout(progress.until_next()) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    progress.show(&summary);
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match line.status {
                Status::Done => summary.done += 1,
                Status::Failed => summary.failed += 1,
            }
            if let Err(error) = journal.append(&line) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            if progress.until_next().is_zero() {
                progress.show(&summary);
            }
        }
        journal.sync()
    });
    outcome?;
    progress.show(&summary);
    Ok(summary)
}

fn compute<F, A>(point: &Point, out: &Path, simulate: &F) -> Line
where
    F: Fn(&Point, &Path) -> A,
    A: Into<Answer>,
{
    let (started_at, wall, cpu_s) = (utc_now(), Instant::now(), thread_cpu_s());
    let answer = catch_unwind(AssertUnwindSafe(|| simulate(point, out).into()))
        .unwrap_or_else(|panic| Err(format!("the engine panicked: {}", reason(&*panic))).into());
    let elsewhere = answer.elsewhere.unwrap_or_default();
    let (status, error, metrics) = match answer.result {
        Ok(metrics) => (Status::Done, None, metrics),
        Err(error) => (Status::Failed, Some(error), vec![]),
    };
    Line {
        point_id: point.point_id.clone(),
        digest: point.digest.clone(),
        status,
        error,
        started_at,
        wall_s: wall.elapsed().as_secs_f64(),
        cpu_s: thread_cpu_s() - cpu_s + elsewhere.cpu_s,
        peak_rss_bytes: answer.elsewhere.map_or_else(peak_rss_bytes, |own| own.peak_rss_bytes),
        metrics,
    }
}

fn reason(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

/// Progress on standard error: one line per second and one at the end.
struct Progress {
    points: usize,
    next: Instant,
}

const INTERVAL: Duration = Duration::from_secs(1);

impl Progress {
    fn new(points: usize) -> Self {
        Self { points, next: Instant::now() + INTERVAL }
    }

    fn until_next(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    fn show(&mut self, summary: &Summary) {
        self.next = Instant::now() + INTERVAL;
        let finished = summary.done + summary.failed;
        let (points, failed, skipped) = (self.points, summary.failed, summary.skipped);
        eprintln!("{finished} of {points} points, {failed} failed, {skipped} computed before");
    }
}
