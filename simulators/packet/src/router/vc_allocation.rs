//! VA: packets at the front of their buffers get a virtual channel of their output port.
//!
//! Every packet asks for all free virtual channels of its range, all at one port, so that the
//! matching falls apart into one per output port.

mod narrow;

use super::ports::Ports;
use super::{Routers, Stage};
use crate::allocator::{Matcher, Round, Turns};
use crate::packets::Packets;
use crate::router_options::{Arbiter, RouterOptions, Switching};
use crate::routing::Routing;
use fabric::bits::{self, Bits};

pub struct VcAllocation {
    matcher: Matcher,
    /// Per output virtual channel: whom it grants next, by the number in the router.
    grant: Vec<u32>,
    /// Per input virtual channel: what it accepts next; counted over all ports of the router.
    accept: Vec<u32>,
    /// Per output port: the turn of the allocators that favour all inputs in turn.
    rotation: Vec<u32>,
    /// By age: when the packet of an input virtual channel was created.
    created: Vec<u64>,
    /// Router and input virtual channel of the packets that got one in this cycle.
    granted: Vec<(u32, u32)>,
    row: Vec<u64>,
    /// Whether a lone packet can do without the allocator.
    lone_is_simple: bool,
    /// Whether the input virtual channels of a router, and those of a port, fit into a word, and one
    /// round of iSLIP serves them.
    is_narrow: bool,
    round: Round,
}

impl VcAllocation {
    pub fn new(ports: &Ports, vcs: usize, options: &RouterOptions) -> Self {
        let (inputs, all) = (ports.numbers.widest() as usize * vcs, ports.inputs.len());
        let by_age = options.arbiter == Arbiter::Age;
        let matcher = Matcher::new(options.vc_allocator, options.allocator_iterations, inputs, vcs);
        let by_pointers = matcher.serves_a_lone_request_by_pointers() && !by_age;
        let by_flits = options.switching == Switching::Wormhole && !options.speculative;
        Self {
            matcher,
            lone_is_simple: by_pointers && by_flits && inputs <= 64,
            is_narrow: Round::serves(options.vc_allocator, options, inputs) && by_flits,
            round: Round::default(),
            grant: vec![0; all * vcs],
            accept: vec![0; all * vcs],
            rotation: vec![0; all],
            created: vec![0; if by_age { inputs } else { 0 }],
            granted: Vec::new(),
            row: vec![0; bits::words(vcs)],
        }
    }
}

impl VcAllocation {
    #[inline]
    fn request(&mut self, local: usize) {
        for (word, &bits) in self.row.iter().enumerate() {
            for bit in Bits(bits) {
                self.matcher.requests.add(local, word * 64 + bit);
            }
        }
    }
}

/// The arbiters of one output port.
struct PortTurns<'a> {
    grant: &'a mut [u32],
    accept: &'a mut [u32],
    created: &'a [u64],
    /// Number of the port's first virtual channel in the router.
    first: usize,
}

impl PortTurns<'_> {
    /// The round robin of an input runs over all ports of the router; this is its place here.
    #[inline]
    fn start(&self, input: usize) -> usize {
        let place = (self.accept[input] as usize).wrapping_sub(self.first);
        if place < self.grant.len() { place } else { 0 }
    }
}

impl Turns for PortTurns<'_> {
    #[inline]
    fn input_for(&self, output: usize, inputs: &[u64]) -> usize {
        if self.created.is_empty() {
            return bits::first_from(inputs, self.grant[output] as usize).unwrap_or(0);
        }
        bits::members(inputs).min_by_key(|&input| self.created[input]).unwrap_or(0)
    }

    #[inline]
    fn output_for(&self, input: usize, outputs: &[u64]) -> usize {
        bits::first_from(outputs, self.start(input)).unwrap_or(0)
    }

    #[inline]
    fn matched(&mut self, input: usize, output: usize) {
        let count = self.accept.len();
        self.grant[output] = bits::next_of(input, count) as u32;
        self.accept[input] = bits::next_of(self.first + output, count) as u32;
    }

    fn rank(&self, input: usize, _: usize) -> u64 {
        self.created.get(input).copied().unwrap_or(0)
    }
}

impl<R: Routing> Routers<R> {
    /// Virtual-channel allocation of all output ports that have one free and somebody waiting.
    pub(super) fn allocate_vcs(&mut self, packets: &mut Packets) {
        for word in 0..self.ports_awaited.len() {
            for bit in Bits(self.ports_awaited[word] & self.outputs.ports_with_free[word]) {
                self.allocate_vcs_of(word * 64 + bit, packets);
            }
        }
    }

    #[inline]
    fn allocate_vcs_of(&mut self, port: usize, packets: &mut Packets) {
        let router = self.ports.outputs[port].router as usize;
        let waiting = self.waiting.word(port, 0);
        if self.vc_allocation.lone_is_simple && waiting.is_power_of_two() {
            self.serve_lone_packet(router, waiting.trailing_zeros() as usize, port);
            return;
        }
        if self.vc_allocation.is_narrow {
            self.match_packets(router, port, waiting);
            return;
        }
        self.match_any_packets(router, port, packets);
    }

