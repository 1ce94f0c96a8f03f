//! SA: which input port sends a flit to which output port.

mod narrow;

use super::ports::Ports;
use super::{Routers, Stage};
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
        let mut moved = false;
        for word in 0..self.routers_requested.len() {
            for bit in Bits(self.routers_requested[word]) {
                let router = word * 64 + bit;
                if self.gates.is_some() {
                    self.hide_closed(router, now);
                }
                self.allocate_switch(router, packets);
                moved |= !self.switch.winners.is_empty();
                self.traverse(router, now, channels, packets);
                if self.gates.is_some() {
                    self.show_closed(router);
                }
                if !bits::any(self.requesting.of(router)) && !self.switch.holds(router) {
                    self.routers_requested[word] &= !(1 << bit);
                }
            }
        }
        moved
    }

    /// Fills `winners`.
    #[inline]
    fn allocate_switch(&mut self, router: usize, packets: &mut Packets) {
        if self.switch.is_narrow {
            let requesting = self.requesting.word(router, 0);
            if requesting.is_power_of_two() {
                self.serve_lone_request(router, requesting.trailing_zeros() as usize);
            } else {
                self.match_ports(router, requesting);
            }
            return;
        }
        let mut requests = 0;
        let mut last = 0;
        for word in 0..self.requesting.words() {
            let requesting = self.requesting.word(router, word);
            requests += (requesting | self.speculating.word(router, word)).count_ones();
            if requesting != 0 {
                last = word * 64 + requesting.trailing_zeros() as usize;
            }
        }
        let held = self.switch.holds(router);
        let lone = requests == 1 && !held && bits::contains(self.requesting.of(router), last);
        if lone && self.switch.matcher.serves_a_lone_request_by_pointers() {
            self.serve_lone_request(router, last);
            return;
        }
        self.request(router, packets);
        if held {
            self.serve_holders(router);
        }
        let (first, end) =
            (self.ports.numbers.first(router) as usize, self.ports.numbers.first(router + 1));
        let state = &mut self.switch;
        let mut turns = PortTurns {
            of: &mut state.turns[first..end as usize],
            created: &state.created,
            widest: state.widest,
        };
        state.matcher.allocate(&mut turns, &mut state.rotation[router]);
        for index in 0..self.switch.matcher.matches.len() {
            let (input, output) = self.switch.matcher.matches[index];
            self.win(first, input as usize, output as usize);
        }
    }

    /// Per pair of ports with requests one candidate: those with a virtual channel before those
    /// without, then the first in the round robin of the input port, or the oldest.
    fn request(&mut self, router: usize, packets: &mut Packets) {
        let first = self.ports.numbers.first(router) as usize;
        for word in 0..self.requesting.words() {
            for bit in Bits(self.requesting.word(router, word)) {
                self.enter(first, word * 64 + bit, 0, packets);
            }
        }
        if self.options.speculative {
            for word in 0..self.speculating.words() {
                for bit in Bits(self.speculating.take_word(router, word)) {
                    self.enter(first, word * 64 + bit, SPECULATIVE, packets);
                }
            }
        }
    }

    #[inline]
    fn enter(&mut self, first: usize, local: usize, mark: u32, packets: &mut Packets) {
        let (input, vc) = (usize::from(self.port_of[local]), first * self.vcs + local);
        let output = usize::from(self.inputs[vc].port);
        let pair = input * self.switch.widest + output;
        let by_age = self.options.arbiter == Arbiter::Age;
        let created = if by_age { packets.get(self.buffers.front(vc).packet()).created } else { 0 };
        let state = &mut self.switch;
        if state.matcher.requests.contains(input, output) {
            let other = state.candidate[pair];
            let place = |local: usize| {
                let number = local - input * self.vcs;
                let turn = usize::from(state.turns[first + input].vc);
                if number >= turn { number - turn } else { number + self.vcs - turn }
            };
            let earlier = match by_age {
                true => created < state.created[pair],
                false => place(local) < place((other & !SPECULATIVE) as usize),
            };
            if mark != other & SPECULATIVE || !earlier {
                return;
            }
        } else {
            state.matcher.requests.add(input, output);
        }
        state.candidate[pair] = local as u32 | mark;
        if by_age {
            state.created[pair] = created;
        }
    }

    #[inline]
    fn win(&mut self, first: usize, input: usize, output: usize) {
        let candidate = self.switch.candidate[input * self.switch.widest + output];
        let local = (candidate & !SPECULATIVE) as usize;
        self.move_vc_turn(first, input, local);
        if candidate & SPECULATIVE != 0 {
            let state = self.inputs[first * self.vcs + local];
            let port = first + usize::from(state.port);
            let granted = state.stage == Stage::Active;
            if !granted || self.outputs.credits(port, state.out_vc.into()) == 0 {
                return;
            }
        }
        self.switch.winners.push(local as u32);
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

    /// Lets the holders go on, and takes both of their ports from the others.
    fn serve_holders(&mut self, router: usize) {
        let first = self.ports.numbers.first(router) as usize;
        let ports = self.ports.numbers.first(router + 1) as usize - first;
        self.switch.holders[router] = 0;
        for input in 0..ports {
            let local = std::mem::replace(&mut self.switch.holder[first + input], NOBODY);
            if local == NOBODY {
                continue;
            }
            let output = usize::from(self.inputs[first * self.vcs + local as usize].port);
            for other in 0..ports {
                self.switch.matcher.requests.withdraw(input, other);
                self.switch.matcher.requests.withdraw(other, output);
            }
            if bits::contains(self.requesting.of(router), local as usize) {
                self.switch.winners.push(local);
            } else if self.hidden.contains(&local) {
                // The packet goes on when its port is open again.
                self.hold(router, local as usize);
            }
        }
    }
}
