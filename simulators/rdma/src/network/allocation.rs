//! Second phase: an output port gives its virtual channels, and the switch.

use super::what::What;
use super::{Asking, NONE, Network};
use fabric::bits;
use mpi::time::{NEVER, Time};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// One look at an output port of a router; plans the next one where somebody has to wait.
    #[inline]
    pub(super) fn allocate(&mut self, output: u32) {
        if self.wiring.words == 1 {
            self.allocate_narrow(output);
            return;
        }
        let mut at = NEVER;
        if !self.channels[output as usize].waiting.is_empty() {
            at = self.allocate_vcs(output);
        }
        if !self.channels[output as usize].holding.is_empty() {
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
        let first_vc = self.channels[output as usize].first_vc;
        for i in 0..vcs {
            let number = if turn + i < vcs { turn + i } else { turn + i - vcs };
            let own = first_vc + number;
            let free_at = self.vcs[own as usize].free_at;
            if free_at > self.now {
                next = next.min(free_at);
                continue;
            }
            next = next.min(self.allocate_vc(output, own, number));
            if self.channels[output as usize].waiting.is_empty() {
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
        let first_input_vc = self.channels[output as usize].first_input_vc;
        let found = self.find_waiting(output, state.turn.into(), |bit| {
            let buffer = &self.vcs[(first_input_vc + bit) as usize];
            if buffer.asks.vcs() >> number & 1 == 0 {
                return false;
            }
            if buffer.when > now {
                next = next.min(buffer.when);
                return false;
            }
            let room = buffer.asks.room();
            let free = state.free_for(room, self.capacity, &self.timing);
            if free == NEVER {
                wanted = if wanted == 0 { room } else { room.min(wanted) };
            }
            next = next.min(free);
            free <= now
        });
        let Some(bit) = found else {
            self.vcs[own as usize].wanted = wanted as u16;
            return next;
        };
        self.add_holding(output, bit);
        let asks = &mut self.vcs[(first_input_vc + bit) as usize].asks;
        let room = asks.room();
        asks.give(number);
        let after = bit + 1;
        let turn = if after < self.wiring.words as u32 * 64 { after as u16 } else { 0 };
        self.vcs[own as usize].take(room, turn);
        let after = number + 1;
        self.channels[output as usize].out_turn =
            if after < self.wiring.vcs { after as u8 } else { 0 };
        NEVER
    }

    /// Place of the first virtual channel of the channel that one is of.
    #[inline]
    pub(super) fn port(&self, vc: u32) -> u32 {
        vc & !(self.wiring.stride - 1)
    }

    /// The input port in which a virtual channel ends.
    #[inline]
    pub(super) fn input(&self, vc: u32) -> usize {
        (vc >> self.wiring.shift) as usize
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
        let (first_vc, per_port) = (state.first_input_vc, self.timing.per_port);
        let (mut next, start) = (NEVER, state.switch_turn.into());
        let found = self.find_holding(output, start, |bit| {
            if !per_port {
                return true;
            }
            let feeds = self.inputs[self.input(first_vc + bit)].feeds;
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
        self.grant(first_vc + bit, output, granted);
        let stride = self.wiring.stride;
        let after = if per_port { (bit & !(stride - 1)) + stride } else { bit + 1 };
        let state = &mut self.channels[output as usize];
        state.switch_turn = if after < self.wiring.words as u32 * 64 { after as u16 } else { 0 };
        if !state.holding.is_empty() {
            state.busy - ahead
        } else if !state.waiting.is_empty() {
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
        let input = self.input(self.channels[output as usize].first_input_vc + first);
        let turn = &mut self.inputs[input].turn;
        let Some(number) = bits::find_in_word(port, u32::from(*turn), |_| true) else {
            return bit;
        };
        *turn = if number + 1 < stride { number as u8 + 1 } else { 0 };
        first + number
    }

    /// The first packet of a buffer crosses the switch from `granted` on.
    #[inline(always)]
    pub(super) fn grant(&mut self, place: u32, output: u32, granted: Time) {
        if self.is_plain {
            self.grant_as::<false, false>(place, output, granted);
        } else {
            self.grant_otherwise(place, output, granted);
        }
    }

    #[inline(never)]
    fn grant_otherwise(&mut self, place: u32, output: u32, granted: Time) {
        match (self.on_the_way.is_some(), self.mixed.is_some()) {
            (true, false) => self.grant_as::<true, false>(place, output, granted),
            (true, true) => self.grant_as::<true, true>(place, output, granted),
            (false, _) => self.grant_as::<false, true>(place, output, granted),
        }
    }

    /// With `CHOSEN` packets choose their routes on the way, with `MIXED` channels are not all alike.
    /// Without both, this is as short as it can be.
    #[inline]
    fn grant_as<const CHOSEN: bool, const MIXED: bool>(
        &mut self,
        place: u32,
        output: u32,
        granted: Time,
    ) {
        let nodes = self.wiring.nodes;
        let sent = granted + self.timing.crossing();
        if O::ACTIVE {
            self.observe_grant(place, output, granted, sent);
        }
        let input = self.input(place);
        let (timing, mixed) = (&self.timing, self.mixed.as_ref().filter(|_| MIXED));
        let on_output = |flits| mixed.map_or(timing.flits(flits), |own| own.flits(output, flits));
        let buffer = &mut self.vcs[place as usize];
        let (number, room, given) = (buffer.first, buffer.asks.room(), buffer.asks.given());
        // Where a buffer is for one packet alone, it comes free with the packet's last flit.
        let (flits, until_free) = if CHOSEN && self.own_buffers {
            let flits = self.packets.get(number).flits();
            (flits, on_output(flits - 1))
        } else {
            (room, 0)
        };
        let duration = on_output(flits);
        let end = granted + duration;
        let channel = &mut self.channels[output as usize];
        channel.busy = end;
        channel.flits += u64::from(flits);
        channel.packets += 1;
        let own = channel.first_vc + given;
        let packet = self.packets.get_mut(number);
        (packet.place, packet.next) = (packet.place + 1, NONE);
        let following = buffer.second;
        buffer.first = following;
        if following == NONE {
            (buffer.last, buffer.when) = (NONE, end);
        } else {
            let packet = self.packets.get(following);
            buffer.second = packet.next;
            buffer.when = end.max(packet.arrived) + timing.routing;
        }
        let (freed, injected) = (buffer.channel, buffer.channel < nodes);
        let credit =
            granted + mixed.map_or(timing.credit(injected), |own| own.credit(freed, injected));
        let later = mixed.map_or(0, |own| own.behind_fastest(output, room));
        let behind = credit + until_free + later;
        self.inputs[input].feeds = end;
        self.vcs[own as usize].free_at = end;
        if self.wiring.ends_in_node(output) {
            let cable = mixed.map_or(timing.ejection_cable(), |own| own.cable(output));
            let known = sent + cable + on_output(1) + cable + later;
            self.wheel.push(sent + cable + duration, What::Tail { packet: number }.bits());
            self.give_back(own, known + until_free, room);
        } else {
            let head = mixed.map_or(timing.cable(), |own| own.head(output));
            self.arrive(own, number, sent + head);
        }
        self.give_back(place, behind, room);
        if CHOSEN {
            self.note_loads((output, granted), (freed, credit), flits);
        }
        if following != NONE {
            self.asking.push(Asking { place, packet: following, out: 0 });
        }
    }
}
