//! Packets on their way.

use super::state::NONE;
use mpi::time::Time;

const LAST: u32 = 1 << 31;
const COINS_AT: u32 = 23;

#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
pub struct Packet {
    pub transfer: u32,
    /// Place of its next step among all routes.
    pub place: u32,
    /// Behind it in the same buffer, or among the free ones.
    pub next: u32,
    /// Its flits, a coin for each ring of a torus, and whether it is the last of its transfer.
    bits: u32,
    /// Packets of its transfer that leave after it.
    pub later: u32,
    /// When its head reaches the buffer that it is in or on its way to.
    pub arrived: Time,
}

impl Packet {
    pub fn new(transfer: u32, place: u32, flits: u32, coins: u8, later: u32) -> Self {
        let last = if later == 0 { LAST } else { 0 };
        Self {
            transfer,
            place,
            next: NONE,
            bits: flits | u32::from(coins) << COINS_AT | last,
            later,
            arrived: 0,
        }
    }

    #[inline]
    pub fn flits(&self) -> u32 {
        self.bits & ((1 << COINS_AT) - 1)
    }

    #[inline]
    pub fn coins(&self) -> u32 {
        self.bits >> COINS_AT & 0xff
    }

    #[inline]
    pub fn is_last(&self) -> bool {
        self.bits & LAST != 0
    }
}

/// All packets, each at a number of its own.
#[derive(Default)]
pub struct Packets {
    all: Vec<Packet>,
    free: u32,
    pub under_way: u64,
}

impl Packets {
    pub fn new() -> Self {
        Self { all: Vec::new(), free: NONE, under_way: 0 }
    }

    #[inline]
    pub fn add(&mut self, packet: Packet) -> u32 {
        self.under_way += 1;
        if self.free == NONE {
            self.all.push(packet);
            return self.all.len() as u32 - 1;
        }
        let number = self.free;
        self.free = self.all[number as usize].next;
        self.all[number as usize] = packet;
        number
    }

    #[inline]
    pub fn remove(&mut self, number: u32) -> Packet {
        self.under_way -= 1;
        let packet = self.all[number as usize];
        self.all[number as usize].next = self.free;
        self.free = number;
        packet
    }

    #[inline]
    pub fn all(&self) -> &[Packet] {
        &self.all
    }

    #[inline]
    pub fn get(&self, number: u32) -> &Packet {
        &self.all[number as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut Packet {
        &mut self.all[number as usize]
    }
}
