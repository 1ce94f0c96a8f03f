//! The upstream side of virtual channels: who owns them and how much space is left downstream.

use crate::routing;
use fabric::bits::{self, Sets};

/// Owner of a virtual channel that belongs to no packet.
const NOBODY: u32 = u32::MAX;
/// Owner of a virtual channel whose tail is sent but not yet gone from the next buffer.
const TAIL_SENT: u32 = u32::MAX - 1;

#[derive(Debug, Clone, Copy)]
struct OutputVc {
    /// The input virtual channel, by its number in the router.
    owner: u32,
    credits: u16,
}

pub struct OutputVcs {
    vcs: usize,
    capacity: u16,
    wait_for_tail_credit: bool,
    all: Vec<OutputVc>,
    /// Per port: the virtual channels that belong to no packet.
    free: Sets,
    /// Ports with a virtual channel that belongs to no packet.
    pub ports_with_free: Vec<u64>,
}

impl OutputVcs {
    pub fn new(ports: usize, vcs: usize, capacity: u16, wait_for_tail_credit: bool) -> Self {
        let mut free = Sets::new(ports, vcs);
        (0..ports * vcs).for_each(|vc| free.insert(vc / vcs, vc % vcs));
        Self {
            vcs,
            capacity,
            wait_for_tail_credit,
            all: vec![OutputVc { owner: NOBODY, credits: capacity }; ports * vcs],
            free,
            ports_with_free: (0..bits::words(ports))
                .map(|w| bits::range_word(0, ports, w))
                .collect(),
        }
    }

    /// A word of the set of virtual channels that belong to no packet.
    #[inline]
    pub fn free_word(&self, port: usize, word: usize) -> u64 {
        self.free.word(port, word)
    }

    #[inline]
    fn free_of(&self, port: usize) -> &[u64] {
        self.free.of(port)
    }

    #[inline]
    pub fn credits(&self, port: usize, vc: usize) -> u16 {
        self.all[port * self.vcs + vc].credits
    }

    /// Flits sent through a port whose credit is not back.
    #[inline]
    fn used(&self, port: usize) -> u32 {
        let vcs = &self.all[port * self.vcs..][..self.vcs];
        vcs.iter().map(|vc| u32::from(self.capacity - vc.credits)).sum()
    }

    #[inline]
    pub fn take(&mut self, port: usize, vc: usize, owner: u32) {
        self.all[port * self.vcs + vc].owner = owner;
        let was_last = self.free.remove(port, vc);
        bits::remove_if(&mut self.ports_with_free, port, was_last);
    }

    /// A flit goes out; the credits that are left.
    #[inline]
    pub fn send(&mut self, port: usize, vc: usize, is_tail: bool) -> u16 {
        let output = &mut self.all[port * self.vcs + vc];
        output.credits -= 1;
        let left = output.credits;
        if is_tail {
            if self.wait_for_tail_credit {
                output.owner = TAIL_SENT;
            } else {
                output.owner = NOBODY;
                self.set_free(port, vc);
            }
        }
        left
    }

    #[inline]
    fn release(&mut self, port: usize, vc: usize) {
        self.all[port * self.vcs + vc].owner = NOBODY;
        self.set_free(port, vc);
    }

    #[inline]
    fn set_free(&mut self, port: usize, vc: usize) {
        self.free.insert(port, vc);
        bits::insert(&mut self.ports_with_free, port);
    }

    /// A credit comes back; the owner if it may send again.
    #[inline]
    pub fn credit(&mut self, port: usize, vc: usize) -> Option<u32> {
        let output = &mut self.all[port * self.vcs + vc];
        output.credits += 1;
        let OutputVc { owner, credits } = *output;
        if self.wait_for_tail_credit && owner == TAIL_SENT {
            if credits == self.capacity {
                self.release(port, vc);
            }
            return None;
        }
        (credits == 1 && owner != NOBODY).then_some(owner)
    }

    /// Whether all buffers downstream are known to be empty and no virtual channel has an owner.
    pub fn are_restored(&self) -> bool {
        self.all.iter().all(|vc| vc.credits == self.capacity && vc.owner == NOBODY)
    }
}

/// One router's output ports as its routing function sees them.
pub struct OutputsOf<'a> {
    pub vcs: &'a OutputVcs,
    pub first_port: usize,
}

impl routing::Outputs for OutputsOf<'_> {
    fn used_credits(&self, port: u16) -> u32 {
        self.vcs.used(self.first_port + usize::from(port))
    }

    fn any_free(&self, port: u16, first_vc: u16, vcs: u16) -> bool {
        let free = self.vcs.free_of(self.first_port + usize::from(port));
        let (first, count) = (usize::from(first_vc), usize::from(vcs));
        free.iter().enumerate().any(|(w, &free)| free & bits::range_word(first, count, w) != 0)
    }
}
