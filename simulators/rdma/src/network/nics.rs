//! What is known of each network interface.

use super::state::NONE;
use super::transfers::OnNetwork;
use mpi::time::Time;
use programs::transfers::Transfers;

/// Transfers one after the other, linked by their `next`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub first: u32,
    pub last: u32,
}

impl Queue {
    pub fn push(&mut self, transfers: &mut Transfers<OnNetwork>, number: u32) {
        if self.first == NONE {
            self.first = number;
        } else {
            transfers.get_mut(self.last).own.next = number;
        }
        self.last = number;
    }

    /// The first one becomes the last.
    pub fn rotate(&mut self, transfers: &mut Transfers<OnNetwork>) {
        let number = self.first;
        self.pop(transfers);
        transfers.get_mut(number).own.next = NONE;
        self.push(transfers, number);
    }

    pub fn pop(&mut self, transfers: &Transfers<OnNetwork>) {
        self.first = transfers.get(self.first).own.next;
        if self.first == NONE {
            self.last = NONE;
        }
    }
}

/// A network interface and its node's memory.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Nic {
    pub control: Queue,
    pub data: Queue,
    /// When the next packet of data may leave.
    pub prepared: Time,
    pub read_until: Time,
    pub written_until: Time,
    pub copied_until: Time,
    /// Round robin of the injection channel's virtual channels.
    pub turn: u8,
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
