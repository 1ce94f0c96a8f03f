//! What detours are for: Valiant's spread bad traffic, UGAL only where it has to.

use crate::common::{Observed, options};
use crate::walks;
use fabric::TorusClasses;
use fabric::{Detour, TopologySpec};
use packet::Simulation;
use packet::recorder::Delivered;
use packet::routing::VirtualChannels;
use packet::traffic::{Next, Packet, Traffic};
use workload::Random;

/// Every source always has a packet of 4 flits, for the node `shift` places on or, without it, any.
struct Saturating {
    nodes: u32,
    shift: Option<u32>,
    random: Random,
}

impl Traffic for Saturating {
    fn next(&mut self, src: u32, now: u64) -> Next {
        let dst = match self.shift {
            Some(shift) => (src + shift) % self.nodes,
            None => self.random.below(self.nodes),
        };
        Next::Packet(Packet { dst, flits: 4, created: now, message: 0, number: 0 })
    }

    fn delivered(&mut self, _: &Delivered) -> bool {
        false
    }
}

/// Flits that a node receives in a cycle, after 500 cycles of warm-up.
fn accepted_rate(spec: &TopologySpec, shift: Option<u32>) -> f64 {
    let vcs = VirtualChannels::Number(6);
    let network = walks::network(spec, &walks::options(vcs, TorusClasses::Dateline));
    let nodes = network.fabric.nodes();
    let traffic = Saturating { nodes, shift, random: Random::new(4) };
    let (options, routing) = (options(6, 16), network.routing);
    let seen = Observed::default();
    let mut simulation = Simulation::new(&network.wiring, &options, routing, traffic, seen, 1);
    simulation.advance(500);
    let before = simulation.recorder().ejected;
    simulation.advance(1500);
    (simulation.recorder().ejected - before) as f64 / (1000.0 * f64::from(nodes))
}

/// Accepted rates of minimal, Valiant's and UGAL routing.
fn rates(spec: impl Fn(Detour) -> TopologySpec, shift: Option<u32>) -> [f64; 3] {
    [Detour::Minimal, Detour::Valiant, Detour::Ugal].map(|d| accepted_rate(&spec(d), shift))
}

fn dragonfly(routing: Detour) -> TopologySpec {
    TopologySpec::Dragonfly { p: 2, a: Some(4), h: Some(2), routing, nodes: None }
}

fn flattened_butterfly(routing: Detour) -> TopologySpec {
    TopologySpec::FlattenedButterfly {
        k: 8,
        dimensions: 1,
        concentration: Some(8),
        routing,
        nodes: None,
    }
}

#[test]
fn traffic_from_group_to_group_needs_detours_in_a_dragonfly() {
    // All 8 nodes of a group share one channel to the next group.
    let [minimal, valiant, ugal] = rates(dragonfly, Some(8));
    assert!((minimal - 0.125).abs() < 0.005, "{minimal}");
    assert!(valiant > 2.4 * minimal && ugal > 1.6 * minimal, "{valiant} {ugal}");
}

#[test]
fn traffic_from_router_to_router_needs_detours_in_a_flattened_butterfly() {
    let [minimal, valiant, ugal] = rates(flattened_butterfly, Some(8));
    assert!((minimal - 0.125).abs() < 0.005, "{minimal}");
    assert!(valiant > 2.4 * minimal && ugal > 1.6 * minimal, "{valiant} {ugal}");
}

#[test]
fn ugal_makes_few_detours_in_uniform_traffic() {
    for [minimal, valiant, ugal] in [rates(dragonfly, None), rates(flattened_butterfly, None)] {
        assert!(valiant < 0.8 * minimal, "{minimal} {valiant}");
        assert!(ugal > 0.85 * minimal, "{minimal} {ugal}");
    }
}
