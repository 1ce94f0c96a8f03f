//! What the observer hears of messages.

use super::machine::Machine;
use super::message::{Message, Stage};
use crate::observer::Observer;
use crate::transport::Transport;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Reports a message whose data have arrived to the observer.
    pub(super) fn observe(&mut self, number: u32) {
        if O::ACTIVE {
            let Message { stage, src, dst, bytes, sent, .. } = self.messages[number];
            let (from, to) = match stage {
                Stage::GetData => (dst, src),
                _ => (src, dst),
            };
            self.observer.message(from, to, bytes, sent, self.now);
        }
    }
}
