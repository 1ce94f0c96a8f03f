//! The critical path of a program: what the last rank to end did and waited for, back to the begin.
//!
//! From a moment of a rank the path goes back through what the rank did itself. At a wait it goes to the
//! rank that ended the wait, at the time at which that rank did so, and the network takes the time
//! between. So every moment of the program belongs to one piece of the path.

use super::courses::{Courses, STATES, State, Stretch};
use crate::observer::{Cause, Rest};
use crate::time::{Time, to_seconds};
use engine::{Column, SideTable, TableFile};
use ranks::in_words_of_the_program;
use std::collections::BTreeMap;
use std::io::{BufWriter, Error, Write};
use std::path::Path;

pub const CRITICAL_PATH: SideTable = SideTable::new(
    "critical_path",
    "kind of piece of a program's critical path",
    &[
        Column::integer("rank", "where the piece runs"),
        Column::text("call", "in which it runs; NULL between calls"),
        Column::text(
            "state",
            "`compute`, `software`, `network` or `waiting`; on hardware `compute` or `call`",
        ),
        Column::integer("source", "rank whose message the network carries"),
        Column::integer("destination", "rank that receives it"),
        Column::integer("pieces", "how many of this kind"),
        Column::number("time_s", "of all of them"),
    ],
)
.about(
    "The times add up to `program_time_s`. On hardware they add up to that of the recorded run, and a \
     piece of a call that waited for a message names its ranks.",
);

/// A piece of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    pub rank: u32,
    /// Empty between calls.
    pub call: &'static str,
    pub state: State,
    /// Of time in the network: who sent the message, and to whom.
    pub message: Option<(u32, u32)>,
    pub from: Time,
    pub to: Time,
}

impl Courses {
    /// The path back from the first rank that ended at `end`, the last piece first. None if not all
    /// pieces were kept, or no rank ended then.
    pub fn critical_path(&self, end: Time) -> Option<Vec<Hop>> {
        let last = self.of_ranks.iter().position(|course| course.ended == Some(end))?;
        if !self.is_whole() {
            return None;
        }
        let (mut rank, mut at, mut path) = (last as u32, end, vec![]);
        while at > 0 {
            let Stretch { from, call, state, cause } = self.before(rank, at);
            let call = self.names[call as usize];
            let own = Hop { rank, call, state, message: None, from, to: at };
            let Some(Cause { rank: other, at: begun, ready, rest, source, destination }) = cause
            else {
                path.push(own);
                at = from;
                continue;
            };
            let (ready, state) = match rest {
                Rest::Software => (ready.min(at), State::Software),
                Rest::Compute => (ready.min(at), State::Compute),
            };
            let begun = begun.min(ready);
            let message = Some((source, destination));
            let network = Hop { state: State::Network, message, from: begun, to: ready, ..own };
            let pieces = [Hop { state, from: ready, ..own }, network];
            path.extend(pieces.into_iter().filter(|hop| hop.from < hop.to));
            (rank, at) = (other, begun);
        }
        Some(path)
    }
}

/// The table `critical_path-<point>.csv`.
#[derive(Debug)]
pub struct PathTable {
    writer: BufWriter<TableFile>,
}

impl PathTable {
    pub fn create(out: &Path, point_id: &str) -> Result<Self, String> {
        Ok(Self { writer: CRITICAL_PATH.create(out, point_id)? })
    }

    /// Writes the sums of the path by rank, call, state and message, the largest first.
    pub fn finish(&mut self, path: &[Hop]) -> Result<(), String> {
        let mut sums: BTreeMap<_, (u64, Time)> = BTreeMap::new();
        for hop in path {
            let key = (hop.rank, hop.call, hop.state, hop.message);
            let sum = sums.entry(key).or_default();
            *sum = (sum.0 + 1, sum.1 + (hop.to - hop.from));
        }
        let mut rows: Vec<_> = sums.into_iter().collect();
        rows.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
        let failed = |error: Error| format!("table critical_path: {error}");
        for ((rank, call, state, message), (pieces, time)) in rows {
            let (call, state) = (in_words_of_the_program(call), STATES[state as usize].1);
            let message = message.map_or(",".into(), |(source, to)| format!("{source},{to}"));
            let time_s = to_seconds(time);
            writeln!(self.writer, "{rank},{call},{state},{message},{pieces},{time_s}")
                .map_err(failed)?;
        }
        self.writer.flush().map_err(failed)
    }
}
