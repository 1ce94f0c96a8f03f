//! What the network knows of channels, their virtual channels and the buffers behind them.

use super::heads::Heads;
use super::timing::Timing;
use super::what::What;
use super::wheel::Wheel;
use crate::wiring::Range;
use mpi::time::{NEVER, Time};

/// No packet, no transfer.
pub const NONE: u32 = u32::MAX;

/// A channel, as the output port at its beginning knows it.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Channel {
    /// It carries a packet until then.
    pub busy: Time,
    /// It will be looked at then; [`NEVER`] if nothing is planned.
    pub wake: Time,
    /// Input virtual channels of the router whose first packet waits for a virtual channel of this one.
    pub waiting: Heads,
    /// Those whose first packet has a virtual channel and waits for the switch.
    pub holding: Heads,
    /// What it has carried.
    pub flits: u64,
    pub packets: u64,
    /// The router at its beginning; of a NIC's channel, one at the same place in memory.
    pub router: u32,
    /// Place of the first virtual channel that ends in this router, among all.
    pub first_input_vc: u32,
    /// Place of its own first virtual channel.
    pub first_vc: u32,
    /// Round robin of switch allocation: the input virtual channel that goes first.
    pub switch_turn: u16,
    /// Round robin of its virtual channels.
    pub out_turn: u8,
    pub touched: bool,
}

impl Channel {
    pub fn new(router: u32, first_input_vc: u32, first_vc: u32) -> Self {
        Self {
            busy: 0,
            wake: NEVER,
            waiting: Heads::default(),
            holding: Heads::default(),
            flits: 0,
            packets: 0,
            router,
            first_input_vc,
            first_vc,
            switch_turn: 0,
            out_turn: 0,
            touched: false,
        }
    }

    /// The first virtual channel whose packet waits; for a narrow router.
    #[inline]
    pub fn first_head(&self) -> Option<u32> {
        let heads = self.waiting.members() | self.holding.members();
        (heads != 0).then(|| self.first_input_vc + heads.trailing_zeros())
    }

    /// A waiting packet gets virtual channel `number`; for a narrow router.
    #[inline]
    pub fn give_vc(&mut self, bit: u32, number: u32, vcs: u32) {
        self.waiting.remove(bit);
        self.holding.insert(bit);
        self.turn_behind(number, vcs);
    }

    /// The virtual channel behind this one goes first next time.
    #[inline]
    pub fn turn_behind(&mut self, number: u32, vcs: u32) {
        self.out_turn = if number + 1 < vcs { number as u8 + 1 } else { 0 };
    }

    /// It will be looked at then, or earlier.
    #[inline]
    pub fn look_at(&mut self, number: u32, at: Time, wheel: &mut Wheel) {
        if at < self.wake {
            self.wake = at;
            wheel.push(at, What::Touch { channel: number }.bits());
        }
    }
}

/// A virtual channel: who owns it and what is free of its buffer, as the beginning of its channel
/// knows it, and the buffer at its end.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Vc {
    /// When it belongs to nobody; [`NEVER`] as long as its packet waits for the switch.
    pub free_at: Time,
    /// Packets whose flits come free one by one, at most two: the time of the first one's first
    /// flit, from there to the second one's, and their numbers of flits, 0 for none.
    return_at: Time,
    return_after: u32,
    return_flits: [u16; 2],
    /// Flits of the buffer that are not known to be free.
    used: u32,
    /// Flits that a waiting packet needs and that have no known time of coming free; 0 if none waits.
    pub wanted: u16,
    /// Round robin of its allocation: the input virtual channel that goes first.
    pub turn: u16,
    /// Packets in the buffer or on their way to it.
    pub first: u32,
    pub second: u32,
    pub last: u32,
    /// When the first packet may get a virtual channel; of an empty buffer: when the tail of the
    /// last one leaves it.
    pub when: Time,
    /// Its channel.
    pub channel: u32,
    /// What the first packet asks for.
    pub asks: Ask,
}

/// Which virtual channels of its next channel a packet may have, and what it needs of their buffers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ask {
    room: u16,
    /// When it got one: that one alone.
    range: Range,
}

