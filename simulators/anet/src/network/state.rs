//! What routers, links and messages are doing.

use super::NONE;
use mpi::time::Time;
use std::collections::VecDeque;

/// Blocks round the crossbar: the ports to neighbours, then these. As an input of the crossbar `MEMORY` is
/// the message sender, as an output the message receiver.
pub(super) const HOST: u8 = 6;
pub(super) const MEMORY: u8 = 7;
pub(super) const BUFFER: u8 = 8;
pub(super) const BLOCKS: usize = 9;

/// What a message's way is like.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OnWay {
    /// Bytes on the way, at least those of the smallest message.
    pub length: u64,
    /// When its tail reaches the block that its head is in.
    pub tail: Time,
    /// How often it was refused in this block.
    pub turns: u32,
    /// When its head asked in this block.
    pub asked: Time,
    /// When its head left its sender.
    pub entered: Time,
    /// The sender has read its address by then.
    pub ready: Time,
    /// It was refused, or in a packet buffer, somewhere.
    pub was_refused: bool,
    pub was_buffered: bool,
    /// It waits for room in the packet buffer, and for nothing else.
    pub wants_buffer: bool,
}

/// A router: its blocks and its controller.
#[derive(Debug, Clone)]
pub(super) struct Router {
    /// The message that each block holds or expects as an input of the crossbar.
    pub held: [u32; BLOCKS],
    /// Blocks whose requests wait for their turn, and blocks that wait for a change.
    pub asking: u16,
    pub parked: u16,
    /// The block that the controller serves, and the last one that it served.
    pub serving: Option<u8>,
    pub last: u8,
    /// Messages behind the one that the sender, the host or the packet buffer is about to send.
    pub to_send: VecDeque<u32>,
    pub from_host: VecDeque<u32>,
    pub buffered: VecDeque<u32>,
    /// Bytes that the packet buffer holds or expects.
    pub buffer_bytes: u64,
    /// The messages that the packet buffer and the message receiver take in.
    pub storing: u32,
    pub receiving: u32,
}

impl Default for Router {
    fn default() -> Self {
        Self {
            held: [NONE; BLOCKS],
            asking: 0,
            parked: 0,
            serving: None,
            last: BUFFER,
            to_send: VecDeque::new(),
            from_host: VecDeque::new(),
            buffered: VecDeque::new(),
            buffer_bytes: 0,
            storing: NONE,
            receiving: NONE,
        }
    }
}

impl Router {
    /// The next block whose request is served: round robin.
    pub fn next_turn(&self) -> Option<u8> {
        let after = (self.last as usize + 1..BLOCKS).chain(0..=self.last as usize);
        after.map(|block| block as u8).find(|&block| self.asking >> block & 1 == 1)
    }
}
