//! Throughput of links over time: by class, the highest of a class, and how it is distributed.

use super::classes::Classes;
use crate::metrics::Carried;
use fabric::Channel;
use mpi::measure::{Interval, Intervals, Join, Numbers, PerInterval};
use mpi::time::{Time, to_seconds};

/// Classes of the distribution: 0–10 %, 10–20 % … of what a link can carry.
pub const THROUGHPUT_CLASSES: usize = 10;

/// What a channel has carried in the interval that it is in.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// Of the interval.
    start: Time,
    /// What that takes at the channel's full rate.
    busy_ps: Time,
    bytes: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Peak(f64);

impl Join for Peak {
    fn join(&mut self, later: &Self, _: Time) {
        self.0 = self.0.max(later.0);
    }
}

/// Every channel is in an interval of its own, since it carries packets one after another: so
/// nothing has to wait until all of them have left an interval.
#[derive(Debug, Clone)]
pub struct LinkSeries {
    interval_ps: Time,
    numbers: Numbers,
    classes: usize,
    open: Vec<Open>,
    /// Per interval the bytes of each class, then the busy channels of each throughput class.
    sums: PerInterval<u64>,
    peaks: PerInterval<Peak>,
}

/// An interval's row: by class of links, then by class of throughput.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRow {
    /// Means over the links of each class.
    pub bytes_per_s: Vec<f64>,
    /// Of the busiest link of each class, in any interval of the length that was asked for.
    pub max_bytes_per_s: Vec<f64>,
    /// Adds up to 1.
    pub share: [f64; THROUGHPUT_CLASSES],
}

impl LinkSeries {
    pub fn new(interval_ps: Time, classes: &Classes, channels: u32) -> Self {
        let count = classes.count();
        Self {
            interval_ps,
            numbers: Numbers::new(interval_ps),
            classes: count,
            open: vec![Open::default(); channels as usize],
            sums: PerInterval::new(interval_ps, count + THROUGHPUT_CLASSES),
            peaks: PerInterval::new(interval_ps, count),
        }
    }

    /// A packet occupies a channel of a class from `start` to `end`, or flows share it.
    #[inline]
    pub fn carry(
        &mut self,
        channel: Channel,
        class: usize,
        carried: Carried,
        start: Time,
        end: Time,
    ) {
        let open = self.open[channel as usize];
        if start >= open.start + self.interval_ps {
            self.close(open, class, self.interval_ps);
            self.numbers.of(start);
            self.open[channel as usize] = Open { start: self.numbers.start(), ..Open::default() };
        }
        let open = &mut self.open[channel as usize];
        if end <= open.start + self.interval_ps {
            open.busy_ps += carried.busy;
            open.bytes += carried.bytes;
        } else {
            self.divide(channel, class, carried, start, end);
        }
    }

    /// Divides what was carried between the intervals that it spans.
    fn divide(&mut self, channel: Channel, class: usize, carried: Carried, start: Time, end: Time) {
        let mut open = self.open[channel as usize];
        let mut counted = Carried::default();
        loop {
            let until = end.min(open.start + self.interval_ps);
            let part = |of: u64| {
                (u128::from(of) * u128::from(until - start) / u128::from(end - start)) as u64
            };
            let passed = Carried { bytes: part(carried.bytes), busy: part(carried.busy) };
            open.busy_ps += passed.busy - counted.busy;
            open.bytes += passed.bytes - counted.bytes;
            if until == end {
                break;
            }
            counted = passed;
            self.close(open, class, self.interval_ps);
            open = Open { start: until, ..Open::default() };
        }
        self.open[channel as usize] = open;
    }

    /// Counts what a channel carried in an interval of this length.
    fn close(&mut self, open: Open, class: usize, length_ps: Time) {
        if open.bytes == 0 && open.busy_ps == 0 {
            return;
        }
        let number = self.numbers.of(open.start);
        let tenth = (open.busy_ps * THROUGHPUT_CLASSES as u64 / length_ps.max(1)) as usize;
        let sums = self.sums.row(number);
        sums[class] += open.bytes;
        sums[self.classes + tenth.min(THROUGHPUT_CLASSES - 1)] += 1;
        let peak = &mut self.peaks.row(number)[class].0;
        *peak = peak.max(open.bytes as f64 / to_seconds(length_ps));
    }

    pub fn shift(&self) -> u32 {
        self.sums.shift()
    }

    /// Ends the intervals that channels are in.
    pub fn finish(&mut self, classes: &Classes, end: Time) {
        for channel in 0..self.open.len() {
            let open = std::mem::take(&mut self.open[channel]);
            let length_ps = self.interval_ps.min(end.saturating_sub(open.start));
            self.close(open, classes.of(channel as Channel), length_ps);
        }
    }

    pub fn fit(&mut self, intervals: &Intervals) {
        self.sums.fit(intervals);
        self.peaks.fit(intervals);
    }

    /// Rows in the order of the intervals.
    pub fn rows<'a>(
        &'a self,
        intervals: &'a Intervals,
        classes: &'a Classes,
    ) -> impl Iterator<Item = (Interval, LinkRow)> + 'a {
        let rows = self.sums.rows().zip(self.peaks.rows());
        intervals.iter().zip(rows).map(move |(interval, (sums, peaks))| {
            let (bytes, busy) = sums.split_at(self.classes);
            let length_s = to_seconds(interval.end - interval.start);
            let mean = |(class, &bytes): (usize, &u64)| {
                bytes as f64 / length_s / classes.links(class) as f64
            };
            let looks = classes.all() * interval.parts;
            let mut share = [0.0; THROUGHPUT_CLASSES];
            for (share, &count) in share.iter_mut().zip(busy) {
                *share = count as f64 / looks as f64;
            }
            let idle = looks - busy.iter().sum::<u64>();
            share[0] = (busy[0] + idle) as f64 / looks as f64;
            let row = LinkRow {
                bytes_per_s: bytes.iter().enumerate().map(mean).collect(),
                max_bytes_per_s: peaks.iter().map(|peak| peak.0).collect(),
                share,
            };
            (interval, row)
        })
    }
}
