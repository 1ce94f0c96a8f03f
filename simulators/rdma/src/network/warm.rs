//! Reads ahead: what an event needs is often not in the near caches, and one event after the other
//! waits for it. Asking for all of a time's events first lets these waits overlap. It changes no
//! result.

use super::events::What;
use super::Network;
use crate::observer::Observer;

impl<O: Observer> Network<O> {
    /// For the events of this time: what they name, then what that leads to, and so on.
    #[inline]
    pub(super) fn warm(&self) {
        for what in self.wheel.upcoming(self.now).map(What::from_bits) {
            match what {
                What::Touch { channel } => prefetch(&self.channels, channel),
                What::Ask { vc } => {
                    prefetch(&self.vcs, vc);
                    prefetch(&self.feeds, vc >> self.wiring.shift);
                }
                _ => {}
            }
        }
        for what in self.wheel.upcoming(self.now).map(What::from_bits) {
            match what {
                What::Touch { channel } => {
                    let state = &self.channels[channel as usize];
                    if let Some(head) = state.first_head() {
                        prefetch(&self.vcs, head);
                        prefetch(&self.feeds, head >> self.wiring.shift);
                        prefetch(&self.vcs, state.first_vc);
                        prefetch(&self.vcs, state.first_vc + 1);
                    }
                }
                What::Ask { vc } => prefetch(self.packets.all(), self.vcs[vc as usize].first),
                _ => {}
            }
        }
        for what in self.wheel.upcoming(self.now).map(What::from_bits) {
            match what {
                What::Touch { channel } => {
                    if let Some(head) = self.channels[channel as usize].first_head() {
                        // None where a router of several words counts its heads.
                        if let Some(vc) = self.vcs.get(head as usize) {
                            prefetch(self.packets.all(), vc.first);
                            prefetch(self.packets.all(), vc.second);
                        }
                    }
                }
                What::Ask { vc } => {
                    let packet = self.packets.get(self.vcs[vc as usize].first);
                    let step = self.transfers.step(packet.place);
                    let (next, range) = (step.channel(), self.wiring.range(step, packet.coins()));
                    prefetch(&self.channels, next);
                    prefetch(&self.vcs, self.wiring.first_vc(next) + u32::from(range.first));
                }
                _ => {}
            }
        }
    }
}

/// Also of places that are none.
#[inline]
fn prefetch<T>(all: &[T], place: u32) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        // SAFETY: a hint to the processor, which reads nothing that the program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(all.as_ptr().wrapping_add(place as usize).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, place);
}
