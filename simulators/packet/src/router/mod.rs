//! Input-queued virtual-channel routers: route computation, virtual-channel allocation, switch
//! allocation and switch traversal, in a file each.
//!
//! A cycle goes stage by stage over all routers, and each stage only to where it has something to
//! do. A stage sees what the one before it has left in the cycle before, so they run in the order VA,
//! RC, SA and ST: what VA and RC find in this cycle counts from the next one on.

mod buffers;
mod closed;
mod flows;
mod input;
mod outputs;
mod ports;
mod route;
mod switch_allocation;
mod traversal;
mod vc_allocation;

use crate::calendar::Calendar;
use crate::channels::Channels;
use crate::gates::Gates;
use crate::packets::{Flit, Packets};
use crate::router_options::RouterOptions;
use crate::routing::Routing;
use crate::wiring::Wiring;
use buffers::Buffers;
use fabric::bits::{self, Sets};
pub use flows::Flows;
use outputs::OutputVcs;
use ports::Ports;
use switch_allocation::SwitchAllocation;
use vc_allocation::VcAllocation;
use workload::Random;

/// What the packet at the front of an input virtual channel waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Idle,
    Routing,
    /// For a virtual channel of its output port.
    Waiting,
    /// It has one.
    Active,
}

/// An input virtual channel, its stage and the way of its packet.
#[derive(Debug, Clone, Copy)]
struct InputVc {
    stage: Stage,
    /// Output port, as the router counts.
    port: u16,
    first_vc: u16,
    vcs: u16,
    /// The output virtual channel, once it is active.
    out_vc: u16,
}

/// A stage that takes longer than a cycle comes to its end.
#[derive(Debug, Clone, Copy)]
struct Timer {
    stage: Stage,
    port: u32,
    vc: u32,
}

/// Networks with more virtual channels count as large: their state takes more than half a megabyte.
const LARGE_VCS: usize = 8192;

/// All routers. Input virtual channel `vc` of port `p` has the number `p * vcs + vc` among all and,
/// counted from its router's first port, a number in its router.
pub struct Routers<R> {
    routing: R,
    random: Random,
    options: RouterOptions,
    pub ports: Ports,
    vcs: usize,
    /// Whether the buffers are in no near cache.
    is_large: bool,
    /// Port of a virtual channel, both by their numbers in the router.
    port_of: Vec<u16>,
    buffers: Buffers,
    inputs: Vec<InputVc>,
    outputs: OutputVcs,
    /// Router and input virtual channel of packets to be routed, and the packets.
    routed: Vec<(u32, u32, u32)>,
    /// Memory for output port and input virtual channel of packets to be routed again.
    rerouted: Vec<(u32, u32)>,
    /// Per output port: input virtual channels that wait for one of its virtual channels.
    waiting: Sets,
    /// Output ports that somebody waits for.
    ports_awaited: Vec<u64>,
    /// Per router: input virtual channels that request the switch.
    requesting: Sets,
    /// The same of those that got no virtual channel yet.
    speculating: Sets,
    /// Routers with requests for the switch.
    routers_requested: Vec<u64>,
    timers: Calendar<Timer>,
    vc_allocation: VcAllocation,
    switch: SwitchAllocation,
    /// Of output ports, where channels are not all alike.
    gates: Option<Gates>,
    /// Input virtual channels of the router at hand whose output port is closed.
    hidden: Vec<u32>,
    /// Flits that cross the switch of a router in this cycle.
    leaving: Vec<Flit>,
    /// Flits that left each output port.
    carried: Vec<u64>,
    /// Of which pairs of nodes, if somebody asks.
    pub flows: Option<Flows>,
}

