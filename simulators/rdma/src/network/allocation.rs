//! Second phase: an output port gives its virtual channels, and the switch.

use super::events::What;
use super::{bits, Network, NONE};
use crate::observer::Observer;
use crate::time::{Time, NEVER};

impl<O: Observer> Network<O> {
    /// One look at an output port of a router; plans the next one where somebody has to wait.
    #[inline]
    pub(super) fn allocate(&mut self, output: u32) {
        if self.wiring.words == 1 {
            self.allocate_narrow(output);
            return;
        }
        let mut at = NEVER;
        if self.channels[output as usize].waiting != 0 {
            at = self.allocate_vcs(output);
        }
        if self.channels[output as usize].holding != 0 {
            at = at.min(self.allocate_switch(output));
        }

        if at < NEVER {
            self.look_at(output, at);
        }
    }

    /// Gives free virtual channels, round robin over those who may use them now. Returns when to
    /// look again, as far as that is known.
    #[inline]
    fn allocate_vcs(&mut self, output: u32) -> Time {
        let (mut next, vcs) = (NEVER, self.wiring.vcs);
        let turn = u32::from(self.channels[output as usize].out_turn);
        for i in 0..vcs {
            let number = if turn + i < vcs { turn + i } else { turn + i - vcs };
            let own = output * vcs + number;
            let free_at = self.vcs[own as usize].free_at;
            if free_at > self.now {
                next = next.min(free_at);
                continue;
            }
            next = next.min(self.allocate_vc(output, own, number));
            if self.channels[output as usize].waiting == 0 {
                return NEVER;
            }
        }
        next
    }

    /// Gives one virtual channel that belongs to nobody.
    #[inline]
    fn allocate_vc(&mut self, output: u32, own: u32, number: u32) -> Time {
        let now = self.now;
        let state = &self.vcs[own as usize];
        let (mut next, mut wanted) = (NEVER, 0);
        let first_input = self.channels[output as usize].first_input;
        let found = self.find_waiting(output, state.turn.into(), |bit| {
            let buffer = &self.buffers[self.buffer(first_input, bit) as usize];
            if number.wrapping_sub(buffer.first_vc.into()) >= buffer.vcs.into() {
                return false;
            }
            if buffer.when > now {
                next = next.min(buffer.when);
                return false;
            }
            let flits = buffer.flits();
            let free = state.free_for(flits, self.capacity, &self.timing);
            if free == NEVER {
                wanted = if wanted == 0 { flits } else { flits.min(wanted) };
            }
            next = next.min(free);
            free <= now
        });
        let Some(bit) = found else {
            self.vcs[own as usize].wanted = wanted as u16;
            return next;
        };
        self.add_holding(output, bit);
        let place = self.buffer(first_input, bit);
        let buffer = &mut self.buffers[place as usize];
        let flits = buffer.flits();
        buffer.set_out_vc(number);
        let after = bit + 1;
        let turn = if after < self.wiring.words as u32 * 64 { after as u16 } else { 0 };
        self.vcs[own as usize].take(flits, turn);
        let after = number + 1;
        self.channels[output as usize].out_turn =
            if after < self.wiring.vcs { after as u8 } else { 0 };
        NEVER
    }

    /// Input port of a number in the sets of a router.
    #[inline]
    pub(super) fn input(&self, first_input: u32, bit: u32) -> u32 {
        first_input + (bit >> self.wiring.shift)
    }

    /// The buffer with a number in the sets of a router.
    #[inline]
    pub(super) fn buffer(&self, first_input: u32, bit: u32) -> u32 {
        self.input(first_input, bit) * self.wiring.vcs + (bit & (self.wiring.stride - 1))
    }

