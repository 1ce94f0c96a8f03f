//! Computes the points of a shard on several threads.

use crate::answer::{Answer, Unanswered};
use crate::clock::peak_rss_bytes;
use crate::flights::{Flight, Flights};
use crate::lock::Lock;
use crate::watch::{Verdict, Watch, begin_anew};
use crate::{EngineError, Environment, FullDisk, Journal, Line, Point, Shard, Status};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

#[derive(Debug, Clone)]
pub struct Arguments {
    pub shard: PathBuf,
    pub out: PathBuf,
    pub threads: usize,
    /// Whether a point has a process of its own. This run enforces the limits of the others.
    pub in_process: fn(&Point) -> bool,
}

/// How many points of a shard ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub done: usize,
    pub failed: usize,
    /// They had nothing to compute.
    pub skipped: usize,
    /// The journal held them.
    pub computed_before: usize,
}

impl Summary {
    /// Points that have a line now and had none before.
    fn finished(&self) -> usize {
        self.done + self.failed + self.skipped
    }
}

/// Computes every point that the journal does not hold yet.
///
/// `simulate` gets the point and the output folder. Its result depends on the point alone, so that the
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
    let computed_before = shard.points.len() - todo.len();
    let mut summary = Summary { computed_before, ..Summary::default() };

    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let flights = Flights::new(arguments.threads.clamp(1, todo.len().max(1)));
    let mut progress = Progress::new(todo.len());
    let mut watch = Watch::new(&todo, &flights, arguments.in_process);
    let outcome = std::thread::scope(|scope| {
        for thread in 0..flights.threads() {
            let (sender, flights, next, stop, todo) =
                (sender.clone(), &flights, &next, &stop, &todo);
            let simulate = &simulate;
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(point) = todo.get(index) else { break };
                    let line = compute(point, &flights.begin(thread, index), out, simulate);
                    flights.end(thread);
                    if sender.send((index, line)).is_err() {
                        break;
                    }
                }
                flights.close(thread);
            });
        }
        drop(sender);
        let mut keep = |line: Line, summary: &mut Summary| {
            if line.status == Status::Failed && FullDisk::met().is_some() {
                // Its table met a full disk. Points that are under way still get their lines.
                stop.store(true, Ordering::Relaxed);
                return Ok(());
            }
            match line.status {
                Status::Done => summary.done += 1,
                Status::Failed => summary.failed += 1,
                Status::Skipped => summary.skipped += 1,
            }
            journal.append(&line)
        };
        let mut follow = || -> Result<(), EngineError> {
            loop {
                let pause = progress.until_next().min(watch.until_next());
                let line = receiver.recv_timeout(pause);
                match line {
                    Ok((index, line)) if !watch.is_lost(index) => keep(line, &mut summary)?,
                    Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                let verdict = watch.look(|line| keep(line, &mut summary))?;
                if progress.until_next().is_zero() {
                    progress.show(&summary);
                }
                match verdict {
                    Verdict::GoOn => {}
                    Verdict::Leave if summary.finished() == todo.len() => {
                        progress.show(&summary);
                        std::process::exit(0);
                    }
                    Verdict::Leave => return Err(begin_anew(false)),
                    Verdict::LeaveAlone => return Err(begin_anew(true)),
                }
            }
        };
        let followed = follow();
        if followed.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        followed
    });
    outcome?;
    journal.sync()?;
    progress.show(&summary);
    FullDisk::met().map_or(Ok(summary), |full| Err(full.into()))
}

fn compute<F, A>(point: &Point, flight: &Flight, out: &Path, simulate: &F) -> Line
where
    F: Fn(&Point, &Path) -> A,
    A: Into<Answer>,
{
    let (clock, cpu_s) = flight.cpu;
    let answer = catch_unwind(AssertUnwindSafe(|| simulate(point, out).into()))
        .unwrap_or_else(|panic| Err(format!("the engine panicked: {}", reason(&*panic))).into());
    let elsewhere = answer.elsewhere.unwrap_or_default();
    let (status, error, metrics) = match answer.result {
        Ok(metrics) => (Status::Done, None, metrics),
        Err(Unanswered::Failed(error)) => (Status::Failed, Some(error), vec![]),
        Err(Unanswered::Skipped(reason)) => (Status::Skipped, Some(reason), vec![]),
    };
    Line {
        point_id: point.point_id.clone(),
        digest: point.digest.clone(),
        status,
        error,
        started_at: flight.started_at.clone(),
        wall_s: flight.since.elapsed().as_secs_f64(),
        cpu_s: clock.seconds() - cpu_s + elsewhere.cpu_s,
        peak_rss_bytes: answer.elsewhere.map_or_else(peak_rss_bytes, |own| own.peak_rss_bytes),
        metrics,
        environment: Environment::of(answer.notes),
    }
}

fn reason(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

/// Reports progress on standard error: one line per second and one at the end.
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
        let Summary { failed, skipped, computed_before, .. } = *summary;
        let (points, finished) = (self.points, summary.finished());
        // The log may lie on a full disk.
        let _ = writeln!(
            std::io::stderr(),
            "{finished} of {points} points, {failed} failed, {skipped} skipped, {computed_before} computed \
             before"
        );
    }
}
