//! Reads ahead: what an event needs is often not in the near caches, and one event after the other
//! waits for it. Asking for all of a time's events first lets these waits overlap. It changes no
//! result. On a torus of 2,048 nodes it saves 3 to 8 % of the time; the same for the second phase
//! costs more than it saves.

use super::events::What;
use super::Network;
use crate::observer::Observer;

impl<O: Observer> Network<O> {
    /// For the events of this time.
    #[inline]
    pub(super) fn warm(&self) {
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
