//! Reads ahead: in a large network, what an event needs is often not in the near caches, and one event
//! after the other waits for it. Asking for all of a time's events first lets these waits overlap. It
//! changes no result.

#![expect(unsafe_code, reason = "a hint to the processor")]

use super::what::What;
use super::{Ask, Asking, Network, TOGETHER};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// For the events of this time: the outputs that will be looked at, and packets that arrive with
    /// their transfers.
    #[inline]
    pub(super) fn warm_events(&self) {
        for what in self.upcoming() {
            match what {
                What::Touch { channel } => prefetch(&self.channels, channel),
                What::Tail { packet } => prefetch(self.packets.all(), packet),
                _ => {}
            }
        }
        for what in self.upcoming() {
            if let What::Tail { packet } = what {
                prefetch(self.transfers.all(), self.packets.get(packet).transfer);
            }
        }
    }

    /// For the looks at channels: the virtual channels and the NIC or input port that they concern,
    /// then the packets or the transfer there.
    #[inline]
    pub(super) fn warm_touched(&self, touched: &[u32]) {
        for &channel in touched {
            let state = &self.channels[channel as usize];
            prefetch(&self.vcs, state.first_vc);
            prefetch(&self.vcs, state.first_vc + 1);
            if channel < self.wiring.nodes {
                prefetch(&self.nics, channel);
            } else if let Some(head) = state.first_head() {
                prefetch(&self.vcs, head);
                prefetch(&self.inputs, head >> self.wiring.shift);
            }
        }
        for &channel in touched {
            if channel < self.wiring.nodes {
                prefetch(self.transfers.all(), self.nics[channel as usize].data.first);
            } else if let Some(head) = self.channels[channel as usize].first_head() {
                // None where a router of several words counts its heads.
                if let Some(vc) = self.vcs.get(head as usize) {
                    prefetch(self.packets.all(), vc.first);
                    prefetch(self.packets.all(), vc.second);
                }
            }
        }
    }

    /// Notes what those who ask want, and reads ahead for their requests.
    #[inline]
    pub(super) fn note_requests(&mut self, asking: &mut [Asking]) {
        if self.reads_ahead {
            for ask in asking.iter() {
                prefetch(self.routes.steps(), self.packets.get(ask.packet).place);
            }
        }
        for ask in asking {
            let packet = self.packets.get(ask.packet);
            let step = self.routes.step(packet.place);
            let range = self.wiring.range(step, packet.coins());
            ask.out = step.channel();
            self.vcs[ask.place as usize].asks = Ask::new(packet.flits(), range);
            prefetch(&self.channels, ask.out);
            prefetch(&self.vcs, self.wiring.first_vc(ask.out) + u32::from(range.first));
        }
    }

    #[inline]
    fn upcoming(&self) -> impl Iterator<Item = What> + '_ {
        self.wheel.upcoming(self.now).take(TOGETHER).map(What::from_bits)
    }
}

/// Also of places that are none.
#[inline]
fn prefetch<T>(all: &[T], place: u32) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint to the processor, which reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(all.as_ptr().wrapping_add(place as usize).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, place);
}
