//! Switch allocation where the requests of a router fit into a word.

use super::super::Routers;
use crate::routing::Routing;
use fabric::bits::{self, Bits};

impl<R: Routing> Routers<R> {
    /// One round of iSLIP among the virtual channels that request the switch of a router.
    #[inline(always)]
    pub(super) fn match_ports(&mut self, router: usize, requesting: u64) {
        let (first, end) =
            (self.ports.numbers.first(router) as usize, self.ports.numbers.first(router + 1));
        let vcs = self.vcs;
        let inputs = &self.inputs[first * vcs..end as usize * vcs];
        let state = &mut self.switch;
        let turns = &mut state.turns[first..end as usize];
        let ports = turns.len();
        let (mut requested, mut granted) = (0, 0);
        for local in Bits(requesting) {
            requested |= state.round.request(local, usize::from(inputs[local].port));
        }
        // Virtual channels are numbered port by port, so the first one from a port's on is of the
        // first port.
        for output in Bits(requested) {
            let requests = state.round.take_requests(output);
            let local = bits::first_in_word(requests, usize::from(turns[output].grant) * vcs);
            let input = usize::from(self.port_of[local]);
            state.granted[output & 63] = requests >> (input * vcs) & u64::MAX >> (64 - vcs);
            granted |= state.round.grant(input, output);
        }
        for input in Bits(granted) {
            let output =
                bits::first_in_word(state.round.take_grants(input), turns[input].accept.into());
            turns[output].grant = bits::next_of(input, ports) as u16;
            let turn = &mut turns[input];
            turn.accept = bits::next_of(output, ports) as u16;
            let vc = bits::first_in_word(state.granted[output & 63], turn.vc.into());
            turn.vc = bits::next_of(vc, vcs) as u16;
            state.winners.push((input * vcs + vc) as u32);
        }
    }

    /// The only virtual channel that requests the switch of a router gets it.
    #[inline(always)]
    pub(super) fn serve_lone_request(&mut self, router: usize, local: usize) {
        let (first, end) =
            (self.ports.numbers.first(router) as usize, self.ports.numbers.first(router + 1));
        let (input, ports) = (usize::from(self.port_of[local]), end as usize - first);
        let output = usize::from(self.inputs[first * self.vcs + local].port);
        self.switch.turns[first + output].grant = bits::next_of(input, ports) as u16;
        self.switch.turns[first + input].accept = bits::next_of(output, ports) as u16;
        self.move_vc_turn(first, input, local);
        self.switch.winners.push(local as u32);
    }
}
