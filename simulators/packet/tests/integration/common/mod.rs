//! Small networks, traffic and recorders for tests.
#![allow(dead_code, reason = "each test uses a part of it")]

use fabric::TorusClasses;
use fabric::{Fabric, Node, TopologySpec};
use packet::Simulation;
use packet::recorder::{Delivered, Recorder};
use packet::router_options::{Allocator, Arbiter, RouterOptions, Switching};
use packet::routing::{AnyRouting, RoutingOptions, VirtualChannels, VirtualChannelsWord};
use packet::traffic::{Next, Packet, Traffic};
use packet::wiring::{ChannelLatencies, Wiring};
use std::collections::VecDeque;

/// BookSim2's default pipeline.
pub fn options(virtual_channels: u16, vc_buffer_flits: u16) -> RouterOptions {
    RouterOptions {
        virtual_channels,
        vc_buffer_flits,
        routing_delay_cycles: 1,
        vc_allocation_delay_cycles: 1,
        switch_allocation_delay_cycles: 1,
        switch_traversal_delay_cycles: 1,
        credit_delay_cycles: 0,
        speculative: false,
        switching: Switching::Wormhole,
        vc_allocator: Allocator::Islip,
        switch_allocator: Allocator::Islip,
        allocator_iterations: 1,
        arbiter: Arbiter::RoundRobin,
        wait_for_tail_credit: false,
        hold_switch_for_packet: false,
    }
}

/// A fabric with its wiring.
pub struct Network {
    pub fabric: Fabric,
    pub wiring: Wiring,
    pub classes: TorusClasses,
    pub per_destination: bool,
}

impl Network {
    /// The fabric of a topology as a spec names it, in JSON.
    pub fn new(topology: &str, router_cycles: u32) -> Self {
        let spec: TopologySpec = serde_json::from_str(topology).unwrap();
        let fabric = spec.build_channels(1).unwrap();
        let latencies = ChannelLatencies {
            injection_cycles: 1,
            ejection_cycles: 1,
            router_cycles,
            class_cycles: Default::default(),
        };
        let wiring = Wiring::new(&fabric, &latencies).unwrap();
        Self { fabric, wiring, classes: TorusClasses::Dateline, per_destination: false }
    }

    pub fn nodes(&self) -> u32 {
        self.fabric.nodes()
    }

    pub fn routing(&self, options: &RouterOptions) -> AnyRouting {
        let vcs = match self.per_destination {
            true => VirtualChannels::Word(VirtualChannelsWord::PerDestination),
            false => VirtualChannels::Number(options.virtual_channels),
        };
        let tail = options.wait_for_tail_credit;
        let routing = RoutingOptions::new(vcs, self.classes, tail);
        routing.function(&self.fabric).unwrap()
    }

    pub fn simulation<T: Traffic, M: Recorder>(
        &self,
        options: &RouterOptions,
        traffic: T,
        recorder: M,
        seed: u64,
    ) -> Simulation<AnyRouting, T, M> {
        options.check().unwrap();
        let routing = self.routing(options);
        Simulation::new(&self.wiring, options, routing, traffic, recorder, seed)
    }
}

/// A mesh or torus.
pub fn grid(sizes: &[u32], wraps: bool, router_cycles: u32) -> Network {
    let kind = if wraps { r#""torus", "ties": "plus""# } else { r#""mesh""# };
    Network::new(&format!(r#"{{"kind": {kind}, "sizes": {sizes:?}}}"#), router_cycles)
}

/// Packets known in advance, per source in the order of their creation.
pub struct Listed(Vec<VecDeque<Packet>>);

impl Listed {
    pub fn new(nodes: u32, packets: Vec<(Node, Packet)>) -> Self {
        let mut queues = vec![VecDeque::new(); nodes as usize];
        packets.into_iter().for_each(|(src, packet)| queues[src as usize].push_back(packet));
        Self(queues)
    }
}

impl Traffic for Listed {
    fn next(&mut self, src: Node, now: u64) -> Next {
        let queue = &mut self.0[src as usize];
        match queue.front() {
            None => Next::Waiting,
            Some(packet) if packet.created > now => Next::At(packet.created),
            Some(_) => Next::Packet(queue.pop_front().unwrap()),
        }
    }

    fn delivered(&mut self, _: &Delivered) -> bool {
        false
    }
}

/// Everything that a simulation reports.
#[derive(Default)]
pub struct Observed {
    pub injected: u64,
    pub ejected: u64,
    pub delivered: Vec<Delivered>,
}

impl Recorder for Observed {
    fn injected(&mut self, _: Node, _: u64) {
        self.injected += 1;
    }

    fn ejected(&mut self, _: Node, departed: u64, now: u64) {
        assert!(departed < now);
        self.ejected += 1;
    }

    fn delivered(&mut self, packet: &Delivered) {
        self.delivered.push(*packet);
    }
}
