//! Small networks of every topology, and packets that walk through them without a simulation.
#![allow(dead_code, reason = "each test uses a part of it")]

#[path = "../../../../fabric/tests/integration/common/graphs.rs"]
mod graphs;

use fabric::{Fabric, TopologySpec};
use packet::routing::{
    AnyRouting, Header, Outputs, Routing, RoutingOptions, TorusClasses, VirtualChannels,
    VirtualChannelsWord, Way,
};
use packet::wiring::{ChannelLatencies, Peer, Wiring};
use serde_json::{Map, Value};
use std::cell::Cell;
use workload::Random;

pub const PER_DESTINATION: VirtualChannels =
    VirtualChannels::Word(VirtualChannelsWord::PerDestination);

/// A network with its routing.
pub struct Network {
    pub name: String,
    pub fabric: Fabric,
    pub wiring: Wiring,
    pub routing: AnyRouting,
    pub vcs: u16,
}

/// Way through one router, and the number of its output among all ports.
#[derive(Debug, Clone, Copy)]
pub struct Hop {
    pub router: u32,
    pub input: u16,
    pub port: u32,
    pub way: Way,
}

/// Loads that are drawn anew for every question.
pub struct RandomLoads(pub Cell<u64>);

impl RandomLoads {
    fn next(&self) -> u32 {
        let state =
            self.0.get().wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0.set(state);
        (state >> 33) as u32
    }
}

impl Outputs for RandomLoads {
    fn used_credits(&self, _port: u16) -> u32 {
        self.next() % 16
    }

    fn any_free(&self, _port: u16, _first_vc: u16, _vcs: u16) -> bool {
        self.next() % 2 == 0
    }
}

/// Every virtual channel belongs to a packet.
pub struct AllBusy;

impl Outputs for AllBusy {
    fn used_credits(&self, _port: u16) -> u32 {
        9
    }

    fn any_free(&self, _port: u16, _first_vc: u16, _vcs: u16) -> bool {
        false
    }
}

pub fn one_cycle() -> ChannelLatencies {
    let class_cycles = std::collections::BTreeMap::new();
    ChannelLatencies { injection_cycles: 1, ejection_cycles: 1, router_cycles: 1, class_cycles }
}

/// Options under which every routing may be built.
pub fn options(virtual_channels: VirtualChannels, torus_classes: TorusClasses) -> RoutingOptions {
    RoutingOptions::new(virtual_channels, torus_classes, true)
}

pub fn network(spec: &TopologySpec, options: &RoutingOptions) -> Network {
    let fabric = spec.build_channels(1).unwrap();
    Network {
        name: format!("{spec:?} {options:?}"),
        wiring: Wiring::new(&fabric, &one_cycle()).unwrap(),
        routing: options.function(&fabric).unwrap(),
        vcs: options.number_of_vcs(&fabric).unwrap(),
        fabric,
    }
}

impl Network {
    /// A new packet.
    pub fn packet(&self, src: u32, dst: u32, random: &mut Random) -> Header {
        let mut header = Header { src, dst, ..Header::default() };
        let (first, vcs) = self.routing.inject(&mut header, random);
        assert!(vcs > 0 && first + vcs <= self.vcs, "{}", self.name);
        header
    }

    /// Way of a packet from its source to where it is ejected.
    pub fn walk(
        &self,
        header: &mut Header,
        outputs: &impl Outputs,
        random: &mut Random,
    ) -> (Vec<Hop>, u32) {
        let mut entered = self.wiring.injection_port[header.src as usize];
        let mut hops = vec![];
        loop {
            let router = self.wiring.numbers.router_of(entered);
            let first = self.wiring.numbers.first(router as usize);
            let input = (entered - first) as u16;
            let way = self.routing.route(router, input, header, outputs, random);
            let port = first + u32::from(way.port);
            assert!(port < self.wiring.numbers.first(router as usize + 1), "{}", self.name);
            assert!(way.vcs > 0 && way.first_vc + way.vcs <= self.vcs, "{}", self.name);
            hops.push(Hop { router, input, port, way });
            assert!(hops.len() <= 64, "{} {header:?} does not arrive", self.name);
            match self.wiring.output[port as usize] {
                Peer::Port(next) => entered = next,
                Peer::Node(node) => return (hops, node),
                Peer::Nothing => panic!("{}: port {port} leads nowhere", self.name),
            }
        }
    }
}

/// Small topologies of every kind, with every routing and every other choice.
pub fn topologies() -> Vec<TopologySpec> {
    let mut all = vec![];
    for about in fabric::TOPOLOGIES {
        for (example, choices) in
            about.examples.iter().flat_map(|e| about.choices().into_iter().map(move |c| (e, c)))
        {
            let mut spec: Map<String, Value> = serde_json::from_str(example).unwrap();
            spec.insert("kind".into(), about.kind.into());
            spec.extend(choices.into_iter().map(|(key, word)| (key.into(), word.into())));
            all.push(serde_json::from_value(Value::Object(spec)).unwrap());
        }
    }
    all.extend(graphs::samples().iter().map(|spec| serde_json::from_value(spec.clone()).unwrap()));
    all
}

/// All of them as networks, with every way to divide virtual channels into classes.
pub fn networks() -> Vec<Network> {
    let mut all = vec![];
    for spec in topologies() {
        let fabric = spec.build_channels(1).unwrap();
        let needed = fabric.needed_vcs(TorusClasses::Dateline).unwrap();
        let number = VirtualChannels::Number;
        for vcs in [needed.at_least, 2 * needed.at_least, 5 * needed.multiple_of] {
            all.push(network(&spec, &options(number(vcs), TorusClasses::Dateline)));
        }
        if !fabric.about().ring_classes.is_empty() {
            for vcs in [2, 3, 4] {
                all.push(network(&spec, &options(number(vcs), TorusClasses::Balanced)));
            }
        }
        if fabric.about().per_destination {
            all.push(network(&spec, &options(PER_DESTINATION, TorusClasses::Dateline)));
        }
    }
    all
}
