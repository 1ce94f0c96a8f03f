//! Switch allocation of routers of any size, by any allocator.

use super::super::{Routers, Stage};
use super::{NOBODY, PortTurns, SPECULATIVE};
use crate::packets::Packets;
use crate::router_options::Arbiter;
use crate::routing::Routing;
use fabric::bits::{self, Bits};

impl<R: Routing> Routers<R> {
    /// Fills `winners`; apart, so that small routers pay nothing for it.
    #[inline(never)]
    pub(super) fn match_any_ports(&mut self, router: usize, packets: &mut Packets) {
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
