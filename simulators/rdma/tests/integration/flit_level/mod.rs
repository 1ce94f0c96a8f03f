//! One plan of messages, moved flit by flit by `packet` and packet by packet by this network.

// Each test uses a part of it.
#![allow(dead_code, reason = "each test uses a part of it")]

use super::network_common::*;
use fabric::TorusClasses;
use fabric::{Fabric, Node};
use mpi::time::Time;
use mpi::{Happening, Transport};
use packet::recorder::{Delivered, Recorder};
use packet::router_options::{Allocator, Arbiter, RouterOptions, Switching};
use packet::routing::{AnyRouting, RoutingOptions, VirtualChannels};
use packet::traffic::{Next, Packet, Traffic};
use packet::wiring::{ChannelLatencies, Wiring};
use programs::{NetworkObserver, SimulatedNetwork};
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
    /// Flits per node and cycle.
    pub load: f64,
    pub cycles: u64,
}

/// Over the messages created in the last two thirds of the run: mean time from creation to the last
/// flit, mean time of their packets in the network; and flits per node and cycle that arrived in
/// that time.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub message: f64,
    pub network: f64,
    pub accepted: f64,
    /// Cycle in which the last message arrived.
    pub last: u64,
}

fn plan(case: &Case, nodes: u32, seed: u64) -> Plan {
    let mut draw = Draw(seed);
    let mean = case.messages.iter().sum::<u64>() as f64 / case.messages.len() as f64;
    let threshold = (case.load / mean * (1_u64 << 30) as f64) as u64;
    let mut plan = vec![Vec::new(); nodes as usize];
    for (node, own) in plan.iter_mut().enumerate() {
        for cycle in 0..case.cycles {
            if draw.below(1 << 30) < threshold {
                let dst = (node as u64 + 1 + draw.below(u64::from(nodes) - 1)) % u64::from(nodes);
                let flits = case.messages[draw.below(case.messages.len() as u64) as usize];
                own.push((cycle, dst as Node, flits));
            }
        }
    }
    plan
}

/// Arrivals, in cycles, whichever simulator found them.
struct Arrivals {
    nodes: u32,
    from: u64,
    until: u64,
    created: Vec<u64>,
    /// Per message: its last packet's arrival.
    finished: Vec<u64>,
    network_sum: u64,
    network_count: u64,
    flits: u64,
}

impl Arrivals {
    fn new(case: &Case, plan: &Plan) -> Self {
        let created: Vec<u64> = plan.iter().flatten().map(|message| message.0).collect();
        Self {
            nodes: plan.len() as u32,
            from: case.cycles / 3,
            until: case.cycles,
            finished: vec![0; created.len()],
            created,
            network_sum: 0,
            network_count: 0,
            flits: 0,
        }
    }

    fn packet(&mut self, entered: u64, at: u64) {
        if (self.from..self.until).contains(&entered) {
            self.network_sum += at - entered;
            self.network_count += 1;
        }
    }

    fn found(&self) -> Found {
        let window = self.from..self.until;
        let own = self.created.iter().zip(&self.finished).filter(|(c, _)| window.contains(c));
        let own = own.filter(|&(_, &f)| f > 0);
        let (sum, count) = own.fold((0, 0), |(s, n), (c, f)| (s + f - c, n + 1));
        let cycles = (self.until - self.from) * u64::from(self.nodes);
        Found {
            message: sum as f64 / f64::from(count),
            network: self.network_sum as f64 / self.network_count as f64,
            accepted: self.flits as f64 / cycles as f64,
            last: self.finished.iter().copied().max().unwrap_or(0),
        }
    }
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
        Next::Packet(Packet { dst, flits: own as u32, created, message })
    }

    fn delivered(&mut self, _: Node, _: u32, _: u64) -> bool {
        false
    }
}

impl Recorder for Arrivals {
    fn injected(&mut self, _: Node, _: u64) {}

    fn ejected(&mut self, _: Node, _: u64, now: u64) {
        self.flits += u64::from((self.from..self.until).contains(&now));
    }

    fn delivered(&mut self, packet: &Delivered) {
        self.packet(packet.departed, packet.arrived);
        self.finished[packet.message as usize] = packet.arrived;
    }
}

fn flit_by_flit(case: &Case, fabric: &Fabric, plan: &Plan) -> Found {
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
        wait_for_tail_credit: false,
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
    let routing = RoutingOptions::new(vcs, TorusClasses::Dateline, false);
    let routing = AnyRouting::new(fabric, &routing).unwrap();
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
    let mut simulation = packet::Simulation::new(&wiring, &options, routing, sources, arrivals, 3);
    simulation.advance(4 * case.cycles);
    simulation.recorder().found()
}

impl NetworkObserver for Arrivals {
    const ACTIVE: bool = true;

    fn packet_on_channel(&mut self, channel: u32, _: u64, start: Time, end: Time) {
        if (self.nodes..2 * self.nodes).contains(&channel) {
            let cycle = |time: Time| (time / CYCLE).clamp(self.from, self.until);
            self.flits += cycle(end) - cycle(start);
        }
    }
    fn buffer(&mut self, _: u32, _: u32, _: Time, _: u64) {}
    fn blocked(&mut self, _: u32, _: Time, _: Time) {}
    fn taken(&mut self, _: u32, _: u64, _: u64) {}
    fn packet_delivered(&mut self, entered: Time, at: Time) {
        self.packet(entered / CYCLE, at / CYCLE);
    }
}

fn packet_by_packet(case: &Case, fabric: &Fabric, plan: &Plan) -> Found {
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
    let mut network = Network::new(fabric, &parameters, 3, arrivals).unwrap();
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
    (flit_by_flit(case, &fabric, &plan), packet_by_packet(case, &fabric, &plan))
}

/// The same messages flit by flit, and packet by packet; a pair for each seed from 1.
pub fn pairs(case: &Case, seeds: u64) -> Vec<(Found, Found)> {
    let fabric = fabric(&case.topology);
    let pair = |seed| {
        let plan = plan(case, fabric.nodes(), seed);
        (flit_by_flit(case, &fabric, &plan), packet_by_packet(case, &fabric, &plan))
    };
    (1..=seeds).map(pair).collect()
}