    /// The same for routers and allocators of any kind; apart, so that small routers pay nothing for it.
    #[inline(never)]
    fn match_any_packets(&mut self, router: usize, port: usize, packets: &mut Packets) {
        let first_port = self.ports.numbers.first(router) as usize;
        let vcs = self.vcs;
        let (first, end) = (first_port * vcs, self.ports.numbers.first(router + 1) as usize * vcs);
        let mut requests = 0;
        for word in 0..self.waiting.words() {
            for bit in Bits(self.waiting.word(port, word)) {
                let local = word * 64 + bit;
                if self.find_vcs(router, local, port, packets) {
                    self.vc_allocation.request(local);
                    requests += 1;
                }
            }
        }
        if requests == 0 {
            return;
        }
        let state = &mut self.vc_allocation;
        let mut turns = PortTurns {
            grant: &mut state.grant[port * vcs..][..vcs],
            accept: &mut state.accept[first..end],
            created: &state.created,
            first: (port - first_port) * vcs,
        };
        state.matcher.allocate(&mut turns, &mut state.rotation[port]);
        for index in 0..self.vc_allocation.matcher.matches.len() {
            let (local, vc) = self.vc_allocation.matcher.matches[index];
            self.take_vc(router, local as usize, port, vc as usize);
        }
    }

    /// Which virtual channels the packet may have now, in `row`; whether there is one. With
    /// speculation it asks for the switch as well if one of them has a credit.
    #[inline]
    fn find_vcs(
        &mut self,
        router: usize,
        local: usize,
        port: usize,
        packets: &mut Packets,
    ) -> bool {
        let vc = self.first_vc(router) + local;
        let state = self.inputs[vc];
        let mut any = 0;
        for word in 0..self.vc_allocation.row.len() {
            let range = bits::range_word(state.first_vc.into(), state.vcs.into(), word);
            let row = self.outputs.free_word(port, word) & range;
            self.vc_allocation.row[word] = row;
            any |= row;
        }
        let by_age = self.options.arbiter == Arbiter::Age;
        if by_age || self.options.switching == Switching::VirtualCutThrough {
            let packet = packets.get(self.buffers.front(vc).packet());
            if by_age {
                self.vc_allocation.created[local] = packet.created;
            }
            if self.options.switching == Switching::VirtualCutThrough {
                any = self.leave_those_with_space(port, packet.flits);
            }
        }
        if any != 0 && self.bids_speculatively() {
            let mut free = bits::members(&self.vc_allocation.row);
            if free.any(|vc| self.outputs.credits(port, vc) > 0) {
                self.speculating.insert(router, local);
                bits::insert(&mut self.routers_requested, router);
            }
        }
        any != 0
    }

    /// Takes from `row` what has no space for so many flits; what is left, or-ed.
    fn leave_those_with_space(&mut self, port: usize, flits: u32) -> u64 {
        let mut any = 0;
        for (word, row) in self.vc_allocation.row.iter_mut().enumerate() {
            for bit in Bits(*row) {
                if u32::from(self.outputs.credits(port, word * 64 + bit)) < flits {
                    *row &= !(1 << bit);
                }
            }
            any |= *row;
        }
        any
    }

    /// Whether the request for the switch ends no later than the one for the virtual channel.
    #[inline]
    fn bids_speculatively(&self) -> bool {
        let options = &self.options;
        options.speculative
            && options.switch_allocation_delay_cycles <= options.vc_allocation_delay_cycles
    }

    #[inline(always)]
    fn take_vc(&mut self, router: usize, local: usize, port: usize, vc: usize) {
        self.stop_waiting(port, local);
        let state = &mut self.inputs[self.ports.numbers.first(router) as usize * self.vcs + local];
        state.stage = Stage::Active;
        state.out_vc = vc as u16;
        self.outputs.take(port, vc, local as u32);
        // Whether it may send is known now, but for a head that sends speculatively in this cycle.
        if self.options.speculative || self.outputs.credits(port, vc) > 0 {
            self.vc_allocation.granted.push((router as u32, local as u32));
        }
    }

    /// Heads that got a virtual channel in this cycle, and are still here, request the switch.
    #[inline]
    pub(super) fn activate_granted(&mut self, now: u64) {
        for index in 0..self.vc_allocation.granted.len() {
            let (router, local) = self.vc_allocation.granted[index];
            let (router, local) = (router as usize, local as usize);
            if !self.options.speculative || self.is_still_here(router, local) {
                self.request_switch(router, local, now + 1 - self.head_start());
            }
        }
        self.vc_allocation.granted.clear();
    }

    /// A head that won the switch speculatively has left, perhaps an empty buffer. Another one has a
    /// credit or waits for it.
    fn is_still_here(&self, router: usize, local: usize) -> bool {
        let vc = self.first_vc(router) + local;
        let state = self.inputs[vc];
        let port = self.ports.numbers.first(router) as usize + usize::from(state.port);
        state.stage == Stage::Active
            && self.buffers.len(vc) > 0
            && self.buffers.front(vc).is_head()
            && self.outputs.credits(port, state.out_vc.into()) > 0
    }

    /// Cycles that a speculative request for the switch was made before its virtual channel came.
    #[inline]
    fn head_start(&self) -> u64 {
        if !self.options.speculative {
            return 0;
        }
        let switch = self.options.switch_allocation_delay_cycles;
        u64::from(self.options.vc_allocation_delay_cycles.min(switch - 1))
    }
}
