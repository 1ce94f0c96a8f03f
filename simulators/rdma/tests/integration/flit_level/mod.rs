//! One plan of messages, moved flit by flit by `packet` and packet by packet by this network.

// Each test uses a part of it.
#![allow(dead_code, reason = "each test uses a part of it")]

mod arrivals;
mod detours;

use super::network_common::*;
use arrivals::Arrivals;
pub use arrivals::Found;
use detours::SameDetours;
use fabric::TorusClasses;
use fabric::{Fabric, Node};
use mpi::time::Time;
use mpi::{Happening, Transport};
use packet::recorder::Delivered;
use packet::router_options::{Allocator, Arbiter, RouterOptions, Switching};
use packet::routing::{RoutingOptions, VirtualChannels};
use packet::traffic::{Next, Packet, Traffic};
use packet::wiring::{ChannelLatencies, Wiring};
use programs::SimulatedNetwork;
use rdma::network::Network;
use serde_json::{Value, json};

/// Time of a flit of 16 bytes at 4 GB/s.
const CYCLE: Time = 4_000;
const FLIT_BYTES: u64 = 16;

/// A message: when it is created, where it goes, its flits; per node, in the order of creation.
type Plan = Vec<Vec<(u64, Node, u64)>>;

/// What both simulators are asked.
#[derive(Clone)]
pub struct Case {
    pub topology: Value,
    pub vcs: u16,
    pub buffer_flits: u16,
    /// Largest packet.
    pub packet_flits: u64,
    /// Flits of a message, one of these by chance.
    pub messages: Vec<u64>,
    /// All messages go to the node so many places on; without it, each to any other node.
    pub shift: Option<u32>,
    /// Flits per node and cycle.
    pub load: f64,
    pub cycles: u64,
}

fn plan(case: &Case, nodes: u32, seed: u64) -> Plan {
    let mut draw = Draw(seed);
    let mean = case.messages.iter().sum::<u64>() as f64 / case.messages.len() as f64;
    let threshold = (case.load / mean * (1_u64 << 30) as f64) as u64;
    let mut plan = vec![Vec::new(); nodes as usize];
    for (node, own) in plan.iter_mut().enumerate() {
        for cycle in 0..case.cycles {
            if draw.below(1 << 30) < threshold {
                let places = match case.shift {
                    Some(shift) => u64::from(shift),
                    None => 1 + draw.below(u64::from(nodes) - 1),
                };
                let dst = (node as u64 + places) % u64::from(nodes);
                let flits = case.messages[draw.below(case.messages.len() as u64) as usize];
                own.push((cycle, dst as Node, flits));
            }
        }
    }
    plan
}

/// The plan as source queues of `packet`, and its arrivals.
struct Sources {
    plan: Plan,
    first: Vec<u32>,
    next: Vec<usize>,
    sent: Vec<u64>,
    packet_flits: u64,
}

impl Traffic for Sources {
    fn next(&mut self, src: Node, now: u64) -> Next {
        let node = src as usize;
        let Some(&(created, dst, flits)) = self.plan[node].get(self.next[node]) else {
            return Next::Waiting;
        };
        if created > now {
            return Next::At(created);
        }
        let message = self.first[node] + self.next[node] as u32;
        let own = (flits - self.sent[node]).min(self.packet_flits);
        self.sent[node] += own;
        if self.sent[node] == flits {
            self.sent[node] = 0;
            self.next[node] += 1;
        }
        Next::Packet(Packet { dst, flits: own as u32, created, message, number: 0 })
    }

    fn delivered(&mut self, _: &Delivered) -> bool {
        false
    }
}

