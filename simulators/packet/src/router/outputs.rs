//! The upstream side of virtual channels: who owns them and how much space is left downstream.

use crate::bits;
use crate::routing;

/// Owner of a virtual channel that belongs to no packet.
pub const NOBODY: u32 = u32::MAX;
/// Owner of a virtual channel whose tail is sent but not yet gone from the next buffer.
const TAIL_SENT: u32 = u32::MAX - 1;

pub struct OutputVcs {
    vcs: usize,
    /// Words of a set of one port's virtual channels.
    pub words: usize,
    capacity: u16,
    wait_for_tail_credit: bool,
    pub credits: Vec<u16>,
    /// The input virtual channel, by its number in the router.
    owner: Vec<u32>,
    /// Per port: the virtual channels that belong to no packet.
    pub free: Vec<u64>,
    /// Per port: flits sent whose credit is not back.
    used: Vec<u32>,
}

/// What a returned credit changes.
pub enum Returned {
    Nothing,
    /// The owner may send again.
    Resumes(u32),
    /// The virtual channel is free again.
    Freed,
}

impl OutputVcs {
    pub fn new(ports: usize, vcs: usize, capacity: u16, wait_for_tail_credit: bool) -> Self {
        let words = bits::words(vcs);
        let all: Vec<u64> = (0..words).map(|word| bits::range_word(0, vcs, word)).collect();
        Self {
            vcs,
            words,
            capacity,
            wait_for_tail_credit,
            credits: vec![capacity; ports * vcs],
            owner: vec![NOBODY; ports * vcs],
            free: all.repeat(ports),
            used: vec![0; ports],
        }
    }

    #[inline]
    pub fn free_of(&self, port: usize) -> &[u64] {
        &self.free[port * self.words..][..self.words]
    }

    #[inline]
    pub fn take(&mut self, port: usize, vc: usize, owner: u32) {
        self.owner[port * self.vcs + vc] = owner;
        bits::remove(&mut self.free[port * self.words..], vc);
    }

    /// A flit goes out; true if that makes the virtual channel free.
    #[inline]
    pub fn send(&mut self, port: usize, vc: usize, is_tail: bool) -> bool {
        let out = port * self.vcs + vc;
        self.credits[out] -= 1;
        self.used[port] += 1;
        if !is_tail {
            return false;
        }
        if self.wait_for_tail_credit {
            self.owner[out] = TAIL_SENT;
            return false;
        }
        self.release(port, vc);
        true
    }

    #[inline]
    fn release(&mut self, port: usize, vc: usize) {
        self.owner[port * self.vcs + vc] = NOBODY;
        bits::insert(&mut self.free[port * self.words..], vc);
    }

    #[inline]
    pub fn credit(&mut self, port: usize, vc: usize) -> Returned {
        let out = port * self.vcs + vc;
        self.credits[out] += 1;
        self.used[port] -= 1;
        match self.owner[out] {
            NOBODY => Returned::Nothing,
            TAIL_SENT if self.credits[out] == self.capacity => {
                self.release(port, vc);
                Returned::Freed
            }
            owner if owner != TAIL_SENT && self.credits[out] == 1 => Returned::Resumes(owner),
            _ => Returned::Nothing,
        }
    }

    /// Whether all buffers downstream are known to be empty and no virtual channel has an owner.
    pub fn are_restored(&self) -> bool {
        self.credits.iter().all(|&credits| credits == self.capacity)
            && self.owner.iter().all(|&owner| owner == NOBODY)
    }
}

/// One router's output ports as its routing function sees them.
pub struct OutputsOf<'a> {
    pub vcs: &'a OutputVcs,
    pub first_port: usize,
}

impl routing::Outputs for OutputsOf<'_> {
    fn used_credits(&self, port: u16) -> u32 {
        self.vcs.used[self.first_port + usize::from(port)]
    }

    fn any_free(&self, port: u16, first_vc: u16, vcs: u16) -> bool {
        let free = self.vcs.free_of(self.first_port + usize::from(port));
        let (first, count) = (usize::from(first_vc), usize::from(vcs));
        free.iter().enumerate().any(|(w, &free)| free & bits::range_word(first, count, w) != 0)
    }
}
