//! Ports of routers and the channels between them.
//!
//! Input and output ports of a router are numbered from 0; an input port has the number of the
//! output port that leads back to where it comes from, if there is one. All ports of all routers are
//! numbered as well, see [`PortNumbers`].

use crate::gates::Interval;
use fabric::{ALIKE, Channel, End, Fabric, Links, Node, PortNumbers};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// Where an output port leads, or an input port comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// The port of another router, by its number among all ports.
    Port(u32),
    Node(Node),
    /// The port is not connected.
    Nothing,
}

/// The network as routers see it.
#[derive(Debug, Clone, Default)]
pub struct Wiring {
    pub numbers: PortNumbers,
    /// Per port: where its output leads.
    pub output: Vec<Peer>,
    /// Per port: where its input comes from.
    pub input: Vec<Peer>,
    /// Per port: latency in cycles of the channel behind the output; a flit that leaves the crossbar
    /// in cycle t arrives in t + latency + 1, as does its credit on the way back.
    pub latency_cycles: Vec<u32>,
    /// Per port: channel of the fabric behind the output; `Channel::MAX` behind an unconnected one.
    pub channel: Vec<Channel>,
    /// Per node: the input port that its injection channel leads to.
    pub injection_port: Vec<u32>,
    /// Per node: the output port from which its ejection channel comes.
    pub ejection_port: Vec<u32>,
    /// Per node: latency in cycles of the injection channel.
    pub injection_latency_cycles: Vec<u32>,
    /// Cycles between flits, where channels are not all alike.
    pub intervals: Option<Intervals>,
}

/// Cycles from one flit to the next.
#[derive(Debug, Clone)]
pub struct Intervals {
    /// Per port: of the channel behind the output.
    pub ports: Vec<Interval>,
    /// Per node: of the injection channel.
    pub injection: Vec<Interval>,
}

impl Intervals {
    fn new(ports: usize, nodes: usize) -> Self {
        let one = Interval::new(1.0);
        Self { ports: vec![one; ports], injection: vec![one; nodes] }
    }
}

/// Longest latency of a channel: calendars have a slot for each cycle of it.
pub(crate) const MAX_LATENCY_CYCLES: u32 = 100_000;

/// Latencies of channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelLatencies {
    pub injection_cycles: u32,
    pub ejection_cycles: u32,
    /// From router to router, where the class has no latency of its own.
    pub router_cycles: u32,
    /// By class of a router-to-router channel, for example `x+`, `up` or `global`.
    pub class_cycles: BTreeMap<String, u32>,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum WiringError {
    #[error("class_latency_cycles names the class {class:?}, must be a class of this topology: {}", .known.join(", "))]
    UnknownClass { class: String, known: Vec<String> },
    #[error("the latency of {class} channels is 0 cycles, must be at least 1")]
    NoLatency { class: String },
    #[error(
        "the latency of {channel} is {cycles} cycles, must be at most {MAX_LATENCY_CYCLES} cycles"
    )]
    TooLong { channel: String, cycles: u64 },
    #[error("a router has {ports} ports, more than {MAX_PORTS}")]
    TooManyPorts { ports: u32 },
}

/// Most ports of a router.
pub const MAX_PORTS: u32 = u16::MAX as u32;

impl ChannelLatencies {
    /// Of the slowest channel, those of `links` included.
    pub fn slowest_cycles(&self, links: &Links, cycle_s: f64) -> u64 {
        let own = [self.injection_cycles, self.ejection_cycles, self.router_cycles];
        let own = own.into_iter().chain(self.class_cycles.values().copied()).map(u64::from);
        let links = links.kinds().into_iter().filter_map(|link| link.latency_s);
        own.chain(links.map(|latency_s| in_cycles(latency_s, cycle_s) as u64)).max().unwrap_or(1)
    }

    fn check(&self, fabric: &Fabric) -> Result<(), WiringError> {
        let own = [("injection", self.injection_cycles), ("ejection", self.ejection_cycles)];
        let default = [("router-to-router", self.router_cycles)];
        let by_class = self.class_cycles.iter().map(|(class, &cycles)| (class.as_str(), cycles));
        let mut all = own.into_iter().chain(default).chain(by_class);
        if let Some((class, _)) = all.find(|(_, cycles)| *cycles == 0) {
            return Err(WiringError::NoLatency { class: class.into() });
        }
        if self.class_cycles.is_empty() {
            return Ok(());
        }
        let between_routers = 2 * fabric.nodes()..fabric.channels();
        let known: BTreeSet<String> =
            between_routers.filter(|&c| fabric.exists(c)).map(|c| fabric.class(c)).collect();
        match self.class_cycles.keys().find(|class| !known.contains(*class)) {
            Some(class) => Err(WiringError::UnknownClass {
                class: class.clone(),
                known: known.into_iter().collect(),
            }),
            None => Ok(()),
        }
    }

