//! SA: which input port sends a flit to which output port.

mod any;
mod narrow;

use super::Routers;
use super::ports::Ports;
use crate::allocator::{Matcher, Round, Turns};
use crate::channels::Channels;
use crate::packets::Packets;
use crate::router_options::{Arbiter, RouterOptions};
use crate::routing::Routing;
use fabric::bits::{self, Bits};

const NOBODY: u32 = u32::MAX;
/// Marks a candidate that has no virtual channel yet.
const SPECULATIVE: u32 = 1 << 31;

pub struct SwitchAllocation {
    matcher: Matcher,
    widest: usize,
    /// Per input and output port: the virtual channel that asks, by its number in the router.
    candidate: Vec<u32>,
    /// By age: when the candidate's packet was created.
    created: Vec<u64>,
    /// Per port.
    turns: Vec<PortTurn>,
    /// Per router: the turn of the allocators that favour all inputs in turn.
    rotation: Vec<u32>,
    /// Per input port: the virtual channel that holds the switch.
    holder: Vec<u32>,
    /// Per router: how many.
    holders: Vec<u16>,
    /// Virtual channels that send a flit in this cycle.
    pub winners: Vec<u32>,
    /// Whether the requests of a router fit into a word, and one round of iSLIP serves them.
    is_narrow: bool,
    round: Round,
    /// Per output: the virtual channels that request it, of the input that it grants.
    granted: [u64; 64],
}

impl SwitchAllocation {
    pub fn new(ports: &Ports, vcs: usize, options: &RouterOptions) -> Self {
        let (widest, all, routers) =
            (ports.numbers.widest() as usize, ports.inputs.len(), ports.numbers.routers());
        let iterations = options.allocator_iterations;
        let by_age = options.arbiter == Arbiter::Age;
        Self {
            matcher: Matcher::new(options.switch_allocator, iterations, widest, widest),
            widest,
            candidate: vec![0; widest * widest],
            created: vec![0; if by_age { widest * widest } else { 0 }],
            turns: vec![PortTurn::default(); all],
            rotation: vec![0; routers],
            holder: vec![NOBODY; if options.hold_switch_for_packet { all } else { 0 }],
            holders: vec![0; routers],
            winners: Vec::with_capacity(widest.max(vcs)),
            is_narrow: Round::serves(options.switch_allocator, options, widest * vcs)
                && !options.hold_switch_for_packet,
            round: Round::default(),
            granted: [0; 64],
        }
    }

    fn holds(&self, router: usize) -> bool {
        self.holders[router] > 0
    }
}

/// The arbiters of one port.
#[derive(Debug, Clone, Copy, Default)]
struct PortTurn {
    /// The input port that the output grants next.
    grant: u16,
    /// The output port that the input accepts next.
    accept: u16,
    /// The virtual channel of the input that goes first.
    vc: u16,
}

/// The arbiters of one router.
struct PortTurns<'a> {
    of: &'a mut [PortTurn],
    created: &'a [u64],
    widest: usize,
}

impl Turns for PortTurns<'_> {
    #[inline]
    fn input_for(&self, output: usize, inputs: &[u64]) -> usize {
        if self.created.is_empty() {
            return bits::first_from(inputs, self.of[output].grant.into()).unwrap_or(0);
        }
        bits::members(inputs).min_by_key(|&input| self.rank(input, output)).unwrap_or(0)
    }

    #[inline]
    fn output_for(&self, input: usize, outputs: &[u64]) -> usize {
        if self.created.is_empty() {
            return bits::first_from(outputs, self.of[input].accept.into()).unwrap_or(0);
        }
        bits::members(outputs).min_by_key(|&output| self.rank(input, output)).unwrap_or(0)
    }

    #[inline]
    fn matched(&mut self, input: usize, output: usize) {
        let ports = self.of.len();
        self.of[output].grant = bits::next_of(input, ports) as u16;
        self.of[input].accept = bits::next_of(output, ports) as u16;
    }

    fn rank(&self, input: usize, output: usize) -> u64 {
        self.created.get(input * self.widest + output).copied().unwrap_or(0)
    }
}

impl<R: Routing> Routers<R> {
    /// Switch allocation and traversal of all routers with requests; true if a flit moved.
    pub(super) fn allocate_switches(
        &mut self,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) -> bool {
        if self.gates.is_some() {
            self.allocate_all::<true>(now, channels, packets)
        } else {
            self.allocate_all::<false>(now, channels, packets)
        }
    }

    #[inline(never)]
    fn allocate_all<const GATES: bool>(
        &mut self,
        now: u64,
        channels: &mut Channels,
        packets: &mut Packets,
    ) -> bool {
        let mut moved = false;
        for word in 0..self.routers_requested.len() {
            for bit in Bits(self.routers_requested[word]) {
                let router = word * 64 + bit;
                if GATES {
                    self.hide_closed(router, now);
                }
                self.allocate_switch(router, packets);
                if GATES {
                    self.pass_gates(router, now);
                }
                moved |= !self.switch.winners.is_empty();
                self.traverse(router, now, channels, packets);
                let is_done = !bits::any(self.requesting.of(router)) && !self.switch.holds(router);
                bits::remove_if(&mut self.routers_requested, router, is_done);
            }
        }
        moved
    }

    /// Fills `winners`.
    #[inline(always)]
    fn allocate_switch(&mut self, router: usize, packets: &mut Packets) {
        if self.switch.is_narrow {
            let requesting = self.requesting.word(router, 0);
            if requesting.is_power_of_two() {
                self.serve_lone_request(router, requesting.trailing_zeros() as usize);
            } else {
                self.match_ports(router, requesting);
            }
        } else {
            self.match_any_ports(router, packets);
        }
    }

    #[inline]
    fn move_vc_turn(&mut self, first: usize, input: usize, local: usize) {
        let vc = local - input * self.vcs;
        self.switch.turns[first + input].vc = bits::next_of(vc, self.vcs) as u16;
    }

    /// The virtual channel keeps its input and output port until its tail has passed, or until it
    /// has no flit or no credit.
    pub(super) fn hold(&mut self, router: usize, local: usize) {
        let port = self.ports.numbers.first(router) as usize + usize::from(self.port_of[local]);
        self.switch.holder[port] = local as u32;
        self.switch.holders[router] += 1;
    }
}
