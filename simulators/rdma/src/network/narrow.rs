//! Second phase for routers of up to 64 input virtual channels, whose sets are one word each: the same
//! choices as in [`super::allocation`], with short ways for one who waits alone.

use super::{bits, Network};
use crate::observer::Observer;
use crate::time::{Time, NEVER};

impl<O: Observer> Network<O> {
    /// One look at an output port; plans the next one where somebody has to wait.
    #[inline]
    pub(super) fn allocate_narrow(&mut self, output: u32) {
        let waiting = self.channels[output as usize].waiting;
        let (mut next, asked) = if waiting.is_power_of_two() {
            self.give_only(output, waiting.trailing_zeros())
        } else if waiting != 0 {
            self.give_vcs(output, waiting)
        } else {
            (NEVER, 0)
        };
        let holding = self.channels[output as usize].holding;
        if holding != 0 {
            next = next.min(self.give_switch(output, holding, asked));
        }
        if next < NEVER {
            self.look_at(output, next);
        }
    }

    /// Gives a virtual channel to the only one who waits. Returns when to look again, and for which
    /// virtual channels it still waits.
    #[inline]
    fn give_only(&mut self, output: u32, bit: u32) -> (Time, u64) {
        let vcs = self.wiring.vcs;
        let state = &mut self.channels[output as usize];
        let input = state.first_input + (bit >> self.wiring.shift);
        let place = input * vcs + (bit & (self.wiring.stride - 1));
        let buffer = &mut self.buffers[place as usize];
        if buffer.when > self.now {
            return (buffer.when, buffer.asked());
        }
        let turn = u32::from(state.out_turn);
        let (first, count) = (u32::from(buffer.first_vc), u32::from(buffer.vcs));
        let flits = buffer.flits();
        let start = if turn.wrapping_sub(first) < count { turn - first } else { 0 };
        let mut next = NEVER;
        for i in start..start + count {
            let number = first + if i < count { i } else { i - count };
            let vc = &mut self.vcs[(output * vcs + number) as usize];
            if vc.free_at > self.now {
                next = next.min(vc.free_at);
                continue;
            }
            let free = vc.free_for(flits, self.capacity, &self.timing);
            if free <= self.now {
                vc.take(flits, (bit + 1) as u16 % 64);
                buffer.set_out_vc(number);
                state.give_vc(bit, number, vcs);
                return (NEVER, 0);
            }
            if free == NEVER {
                vc.wanted = flits as u16;
            }
            next = next.min(free);
        }
        (next, buffer.asked())
    }

    /// Gives free virtual channels, round robin over those who may use them now. Returns when to
    /// look again, and for which virtual channels anybody waited.
    #[inline]
    fn give_vcs(&mut self, output: u32, waiting: u64) -> (Time, u64) {
        let vcs = self.wiring.vcs;
        let first_input = self.channels[output as usize].first_input;
        let (mut asked, mut heads) = (0, waiting);
        while heads != 0 {
            let place = self.buffer(first_input, heads.trailing_zeros());
            asked |= self.buffers[place as usize].asked();
            heads &= heads - 1;
        }
        let turn = u32::from(self.channels[output as usize].out_turn);
        let mut next = NEVER;
        for i in turn..turn + vcs {
            let number = if i < vcs { i } else { i - vcs };
            if asked >> number & 1 == 0 {
                continue;
            }
            let own = (output * vcs + number) as usize;
            let vc = &self.vcs[own];
            if vc.free_at > self.now {
                next = next.min(vc.free_at);
                continue;
            }
            let heads = self.channels[output as usize].waiting;
            let mut wanted = u32::MAX;
            let found = bits::find_in_word(heads, vc.turn.into(), |bit| {
                let buffer = &self.buffers[self.buffer(first_input, bit) as usize];
                if buffer.asked() >> number & 1 == 0 {
                    return false;
                }
                if buffer.when > self.now {
                    next = next.min(buffer.when);
                    return false;
                }
                let free = vc.free_for(buffer.flits(), self.capacity, &self.timing);
                if free <= self.now {
                    return true;
                }
                next = next.min(free);
                if free == NEVER {
                    wanted = wanted.min(buffer.flits());
                }
                false
            });
            let Some(bit) = found else {
                self.vcs[own].wanted = if wanted == u32::MAX { 0 } else { wanted as u16 };
                continue;
            };
            let place = self.buffer(first_input, bit);
            let buffer = &mut self.buffers[place as usize];
            buffer.set_out_vc(number);
            self.vcs[own].take(buffer.flits(), (bit + 1) as u16 % 64);
            let state = &mut self.channels[output as usize];
            state.give_vc(bit, number, vcs);
            if state.waiting == 0 {
                return (NEVER, asked);
            }
        }
        (next, asked)
    }

