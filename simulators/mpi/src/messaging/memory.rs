//! Writes and reads the data of puts and gets in the memory of ranks that do not run.

#![expect(unsafe_code, reason = "memory of the program")]

use super::access::MemoryAccess;
use super::machine::Machine;
use super::message::Message;
use super::slab::NONE;
use crate::observer::Observer;
use crate::transport::Transport;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Whether accesses wait.
    #[inline]
    pub fn touches_memory(&self) -> bool {
        !self.accesses.is_empty()
    }

    /// Makes the accesses that wait. `translate` returns where a rank's memory lies now.
    pub fn touch_memory(&mut self, translate: impl Fn(u32, *mut u8) -> *mut u8) {
        let mut accesses = std::mem::take(&mut self.accesses);
        for access in accesses.drain(..) {
            match access {
                MemoryAccess::Write { rank, address, payload, bytes } => {
                    let to = match self.ranks[rank as usize].ended {
                        true => std::ptr::null_mut(),
                        false => translate(rank, address as *mut u8),
                    };
                    // SAFETY: the target exposed this memory and has not ended; the place was
                    // checked against its size.
                    unsafe { self.payloads.give(payload, to, bytes) };
                }
                MemoryAccess::Apply { message } => self.apply(message, &translate),
                MemoryAccess::Read { rank, address, message } => {
                    let from = translate(rank, address as *mut u8);
                    let bytes = self.messages[message].bytes;
                    if !self.ranks[rank as usize].ended {
                        // SAFETY: as for the write.
                        let payload = unsafe { self.payloads.take(from, bytes) };
                        self.messages[message].payload = payload;
                    }
                }
            }
        }
        self.accesses = accesses;
    }

    /// Makes `bytes` at `address` the rank's memory for puts and gets with data.
    pub fn expose(&mut self, rank: u32, address: usize, bytes: u64) {
        let ranks = self.ranks.len();
        self.exposed.resize(ranks, (0, 0));
        self.exposed[rank as usize] = (address, bytes);
    }

    /// Plans a write of a put's payload, if it has one.
    pub(super) fn write_later(&mut self, message: &Message) {
        let &Message { dst: rank, offset, payload, bytes, .. } = message;
        if payload != NONE {
            let address = self.exposed_at(rank, offset).unwrap_or(0);
            self.accesses.push(MemoryAccess::Write { rank, address, payload, bytes });
        }
    }

    /// None of a rank that has begun again since the access left, and exposes nothing yet.
    fn exposed_at(&self, rank: u32, offset: u64) -> Option<usize> {
        let (start, _) = self.exposed[rank as usize];
        (start != 0).then_some(start + offset as usize)
    }

    pub(super) fn read_later(&mut self, rank: u32, offset: u64, message: u32) {
        if let Some(address) = self.exposed_at(rank, offset) {
            self.accesses.push(MemoryAccess::Read { rank, address, message });
        }
    }
}
