//! Network interfaces: DMA, cutting into packets and putting together.
//!
//! A NIC sends one packet at a time. Control packets go first, data transfers one after the other
//! in the order in which they were handed over, so that the packets of one message leave together.
//! Its DMA reads one packet ahead of the one that is being sent; each direction of DMA serves one
//! packet (or message, see `dma_unit`) at a time. What arrives is taken at once: a NIC has room for
//! all that waits for DMA. Virtual channels let packets overtake each other, so an ordered transfer
//! that is complete waits for the ordered ones that were handed over before it from the same node to
//! the same node. Answers are not ordered: they never wait for data.

mod inject;
mod order;
mod receive;
mod transfers;

pub(crate) use transfers::Transfers;

use crate::network::NONE;
use mpi::time::Time;

/// Transfers one after the other, linked by their `next`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub first: u32,
    pub last: u32,
}

/// A network interface and its node's memory.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Nic {
    control: Queue,
    pub data: Queue,
    /// When the next packet of data may leave.
    prepared: Time,
    read_until: Time,
    written_until: Time,
    copied_until: Time,
    /// Round robin of the injection channel's virtual channels.
    turn: u8,
}

const EMPTY: Queue = Queue { first: NONE, last: NONE };

impl Default for Nic {
    fn default() -> Self {
        Self {
            control: EMPTY,
            data: EMPTY,
            prepared: 0,
            read_until: 0,
            written_until: 0,
            copied_until: 0,
            turn: 0,
        }
    }
}
