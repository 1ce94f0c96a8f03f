//! Watches the program: messages and calls.

use super::call_table::CallTable;
use super::courses::{Courses, MOST_PIECES};
use super::critical_path::PathTable;
use super::history::History;
use super::latency::{Latencies, LatencySeries};
use super::message_table::MessageTable;
use super::pair_table::PairTable;
use super::rank_timeline::RankTimeline;
use crate::observer::{Call, Observer, Wait};
use crate::time::Time;
use fabric::Node;
use std::path::Path;

/// What to record.
#[derive(Debug, Clone, Copy, Default)]
pub struct WatchProgram {
    /// The interval of the series, if there is one.
    pub interval_ps: Option<Time>,
    pub messages: bool,
    pub calls: bool,
    pub rank_pairs: bool,
    pub rank_timeline: bool,
    pub critical_path: bool,
    pub history: bool,
}

#[derive(Debug)]
pub struct ProgramWatch {
    latencies: Latencies,
    series: Option<LatencySeries>,
    messages: Option<MessageTable>,
    calls: Option<CallTable>,
    rank_pairs: Option<PairTable>,
    courses: Option<Courses>,
    rank_timeline: Option<RankTimeline>,
    critical_path: Option<PathTable>,
    history: Option<History>,
    last: Time,
}

impl ProgramWatch {
    /// Files go to the folder `out`. `node_of` says where each rank runs.
    pub fn new(
        watch: &WatchProgram,
        out: &Path,
        point_id: &str,
        node_of: &[Node],
    ) -> Result<Self, String> {
        let messages = watch.messages.then(|| MessageTable::create(out, point_id, node_of));
        let calls = watch.calls.then(|| CallTable::create(out, point_id, node_of.len()));
        let rank_pairs = watch.rank_pairs.then(|| PairTable::create(out, point_id));
        let rank_timeline = watch.rank_timeline.then(|| RankTimeline::create(out, point_id));
        let critical_path = watch.critical_path.then(|| PathTable::create(out, point_id));
        let needs_courses = watch.rank_timeline || watch.critical_path;
        let history = watch.history.then(|| History::create(out, point_id, node_of));
        Ok(Self {
            latencies: Latencies::default(),
            series: watch.interval_ps.map(LatencySeries::new),
            messages: messages.transpose()?,
            calls: calls.transpose()?,
            rank_pairs: rank_pairs.transpose()?,
            courses: needs_courses.then(|| Courses::new(node_of.len(), MOST_PIECES)),
            rank_timeline: rank_timeline.transpose()?,
            critical_path: critical_path.transpose()?,
            history: history.transpose()?,
            last: 0,
        })
    }

    /// Latencies of messages, from the call that sent a message to the arrival of its data.
    pub fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    /// When the last message arrived or the last call ended, whichever is later.
    pub fn last(&self) -> Time {
        self.last
    }

    pub fn series(&mut self) -> Option<&mut LatencySeries> {
        self.series.as_mut()
    }

    /// What ranks did, if a table of that is asked for.
    pub fn courses(&self) -> Option<&Courses> {
        self.courses.as_ref()
    }

    /// Completes the files of a program that has ended at `end`. Returns notes about what they do not
    /// hold.
    pub fn finish(&mut self, end: Time) -> Result<Vec<String>, String> {
        if let Some(messages) = &mut self.messages {
            messages.finish()?;
        }
        if let Some(calls) = &mut self.calls {
            calls.finish()?;
        }
        if let Some(rank_pairs) = &mut self.rank_pairs {
            rank_pairs.finish()?;
        }
        let mut notes = vec![];
        if let Some(courses) = &self.courses {
            notes.extend((!courses.is_whole()).then(|| {
                format!(
                    "the tables rank_timeline and critical_path are empty: the program has more than \
                     {MOST_PIECES} pieces"
                )
            }));
            if let (Some(table), true) = (&mut self.rank_timeline, courses.is_whole()) {
                table.finish(courses)?;
            }
            if let Some(table) = &mut self.critical_path {
                table.finish(&courses.critical_path(end).unwrap_or_default())?;
            }
        }
        if let Some(history) = &mut self.history {
            notes.extend(history.finish()?);
        }
        Ok(notes)
    }
}

impl Observer for ProgramWatch {
    const ACTIVE: bool = true;

    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time) {
        self.last = self.last.max(arrived);
        self.latencies.add(arrived - sent);
        if let Some(series) = &mut self.series {
            series.add(arrived, arrived - sent);
        }
        if let Some(messages) = &mut self.messages {
            messages.write(src, dst, bytes, sent, arrived);
        }
        if let Some(rank_pairs) = &mut self.rank_pairs {
            rank_pairs.add(src, dst, bytes);
        }
        if let Some(history) = &mut self.history {
            history.message(src, dst, bytes, sent, arrived);
        }
    }

    fn call(&mut self, call: &Call) {
        self.last = self.last.max(call.end);
        if let Some(calls) = &mut self.calls {
            calls.add(call);
        }
        if let Some(history) = &mut self.history {
            history.call((call.rank, call.thread), call.name, call.start, call.end);
        }
        // A rank does several things at once if it has several threads: its first one stands for it.
        if let (Some(courses), false, 0) = (&mut self.courses, call.is_inner, call.thread) {
            courses.call(call);
        }
    }

    fn wants_waits(&self) -> bool {
        self.courses.is_some()
    }

    fn wait(&mut self, wait: &Wait) {
        if let Some(courses) = &mut self.courses {
            courses.wait(wait);
        }
    }

    fn ended(&mut self, rank: u32, at: Time) {
        if let Some(courses) = &mut self.courses {
            courses.ended(rank, at);
        }
    }
}
