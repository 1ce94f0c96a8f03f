//! Who waits for an output port: one word in the state of the channel, or, of routers with more than
//! 64 input virtual channels, as many words as it takes.

use super::Network;
use crate::observer::NetworkObserver;
use fabric::bits;

impl<O: NetworkObserver> Network<O> {
    /// One who waited for a virtual channel has got it, and waits for the switch.
    #[inline]
    pub(super) fn add_holding(&mut self, output: u32, bit: u32) {
        let (words, state) = (self.wiring.words, &mut self.channels[output as usize]);
        if words == 1 {
            state.waiting &= !(1 << bit);
            state.holding |= 1 << bit;
        } else {
            state.waiting -= 1;
            state.holding += 1;
            bits::remove(&mut self.wide_waiting[output as usize * words..], bit as usize);
            bits::insert(&mut self.wide_holding[output as usize * words..], bit as usize);
        }
    }

    #[inline]
    pub(super) fn remove_holding(&mut self, output: u32, bit: u32) {
        let state = &mut self.channels[output as usize];
        if self.wiring.words == 1 {
            state.holding &= !(1 << bit);
        } else {
            state.holding -= 1;
            bits::remove(
                &mut self.wide_holding[output as usize * self.wiring.words..],
                bit as usize,
            );
        }
    }

    /// The first of those who wait for a virtual channel, round robin from `start`, that is accepted.
    #[inline]
    pub(super) fn find_waiting(
        &self,
        output: u32,
        start: u32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let words = self.wiring.words;
        if words == 1 {
            return bits::find_in_word(self.channels[output as usize].waiting, start, accept);
        }
        bits::find(&self.wide_waiting[output as usize * words..][..words], start, accept)
    }

    /// The same of those who wait for the switch.
    #[inline]
    pub(super) fn find_holding(
        &self,
        output: u32,
        start: u32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let words = self.wiring.words;
        if words == 1 {
            return bits::find_in_word(self.channels[output as usize].holding, start, accept);
        }
        bits::find(&self.wide_holding[output as usize * words..][..words], start, accept)
    }

    /// The word of those who wait for the switch in which a bit is.
    #[inline]
    pub(super) fn holding_word(&self, output: u32, bit: u32) -> u64 {
        let words = self.wiring.words;
        if words == 1 {
            return self.channels[output as usize].holding;
        }
        self.wide_holding[output as usize * words + (bit / 64) as usize]
    }
}
