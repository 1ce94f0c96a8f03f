//! Second phase for narrow routers, which have at most 64 input virtual channels: the same choices as in
//! [`super::allocation`], with shorter code for a packet that waits alone. See [`Heads`].

use super::heads::Heads;
use super::{Ask, Network, Timing, Vc};
use crate::wiring::Range;
use fabric::bits;
use mpi::time::{NEVER, Time};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// One look at an output port; plans the next one where somebody has to wait.
    #[inline]
    pub(super) fn allocate_narrow(&mut self, output: u32) {
        let state = &self.channels[output as usize];
        let (waiting, holding) = (state.waiting.members(), state.holding.members());
        let next = if holding == 0 && waiting.is_power_of_two() {
            self.serve_only(output, waiting.trailing_zeros())
        } else {
            self.serve(output, waiting)
        };
        if next < NEVER {
            self.look_at(output, next);
        }
    }

    /// Serves one who is alone. Returns when to look again.
    #[inline]
    fn serve_only(&mut self, output: u32, bit: u32) -> Time {
        let state = &mut self.channels[output as usize];
        let place = state.first_input_vc + bit;
        let buffer = &self.vcs[place as usize];
        if buffer.when > self.now {
            return buffer.when;
        }
        let (asks, first_vc, vcs) = (buffer.asks, state.first_vc, self.wiring.vcs);
        let own = &mut self.vcs[first_vc as usize..(first_vc + vcs) as usize];
        let turns = (state.out_turn, bit);
        let given = match give_only(own, asks, turns, self.capacity, &self.timing, self.now) {
            Ok(given) => given,
            Err(next) => return next,
        };
        self.vcs[place as usize].asks.give(given);
        state.waiting = Heads::default();
        state.turn_behind(given, vcs);
        let ahead = self.timing.vc_allocation;
        let granted = self.now + ahead;
        if state.busy > granted {
            state.holding = Heads::only(bit);
            return state.busy - ahead;
        }
        match self.take_input(place, bit, granted) {
            Ok(turn) => self.channels[output as usize].switch_turn = turn,
            Err(next) => {
                self.channels[output as usize].holding = Heads::only(bit);
                return next - ahead;
            }
        }
        self.grant(place, output, granted);
        NEVER
    }

    /// The input port of a packet that gets the switch takes its turn; returns who goes first at the
    /// output next time, or when the input port is free.
    #[inline]
    fn take_input(&mut self, place: u32, bit: u32, granted: Time) -> Result<u16, Time> {
        let mut after = bit + 1;
        if self.timing.per_port {
            let stride = self.wiring.stride;
            let input = self.input(place);
            let input = &mut self.inputs[input];
            if input.feeds > granted {
                return Err(input.feeds);
            }
            let own = bit & (stride - 1);
            input.turn = ((own + 1) & (stride - 1)) as u8;
            after = bit - own + stride;
        }
        Ok(after as u16 % 64)
    }

    /// Serves several.
    fn serve(&mut self, output: u32, waiting: u64) -> Time {
        let (next, asked) = if waiting != 0 { self.give_vcs(output, waiting) } else { (NEVER, 0) };
        let holding = self.channels[output as usize].holding.members();
        if holding != 0 { next.min(self.give_switch(output, holding, asked)) } else { next }
    }

    /// Gives free virtual channels, round robin over those who may use them now. Returns when to
    /// look again, and for which virtual channels anybody waited.
    #[inline]
    fn give_vcs(&mut self, output: u32, waiting: u64) -> (Time, u64) {
        let vcs = self.wiring.vcs;
        let state = &self.channels[output as usize];
        let (first_input_vc, first_vc) = (state.first_input_vc, state.first_vc);
        let (mut asked, mut heads) = (0, waiting);
        while heads != 0 {
            let place = first_input_vc + heads.trailing_zeros();
            asked |= self.vcs[place as usize].asks.vcs();
            heads &= heads - 1;
        }
        let turn = u32::from(self.channels[output as usize].out_turn);
        let mut next = NEVER;
        for i in turn..turn + vcs {
            let number = if i < vcs { i } else { i - vcs };
            if asked >> number & 1 == 0 {
                continue;
            }
            let own = (first_vc + number) as usize;
            let vc = &self.vcs[own];
            if vc.free_at > self.now {
                next = next.min(vc.free_at);
                continue;
            }
            let heads = self.channels[output as usize].waiting.members();
            let mut wanted = u32::MAX;
            let found = bits::find_in_word(heads, vc.turn.into(), |bit| {
                let buffer = &self.vcs[(first_input_vc + bit) as usize];
                if buffer.asks.vcs() >> number & 1 == 0 {
                    return false;
                }
                if buffer.when > self.now {
                    next = next.min(buffer.when);
                    return false;
                }
                let free = vc.free_for(buffer.asks.room(), self.capacity, &self.timing);
                if free <= self.now {
                    return true;
                }
                next = next.min(free);
                if free == NEVER {
                    wanted = wanted.min(buffer.asks.room());
                }
                false
            });
            let Some(bit) = found else {
                self.vcs[own].wanted = if wanted == u32::MAX { 0 } else { wanted as u16 };
                continue;
            };
            let asks = &mut self.vcs[(first_input_vc + bit) as usize].asks;
            asks.give(number);
            let room = asks.room();
            self.vcs[own].take(room, (bit + 1) as u16 % 64);
            let state = &mut self.channels[output as usize];
            state.give_vc(bit, number, vcs);
            if state.waiting.is_empty() {
                return (NEVER, asked);
            }
        }
        (next, asked)
    }

    /// Gives the switch to one of those who have a virtual channel. Returns when to look again.
    #[inline]
    fn give_switch(&mut self, output: u32, holding: u64, asked: u64) -> Time {
        let ahead = self.timing.vc_allocation;
        let granted = self.now + ahead;
        let state = &mut self.channels[output as usize];
        if state.busy > granted {
            return state.busy - ahead;
        }
        let bit = if holding.is_power_of_two() {
            holding.trailing_zeros()
        } else {
            match self.choose(output, holding, granted) {
                Ok(bit) => bit,
                Err(next) => return next - ahead,
            }
        };
        let place = self.channels[output as usize].first_input_vc + bit;
        let turn = match self.take_input(place, bit, granted) {
            Ok(turn) => turn,
            Err(next) => return next - ahead,
        };
        let state = &mut self.channels[output as usize];
        state.holding.remove(bit);
        state.switch_turn = turn;
        let is_held = !state.holding.is_empty();
        let given = self.vcs[place as usize].asks.given();
        self.grant(place, output, granted);
        if !is_held && asked == 0 {
            return NEVER;
        }
        let state = &self.channels[output as usize];
        if is_held {
            state.busy - ahead
        } else if !state.waiting.is_empty() && asked >> given & 1 != 0 {
            self.when_free(output, given)
        } else {
            NEVER
        }
    }

    /// When a virtual channel that will be free may be given to one of those who wait for it, as far
    /// as that is known.
    #[inline]
    fn when_free(&mut self, output: u32, number: u32) -> Time {
        let state = &self.channels[output as usize];
        let (first_input_vc, own) = (state.first_input_vc, (state.first_vc + number) as usize);
        let (mut next, mut wanted, mut heads) = (NEVER, u32::MAX, state.waiting.members());
        let vc = &self.vcs[own];
        while heads != 0 {
            let asks = self.vcs[(first_input_vc + heads.trailing_zeros()) as usize].asks;
            heads &= heads - 1;
            if asks.vcs() >> number & 1 == 0 {
                continue;
            }
            let free = vc.free_for(asks.room(), self.capacity, &self.timing);
            if free == NEVER {
                wanted = wanted.min(asks.room());
            } else {
                next = next.min(free.max(vc.free_at));
            }
        }
        if wanted < u32::MAX {
            self.vcs[own].want(wanted);
        }
        next
    }

    /// Of several who have a virtual channel, the one whose turn it is; if nobody can go, when the
    /// first input port is free.
    fn choose(&mut self, output: u32, holding: u64, granted: Time) -> Result<u32, Time> {
        let state = &self.channels[output as usize];
        let (first_vc, turn) = (state.first_input_vc, state.switch_turn.into());
        if !self.timing.per_port {
            return bits::find_in_word(holding, turn, |_| true).ok_or(NEVER);
        }
        let mut next = NEVER;
        let found = bits::find_in_word(holding, turn, |bit| {
            let feeds = self.inputs[self.input(first_vc + bit)].feeds;
            next = next.min(feeds);
            feeds <= granted
        });
        // Of the virtual channels of the input port, the one whose turn it is.
        let first = found.ok_or(next)? & !(self.wiring.stride - 1);
        let port = holding >> first;
        let width = self.wiring.stride;
        let port = if width < 64 { port & ((1 << width) - 1) } else { port };
        let turn = self.inputs[self.input(first_vc + first)].turn;
        let own = bits::find_in_word(port, turn.into(), |_| true).unwrap_or(0);
        Ok(first + own)
    }
}

/// Gives one of the virtual channels of an output to the only one who waits for it, and says which;
/// else when one may be free.
#[inline]
fn give_only(
    vcs: &mut [Vc],
    asks: Ask,
    (turn, bit): (u8, u32),
    capacity: u32,
    timing: &Timing,
    now: Time,
) -> Result<u32, Time> {
    let Range { first, count } = asks.range();
    let room = asks.room();
    let start = if turn.wrapping_sub(first) < count { turn - first } else { 0 };
    let mut next = NEVER;
    for i in start..start + count {
        let number = usize::from(first + if i < count { i } else { i - count });
        let vc = &mut vcs[number];
        if vc.free_at > now {
            next = next.min(vc.free_at);
            continue;
        }
        let free = vc.free_for(room, capacity, timing);
        if free <= now {
            vc.take(room, (bit + 1) as u16 % 64);
            return Ok(number as u32);
        }
        if free == NEVER {
            vc.wanted = room as u16;
        }
        next = next.min(free);
    }
    Err(next)
}

#[cfg(test)]
mod tests;
