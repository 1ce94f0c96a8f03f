//! The flit-level network and its NICs, as programs use them.

use super::clock::Clock;
use super::nics::Nics;
use super::pipeline::Pipeline;
use super::samples::Samples;
use super::watch::Watch;
use crate::gates;
use crate::metrics::COUNTS;
use crate::routing::AnyRouting;
use crate::run::STALLED_CYCLES;
use crate::simulation::Simulation;
use crate::wiring::{Peer, Wiring};
use fabric::{Channel, Fabric, Links};
use mpi::time::Time;
use mpi::{Happening, Transfer, Transport};
use programs::{Carried, NetworkObserver, Parameters, SimulatedNetwork};

/// Routers, channels and NICs.
///
/// What happens at a NIC has its time in picoseconds, and the network has come to the cycle that is
/// not before it. So a source sends in the first cycle that is not before its message.
pub struct FlitNetwork<O> {
    simulation: Simulation<AnyRouting, Nics, Watch<O>>,
    clock: Clock,
    bandwidth_bytes_per_s: f64,
    links: Links,
    flit_bytes: u64,
    nodes: u32,
    /// Per channel of the fabric: the output port before it.
    ports: Vec<u32>,
    samples: Samples,
    /// Cycles without any movement that count as a deadlock.
    stalled_cycles: u64,
    failure: Option<String>,
}

impl<O: NetworkObserver> FlitNetwork<O> {
    /// `pipeline` belongs to `parameters`, whose flits take a cycle each.
    ///
    /// # Errors
    /// Says which latency no channel can have.
    pub fn new(
        fabric: &Fabric,
        parameters: &Parameters,
        pipeline: &Pipeline,
        routing: AnyRouting,
        seed: u64,
        observer: O,
    ) -> Result<Self, String> {
        let flit_bytes = parameters.packet.flit_bytes;
        gates::check(&parameters.links, parameters.bandwidth_bytes_per_s)?;
        let cycle_s = flit_bytes as f64 / parameters.bandwidth_bytes_per_s;
        let clock = Clock::new(cycle_s);
        let wiring = Wiring::with_links(fabric, &pipeline.channels, &parameters.links, cycle_s);
        let wiring = wiring.map_err(|e| e.to_string())?;
        let nics = Nics::new(fabric.nodes(), parameters, clock);
        let samples = Samples::new(observer.interval_ps(), clock);
        let wants_flows = observer.wants_flows();
        let watch = Watch::new(observer, clock);
        let mut ports = vec![u32::MAX; fabric.channels() as usize];
        for (port, peer) in wiring.output.iter().enumerate() {
            if *peer != Peer::Nothing {
                ports[wiring.channel[port] as usize] = port as u32;
            }
        }
        let router = &pipeline.router;
        let mut simulation = Simulation::new(&wiring, router, routing, nics, watch, seed);
        if wants_flows {
            simulation.count_flows(wiring.channel.clone());
        }
        Ok(Self {
            simulation,
            clock,
            bandwidth_bytes_per_s: parameters.bandwidth_bytes_per_s,
            links: parameters.links.clone(),
            flit_bytes,
            nodes: fabric.nodes(),
            ports,
            samples,
            stalled_cycles: STALLED_CYCLES + 4 * wiring.slowest_cycles(),
            failure: None,
        })
    }

    fn nics(&mut self) -> &mut Nics {
        self.simulation.traffic_mut()
    }

    fn wake_sources(&mut self) {
        while let Some(node) = self.nics().awake.pop() {
            self.simulation.wake(node);
        }
    }

    /// Simulates the cycles before `until`, or some of them.
    fn go_on(&mut self, until: u64) {
        let mut stop = until.min(self.simulation.now().saturating_add(self.stalled_cycles));
        if O::ACTIVE {
            stop = stop.min(self.samples.due());
        }
        self.simulation.advance(stop);
        if O::ACTIVE && self.simulation.now() >= self.samples.due() {
            self.report(self.samples.end());
            self.samples.go_on(self.simulation.now());
        }
        let stalled = self.simulation.stalled_cycles();
        if stalled >= self.stalled_cycles {
            let now = self.simulation.now();
            self.failure = Some(format!(
                "deadlock: no flit has moved for {stalled} cycles at cycle {now}, with messages in \
                 the network"
            ));
        }
    }

