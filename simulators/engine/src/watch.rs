//! Ends points that exceed a limit, on threads of this process.
//!
//! No thread can end another one. So the point gets a failed line while its thread runs on. When nothing
//! else is left to do, the process abandons the thread: it starts itself again for the points without a
//! line, or exits. So limits cost a point nothing, and its inner loops need no checks.

use crate::flights::{Flight, Flights};
use crate::{EngineError, Limits, Line, Point, Status, resident_bytes};
use std::collections::HashSet;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Time between two checks.
const LOOK: Duration = Duration::from_millis(100);

/// What a run does next.
pub(crate) enum Verdict {
    GoOn,
    /// Abandon the threads: only lost points are still computed.
    Leave,
    /// The same, and compute one point at a time from then on: which of several points takes too much
    /// memory is unknown.
    LeaveAlone,
}

pub(crate) struct Watch<'a> {
    points: &'a [&'a Point],
    flights: &'a Flights,
    in_process: fn(&Point) -> bool,
    lost: HashSet<usize>,
    next: Instant,
}

impl<'a> Watch<'a> {
    /// Points that are `in_process` of their own are watched there.
    pub fn new(
        points: &'a [&'a Point],
        flights: &'a Flights,
        in_process: fn(&Point) -> bool,
    ) -> Self {
        Self { points, flights, in_process, lost: HashSet::new(), next: Instant::now() + LOOK }
    }

    pub fn until_next(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Whether the point has been given up.
    pub fn is_lost(&self, index: usize) -> bool {
        self.lost.contains(&index)
    }

    /// Gives up points that exceed a limit, and passes their lines to `note`.
    pub fn look(
        &mut self,
        mut note: impl FnMut(Line) -> Result<(), EngineError>,
    ) -> Result<Verdict, EngineError> {
        if !self.until_next().is_zero() {
            return Ok(Verdict::GoOn);
        }
        self.next = Instant::now() + LOOK;
        let mut flying = self.flights.all();
        flying.retain(|flight| !(self.in_process)(self.points[flight.index]));
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
            environment: None,
        }
    }
}

fn over_time(limits: &Limits) -> String {
    format!(
        "the point reached its limit of {} s: make the point smaller, or raise \
         machine.simulation_timeout",
        limits.timeout_s
    )
}

fn over_memory(bytes: u64) -> String {
    format!(
        "the point uses more than {bytes} B of memory: make the point smaller, or raise \
         machine.memory_limit"
    )
}

/// Starts this command again in the same process. Its threads end, and finished points have their lines.
pub(crate) fn begin_anew(alone: bool) -> EngineError {
    let path = match std::env::current_exe() {
        Ok(path) => path,
        Err(source) => return EngineError::Io { path: "weft".into(), source },
    };
    let mut command = Command::new(&path);
    command.args(std::env::args_os().skip(1));
    if alone {
        // The last value of an option counts.
        command.args(["--threads", "1"]);
    }
    let source = command.exec();
    EngineError::Io { path, source }
}
