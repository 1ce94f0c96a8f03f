//! VA: packets at the front of their buffers get a virtual channel of their output port.
//!
//! Every packet asks for all free virtual channels of its range, all at one port, so that the
//! matching falls apart into one per output port.

use super::ports::Ports;
use super::{Routers, Stage};
use crate::allocator::{Matcher, Turns};
use crate::bits::{self, Bits};
use crate::packets::Packets;
use crate::router_options::{Arbiter, RouterOptions, Switching};
use crate::routing::Routing;

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
    /// Virtual channels whose packets got one in this cycle.
    granted: Vec<u32>,
    /// Those that ask for the switch at the same time.
    pub speculative: Vec<u32>,
    row: Vec<u64>,
}

impl VcAllocation {
    pub fn new(ports: &Ports, vcs: usize, options: &RouterOptions) -> Self {
        let (inputs, all) = (ports.widest * vcs, ports.inputs.len());
        let by_age = options.arbiter == Arbiter::Age;
        Self {
            matcher: Matcher::new(options.vc_allocator, options.allocator_iterations, inputs, vcs),
            grant: vec![0; all * vcs],
            accept: vec![0; all * vcs],
            rotation: vec![0; all],
            created: vec![0; if by_age { inputs } else { 0 }],
            granted: Vec::new(),
            speculative: Vec::new(),
            row: vec![0; bits::words(vcs)],
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
        if place < self.grant.len() {
            place
        } else {
            0
        }
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
        let next = input + 1;
        self.grant[output] = if next == self.accept.len() { 0 } else { next as u32 };
        let next = self.first + output + 1;
        self.accept[input] = if next == self.accept.len() { 0 } else { next as u32 };
    }

    fn rank(&self, input: usize, _: usize) -> u64 {
        self.created.get(input).copied().unwrap_or(0)
    }
}

impl<R: Routing> Routers<R> {
    /// Virtual-channel allocation of all output ports that have one free and somebody waiting.
    #[inline]
    pub(super) fn allocate_vcs(&mut self, router: usize, packets: &mut Packets) {
        for word in 0..self.port_words {
            let at = router * self.port_words + word;
            for bit in Bits(self.waiting_ports[at] & self.free_ports[at]) {
                self.allocate_vcs_of(router, word * 64 + bit, packets);
            }
        }
    }

    fn allocate_vcs_of(&mut self, router: usize, number: usize, packets: &mut Packets) {
        let first_port = self.ports.first[router] as usize;
        let port = first_port + number;
        let waiting = port * self.vc_words..(port + 1) * self.vc_words;
        let mut requests = 0;
        let mut last = 0;
        for word in waiting.clone() {
            for bit in Bits(self.waiting[word]) {
                let local = (word - waiting.start) * 64 + bit;
                if self.find_vcs(first_port, local, port, packets) {
                    last = local;
                    requests += 1;
                    self.request_vcs(local);
                }
            }
        }
        if requests == 0 {
            return;
        }
        let (first, vcs) = (first_port * self.vcs, self.vcs);
        let count = (self.ports.first[router + 1] as usize - first_port) * vcs;
        let state = &mut self.vc_allocation;
        let mut turns = PortTurns {
            grant: &mut state.grant[port * vcs..][..vcs],
            accept: &mut state.accept[first..][..count],
            created: &state.created,
            first: number * vcs,
        };
        if requests == 1 && state.matcher.serves_a_lone_request_by_pointers() {
            let vc = turns.output_for(last, state.matcher.requests.of_input(last));
            turns.matched(last, vc);
            state.matcher.requests.clear();
            self.take_vc(router, last, port, vc);
            return;
        }
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
        first_port: usize,
        local: usize,
        port: usize,
        packets: &mut Packets,
    ) -> bool {
        let vc = first_port * self.vcs + local;
        let state = self.inputs[vc];
        let mut any = false;
        let by_age = self.options.arbiter == Arbiter::Age;
        let whole = self.options.switching == Switching::VirtualCutThrough;
        let packet = (by_age || whole).then(|| *packets.get(self.buffers.front(vc).packet()));
        let out = port * self.vcs;
        for word in 0..self.outputs.words {
            let range = bits::range_word(state.first_vc.into(), state.vcs.into(), word);
            let mut row = self.outputs.free_of(port)[word] & range;
            if let (true, Some(packet)) = (whole, &packet) {
                for bit in Bits(row) {
                    if u32::from(self.outputs.credits[out + word * 64 + bit]) < packet.flits {
                        row &= !(1 << bit);
                    }
                }
            }
            self.vc_allocation.row[word] = row;
            any |= row != 0;
        }
        if let (true, Some(packet)) = (by_age, packet) {
            self.vc_allocation.created[local] = packet.created;
        }
        if any && self.bids_speculatively() {
            let mut free = bits::members(&self.vc_allocation.row);
            if free.any(|vc| self.outputs.credits[out + vc] > 0) {
                self.vc_allocation.speculative.push(local as u32);
            }
        }
        any
    }

    #[inline]
    fn request_vcs(&mut self, local: usize) {
        let state = &mut self.vc_allocation;
        for word in 0..state.row.len() {
            for bit in Bits(state.row[word]) {
                state.matcher.requests.add(local, word * 64 + bit);
            }
        }
    }

    /// Whether the request for the switch ends no later than the one for the virtual channel.
    #[inline]
    fn bids_speculatively(&self) -> bool {
        let options = &self.options;
        options.speculative
            && options.switch_allocation_delay_cycles <= options.vc_allocation_delay_cycles
    }

    #[inline]
    fn take_vc(&mut self, router: usize, local: usize, port: usize, vc: usize) {
        self.stop_waiting(router, local);
        let state = &mut self.inputs[self.ports.first[router] as usize * self.vcs + local];
        state.stage = Stage::Active;
        state.out_vc = vc as u16;
        self.outputs.take(port, vc, local as u32);
        if !bits::any(self.outputs.free_of(port)) {
            let number = usize::from(state.port);
            bits::remove(&mut self.free_ports[router * self.port_words..], number);
        }
        self.vc_allocation.granted.push(local as u32);
    }

    /// Heads that got a virtual channel in this cycle, and are still here, request the switch.
    #[inline]
    pub(super) fn activate_granted(&mut self, router: usize, now: u64) {
        for index in 0..self.vc_allocation.granted.len() {
            let local = self.vc_allocation.granted[index] as usize;
            let vc = self.first_vc(router) + local;
            let state = self.inputs[vc];
            // A head that won the switch speculatively has left, perhaps an empty buffer.
            let here = state.stage == Stage::Active
                && self.buffers.len(vc) > 0
                && self.buffers.front(vc).is_head();
            let out = self.first_vc(router) + usize::from(state.port) * self.vcs;
            if here && self.outputs.credits[out + usize::from(state.out_vc)] > 0 {
                self.request_switch(router, local, now + 1 - self.head_start());
            }
        }
        self.vc_allocation.granted.clear();
        self.vc_allocation.speculative.clear();
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