    /// Gives the switch to one of those who have a virtual channel. Returns when to look again.
    #[inline]
    fn give_switch(&mut self, output: u32, holding: u64, asked: u64) -> Time {
        let (ahead, stride) = (self.timing.vc_allocation, self.wiring.stride);
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
        let (state, own) = (&mut self.channels[output as usize], bit & (stride - 1));
        let input = state.first_input + (bit >> self.wiring.shift);
        let mut after = bit + 1;
        if self.timing.per_port {
            let feeds = self.feeds[input as usize];
            if feeds > granted {
                return feeds - ahead;
            }
            self.input_turns[input as usize] = if own + 1 < stride { own as u8 + 1 } else { 0 };
            after = bit - own + stride;
        }
        state.holding = holding & !(1 << bit);
        state.switch_turn = after % 64;
        let is_held = state.holding != 0;
        let place = input * self.wiring.vcs + own;
        let given = self.buffers[place as usize].out_vc();
        self.grant(place, output, granted);
        if !is_held && asked == 0 {
            return NEVER;
        }
        let state = &self.channels[output as usize];
        if is_held {
            state.busy - ahead
        } else if state.waiting != 0 && asked >> given & 1 != 0 {
            state.busy
        } else {
            NEVER
        }
    }

    /// Of several who have a virtual channel, the one whose turn it is; if nobody can go, when the
    /// first input port is free.
    fn choose(&mut self, output: u32, holding: u64, granted: Time) -> Result<u32, Time> {
        let state = &self.channels[output as usize];
        let (first_input, turn) = (state.first_input, state.switch_turn);
        if !self.timing.per_port {
            return bits::find_in_word(holding, turn, |_| true).ok_or(NEVER);
        }
        let mut next = NEVER;
        let found = bits::find_in_word(holding, turn, |bit| {
            let feeds = self.feeds[self.input(first_input, bit) as usize];
            next = next.min(feeds);
            feeds <= granted
        });
        // Of the virtual channels of the input port, the one whose turn it is.
        let first = found.ok_or(next)? & !(self.wiring.stride - 1);
        let port = holding >> first;
        let width = self.wiring.stride;
        let port = if width < 64 { port & ((1 << width) - 1) } else { port };
        let turn = self.input_turns[self.input(first_input, first) as usize];
        let own = bits::find_in_word(port, turn.into(), |_| true).unwrap_or(0);
        Ok(first + own)
    }
}

#[cfg(test)]
mod tests {
    use crate::network::Network;
    use crate::observer::Nobody;
    use crate::parameters::Parameters;
    use crate::time::{Time, NEVER};
    use crate::transport::{Kind, Transfer, Transport};
    use crate::wiring::Wiring;
    use fabric::TopologySpec;
    use proptest::prelude::*;
    use serde_json::json;

    /// When each transfer was read and arrived, and the packets of each channel.
    fn simulate(
        (crossbar, cable_s): (&str, f64),
        words: usize,
        sent: &[(u32, u32, u64)],
    ) -> Vec<(Time, String)> {
        let network = json!({
            "bandwidth_bytes_per_s": 4e9,
            "packet": {"mtu_bytes": 256, "flit_bytes": 16},
            "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                       "vc_buffer_bytes": 1024, "crossbar_inputs": crossbar},
            "cables": {"cable_s": cable_s},
        });
        let parameters: Parameters = serde_json::from_value(network).unwrap();
        let topology: TopologySpec =
            serde_json::from_value(json!({"kind": "torus", "sizes": [4, 4]})).unwrap();
        let fabric = topology.build(0).unwrap();
        let router = parameters.router();
        let mut wiring =
            Wiring::new(&fabric, router.virtual_channels, router.torus_classes).unwrap();
        assert_eq!(wiring.words, 1);
        wiring.words = words;
        let mut network = Network::of(wiring, &parameters, 1, Nobody);
        for (token, &(src, dst, bytes)) in sent.iter().enumerate() {
            let (kind, token) = (Kind::Data, token as u32);
            let transfer = Transfer { src, dst, bytes, kind, ordered: true, token };
            network.send(Time::from(token) * 20_000, transfer);
        }
        let (mut told, mut seen) = (Vec::new(), Vec::new());
        while !network.is_idle() {
            let now = network.advance(NEVER, &mut told);
            seen.extend(told.drain(..).map(|happening| (now, format!("{happening:?}"))));
        }
        seen.sort();
        let packets = (0..fabric.channels()).map(|c| (0, network.channel_packets(c).to_string()));
        seen.extend(packets);
        seen
    }

    proptest! {
        /// Sets of one word and of several are two ways to the same choices, though at other times
        /// is looked at outputs that have nothing to do.
        #[test]
        fn narrow_and_wide_routers_choose_the_same(
            sent in prop::collection::vec((0_u32..16, 0_u32..16, 1_u64..20_000), 1..60)
        ) {
            // On the long cable credits of many packets are on their way.
            for case in [("per_port", 10e-9), ("per_vc", 10e-9), ("per_port", 400e-9)] {
                let narrow = simulate(case, 1, &sent);
                prop_assert_eq!(narrow, simulate(case, 2, &sent));
            }
        }
    }
}
