//! The table `rank_timeline-<point>.csv`: what ranks do in each interval of time.

use super::courses::{Courses, STATES, State};
use crate::time::{Time, to_seconds};
use engine::{Column, SideTable, TableFile};
use std::io::{BufWriter, Error, Write};
use std::path::Path;

pub const RANK_TIMELINE: SideTable = SideTable::new(
    "rank_timeline",
    "rank and interval",
    &[
        Column::integer("rank", "whose time it is"),
        Column::number("quantile", "share of the ranks that wait less, where not all are shown"),
        Column::number("start_s", "time at which the interval begins"),
        Column::number("end_s", "time at which it ends"),
        Column::number("compute_s", "computing"),
        Column::number("software_s", "overheads and copies of calls").optional(),
        Column::number("network_s", "what it waits for is under way").optional(),
        Column::number("waiting_s", "another rank has not called yet").optional(),
        Column::number("call_s", "in a call, on hardware").of_others(),
    ],
)
.about(
    "Times add up to the interval. A rank has at most 256 intervals; neighbours with the same single \
     state are one. Of more than 64 ranks the table has 64, at quantiles of the time that they wait for \
     others. What a rank does in a call is not known on hardware; quantiles are those of the time in \
     calls there.",
);
/// Most ranks of the table, and most intervals of a rank.
const MOST_RANKS: usize = 64;
const MOST_INTERVALS: u64 = 256;

type Times = [Time; STATES.len()];

#[derive(Debug)]
pub struct RankTimeline {
    writer: BufWriter<TableFile>,
}

impl RankTimeline {
    pub fn create(out: &Path, point_id: &str) -> Result<Self, String> {
        Ok(Self { writer: RANK_TIMELINE.create(out, point_id)? })
    }

    /// Writes the rows: each rank in turn, and each of its intervals.
    pub fn finish(&mut self, courses: &Courses) -> Result<(), String> {
        let failed = |error: Error| format!("table rank_timeline: {error}");
        let end = courses.of_ranks.iter().filter_map(|course| course.pieces.last());
        let end = end.map(|piece| piece.end).max().unwrap_or(0);
        let interval = end.div_ceil(MOST_INTERVALS).max(1);
        for (rank, quantile) in shown(courses) {
            let quantile = quantile.map_or(String::new(), |share| share.to_string());
            for (from, to, times) in intervals(courses, rank, interval) {
                let [compute, software, network, waiting] = times.map(to_seconds);
                let (from_s, to_s) = (to_seconds(from), to_seconds(to));
                writeln!(
                    self.writer,
                    "{rank},{quantile},{from_s},{to_s},{compute},{software},{network},{waiting}"
                )
                .map_err(failed)?;
            }
        }
        self.writer.flush().map_err(failed)
    }
}

/// All ranks; of many, those at quantiles of the time that they wait for other ranks, with their shares.
fn shown(courses: &Courses) -> Vec<(usize, Option<f64>)> {
    let waiting: Vec<Time> = courses.sums(State::Waiting).collect();
    if waiting.len() <= MOST_RANKS {
        return (0..waiting.len()).map(|rank| (rank, None)).collect();
    }
    let mut ranks: Vec<usize> = (0..waiting.len()).collect();
    ranks.sort_by_key(|&rank| waiting[rank]);
    let last = (MOST_RANKS - 1) as f64;
    let place = |share: f64| (share * (ranks.len() - 1) as f64).round() as usize;
    let shares = (0..MOST_RANKS).map(|number| number as f64 / last);
    shares.map(|share| (ranks[place(share)], Some(share))).collect()
}

/// Times of a rank in each state, by interval. Neighbours with the same single state are one.
fn intervals(courses: &Courses, rank: usize, interval: Time) -> Vec<(Time, Time, Times)> {
    let mut found: Vec<(Time, Time, Times)> = vec![];
    let mut from = 0;
    for piece in &courses.of_ranks[rank].pieces {
        while from < piece.end {
            let number = from / interval;
            let to = piece.end.min((number + 1) * interval);
            match found.last_mut().filter(|last| last.0 / interval == number) {
                Some((_, until, times)) => {
                    *until = to;
                    times[piece.state as usize] += to - from;
                }
                None => {
                    let mut times = Times::default();
                    times[piece.state as usize] = to - from;
                    found.push((from, to, times));
                }
            }
            from = to;
        }
    }
    let alone = |times: &Times| {
        STATES.iter().position(|&(state, _)| times.iter().sum::<Time>() == times[state as usize])
    };
    let mut joined: Vec<(Time, Time, Times)> = vec![];
    for (from, to, times) in found {
        match (alone(&times), joined.last_mut()) {
            (Some(state), Some((_, until, before))) if alone(before) == Some(state) => {
                *until = to;
                before[state] += times[state];
            }
            _ => joined.push((from, to, times)),
        }
    }
    joined
}
