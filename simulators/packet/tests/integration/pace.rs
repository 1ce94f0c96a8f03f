//! A network that stands still.

use packet::measure::Meter;
use packet::run::{Network, Pace};
use packet::traffic::{ClosedList, Cut, Source};
use workload::{Messages, Outstanding};

/// A network in which no flit moves after cycle 100.
struct Stuck {
    now: u64,
    source: Source,
    meter: Meter,
}

impl Stuck {
    fn new() -> Self {
        let cut = Cut::new(Some(1.0), 1);
        let list = Messages::explicit(1, &[]);
        let source = Source::Closed(ClosedList::new(list, Outstanding::All, cut, (1.0, 0), None));
        let mut meter = Meter::new(1);
        meter.injected_flits = 7;
        Self { now: 0, source, meter }
    }
}

impl Network for Stuck {
    fn now(&self) -> u64 {
        self.now
    }

    fn advance(&mut self, until: u64) {
        self.now = until;
    }

    fn stalled_cycles(&self) -> u64 {
        self.now.saturating_sub(100)
    }

    fn source(&self) -> &Source {
        &self.source
    }

    fn meter(&self) -> &Meter {
        &self.meter
    }

    fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn flits_carried(&self) -> &[u64] {
        &[]
    }

    fn injection_flits(&self) -> &[u64] {
        &[]
    }

    fn count_flows(&mut self, _: &[u32]) {}

    fn take_flows(&mut self) -> Option<programs::LinkFlows> {
        None
    }

    fn occupancy(&self) -> Vec<u16> {
        vec![]
    }

    fn flit_router_visits(&self) -> u64 {
        0
    }
}

fn advance(until: u64, longest_latency_cycles: u64) -> Result<(), String> {
    let mut network = Stuck::new();
    let network = &mut network;
    Pace { network, series: None, occupancy: None, flows_on: None, longest_latency_cycles }
        .advance(until)
}

#[test]
fn a_deadlock_fails_with_its_cycle_and_the_flits_that_are_caught() {
    let reason = advance(1_000_000, 1).unwrap_err();
    assert!(reason.starts_with("deadlock: no flit has moved for"), "{reason}");
    assert!(reason.ends_with("with 7 flits in the network"), "{reason}");
}

#[test]
fn a_pause_and_a_slow_channel_are_no_deadlock() {
    assert_eq!(advance(10_000, 1), Ok(()));
    assert_eq!(advance(30_000, 10_000), Ok(()));
}
