//! DMA between the memory of a node and its NIC, the same for every network of packets.

use crate::parameters::{DmaUnit, Parameters};
use mpi::time::{Time, of_bytes};

/// A packet of a message, as DMA sees it.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    /// Of the message, in this packet.
    pub bytes: u64,
    pub message_bytes: u64,
    pub is_last: bool,
    /// How long its flits behind the first take on a channel.
    pub tail: Time,
}

/// What becomes of a packet that DMA reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Read {
    /// When it may leave.
    pub prepared: Time,
    /// When all of its message is read, if that comes with this packet.
    pub all: Option<Time>,
}

/// Rates, and what is finished before it goes on. Each direction of a node serves one packet (or
/// message) at a time; until when is kept by the caller.
#[derive(Debug, Clone, Copy)]
pub struct Dma {
    unit: DmaUnit,
    bytes_per_s: Option<f64>,
    memory_bytes_per_s: Option<f64>,
    flit_bytes: u64,
    /// Bytes and times of a full packet and of a flit.
    known: [(u64, Time); 2],
}

impl Dma {
    pub fn new(parameters: &Parameters) -> Self {
        let rate = parameters.nic.dma_bytes_per_s;
        let known = [parameters.payload_bytes(), parameters.packet.flit_bytes];
        Self {
            unit: parameters.nic.dma_unit,
            bytes_per_s: rate,
            memory_bytes_per_s: parameters.nic.memory_bytes_per_s,
            flit_bytes: parameters.packet.flit_bytes,
            known: known.map(|bytes| (bytes, rate.map_or(0, |rate| of_bytes(bytes, rate)))),
        }
    }

    /// Time for so many bytes.
    #[inline]
    pub fn time(&self, bytes: u64) -> Time {
        match self.known {
            [(full, time), _] if bytes == full => time,
            [_, (flit, time)] if bytes == flit => time,
            _ => self.bytes_per_s.map_or(0, |rate| of_bytes(bytes, rate)),
        }
    }

    /// Time for a transfer of so many bytes within a node.
    #[inline]
    pub fn copy(&self, bytes: u64) -> Time {
        self.memory_bytes_per_s.map_or(0, |rate| of_bytes(bytes, rate))
    }

    /// Reads a packet; `is_first` says whether it is the first of its message. The source reads until
    /// `until`.
    #[inline]
    pub fn read(
        &self,
        until: &mut Time,
        now: Time,
        is_first: impl FnOnce() -> bool,
        piece: &Piece,
    ) -> Read {
        let begin = (*until).max(now);
        match self.unit {
            DmaUnit::Message if is_first() => {
                *until = begin + self.time(piece.message_bytes);
                Read { prepared: *until, all: Some(*until) }
            }
            DmaUnit::Message => Read { prepared: now, all: None },
            DmaUnit::Packet => {
                *until = begin + self.time(piece.bytes);
                Read { prepared: *until, all: piece.is_last.then_some(*until) }
            }
            DmaUnit::Flit => {
                *until = begin + self.time(piece.bytes);
                let first = begin + self.time(piece.bytes.min(self.flit_bytes));
                // The packet leaves without a gap, so its last flit must be there in time.
                let last = until.saturating_sub(piece.tail);
                Read { prepared: first.max(last), all: piece.is_last.then_some(*until) }
            }
        }
    }

    /// Writes a packet that is here at `now`, with which its message `is_complete` or not. Returns
    /// when it is in memory; the target writes until `until`.
    #[inline]
    pub fn write(&self, until: &mut Time, now: Time, is_complete: bool, piece: &Piece) -> Time {
        *until = match self.unit {
            DmaUnit::Message if is_complete => (*until).max(now) + self.time(piece.message_bytes),
            DmaUnit::Message => return now,
            DmaUnit::Packet => (*until).max(now) + self.time(piece.bytes),
            DmaUnit::Flit => {
                // Writing began with the first flit and ends after the last.
                let flit = self.time(piece.bytes.min(self.flit_bytes));
                let begin = now.saturating_sub(piece.tail);
                let streamed = (*until).max(begin) + self.time(piece.bytes);
                streamed.max(now + flit)
            }
        };
        *until
    }
}
