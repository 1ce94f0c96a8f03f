//! What the network knows of a channel and its virtual channels.

use super::timing::Timing;
use crate::time::{Time, NEVER};

/// No packet, no transfer.
pub const NONE: u32 = u32::MAX;

/// A channel: the output port at its beginning and the input port at its end.
#[derive(Debug, Clone, Copy)]
pub struct Channel {
    /// The output port carries a packet until then.
    pub busy: Time,
    /// The input port feeds a packet to the switch until then.
    pub feeds: Time,
    /// The output port will be looked at then; [`NEVER`] if nothing is planned.
    pub wake: Time,
    /// Flits that it has carried.
    pub flits: u64,
    pub packets: u64,
    /// Round robin of switch allocation: the input virtual channel that goes first.
    pub switch_turn: u32,
    /// Round robin of the input port: the virtual channel that goes first.
    pub input_turn: u8,
    /// Round robin of the output port's virtual channels.
    pub out_turn: u8,
    pub touched: bool,
}

impl Default for Channel {
    fn default() -> Self {
        Self {
            busy: 0,
            feeds: 0,
            wake: NEVER,
            flits: 0,
            packets: 0,
            switch_turn: 0,
            input_turn: 0,
            out_turn: 0,
            touched: false,
        }
    }
}

/// A virtual channel of a channel: who owns it and what is free of the buffer behind it, as its
/// beginning knows; and the packets in that buffer.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Vc {
    /// Packets in the buffer.
    pub first: u32,
    pub last: u32,
    /// When the first packet may get a virtual channel; of an empty buffer: when the tail of the
    /// last one leaves it.
    pub when: Time,
    /// The first packet's next channel, the range of virtual channels that it may have there, and
    /// the one that it got.
    pub out: u32,
    pub first_vc: u8,
    pub vcs: u8,
    pub out_vc: u8,
    returning: u8,
    /// When it belongs to nobody; [`NEVER`] as long as its packet waits for the switch.
    pub free_at: Time,
    /// Round robin of its allocation: the input virtual channel that goes first.
    pub turn: u32,
    /// Flits of the buffer that are not known to be free.
    used: u32,
    /// So many flits are wanted by one who can not know yet when they are free; 0 for nobody.
    pub wanted: u32,
    /// Packets whose flits come free one by one: the time of the first flit, and their number.
    return_at: [Time; 2],
    return_flits: [u32; 2],
}

impl Default for Vc {
    fn default() -> Self {
        Self {
            first: NONE,
            last: NONE,
            when: 0,
            out: NONE,
            first_vc: 0,
            vcs: 0,
            out_vc: 0,
            returning: 0,
            free_at: 0,
            turn: 0,
            used: 0,
            wanted: 0,
            return_at: [0; 2],
            return_flits: [0; 2],
        }
    }
}

impl Vc {
    /// Forgets what is completely free at `now`.
    #[inline]
    pub fn settle(&mut self, now: Time, timing: &Timing) {
        while self.returning > 0 {
            let flits = self.return_flits[0];
            if self.return_at[0] + timing.flits(flits - 1) > now {
                return;
            }
            self.used -= flits;
            self.return_at[0] = self.return_at[1];
            self.return_flits[0] = self.return_flits[1];
            self.returning -= 1;
        }
    }

    /// When `flits` are known to be free, if that is known at all; a time not after `now` means now.
    #[inline]
    pub fn free_for(&self, flits: u32, capacity: u32, timing: &Timing) -> Option<Time> {
        // Flits of a packet that is leaving may be used again before the last of them is free.
        let mut missing = i64::from(flits) + i64::from(self.used) - i64::from(capacity);
        if missing <= 0 {
            return Some(0);
        }
        for i in 0..usize::from(self.returning) {
            let returning = i64::from(self.return_flits[i]);
            if returning >= missing {
                return Some(self.return_at[i] + timing.flits(missing as u32 - 1));
            }
            missing -= returning;
        }
        None
    }

    /// A packet is going to fill it.
    #[inline]
    pub fn fill(&mut self, flits: u32) {
        self.used += flits;
    }

    /// The flits of a packet come free one by one from `at` on. False if there is no place to note
    /// it; then [`Vc::free`] must be called when all are free.
    #[inline]
    pub fn give_back(&mut self, at: Time, flits: u32) -> bool {
        let place = usize::from(self.returning);
        if place == self.return_at.len() {
            return false;
        }
        (self.return_at[place], self.return_flits[place]) = (at, flits);
        self.returning += 1;
        true
    }

    pub fn free(&mut self, flits: u32) {
        self.used -= flits;
    }

    pub fn is_empty(&self) -> bool {
        self.first == NONE && self.used == 0
    }
}
