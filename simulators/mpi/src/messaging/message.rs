//! A message on its way, two-sided or one-sided. Its number is the token of its transfers.

use super::slab::NONE;
use crate::time::Time;

/// What the message's transfer carries now, or what will be handed over next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Eager,
    /// Rendezvous: request to send, clear to send, the data.
    RequestToSend,
    ClearToSend,
    Data,
    Put,
    PutLanded,
    GetRequest,
    GetData,
}

impl Stage {
    /// Whether it must not overtake earlier ordered ones. Matching needs the order of messages and of
    /// requests to send. Puts and requests of gets are ordered, so that a message behind a put finds what
    /// the put wrote. Answers need no order, because each belongs to a known message.
    pub fn is_ordered(self) -> bool {
        matches!(self, Self::Eager | Self::RequestToSend | Self::Put | Self::GetRequest)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub stage: Stage,
    /// How many of these must still happen before the place is free: read, arrived, matched.
    pub holds: u8,
    /// Whether both ranks live on one node.
    pub local: bool,
    /// Rank of the world that began it: the sender, or the origin of a put or get.
    pub src: u32,
    /// The other rank of the world.
    pub dst: u32,
    /// Sender as a rank of the communicator.
    pub source: u32,
    pub tag: i32,
    pub context: u32,
    pub bytes: u64,
    /// When the call that sent it began.
    pub sent: Time,
    /// With costs by size: when it left its rank, and when all of it is there.
    pub left: Time,
    pub whole: Time,
    /// The sender's request, or the handle of a put or get.
    pub sender: u32,
    /// The request that it matched.
    pub receiver: u32,
    /// The next message in its queue of unexpected messages, and its place in their order.
    pub next: u32,
    pub order: u32,
    /// Its bytes, or `NONE` where only sizes count.
    pub payload: u32,
    /// Place in the exposed memory of a put or get with data.
    pub offset: u64,
}

impl Message {
    pub fn new(stage: Stage, src: u32, dst: u32, bytes: u64, sent: Time) -> Self {
        Self {
            stage,
            holds: 0,
            local: false,
            src,
            dst,
            source: 0,
            tag: 0,
            context: 0,
            bytes,
            sent,
            left: sent,
            whole: 0,
            sender: NONE,
            receiver: NONE,
            next: NONE,
            order: 0,
            payload: NONE,
            offset: NO_MEMORY,
        }
    }
}

/// Offset of a put or get without data.
pub const NO_MEMORY: u64 = u64::MAX;
