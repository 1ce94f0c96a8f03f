//! Packets on their way, and the flits that they are made of.

use crate::routing::{Header, Way};

/// A packet between its source and its destination.
#[derive(Debug, Clone, Copy)]
pub struct InFlight {
    pub header: Header,
    pub message: u32,
    pub flits: u32,
    pub created: u64,
    pub departed: u64,
    pub head_arrived: u64,
    pub routers: u32,
    /// The way out of the next router, with look-ahead routing.
    pub ahead: Way,
}

/// The packets on their way, each at a number of its own.
#[derive(Default)]
pub struct Packets {
    slots: Vec<InFlight>,
    free: Vec<u32>,
}

impl Packets {
    pub fn add(&mut self, packet: InFlight) -> u32 {
        if let Some(number) = self.free.pop() {
            self.slots[number as usize] = packet;
            return number;
        }
        self.slots.push(packet);
        (self.slots.len() - 1) as u32
    }

    pub fn remove(&mut self, number: u32) -> InFlight {
        self.free.push(number);
        self.slots[number as usize]
    }

    #[inline]
    pub fn get(&mut self, number: u32) -> &mut InFlight {
        &mut self.slots[number as usize]
    }

    /// Whether no packet is on its way.
    pub fn is_empty(&self) -> bool {
        self.slots.len() == self.free.len()
    }
}

const HEAD: u32 = 1 << 31;
const TAIL: u32 = 1 << 30;

/// A flit: its packet, whether it is the head or the tail, and when it left its source.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flit {
    packet: u32,
    /// The low half; no flit is under way for 2^32 cycles.
    departed: u32,
}

impl Flit {
    pub fn new(packet: u32, head: bool, tail: bool, now: u64) -> Self {
        let flags = if head { HEAD } else { 0 } | if tail { TAIL } else { 0 };
        Self { packet: packet | flags, departed: now as u32 }
    }

    #[inline]
    pub fn packet(self) -> u32 {
        self.packet & !(HEAD | TAIL)
    }

    #[inline]
    pub fn is_head(self) -> bool {
        self.packet & HEAD != 0
    }

    #[inline]
    pub fn is_tail(self) -> bool {
        self.packet & TAIL != 0
    }

    #[inline]
    pub fn departed(self, now: u64) -> u64 {
        now - u64::from((now as u32).wrapping_sub(self.departed))
    }
}
