//! Virtual-channel allocation where the input virtual channels of a router fit into a word.

use super::super::Routers;
use crate::routing::Routing;
use fabric::bits::{self, Bits};

impl<R: Routing> Routers<R> {
    /// One round of iSLIP among the packets that wait for a port.
    #[inline]
    pub(super) fn match_packets(&mut self, router: usize, port: usize, waiting: u64) {
        let first = self.first_vc(router);
        let count = self.first_vc(router + 1) - first;
        let place = port * self.vcs - first;
        let free = self.outputs.free_word(port, 0);
        let inputs = &self.inputs[first..first + count];
        let round = &mut self.vc_allocation.round;
        let (mut requested, mut granted) = (0, 0);
        for local in Bits(waiting) {
            let state = inputs[local];
            let range = bits::range_in_word(state.first_vc.into(), state.vcs.into());
            Bits(free & range).for_each(|vc| requested |= round.request(local, vc));
        }
        let grant = &mut self.vc_allocation.grant[port * self.vcs..][..self.vcs];
        for vc in Bits(requested) {
            let requests = round.take_requests(vc);
            granted |= round.grant(bits::first_in_word(requests, grant[vc] as usize), vc);
        }
        for local in Bits(granted) {
            let vcs = self.vc_allocation.round.take_grants(local);
            let vc = self.accept_vc(first, count, place, local, vcs);
            self.take_vc(router, local, port, vc);
        }
    }

    /// The first of the virtual channels that a packet is granted, in the turn of its own; moves the
    /// turns of both. The port's virtual channels begin at `place` among the `count` of the router,
    /// whose first is `first` among all.
    #[inline]
    fn accept_vc(
        &mut self,
        first: usize,
        count: usize,
        place: usize,
        local: usize,
        granted: u64,
    ) -> usize {
        let accept = &mut self.vc_allocation.accept[first + local];
        let start = (*accept as usize).wrapping_sub(place);
        let start = if start < self.vcs { start } else { 0 };
        let vc = bits::first_in_word(granted, start);
        *accept = bits::next_of(place + vc, count) as u32;
        self.vc_allocation.grant[place + first + vc] = bits::next_of(local, count) as u32;
        vc
    }

    /// The only packet that waits for a port, in a router whose virtual channels fit into one word,
    /// gets what the pointers of the allocator would give it.
    #[inline]
    pub(super) fn serve_lone_packet(&mut self, router: usize, local: usize, port: usize) {
        let first = self.first_vc(router);
        let count = self.ports.numbers.first(router + 1) as usize * self.vcs - first;
        let state = self.inputs[first + local];
        let range = bits::range_in_word(state.first_vc.into(), state.vcs.into());
        let free = self.outputs.free_word(port, 0) & range;
        if free == 0 {
            return;
        }
        let vc = self.accept_vc(first, count, port * self.vcs - first, local, free);
        self.take_vc(router, local, port, vc);
    }
}
