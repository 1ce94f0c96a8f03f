//! Every network empties itself after random traffic beyond what it can carry.

use crate::common::{Observed, options};
use crate::walks::{Network, networks};
use packet::Simulation;
use packet::recorder::Delivered;
use packet::router_options::RouterOptions;
use packet::traffic::{Next, Packet, Traffic};
use workload::Random;

/// Every source always has a packet of random length for a random node.
struct Flood {
    nodes: u32,
    random: Random,
    flits: u64,
}

impl Traffic for Flood {
    fn next(&mut self, _src: u32, now: u64) -> Next {
        let (dst, flits) = (self.random.below(self.nodes), 1 + self.random.below(7));
        self.flits += u64::from(flits);
        Next::Packet(Packet { dst, flits, created: now, message: 0, number: 0 })
    }

    fn delivered(&mut self, _: &Delivered) -> bool {
        false
    }
}

fn drains(network: Network, options: &RouterOptions) {
    let (name, nodes) = (network.name, network.fabric.nodes());
    let flood = Flood { nodes, random: Random::new(2), flits: 0 };
    let (routing, seen) = (network.routing, Observed::default());
    let mut simulation = Simulation::new(&network.wiring, options, routing, flood, seen, 1);
    simulation.advance(400);
    assert!(simulation.stalled_cycles() < 100, "{name} stands still");
    assert!(simulation.recorder().ejected > 0, "{name}");
    simulation.stop_sources();
    while !simulation.is_drained() {
        simulation.advance(simulation.now() + 100);
        assert!(simulation.stalled_cycles() < 100, "{name} stands still");
    }
    simulation.advance(simulation.now() + 50);
    assert!(simulation.credits_are_restored(), "{name}");
    let (sent, seen) = (simulation.traffic().flits, simulation.recorder());
    assert_eq!((seen.injected, seen.ejected), (sent, sent), "{name}");
}

#[test]
fn every_network_drains_with_buffers_shorter_than_packets() {
    for network in networks() {
        let options = RouterOptions { wait_for_tail_credit: true, ..options(network.vcs, 2) };
        drains(network, &options);
    }
}

#[test]
fn every_network_drains_when_packets_share_buffers() {
    let adaptive = |network: &Network| network.name.contains("MinimalAdaptive");
    for network in networks().into_iter().filter(|network| !adaptive(network)) {
        let options =
            RouterOptions { routing_delay_cycles: 0, speculative: true, ..options(network.vcs, 3) };
        drains(network, &options);
    }
}
