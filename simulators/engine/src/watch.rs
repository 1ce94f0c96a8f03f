//! Points that take more than they may, on threads of this process.
//!
//! A thread cannot be ended from outside. What it computes is given up with a line of its own; when
//! nothing else is left to do, the process leaves it behind: it begins anew with the points that have
//! no line, or ends. So small points cost nothing, and nothing has to be asked in their inner loops.

use crate::flights::{Flight, Flights};
use crate::{EngineError, Limits, Line, Point, Status, resident_bytes};
use std::collections::HashSet;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// What a run does next.
pub(crate) enum Verdict {
    GoOn,
    /// Leave the threads behind: all that is worth waiting for has ended.
    Leave,
    /// The same, and compute one point at a time: nobody knows which of several took the memory.
    LeaveAlone,
}

pub(crate) struct Watch<'a> {
    points: &'a [&'a Point],
    flights: &'a Flights,
    lost: HashSet<usize>,
    next: Instant,
}

impl<'a> Watch<'a> {
    pub fn new(points: &'a [&'a Point], flights: &'a Flights) -> Self {
        Self { points, flights, lost: HashSet::new(), next: Instant::now() + LOOK }
    }

    pub fn until_next(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Whether the point was given up.
    pub fn is_lost(&self, index: usize) -> bool {
        self.lost.contains(&index)
    }

    /// Gives up what takes too much: each such point's line goes to `note`.
    pub fn look(
        &mut self,
        mut note: impl FnMut(Line) -> Result<(), EngineError>,
    ) -> Result<Verdict, EngineError> {
        if !self.until_next().is_zero() {
            return Ok(Verdict::GoOn);
        }
        self.next = Instant::now() + LOOK;
        let flying = self.flights.all();
        let waiting: Vec<&Flight> = flying.iter().filter(|f| !self.is_lost(f.index)).collect();
        let Some(first) = waiting.first() else { return Ok(self.verdict()) };
        let memory = self.points[first.index].limits.memory();
        if resident_bytes("self") > memory {
            if flying.len() > 1 {
                return Ok(Verdict::LeaveAlone);
            }
            let index = first.index;
            note(self.line(first, &over_memory(memory)))?;
            self.lost.insert(index);
            return Ok(Verdict::Leave);
        }
        for flight in &waiting {
            let limits = &self.points[flight.index].limits;
            if flight.since.elapsed() > limits.timeout() {
                note(self.line(flight, &over_time(limits)))?;
                self.lost.insert(flight.index);
            }
        }
        Ok(self.verdict())
    }

    fn verdict(&self) -> Verdict {
        let stuck = !self.lost.is_empty() && self.flights.only(|index| self.is_lost(index));
        if stuck { Verdict::Leave } else { Verdict::GoOn }
    }

    fn line(&self, flight: &Flight, error: &str) -> Line {
        let (point, (clock, cpu_s)) = (self.points[flight.index], flight.cpu);
        Line {
            point_id: point.point_id.clone(),
            digest: point.digest.clone(),
            status: Status::Failed,
            error: Some(error.to_string()),
            started_at: flight.started_at.clone(),
            wall_s: flight.since.elapsed().as_secs_f64(),
            cpu_s: clock.seconds() - cpu_s,
            peak_rss_bytes: resident_bytes("self"),
            metrics: vec![],
        }
    }
}

fn over_time(limits: &Limits) -> String {
    format!(
        "the point's {} s are over: make it smaller, or machine.simulation_timeout larger",
        limits.timeout_s
    )
}

fn over_memory(bytes: u64) -> String {
    format!(
        "the point uses more than {bytes} B of memory: make it smaller, or machine.memory_limit \
         larger"
    )
}

/// Begins this command anew in the same process: lost threads end, finished points have their lines.
pub(crate) fn begin_anew(alone: bool) -> EngineError {
    let path = match std::env::current_exe() {
        Ok(path) => path,
        Err(source) => return EngineError::Io { path: "weft".into(), source },
    };
    let mut command = Command::new(&path);
    command.args(std::env::args_os().skip(1));
    if alone {
        // The last word counts.
        command.args(["--threads", "1"]);
    }
    let source = command.exec();
    EngineError::Io { path, source }
}
