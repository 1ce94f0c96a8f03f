//! Sets of the packets that wait for an output port: in the state of the channel if the router is narrow,
//! else in as many words as the router's input virtual channels take. See [`Heads`].

use super::Network;
use super::heads::Heads;
use fabric::bits;
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// A packet begins to wait for a virtual channel.
    #[inline]
    pub(super) fn add_waiting(&mut self, output: u32, bit: u32) {
        let (words, state) = (self.wiring.words, &mut self.channels[output as usize]);
        if words == 1 {
            state.waiting.insert(bit);
        } else {
            state.waiting.count_in();
            bits::insert(&mut self.wide_waiting[output as usize * words..], bit as usize);
        }
    }

    /// A packet no longer waits for a virtual channel of this output: it chose another one.
    pub(super) fn remove_waiting(&mut self, output: u32, bit: u32) {
        let (words, state) = (self.wiring.words, &mut self.channels[output as usize]);
        if words == 1 {
            state.waiting.remove(bit);
        } else {
            state.waiting.count_out();
            bits::remove(&mut self.wide_waiting[output as usize * words..], bit as usize);
        }
    }

    /// A packet that waited for a virtual channel has one, and waits for the switch.
    #[inline]
    pub(super) fn add_holding(&mut self, output: u32, bit: u32) {
        let (words, state) = (self.wiring.words, &mut self.channels[output as usize]);
        if words == 1 {
            state.waiting.remove(bit);
            state.holding.insert(bit);
        } else {
            state.waiting.count_out();
            state.holding.count_in();
            bits::remove(&mut self.wide_waiting[output as usize * words..], bit as usize);
            bits::insert(&mut self.wide_holding[output as usize * words..], bit as usize);
        }
    }

    /// A packet that waited for the switch has it.
    #[inline]
    pub(super) fn remove_holding(&mut self, output: u32, bit: u32) {
        let (words, state) = (self.wiring.words, &mut self.channels[output as usize]);
        if words == 1 {
            state.holding.remove(bit);
        } else {
            state.holding.count_out();
            bits::remove(&mut self.wide_holding[output as usize * words..], bit as usize);
        }
    }

    /// The first accepted packet that waits for a virtual channel, in round robin from `start`.
    #[inline]
    pub(super) fn find_waiting(
        &self,
        output: u32,
        start: u32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let narrow = self.channels[output as usize].waiting;
        self.find((narrow, &self.wide_waiting), output, start, accept)
    }

    /// The first accepted packet that waits for the switch, in round robin from `start`.
    #[inline]
    pub(super) fn find_holding(
        &self,
        output: u32,
        start: u32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let narrow = self.channels[output as usize].holding;
        self.find((narrow, &self.wide_holding), output, start, accept)
    }

    #[inline]
    fn find(
        &self,
        (narrow, wide): (Heads, &[u64]),
        output: u32,
        start: u32,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let words = self.wiring.words;
        if words == 1 {
            return bits::find_in_word(narrow.members(), start, accept);
        }
        bits::find(&wide[output as usize * words..][..words], start, accept)
    }

    /// The word with `bit` of the set of packets that wait for the switch.
    #[inline]
    pub(super) fn holding_word(&self, output: u32, bit: u32) -> u64 {
        let words = self.wiring.words;
        if words == 1 {
            return self.channels[output as usize].holding.members();
        }
        self.wide_holding[output as usize * words + (bit / 64) as usize]
    }
}
