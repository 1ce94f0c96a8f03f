//! Input-queued virtual-channel routers: route computation, virtual-channel allocation, switch
//! allocation and switch traversal, in a file each.
//!
//! A router is computed only in cycles in which one of its flits could move. The stages of one cycle
//! see what the earlier ones have *left* in the cycle before, so they run in the order VA, RC, SA,
//! ST: what VA and RC find in this cycle counts from the next one on.

mod buffers;
mod input;
mod outputs;
mod ports;
mod route;
mod switch_allocation;
mod traversal;
mod vc_allocation;

use crate::bits::{self, Bits};
use crate::calendar::Calendar;
use crate::channels::Channels;
use crate::packets::Packets;
use crate::router_options::RouterOptions;
use crate::routing::Routing;
use crate::wiring::Wiring;
use buffers::Buffers;
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

/// All routers. Input virtual channel `vc` of port `p` has the number `p * vcs + vc` among all and,
/// counted from its router's first port, a number in its router.
pub struct Routers<R> {
    routing: R,
    random: Random,
    options: RouterOptions,
    pub ports: Ports,
    vcs: usize,
    /// Words of a set of one router's input virtual channels, and of its ports.
    vc_words: usize,
    port_words: usize,
    /// Port of a virtual channel, both by their numbers in the router.
    port_of: Vec<u16>,
    buffers: Buffers,
    inputs: Vec<InputVc>,
    outputs: OutputVcs,
    /// Per router: virtual channels to be routed.
    routed: Vec<u64>,
    /// Per output port: virtual channels that wait for one of its virtual channels.
    waiting: Vec<u64>,
    /// Per router: output ports that somebody waits for.
    waiting_ports: Vec<u64>,
    /// Per router: output ports with a free virtual channel.
    free_ports: Vec<u64>,
    /// Per router: virtual channels that request the switch.
    requesting: Vec<u64>,
    /// Routers in which a flit may move.
    active: Vec<u64>,
    timers: Calendar<Timer>,
    vc_allocation: VcAllocation,
    switch: SwitchAllocation,
    /// Flits that left each output port.
    carried: Vec<u64>,
    visits: u64,
}

impl<R: Routing> Routers<R> {
    pub fn new(wiring: &Wiring, options: &RouterOptions, routing: R, seed: u64) -> Self {
        let ports = Ports::new(wiring, options);
        let vcs = usize::from(options.virtual_channels);
        let (routers, all) = (wiring.routers(), wiring.ports());
        let widest = ports.widest;
        let (vc_words, port_words) = (bits::words(widest * vcs), bits::words(widest));
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
            vc_words,
            port_words,
            port_of: (0..widest * vcs).map(|vc| (vc / vcs) as u16).collect(),
            buffers: Buffers::new(all * vcs, options.vc_buffer_flits),
            inputs: vec![unused; all * vcs],
            outputs: OutputVcs::new(all, vcs, options.vc_buffer_flits, tail_credit),
            routed: vec![0; routers * vc_words],
            waiting: vec![0; all * vc_words],
            waiting_ports: vec![0; routers * port_words],
            free_ports: vec![u64::MAX; routers * port_words],
            requesting: vec![0; routers * vc_words],
            active: vec![0; bits::words(routers)],
            timers: Calendar::new(longest + 1),
            vc_allocation: VcAllocation::new(&ports, vcs, options),
            switch: SwitchAllocation::new(&ports, vcs, options),
            carried: vec![0; all],
            visits: 0,
            ports,
        }
    }

    pub fn routing(&mut self) -> (&R, &mut Random) {
        (&self.routing, &mut self.random)
    }

    /// Number among all of the first virtual channel of a router.
    #[inline]
    fn first_vc(&self, router: usize) -> usize {
        self.ports.first[router] as usize * self.vcs
    }

    fn start_timer(&mut self, stage: Stage, router: usize, local: usize, at: u64) {
        let port = self.ports.first[router] + u32::from(self.port_of[local]);
        self.timers.put(at, Timer { stage, port, vc: (local % self.vcs) as u32 });
    }

    /// The flit at the front requests the switch from cycle `from` on.
    #[inline]
    fn request_switch(&mut self, router: usize, local: usize, from: u64) {
        let delay = self.options.switch_allocation_delay_cycles;
        if delay == 1 {
            bits::insert(&mut self.active, router);
            bits::insert(&mut self.requesting[router * self.vc_words..], local);
        } else {
            self.start_timer(Stage::Active, router, local, from + u64::from(delay) - 1);
        }
    }

    /// Computes all routers in which something may happen; true if a flit moved.
    pub fn compute(&mut self, now: u64, channels: &mut Channels, packets: &mut Packets) -> bool {
        let before = self.visits;
        for word in 0..self.active.len() {
            for bit in Bits(self.active[word]) {
                if !self.step(word * 64 + bit, now, channels, packets) {
                    self.active[word] &= !(1 << bit);
                }
            }
        }
        self.visits != before
    }

    /// One cycle of one router; whether there is anything to do in the next one.
    fn step(
        &mut self,
        router: usize,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) -> bool {
        self.allocate_vcs(router, packets);
        if self.routing.reroutes() {
            self.reroute(router, packets);
        }
        self.compute_routes(router, now, packets);
        self.allocate_switch(router, packets);
        self.traverse(router, now, channels, packets);
        self.activate_granted(router, now);
        let vcs = router * self.vc_words..(router + 1) * self.vc_words;
        bits::any(&self.requesting[vcs.clone()])
            || bits::any(&self.routed[vcs])
            || self.may_get_vcs(router)
            || self.switch.holds(router)
    }

    fn may_get_vcs(&self, router: usize) -> bool {
        let ports = router * self.port_words..(router + 1) * self.port_words;
        let free = &self.free_ports[ports.clone()];
        let rerouted = self.routing.reroutes();
        self.waiting_ports[ports].iter().zip(free).any(|(&w, &f)| w & f != 0 || rerouted && w != 0)
    }

    pub fn are_idle(&self) -> bool {
        !bits::any(&self.active)
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
        self.visits
    }

    /// Per port of the wiring and virtual channel: flits in its input buffer.
    pub fn occupancy(&self) -> &[u16] {
        self.buffers.held()
    }

    pub fn credits_are_restored(&self) -> bool {
        self.outputs.are_restored()
    }
}