impl<R: Routing> Routers<R> {
    pub fn new(wiring: &Wiring, options: &RouterOptions, routing: R, seed: u64) -> Self {
        let ports = Ports::new(wiring, options);
        let vcs = usize::from(options.virtual_channels);
        let (routers, all) = (wiring.numbers.routers(), wiring.numbers.ports());
        let widest = ports.numbers.widest() as usize;
        let unused = InputVc { stage: Stage::Idle, port: 0, first_vc: 0, vcs: 0, out_vc: 0 };
        let longest = options
            .routing_delay_cycles
            .max(options.vc_allocation_delay_cycles)
            .max(options.switch_allocation_delay_cycles);
        let tail_credit = options.wait_for_tail_credit;
        Self {
            routing,
            random: Random::new(seed),
            options: options.clone(),
            vcs,
            is_large: all * vcs > LARGE_VCS,
            port_of: (0..widest * vcs).map(|vc| (vc / vcs) as u16).collect(),
            buffers: Buffers::new(all * vcs, options.vc_buffer_flits),
            inputs: vec![unused; all * vcs],
            outputs: OutputVcs::new(all, vcs, options.vc_buffer_flits, tail_credit),
            routed: Vec::new(),
            rerouted: Vec::new(),
            waiting: Sets::new(all, widest * vcs),
            ports_awaited: vec![0; bits::words(all)],
            requesting: Sets::new(routers, widest * vcs),
            speculating: Sets::new(routers, widest * vcs),
            routers_requested: vec![0; bits::words(routers)],
            timers: Calendar::new(longest + 1),
            vc_allocation: VcAllocation::new(&ports, vcs, options),
            switch: SwitchAllocation::new(&ports, vcs, options),
            gates: wiring.intervals.as_ref().map(|all| Gates::new(&all.ports)),
            hidden: Vec::new(),
            leaving: Vec::new(),
            carried: vec![0; all],
            flows: None,
            ports,
        }
    }

    pub fn routing(&mut self) -> (&R, &mut Random) {
        (&self.routing, &mut self.random)
    }

    /// Number among all of the first virtual channel of a router.
    #[inline]
    fn first_vc(&self, router: usize) -> usize {
        self.ports.numbers.first(router) as usize * self.vcs
    }

    #[inline(never)]
    fn start_timer(&mut self, stage: Stage, router: usize, local: usize, at: u64) {
        let port = self.ports.numbers.first(router) + u32::from(self.port_of[local]);
        self.timers.put(at, Timer { stage, port, vc: (local % self.vcs) as u32 });
    }

    /// The flit at the front requests the switch from cycle `from` on.
    #[inline]
    fn request_switch(&mut self, router: usize, local: usize, from: u64) {
        let delay = self.options.switch_allocation_delay_cycles;
        if delay == 1 {
            bits::insert(&mut self.routers_requested, router);
            self.requesting.insert(router, local);
        } else {
            self.start_timer(Stage::Active, router, local, from + u64::from(delay) - 1);
        }
    }

    /// One cycle of all routers; true if a flit moved.
    pub fn compute(&mut self, now: u64, channels: &mut Channels, packets: &mut Packets) -> bool {
        self.allocate_vcs(packets);
        if self.routing.reroutes() {
            self.reroute(packets);
        }
        self.compute_routes(now, packets);
        let moved = self.allocate_switches(now, channels, packets);
        self.activate_granted(now);
        moved
    }

    /// Whether nothing can happen until something arrives or a stage ends.
    pub fn are_idle(&self) -> bool {
        let free = &self.outputs.ports_with_free;
        let rerouted = self.routing.reroutes();
        self.routed.is_empty()
            && !bits::any(&self.routers_requested)
            && self
                .ports_awaited
                .iter()
                .zip(free)
                .all(|(&w, &f)| w & f == 0 && !(rerouted && w != 0))
    }

    /// The first cycle from `now` on in which a stage ends that takes longer than a cycle.
    pub fn next(&self, now: u64) -> Option<u64> {
        self.timers.next(now)
    }

    /// Per port of the wiring: flits that its output sent.
    pub fn carried(&self) -> &[u64] {
        &self.carried
    }

    /// Flits sent by all routers.
    pub fn visits(&self) -> u64 {
        self.carried.iter().sum()
    }

    /// Per port of the wiring and virtual channel: flits in its input buffer.
    pub fn occupancy(&self) -> impl Iterator<Item = u16> + '_ {
        self.buffers.held()
    }

    pub fn credits_are_restored(&self) -> bool {
        self.outputs.are_restored()
    }
}
