//! Moves a network on, looks at it at regular times, and notices when it stands still.

use super::{Network, Occupancy, Series};
use fabric::Channel;

/// Cycles without any movement that count as a deadlock, beside the latency of channels.
pub const STALLED_CYCLES: u64 = 10_000;

/// A network and those who look at it.
pub struct Pace<'a> {
    pub network: &'a mut dyn Network,
    pub series: Option<Series>,
    pub occupancy: Option<Occupancy>,
    /// The channel behind each port, if flows are asked for.
    pub flows_on: Option<&'a [Channel]>,
    /// Latency of the slowest channel.
    pub longest_latency_cycles: u64,
}

impl Pace<'_> {
    /// Goes on to cycle `until`; fails when the network is deadlocked.
    pub fn advance(&mut self, until: u64) -> Result<(), String> {
        while self.network.now() < until {
            let now = self.network.now();
            let mut stop = until.min(now + STALLED_CYCLES);
            if let Some(series) = &self.series {
                stop = stop.min(series.next());
            }
            if self.occupancy.is_some() {
                stop = stop.min(now + 1);
            }
            self.network.advance(stop);
            if let Some(series) = &mut self.series {
                series.look(self.network);
            }
            if let Some(occupancy) = &mut self.occupancy {
                occupancy.look(self.network);
            }
            self.check()?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let stalled = self.network.stalled_cycles();
        if stalled < STALLED_CYCLES + 4 * self.longest_latency_cycles {
            return Ok(());
        }
        let (now, flits) = (self.network.now(), self.network.meter().in_flight());
        Err(format!(
            "deadlock: no flit has moved for {stalled} cycles at cycle {now}, with {flits} flits in \
             the network"
        ))
    }
}