/// `seed` decides what packets draw when they leave their sources, which is the same in both networks.
fn flit_by_flit(case: &Case, fabric: &Fabric, plan: &Plan, seed: u64) -> Found {
    let own_buffers = fabric.routing().needs_own_buffers;
    let options = RouterOptions {
        virtual_channels: case.vcs,
        vc_buffer_flits: case.buffer_flits,
        routing_delay_cycles: 1,
        vc_allocation_delay_cycles: 1,
        switch_allocation_delay_cycles: 1,
        switch_traversal_delay_cycles: 1,
        credit_delay_cycles: 0,
        speculative: false,
        switching: Switching::VirtualCutThrough,
        vc_allocator: Allocator::Islip,
        switch_allocator: Allocator::Islip,
        allocator_iterations: 2,
        arbiter: Arbiter::RoundRobin,
        wait_for_tail_credit: own_buffers,
        hold_switch_for_packet: true,
    };
    let latencies = ChannelLatencies {
        injection_cycles: 1,
        ejection_cycles: 1,
        router_cycles: 1,
        class_cycles: Default::default(),
    };
    let wiring = Wiring::new(fabric, &latencies).unwrap();
    let vcs = VirtualChannels::Number(case.vcs);
    let routing = RoutingOptions::new(vcs, TorusClasses::Dateline, own_buffers);
    let routing = SameDetours::new(routing.function(fabric).unwrap(), seed, fabric.nodes());
    let mut first = 0;
    let first = plan.iter().map(|own| {
        first += own.len() as u32;
        first - own.len() as u32
    });
    let sources = Sources {
        first: first.collect(),
        plan: plan.clone(),
        next: vec![0; plan.len()],
        sent: vec![0; plan.len()],
        packet_flits: case.packet_flits,
    };
    let arrivals = Arrivals::new(case, plan);
    let mut simulation =
        packet::Simulation::new(&wiring, &options, routing, sources, arrivals, seed);
    simulation.advance(4 * case.cycles);
    simulation.recorder().found()
}

fn packet_by_packet(case: &Case, fabric: &Fabric, plan: &Plan, seed: u64) -> Found {
    let parameters = parameters(json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": case.packet_flits * FLIT_BYTES, "flit_bytes": FLIT_BYTES},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_traversal_s": 4e-9, "virtual_channels": case.vcs,
                   "vc_buffer_bytes": u64::from(case.buffer_flits) * FLIT_BYTES,
                   "crossbar_inputs": "per_port"},
        "cables": {"cable_s": 4e-9},
    }));
    let arrivals = Arrivals::new(case, plan);
    let mut network = Network::new(fabric, &parameters, seed, arrivals).unwrap();
    let mut token = 0;
    for (src, own) in plan.iter().enumerate() {
        for &(created, dst, flits) in own {
            network.send(created * CYCLE, data(src as u32, dst, flits * FLIT_BYTES, token));
            token += 1;
        }
    }
    let mut happened = Vec::new();
    loop {
        let at = network.advance(4 * case.cycles * CYCLE, &mut happened);
        for happening in happened.drain(..) {
            if let Happening::Arrived(token) = happening {
                network.observer_mut().finished[token as usize] = at / CYCLE;
            }
        }
        if network.is_idle() || at == 4 * case.cycles * CYCLE {
            return network.observer().found();
        }
    }
}

/// One message of every node to that whose number differs by the bits of `mask`, all in cycle 0.
pub fn exchange(case: &Case, mask: Node) -> (Found, Found) {
    let fabric = fabric(&case.topology);
    let plan = (0..fabric.nodes()).map(|node| vec![(0, node ^ mask, case.messages[0])]).collect();
    (flit_by_flit(case, &fabric, &plan, 3), packet_by_packet(case, &fabric, &plan, 3))
}

/// The same messages flit by flit, and packet by packet; a pair for each seed from 1.
pub fn pairs(case: &Case, seeds: u64) -> Vec<(Found, Found)> {
    let fabric = fabric(&case.topology);
    let pair = |seed| {
        let plan = plan(case, fabric.nodes(), seed);
        (flit_by_flit(case, &fabric, &plan, seed), packet_by_packet(case, &fabric, &plan, seed))
    };
    (1..=seeds).map(pair).collect()
}

/// Over some seeds: flit by flit, and packet by packet.
pub fn means(case: &Case, seeds: u64) -> (Found, Found) {
    let (flits, packets): (Vec<Found>, Vec<Found>) = pairs(case, seeds).into_iter().unzip();
    let mean = |found: &[Found]| {
        let of = |f: fn(&Found) -> f64| found.iter().map(f).sum::<f64>() / found.len() as f64;
        Found {
            message: of(|f| f.message),
            network: of(|f| f.network),
            accepted: of(|f| f.accepted),
            last: found.iter().map(|f| f.last).max().unwrap(),
        }
    };
    (mean(&flits), mean(&packets))
}
