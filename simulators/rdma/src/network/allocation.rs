//! Second phase: an output port gives its virtual channels, and the switch.

use super::events::What;
use super::{bits, Network, NONE};
use crate::observer::Observer;
use crate::time::{Time, NEVER};

impl<O: Observer> Network<O> {
    /// One look at an output port of a router; plans the next one where somebody has to wait.
    pub(super) fn allocate(&mut self, output: u32) {
        let next_vc = self.allocate_vcs(output);
        let next_switch = self.allocate_switch(output);
        let at = next_vc.min(next_switch);
        if at < NEVER {
            self.look_at(output, at);
        }
    }

    /// Gives free virtual channels, round robin over those who may use them now. Returns when to
    /// look again, as far as that is known.
    #[inline]
    fn allocate_vcs(&mut self, output: u32) -> Time {
        let words = self.wiring.words;
        let place = output as usize * words;
        let mut next = NEVER;
        let vcs = self.wiring.vcs;
        let turn = self.channels[output as usize].out_turn as u32;
        for i in 0..vcs {
            if !bits::any(&self.waiting[place..place + words]) {
                return NEVER;
            }
            let number = if turn + i < vcs { turn + i } else { turn + i - vcs };
            let own = output * vcs + number;
            if self.vcs[own as usize].free_at > self.now {
                next = next.min(self.vcs[own as usize].free_at);
                continue;
            }
            next = next.min(self.allocate_vc(output, own, number));
        }
        next
    }

    /// Gives one virtual channel that belongs to nobody.
    #[inline]
    fn allocate_vc(&mut self, output: u32, own: u32, number: u32) -> Time {
        let (words, now) = (self.wiring.words, self.now);
        let place = output as usize * words;
        self.vcs[own as usize].settle(now, &self.timing);
        let own_state = self.vcs[own as usize];
        let (mut next, mut wanted) = (NEVER, 0);
        let set = &self.waiting[place..place + words];
        let first_input = self.wiring.first_input[output as usize];
        let start = own_state.turn;
        let found = bits::find(set, start, |bit| {
            let vc = &self.vcs[self.input_vc(first_input, bit) as usize];
            if number.wrapping_sub(u32::from(vc.first_vc)) >= u32::from(vc.vcs) {
                return false;
            }
            if vc.when > now {
                next = next.min(vc.when);
                return false;
            }
            let flits = self.packets.get(vc.first).flits();
            match own_state.free_for(flits, self.capacity, &self.timing) {
                Some(at) if at <= now => return true,
                Some(at) => next = next.min(at),
                None => wanted = if wanted == 0 { flits } else { flits.min(wanted) },
            }
            false
        });
        let Some(bit) = found else {
            self.vcs[own as usize].wanted = wanted;
            return next;
        };
        let input = self.input_vc(first_input, bit);
        bits::remove(&mut self.waiting[place..], bit);
        bits::insert(&mut self.holding[place..], bit);
        let flits = self.packets.get(self.vcs[input as usize].first).flits();
        self.vcs[input as usize].out_vc = number as u8;
        let state = &mut self.vcs[own as usize];
        state.wanted = 0;
        state.free_at = NEVER;
        state.fill(flits);
        state.turn = if bit + 1 < words as u32 * 64 { bit + 1 } else { 0 };
        let channel = &mut self.channels[output as usize];
        channel.out_turn = if number + 1 < self.wiring.vcs { number as u8 + 1 } else { 0 };
        NEVER
    }

    /// The input virtual channel with a number in the sets of a router.
    #[inline]
    pub(super) fn input_vc(&self, first_input: u32, bit: u32) -> u32 {
        let shift = self.wiring.stride.trailing_zeros();
        let channel = self.wiring.inputs[(first_input + (bit >> shift)) as usize];
        channel * self.wiring.vcs + (bit & (self.wiring.stride - 1))
    }

