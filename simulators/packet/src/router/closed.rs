//! Output ports whose channels are slow, and closed until their last flit has passed.

use super::Routers;
use crate::routing::Routing;
use fabric::bits::Bits;

impl<R: Routing> Routers<R> {
    /// Takes back requests for ports that are closed in this cycle.
    #[inline(never)]
    pub(super) fn hide_closed(&mut self, router: usize, now: u64) {
        let Some(gates) = &self.gates else { return };
        let first = self.ports.numbers.first(router) as usize;
        for word in 0..self.requesting.words() {
            for bit in Bits(self.requesting.word(router, word)) {
                let local = word * 64 + bit;
                let port = usize::from(self.inputs[first * self.vcs + local].port);
                if !gates.is_open(first + port, now) {
                    self.hidden.push(local as u32);
                }
            }
            for bit in Bits(self.speculating.word(router, word)) {
                // It asks again in every cycle.
                let local = word * 64 + bit;
                let port = usize::from(self.inputs[first * self.vcs + local].port);
                if !gates.is_open(first + port, now) {
                    self.speculating.remove(router, local);
                }
            }
        }
        for &local in &self.hidden {
            self.requesting.remove(router, local as usize);
        }
    }

    /// Puts them back, and closes the ports through which the winners send.
    #[inline(never)]
    pub(super) fn pass_gates(&mut self, router: usize, now: u64) {
        let Some(gates) = &mut self.gates else { return };
        let first = self.ports.numbers.first(router) as usize;
        for &local in &self.switch.winners {
            let port = self.inputs[first * self.vcs + local as usize].port;
            gates.send(first + usize::from(port), now);
        }
        for local in self.hidden.drain(..) {
            self.requesting.insert(router, local as usize);
        }
    }
}