    /// Gives the switch to one who has a virtual channel, from `vc_allocation` from now on. Returns
    /// when to look again.
    #[inline]
    fn allocate_switch(&mut self, output: u32) -> Time {
        let ahead = self.timing.vc_allocation;
        let granted = self.now + ahead;
        let state = &self.channels[output as usize];
        if state.busy > granted {
            return state.busy - ahead;
        }
        let (first_input, per_port) = (state.first_input, self.timing.per_port);
        let (mut next, start) = (NEVER, state.switch_turn);
        let found = self.find_holding(output, start, |bit| {
            if !per_port {
                return true;
            }
            let feeds = self.feeds[self.input(first_input, bit) as usize];
            if feeds > granted {
                next = next.min(feeds - ahead);
            }
            feeds <= granted
        });
        let Some(mut bit) = found else { return next };
        if per_port {
            bit = self.turn_of_input(output, bit);
        }
        self.remove_holding(output, bit);
        self.grant(self.buffer(first_input, bit), output, granted);
        let stride = self.wiring.stride;
        let after = if per_port { (bit & !(stride - 1)) + stride } else { bit + 1 };
        let state = &mut self.channels[output as usize];
        state.switch_turn = if after < self.wiring.words as u32 * 64 { after } else { 0 };
        if state.holding != 0 {
            state.busy - ahead
        } else if state.waiting != 0 {
            state.busy
        } else {
            NEVER
        }
    }

    /// Of the virtual channels of one input port that hold one of the output, the one whose turn it
    /// is.
    #[inline]
    fn turn_of_input(&mut self, output: u32, bit: u32) -> u32 {
        let stride = self.wiring.stride;
        let first = bit & !(stride - 1);
        let port = self.holding_word(output, first) >> (first % 64);
        let port = if stride < 64 { port & ((1 << stride) - 1) } else { port };
        let input = self.input(self.channels[output as usize].first_input, first);
        let turn = &mut self.input_turns[input as usize];
        let Some(number) = bits::find_in_word(port, u32::from(*turn), |_| true) else {
            return bit;
        };
        *turn = if number + 1 < stride { number as u8 + 1 } else { 0 };
        first + number
    }

    /// The first packet of a buffer crosses the switch from `granted` on.
    #[inline]
    pub(super) fn grant(&mut self, place: u32, output: u32, granted: Time) {
        let (vcs, nodes) = (self.wiring.vcs, self.wiring.nodes);
        let sent = granted + self.timing.crossing();
        if O::ACTIVE {
            self.observe_grant(place, output, granted, sent);
        }
        let timing = &self.timing;
        let buffer = &mut self.buffers[place as usize];
        let (number, flits, out_vc) = (buffer.first, buffer.flits(), buffer.out_vc());
        let duration = timing.flits(flits);
        let end = granted + duration;
        let channel = &mut self.channels[output as usize];
        channel.busy = end;
        channel.flits += u64::from(flits);
        channel.packets += 1;
        if timing.per_port {
            let input = channel.first_input + (u32::from(buffer.bit) >> self.wiring.shift);
            self.feeds[input as usize] = end;
        }
        let own = output * vcs + out_vc;
        self.vcs[own as usize].free_at = end;
        let packet = self.packets.get_mut(number);
        let following = std::mem::replace(&mut packet.next, NONE);
        buffer.first = following;
        if following == NONE {
            (buffer.last, buffer.when) = (NONE, end);
        } else {
            buffer.when = end + timing.routing;
        }
        let upstream = buffer.upstream;
        let credit = granted + timing.credit(upstream < nodes * vcs);
        let cable = timing.cable(output, nodes);
        if channel.input == u32::MAX {
            let known = sent + cable + timing.flits(1) + cable;
            self.wheel.push(sent + cable + duration, What::Tail { packet: number }.bits());
            self.give_back(own, known, flits);
        } else {
            packet.place += 1;
            let buffer = channel.input * vcs + out_vc;
            let at = sent + cable + timing.routing;
            self.wheel.push(at, What::Head { buffer, packet: number }.bits());
        }
        self.give_back(upstream, credit, flits);
        if following != NONE {
            self.request(place);
        }
    }
}
