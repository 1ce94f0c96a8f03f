//! The programmable controller (PCC) of a router: it serves one request at a time, round robin.
//!
//! A request that is refused at its second turn moves its message to the packet buffer. A request that
//! cannot succeed before something changes waits for the change and takes no further turns.

use super::events::What;
use super::state::{BUFFER, HOST, MEMORY};
use super::{NONE, Network};
use crate::options::{Choice, WhenFull};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// The head of a message is in a block and asks for a route.
    pub(super) fn ask(&mut self, router: u32, block: u8) {
        let number = self.routers[router as usize].held[usize::from(block)];
        let now = self.now;
        let own = &mut self.transfers.get_mut(number).own;
        (own.turns, own.asked, own.wants_buffer) = (0, now, false);
        self.request(router, 1 << block);
    }

    /// Blocks ask for a turn.
    fn request(&mut self, router: u32, blocks: u16) {
        let state = &mut self.routers[router as usize];
        state.asking |= blocks;
        if state.serving.is_some() {
            return;
        }
        let Some(block) = state.next_turn() else { return };
        state.asking &= !(1 << block);
        state.serving = Some(block);
        self.events.plan(self.now + self.times.routing, What::Served(router));
    }

    /// A link or a receiver that blocks of a router wait for has become free.
    pub(super) fn wake(&mut self, router: u32) {
        self.wake_some(router, u16::MAX);
    }

    /// The packet buffer can take in another message, which the buffer itself does not wait for.
    pub(super) fn wake_for_buffer(&mut self, router: u32) {
        self.wake_some(router, !(1 << BUFFER));
    }

    fn wake_some(&mut self, router: u32, blocks: u16) {
        let state = &mut self.routers[router as usize];
        let woken = state.parked & blocks;
        if woken != 0 {
            state.parked &= !woken;
            self.request(router, woken);
        }
    }

    pub(super) fn served(&mut self, router: u32) {
        let state = &mut self.routers[router as usize];
        let Some(block) = state.serving.take() else { return };
        state.last = block;
        let number = state.held[usize::from(block)];
        match self.choose(router, number) {
            Some(out) => self.connect(router, block, out),
            None => self.refuse(router, block, number),
        }
        self.request(router, 0);
    }

    /// A free block that leads the message to its destination.
    fn choose(&mut self, router: u32, number: u32) -> Option<u8> {
        let message = self.transfers.get(number);
        let (dst, own) = (message.dst, message.own);
        if own.wants_buffer {
            return None;
        }
        let target = self.wiring.router_of[dst as usize];
        if target == router {
            let is_host = self.wiring.routers[router as usize].host == Some(dst);
            let out = if is_host { HOST } else { MEMORY };
            return self.is_free(router, out).then_some(out);
        }
        let mut free = [0; crate::wiring::MOST_PORTS];
        let mut count = 0;
        for (place, port) in self.table.candidates(router, target).enumerate() {
            if place > 0 && self.choice == Choice::Fixed {
                break;
            }
            if self.is_free(router, port) {
                if self.choice != Choice::RandomFree {
                    self.counts.detours += u64::from(place > 0);
                    return Some(port);
                }
                (free[count], count) = (port, count + 1);
            }
        }
        (count > 0).then(|| free[self.random.below(count as u32) as usize])
    }

    /// Whether a block may take a message from the crossbar. Of a port, that is: whether it can acquire its
    /// link, and with it the neighbour's port.
    fn is_free(&self, router: u32, out: u8) -> bool {
        match out {
            MEMORY => self.routers[router as usize].receiving == NONE,
            HOST => self.taken[self.lane(self.host_link(router), 0)] == NONE,
            port => {
                let port = self.wiring.routers[router as usize].ports[usize::from(port)];
                self.taken[self.lane(port.link, port.side)] == NONE
            }
        }
    }

    fn refuse(&mut self, router: u32, block: u8, number: u32) {
        let own = &mut self.transfers.get_mut(number).own;
        own.turns += 1;
        let (turns, length) = (own.turns, own.length);
        self.counts.refused += 1;
        self.counts.blocked += u64::from(!std::mem::replace(&mut own.was_refused, true));
        if block == BUFFER {
            return self.park(router, block);
        }
        if turns < self.turns {
            return self.request(router, 1 << block);
        }
        let state = &self.routers[router as usize];
        if state.storing == NONE && state.buffer_bytes.saturating_add(length) <= self.buffer_bytes {
            return self.connect(router, block, BUFFER);
        }
        // A message that can never fit must not wait for room.
        let fits = length <= self.buffer_bytes;
        self.transfers.get_mut(number).own.wants_buffer =
            fits && self.when_full == WhenFull::AskBuffer;
        self.park(router, block);
    }

    fn park(&mut self, router: u32, block: u8) {
        self.routers[router as usize].parked |= 1 << block;
    }
}