    /// Gives the switch to one who has a virtual channel, from `vc_allocation` from now on. Returns
    /// when to look again.
    #[inline]
    fn allocate_switch(&mut self, output: u32) -> Time {
        let words = self.wiring.words;
        let place = output as usize * words;
        let set = &self.holding[place..place + words];
        if !bits::any(set) {
            return NEVER;
        }
        let ahead = self.timing.vc_allocation;
        let granted = self.now + ahead;
        let state = &self.channels[output as usize];
        if state.busy > granted {
            return state.busy - ahead;
        }
        let first_input = self.wiring.first_input[output as usize];
        let (mut next, start) = (NEVER, state.switch_turn);
        let found = bits::find(set, start, |bit| {
            let input = self.input_vc(first_input, bit) / self.wiring.vcs;
            let feeds = self.channels[input as usize].feeds;
            if feeds > granted {
                next = next.min(feeds - ahead);
            }
            feeds <= granted
        });
        let Some(bit) = found else { return next };
        let bit = if self.timing.per_port { self.turn_of_input(output, bit) } else { bit };
        bits::remove(&mut self.holding[place..], bit);
        let input = self.input_vc(first_input, bit);
        self.grant(input, output, granted);
        let stride = self.wiring.stride;
        let after = if self.timing.per_port { (bit / stride + 1) * stride } else { bit + 1 };
        let state = &mut self.channels[output as usize];
        state.switch_turn = if after < words as u32 * 64 { after } else { 0 };
        let busy = state.busy;
        if bits::any(&self.holding[place..place + words]) {
            busy - ahead
        } else if bits::any(&self.waiting[place..place + words]) {
            busy
        } else {
            NEVER
        }
    }

    /// Of the virtual channels of one input port that hold one of the output, the one whose turn it
    /// is.
    fn turn_of_input(&mut self, output: u32, bit: u32) -> u32 {
        let (stride, words) = (self.wiring.stride, self.wiring.words);
        let first = bit & !(stride - 1);
        let set = &self.holding[output as usize * words..][..words];
        let port = set[(first / 64) as usize] >> (first % 64);
        let port = if stride < 64 { port & ((1 << stride) - 1) } else { port };
        let input = self.wiring.inputs
            [(self.wiring.first_input[output as usize] + first / stride) as usize];
        let turn = &mut self.channels[input as usize].input_turn;
        let Some(number) = bits::find(&[port], u32::from(*turn), |_| true) else { return bit };
        *turn = if number + 1 < stride { number as u8 + 1 } else { 0 };
        first + number
    }

    /// The first packet of a buffer crosses the switch from `granted` on.
    #[inline]
    fn grant(&mut self, input: u32, output: u32, granted: Time) {
        let nodes = self.wiring.nodes;
        let buffer = self.vcs[input as usize];
        let number = buffer.first;
        let packet = *self.packets.get(number);
        let flits = packet.flits();
        let duration = self.timing.flits(flits);
        let end = granted + duration;
        self.channels[output as usize].busy = end;
        self.count(output, flits);
        let input_channel = input / self.wiring.vcs;
        if self.timing.per_port {
            self.channels[input_channel as usize].feeds = end;
        }
        let own = output * self.wiring.vcs + u32::from(buffer.out_vc);
        self.vcs[own as usize].free_at = end;
        let sent = granted + self.timing.crossing();
        let cable = self.timing.cable(output, nodes);
        if O::ACTIVE {
            self.observe_grant(input, output, granted, sent);
        }
        if output < 2 * nodes {
            self.plan(sent + cable + duration, What::Tail { packet: number });
            let known = sent + cable + self.timing.flits(1) + cable;
            self.give_back(own, known, flits);
        } else {
            self.packets.get_mut(number).step += 1;
            self.plan(sent + cable + self.timing.routing, What::Head { vc: own, packet: number });
        }
        self.packets.get_mut(number).next = NONE;
        self.give_back(input, granted + self.timing.credit(input_channel, nodes), flits);
        let state = &mut self.vcs[input as usize];
        state.first = packet.next;
        if packet.next == NONE {
            (state.last, state.when) = (NONE, end);
        } else {
            state.when = end + self.timing.routing;
            self.request(input);
        }
    }
}
