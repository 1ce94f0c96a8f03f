//! How full the buffers of virtual channels are, over time and by class of the link in front.

use super::classes::Classes;
use fabric::Channel;
use mpi::measure::{Interval, Intervals, Join, Numbers, PerInterval};
use mpi::time::Time;

/// Changes of the level within an interval: their sum, and the sum of each times the time left.
#[derive(Debug, Clone, Copy, Default)]
struct Changes {
    bytes: i64,
    byte_ps: i128,
}

impl Join for Changes {
    fn join(&mut self, later: &Self, later_ps: Time) {
        self.byte_ps += i128::from(self.bytes) * i128::from(later_ps) + later.byte_ps;
        self.bytes += later.bytes;
    }
}

/// Integrates levels over time. Only changes are added up, so that the order in which different
/// buffers report theirs is of no importance.
#[derive(Debug, Clone)]
pub struct BufferSeries {
    numbers: Numbers,
    vcs: usize,
    level: Vec<u32>,
    changes: PerInterval<Changes>,
}

impl BufferSeries {
    pub fn new(interval_ps: Time, classes: &Classes, channels: u32, vcs: u32) -> Self {
        Self {
            numbers: Numbers::new(interval_ps),
            vcs: vcs as usize,
            level: vec![0; channels as usize * vcs as usize],
            changes: PerInterval::new(interval_ps, classes.count()),
        }
    }

    /// The buffer of a virtual channel holds `bytes` from `at` on.
    #[inline]
    pub fn level(&mut self, channel: Channel, class: usize, vc: u32, at: Time, bytes: u64) {
        let level = &mut self.level[channel as usize * self.vcs + vc as usize];
        let change = bytes as i64 - i64::from(*level);
        *level = bytes as u32;
        let number = self.numbers.of(at);
        let (row, end) = self.changes.row_and_end(number);
        row[class].bytes += change;
        row[class].byte_ps += i128::from(change) * i128::from(end - at);
    }

    pub fn shift(&self) -> u32 {
        self.changes.shift()
    }

    pub fn fit(&mut self, intervals: &Intervals) {
        self.changes.fit(intervals);
    }

    /// Per interval and class the mean share of the buffers' space that was taken, in the order of
    /// the intervals; `None` for a class without buffers.
    pub fn rows<'a>(
        &'a self,
        intervals: &'a Intervals,
        classes: &'a Classes,
        vc_buffer_bytes: u64,
    ) -> impl Iterator<Item = (Interval, Vec<Option<f64>>)> + 'a {
        let mut levels = vec![0i64; classes.count()];
        let interval_ps = intervals.interval_ps << intervals.shift;
        intervals.iter().zip(self.changes.rows()).map(move |(interval, changes)| {
            let length = i128::from(interval.end - interval.start);
            let beyond = i128::from(interval.start + interval_ps - interval.end);
            let mut share = |(class, change): (usize, &Changes)| {
                let within = change.byte_ps - i128::from(change.bytes) * beyond;
                let taken = i128::from(levels[class]) * length + within;
                levels[class] += change.bytes;
                let buffers = classes.into_routers(class) * self.vcs as u64;
                let space = buffers as f64 * vc_buffer_bytes as f64 * length as f64;
                (space > 0.0).then(|| taken as f64 / space)
            };
            (interval, changes.iter().enumerate().map(&mut share).collect())
        })
    }
}
