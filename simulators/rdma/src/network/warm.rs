//! Reads ahead: what an event needs is often not in the near caches, and one event after the other
//! waits for it. Asking for all of a time's events first lets these waits overlap. It changes no
//! result. On a torus of 2,048 nodes it saves 3 to 8 % of the time; the same for the second phase
//! costs more than it saves.

use super::events::What;
use super::{Network, NONE};
use crate::observer::Observer;

impl<O: Observer> Network<O> {
    /// For the events of this time: first what they name, then what that leads to.
    #[inline]
    pub(super) fn warm_events(&self) {
        for event in self.wheel.upcoming(self.now) {
            match What::from_bits(event.what) {
                What::Head { buffer, packet } => {
                    prefetch(&self.buffers, buffer);
                    prefetch(self.packets.all(), packet);
                }
                What::Touch { channel } => {
                    prefetch(&self.channels, channel);
                    prefetch(&self.vcs, channel * self.wiring.vcs);
                }
                _ => {}
            }
        }
        for event in self.wheel.upcoming(self.now) {
            match What::from_bits(event.what) {
                What::Head { buffer, packet } => {
                    let last = self.buffers[buffer as usize].last;
                    if last == NONE {
                        self.warm_channel(
                            self.transfers.step(self.packets.get(packet).place).channel(),
                        );
                    } else {
                        prefetch(self.packets.all(), last);
                    }
                }
                What::Touch { channel } => {
                    let state = &self.channels[channel as usize];
                    let heads = state.waiting | state.holding;
                    if heads != 0 && self.wiring.words == 1 {
                        let first = heads.trailing_zeros();
                        prefetch(&self.buffers, self.buffer(state.first_input, first));
                        prefetch(&self.feeds, self.input(state.first_input, first));
                    }
                }
                _ => {}
            }
        }
    }

    #[inline]
    fn warm_channel(&self, channel: u32) {
        prefetch(&self.channels, channel);
        prefetch(&self.vcs, channel * self.wiring.vcs);
    }
}

#[inline]
fn prefetch<T>(all: &[T], place: u32) {
    #[cfg(target_arch = "x86_64")]
    if let Some(one) = all.get(place as usize) {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        // SAFETY: a hint to the processor, which reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(one).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, place);
}
