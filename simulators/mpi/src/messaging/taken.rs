//! Messages that a probe has taken out of their queue, so that only their rank can receive them.

use super::machine::Machine;
use super::message::Message;
use super::request::{FROM_NOBODY, PROC_NULL};
use super::two_sided::Receive;
use crate::observer::Observer;
use crate::transport::Transport;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Takes the first message that a probe of the rank finds.
    pub fn take(&mut self, rank: u32, context: u32, source: i32, tag: i32) -> Option<u32> {
        let found = self.see_unexpected(rank, context, source, tag)?;
        let Message { source, tag, .. } = self.messages[found];
        let queue = &mut self.ranks[rank as usize].unexpected;
        let fits = |m: &Message| m.context == context && m.source == source && m.tag == tag;
        let first = queue.find(&self.messages, source, fits)?;
        queue.remove(&mut self.messages, first);
        self.ranks[rank as usize].taken.push(first.at);
        Some(first.at)
    }

    /// Begins to receive a message that [`take`](Self::take) has returned, at a buffer of so many
    /// bytes; without a message as from `MGEN_PROC_NULL`.
    pub fn receive_taken(
        &mut self,
        rank: u32,
        message: Option<u32>,
        (buffer, bytes): (*mut u8, u64),
    ) -> Result<u32, String> {
        let (context, tag) = (super::communicators::WORLD, FROM_NOBODY.tag);
        let nobody = Receive { buffer, bytes, source: PROC_NULL, tag, context };
        let Some(message) = message else { return self.receive(rank, &nobody) };
        let taken = &mut self.ranks[rank as usize].taken;
        let Some(at) = taken.iter().position(|&number| number == message) else {
            return Err(format!("{} is not a message of MGEN_Mprobe", message.wrapping_add(1)));
        };
        taken.remove(at);
        let Message { context, source, tag, .. } = self.messages[message];
        let receive = Receive { buffer, bytes, source: source as i32, tag, context };
        self.receive_message(rank, &receive, message)
    }
}
