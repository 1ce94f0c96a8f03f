//! Where messages come from: the message sender of a router, and the host.

use super::events::What;
use super::state::{HOST, MEMORY};
use super::{NONE, Network};
use mpi::time::{Time, from_seconds, of_bytes};
use mpi::{Happening, Kind};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// The processor writes the end address of a message, or the host writes to its device.
    pub(super) fn hand_over(&mut self, number: u32) {
        self.transfers.keep_order(number);
        let transfer = *self.transfers.get(number);
        if transfer.src == transfer.dst {
            return self.copy(number);
        }
        let router = self.wiring.router_of[transfer.src as usize];
        let state = &mut self.routers[router as usize];
        if self.wiring.routers[router as usize].host == Some(transfer.src) {
            state.from_host.push_back(number);
            return self.next_from_host(router);
        }
        state.to_send.push_back(number);
        self.transfers.get_mut(number).own.ready = self.now + self.times.send_setup;
        self.next_to_send(router);
    }

    /// The message sender takes the next end address. It reads an address while it sends the message
    /// before, so that only the controller's service lies between the messages of a list.
    pub(super) fn next_to_send(&mut self, router: u32) {
        let state = &mut self.routers[router as usize];
        if state.held[usize::from(MEMORY)] != NONE {
            return;
        }
        let Some(number) = state.to_send.pop_front() else { return };
        state.held[usize::from(MEMORY)] = number;
        let at = self.transfers.get(number).own.ready.max(self.now);
        self.events.plan(at, What::Ask(router, MEMORY));
    }

    /// The host sends its next message when it can acquire its link.
    pub(super) fn next_from_host(&mut self, router: u32) {
        let lane = self.lane(self.host_link(router), 1);
        let state = &mut self.routers[router as usize];
        if self.taken[lane] != NONE || state.held[usize::from(HOST)] != NONE {
            return;
        }
        let Some(number) = state.from_host.pop_front() else { return };
        state.held[usize::from(HOST)] = number;
        self.taken[lane] = number;
        let at = self.now + self.times.link;
        self.transfers.get_mut(number).own.tail =
            at + self.host_time(self.transfers.get(number).own.length);
        self.events.plan(at, What::Ask(router, HOST));
    }

    /// With the handshake of the host.
    pub(super) fn host_time(&self, bytes: u64) -> Time {
        from_seconds(bytes as f64 * self.host_byte_s)
    }

    /// A message within a node only crosses its memory.
    fn copy(&mut self, number: u32) {
        let transfer = self.transfers.get(number);
        let time = match transfer.kind {
            Kind::Data if self.memory_bytes_per_s.is_finite() => {
                of_bytes(transfer.bytes, self.memory_bytes_per_s)
            }
            _ => 0,
        };
        let copied = &mut self.copied_until[transfer.src as usize];
        *copied = self.now.max(*copied) + time;
        let at = *copied;
        self.events.plan(at, What::Copied(number));
    }

    pub(super) fn copied(&mut self, number: u32) {
        self.read(number);
        self.known(number);
        self.arrived(number);
    }

    /// The memory of a message may be used again.
    pub(super) fn read(&mut self, number: u32) {
        let transfer = self.transfers.get(number);
        if transfer.kind == Kind::Data {
            self.happened.push(Happening::Read(transfer.token));
        }
    }
}