    fn of(&self, fabric: &Fabric, channel: Channel) -> u32 {
        match channel {
            c if c < fabric.nodes() => self.injection_cycles,
            c if c < 2 * fabric.nodes() => self.ejection_cycles,
            _ if self.class_cycles.is_empty() => self.router_cycles,
            c => *self.class_cycles.get(&fabric.class(c)).unwrap_or(&self.router_cycles),
        }
    }
}

/// A latency that a link has of its own.
fn in_cycles(latency_s: f64, cycle_s: f64) -> f64 {
    (latency_s / cycle_s).round().max(1.0)
}

impl Wiring {
    /// The wiring of a fabric whose channels are all alike.
    pub fn new(fabric: &Fabric, latencies: &ChannelLatencies) -> Result<Self, WiringError> {
        Self::with_links(fabric, latencies, &ALIKE, 1.0)
    }

    /// The wiring of a fabric with these links, whose own latencies are rounded to cycles of `cycle_s`.
    pub fn with_links(
        fabric: &Fabric,
        latencies: &ChannelLatencies,
        links: &Links,
        cycle_s: f64,
    ) -> Result<Self, WiringError> {
        latencies.check(fabric)?;
        let numbers = PortNumbers::new(fabric);
        if numbers.widest() > MAX_PORTS {
            return Err(WiringError::TooManyPorts { ports: numbers.widest() });
        }
        let (ports, nodes) = (numbers.ports(), fabric.nodes() as usize);
        let mut wiring = Self {
            numbers,
            output: vec![Peer::Nothing; ports],
            input: vec![Peer::Nothing; ports],
            latency_cycles: vec![0; ports],
            channel: vec![Channel::MAX; ports],
            injection_port: vec![0; nodes],
            ejection_port: vec![0; nodes],
            injection_latency_cycles: vec![latencies.injection_cycles; nodes],
            intervals: (!links.are_alike()).then(|| Intervals::new(ports, nodes)),
        };
        for channel in (0..fabric.channels()).filter(|&c| fabric.exists(c)) {
            let link = links.get(channel);
            let latency_cycles = match link.latency_s {
                None => latencies.of(fabric, channel),
                Some(latency_s) => {
                    let cycles = in_cycles(latency_s, cycle_s);
                    if cycles > f64::from(MAX_LATENCY_CYCLES) {
                        let channel = fabric.name(channel);
                        return Err(WiringError::TooLong { channel, cycles: cycles as u64 });
                    }
                    cycles as u32
                }
            };
            wiring.connect(fabric, channel, latency_cycles, Interval::new(link.slower));
        }
        Ok(wiring)
    }

    fn connect(
        &mut self,
        fabric: &Fabric,
        channel: Channel,
        latency_cycles: u32,
        interval: Interval,
    ) {
        let (from, to) = fabric.ends(channel);
        let number = |end, port: Option<u32>| match (end, port) {
            (End::Router(router), Some(port)) => {
                Peer::Port(self.numbers.first(router as usize) + port)
            }
            (End::Node(node), _) => Peer::Node(node),
            (End::Router(_), None) => Peer::Nothing,
        };
        let from = number(from, fabric.output_port(channel));
        let to = number(to, fabric.input_port(channel));
        if let Peer::Port(port) = from {
            self.output[port as usize] = to;
            self.latency_cycles[port as usize] = latency_cycles;
            self.channel[port as usize] = channel;
            if let Some(intervals) = &mut self.intervals {
                intervals.ports[port as usize] = interval;
            }
        }
        if let Peer::Node(node) = from {
            self.injection_latency_cycles[node as usize] = latency_cycles;
            if let Some(intervals) = &mut self.intervals {
                intervals.injection[node as usize] = interval;
            }
        }
        if let Peer::Port(port) = to {
            self.input[port as usize] = from;
        }
        match (from, to) {
            (Peer::Node(node), Peer::Port(port)) => self.injection_port[node as usize] = port,
            (Peer::Port(port), Peer::Node(node)) => self.ejection_port[node as usize] = port,
            _ => {}
        }
    }

    /// Cycles by which a flit comes later through the output of a port than one that takes a cycle.
    pub fn later_cycles(&self, port: usize) -> u32 {
        self.intervals.as_ref().map_or(0, |all| all.ports[port].covering() as u32 - 1)
    }

    /// The same of the injection channel of a node.
    pub fn later_injected_cycles(&self, node: usize) -> u32 {
        self.intervals.as_ref().map_or(0, |all| all.injection[node].covering() as u32 - 1)
    }

    /// The longest time of a flit on a channel, its latency included.
    pub fn slowest_cycles(&self) -> u64 {
        let ports = (0..self.latency_cycles.len())
            .map(|port| u64::from(self.latency_cycles[port]) + u64::from(self.later_cycles(port)));
        let nodes = (0..self.nodes()).map(|node| u64::from(self.later_injected_cycles(node)));
        ports.chain(nodes).max().unwrap_or(1)
    }

    pub fn nodes(&self) -> usize {
        self.injection_port.len()
    }
}
