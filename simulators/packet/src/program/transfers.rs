//! Transfers that have not arrived.

use mpi::{Kind, Token, Transfer};

/// No transfer.
pub(super) const NONE: u32 = u32::MAX;
/// Packets name their transfer by its number, with a bit beside it.
const MOST: usize = 1 << 31;

#[derive(Debug, Clone, Copy)]
pub(super) struct UnderWay {
    pub src: u32,
    pub dst: u32,
    pub bytes: u64,
    pub token: Token,
    pub kind: Kind,
    /// It arrives in order with others from the same node to the same node.
    pub ordered: bool,
    /// It waits for the ordered one before it from the same node to the same node.
    pub waits: bool,
    /// All of it is where it should be.
    pub complete: bool,
    pub unsent_packets: u64,
    pub missing_packets: u64,
    /// The ordered one handed over after it, from the same node to the same node.
    pub successor: u32,
}

/// All of them, each at a number of its own.
#[derive(Default)]
pub(super) struct Transfers {
    slots: Vec<UnderWay>,
    free: Vec<u32>,
}

impl Transfers {
    pub fn add(&mut self, transfer: &Transfer, packets: u64) -> u32 {
        let new = UnderWay {
            src: transfer.src,
            dst: transfer.dst,
            bytes: transfer.bytes,
            token: transfer.token,
            kind: transfer.kind,
            ordered: transfer.ordered,
            waits: false,
            complete: false,
            unsent_packets: packets,
            missing_packets: packets,
            successor: NONE,
        };
        if let Some(number) = self.free.pop() {
            self.slots[number as usize] = new;
            return number;
        }
        assert!(self.slots.len() < MOST, "more than 2^31 transfers under way");
        self.slots.push(new);
        self.slots.len() as u32 - 1
    }

    pub fn remove(&mut self, number: u32) -> UnderWay {
        self.free.push(number);
        self.slots[number as usize]
    }

    pub fn is_empty(&self) -> bool {
        self.slots.len() == self.free.len()
    }

    #[inline]
    pub fn get(&self, number: u32) -> &UnderWay {
        &self.slots[number as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut UnderWay {
        &mut self.slots[number as usize]
    }
}