impl Ask {
    #[inline]
    pub fn new(room: u32, range: Range) -> Self {
        Self { room: room as u16, range }
    }

    /// As [`super::Network::room`].
    #[inline]
    pub fn room(self) -> u32 {
        self.room.into()
    }

    #[inline]
    pub fn range(self) -> Range {
        self.range
    }

    /// As bits.
    #[inline]
    pub fn vcs(self) -> u64 {
        (u64::MAX >> (64 - u32::from(self.range.count))) << self.range.first
    }

    /// The one that it got.
    #[inline]
    pub fn given(self) -> u32 {
        self.range.first.into()
    }

    #[inline]
    pub fn give(&mut self, vc: u32) {
        self.range = Range { first: vc as u8, count: 1 };
    }
}

impl Vc {
    pub fn new(channel: u32) -> Self {
        Self {
            free_at: 0,
            return_at: 0,
            return_after: 0,
            return_flits: [0; 2],
            used: 0,
            wanted: 0,
            turn: 0,
            first: NONE,
            second: NONE,
            last: NONE,
            when: 0,
            channel,
            asks: Ask::default(),
        }
    }

    /// From when on `flits` are free; [`NEVER`] if that is not known.
    #[inline]
    pub fn free_for(&self, flits: u32, capacity: u32, timing: &Timing) -> Time {
        let wanted = flits + self.used;
        if wanted <= capacity {
            return 0;
        }
        // Flits of a packet that is leaving may be used again before the last of them is free.
        let missing = wanted - capacity;
        let first = u32::from(self.return_flits[0]);
        if missing <= first {
            return self.return_at + timing.flits(missing - 1);
        }
        let missing = missing - first;
        if missing <= u32::from(self.return_flits[1]) {
            return self.return_at + Time::from(self.return_after) + timing.flits(missing - 1);
        }
        NEVER
    }

    /// One who waits wants so many flits, and cannot know yet when they are free.
    #[inline]
    pub fn want(&mut self, flits: u32) {
        let flits = flits as u16;
        self.wanted = if self.wanted > 0 { self.wanted.min(flits) } else { flits };
    }

    /// A packet gets it; `turn` goes first next time.
    #[inline]
    pub fn take(&mut self, flits: u32, turn: u16) {
        self.used += flits;
        (self.free_at, self.wanted, self.turn) = (NEVER, 0, turn);
    }

    /// A packet is going to fill it.
    #[inline]
    pub fn fill(&mut self, flits: u32) {
        self.used += flits;
    }

    /// The flits of a packet come free one by one from `at` on. False if there is no place to note
    /// it; then [`Vc::free`] must be called when all are free.
    #[inline]
    pub fn give_back(&mut self, at: Time, flits: u32, now: Time, timing: &Timing) -> bool {
        let [first, second] = self.return_flits;
        if first > 0 && self.return_at + timing.flits(u32::from(first) - 1) > now {
            return false;
        }
        let mut from = self.return_at + Time::from(self.return_after);
        self.used -= u32::from(first);
        self.return_flits = [second, flits as u16];
        if second == 0 {
            from = at;
        } else if at - from > Time::from(u32::MAX) {
            // The second one came free long ago.
            if from + timing.flits(u32::from(second) - 1) > now {
                self.used += u32::from(first);
                self.return_flits = [first, second];
                return false;
            }
            self.used -= u32::from(second);
            (from, self.return_flits[0]) = (at, 0);
        }
        (self.return_at, self.return_after) = (from, (at - from) as u32);
        true
    }

    pub fn free(&mut self, flits: u32) {
        self.used -= flits;
        self.wanted = 0;
    }

    /// Whether all of the buffer is known to be free at `now`.
    pub fn is_empty(&self, now: Time, timing: &Timing) -> bool {
        let second = self.return_at + Time::from(self.return_after);
        let all_at = |at, flits: u16| at + timing.flits(u32::from(flits.max(1)) - 1);
        let [first, last] = self.return_flits;
        self.used == u32::from(first) + u32::from(last)
            && all_at(self.return_at, first) <= now
            && all_at(second, last) <= now
    }
}
