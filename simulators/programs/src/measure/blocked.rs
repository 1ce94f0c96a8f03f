//! Output ports that packets' heads had to wait for.

use super::classes::Classes;
use fabric::Channel;
use mpi::measure::{Intervals, Numbers, PerInterval};
use mpi::time::Time;

/// One output port, named by its channel. It is blocked while at least one head waits for it.
#[derive(Debug, Clone, Copy, Default)]
struct Port {
    /// When it took the last packet.
    taken: Time,
    blocked_ps: Time,
    packets: u64,
    /// The first interval that has not counted this port.
    uncounted: u64,
}

/// A port with what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Congested {
    pub channel: Channel,
    /// Time in which at least one head waited.
    pub blocked_ps: Time,
    /// Heads that waited.
    pub packets: u64,
}

#[derive(Debug, Clone)]
pub struct Waits {
    ports: Vec<Port>,
    numbers: Numbers,
    /// Per interval the ports that were blocked in it.
    counts: Option<PerInterval<u64>>,
}

impl Waits {
    /// Counts per interval where an interval is given.
    pub fn new(channels: u32, interval_ps: Option<Time>) -> Self {
        Self {
            ports: vec![Port::default(); channels as usize],
            numbers: Numbers::new(interval_ps.unwrap_or(1)),
            counts: interval_ps.map(|interval_ps| PerInterval::new(interval_ps, 1)),
        }
    }

    /// A packet's head had to wait.
    #[inline]
    pub fn packet(&mut self, channel: Channel) {
        self.ports[channel as usize].packets += 1;
    }

    /// The port takes a packet; `since` is when the first of all waiting heads was ready. Between two
    /// packets heads only come: so the port was blocked from `since` on, or from the last packet on.
    #[inline]
    pub fn taken(&mut self, channel: Channel, since: Time, at: Time) {
        let port = &mut self.ports[channel as usize];
        let since = since.max(port.taken);
        port.taken = at;
        if since >= at {
            return;
        }
        port.blocked_ps += at - since;
        if let Some(counts) = &mut self.counts {
            let first = self.numbers.of(since).max(port.uncounted);
            port.uncounted = self.numbers.of(at - 1) + 1;
            for number in first..port.uncounted {
                counts.row(number)[0] += 1;
            }
        }
    }

    pub fn shift(&self) -> u32 {
        self.counts.as_ref().map_or(0, PerInterval::shift)
    }

    pub fn fit(&mut self, intervals: &Intervals) {
        if let Some(counts) = &mut self.counts {
            counts.fit(intervals);
        }
    }

    /// Per interval the share of output ports that were blocked in it; of joined intervals the mean.
    pub fn shares<'a>(
        &'a self,
        intervals: &'a Intervals,
        classes: &'a Classes,
    ) -> impl Iterator<Item = f64> + 'a {
        let counts = self.counts.iter().flat_map(PerInterval::rows);
        intervals.iter().zip(counts).map(|(interval, row)| {
            row[0] as f64 / (classes.output_ports() * interval.parts).max(1) as f64
        })
    }

    /// Ports that were blocked, those for the longest time first, then by number.
    pub fn ranking(&self) -> Vec<Congested> {
        let mut found: Vec<_> = (0..).zip(&self.ports).filter(|(_, p)| p.blocked_ps > 0).collect();
        found.sort_by_key(|(channel, port)| (std::cmp::Reverse(port.blocked_ps), *channel));
        let congested = |(channel, port): (Channel, &Port)| Congested {
            channel,
            blocked_ps: port.blocked_ps,
            packets: port.packets,
        };
        found.into_iter().map(congested).collect()
    }
}