    /// Flits that routers have sent.
    pub fn flit_router_visits(&self) -> u64 {
        self.simulation.flit_router_visits()
    }

    /// Whether all buffers are known to be empty at the other ends of their channels.
    pub fn is_restored(&self) -> bool {
        self.simulation.is_drained() && self.simulation.credits_are_restored()
    }

    fn channel_flits(&self, channel: Channel) -> u64 {
        match channel < self.nodes {
            true => self.simulation.injection_flits()[channel as usize],
            false => self.simulation.flits_carried()[self.ports[channel as usize] as usize],
        }
    }

    /// How long a channel takes for so many bytes.
    fn time_on(&self, channel: Channel, bytes: u64) -> Time {
        let own = self.bandwidth_bytes_per_s / self.links.slower(channel);
        mpi::time::of_bytes(bytes, own)
    }

    /// Reports what channels have carried in the interval that is under way, up to `until`.
    fn report(&mut self, until: Time) {
        let packets = self.simulation.recorder().packets;
        if self.samples.is_quiet(self.simulation.is_drained(), packets) {
            return;
        }
        let channels = 0..self.ports.len() as Channel;
        let is_there = |channel| channel < self.nodes || self.ports[channel as usize] != u32::MAX;
        let flits = |channel| if is_there(channel) { self.channel_flits(channel) } else { 0 };
        let start = self.samples.start();
        for (channel, flits) in self.samples.take(channels.map(flits).collect()) {
            let bytes = flits * self.flit_bytes;
            let carried = Carried { bytes, busy: self.time_on(channel, bytes) };
            self.observer_mut().flows_on_channel(channel, carried, start, until);
        }
    }
}

impl<O: NetworkObserver> Transport for FlitNetwork<O> {
    /// The NIC reports a message when its DMA has written all packets.
    const REPORTS_HEADS: bool = false;

    fn send(&mut self, at: Time, transfer: Transfer) {
        self.nics().hand_over(at, &transfer);
        self.wake_sources();
    }

    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time {
        loop {
            let first = self.nics().events.first();
            let target = first.map_or(until, |at| at.min(until));
            if self.simulation.now() < self.clock.cycle(target) {
                self.go_on(self.clock.cycle(target));
                if self.failure.is_some() {
                    return until;
                }
                continue;
            }
            let Some(at) = first.filter(|&at| at <= until) else { return until };
            self.nics().happen(at);
            self.wake_sources();
            if !self.nics().happened.is_empty() {
                happenings.append(&mut self.nics().happened);
                return at;
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.simulation.traffic().is_idle()
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl<O: NetworkObserver> SimulatedNetwork for FlitNetwork<O> {
    type Observer = O;

    fn finish(&mut self, end: Time) {
        self.report(end);
        let flit_bytes = self.flit_bytes;
        if let Some(flows) = self.simulation.take_flows() {
            self.observer_mut().take_flows(flows, flit_bytes);
        }
    }

    fn observer(&self) -> &O {
        &self.simulation.recorder().observer
    }

    fn observer_mut(&mut self) -> &mut O {
        &mut self.simulation.recorder_mut().observer
    }

    fn channel_bytes(&self, channel: Channel) -> u64 {
        self.channel_flits(channel) * self.flit_bytes
    }

    fn channel_busy(&self, channel: Channel) -> Time {
        self.time_on(channel, self.channel_bytes(channel))
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        let watch = self.simulation.recorder();
        let held = self.simulation.traffic().held;
        let visits = self.flit_router_visits();
        let counts = [watch.packets, watch.packet_hops, watch.reordered, held, visits];
        COUNTS.into_iter().zip(counts).collect()
    }
}
