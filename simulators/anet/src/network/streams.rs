//! Messages on their way through crossbars and over links.
//!
//! The head of a message goes on as soon as its block is connected; its tail follows at the rate of the
//! output, but not before it has reached the block. The link and the ports at both of its ends are taken
//! from the connection until the tail has left the port behind the link.

use super::events::What;
use super::state::{BUFFER, HOST, MEMORY};
use super::{NONE, Network};
use mpi::time::{Time, of_bytes};
use mpi::{Happening, Kind};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// Connects a block with an output of the crossbar.
    pub(super) fn connect(&mut self, router: u32, block: u8, out: u8) {
        let now = self.now;
        let number = self.routers[router as usize].held[usize::from(block)];
        let own = self.transfers.get(number).own;
        let stream = if out == HOST { self.host_time(own.length) } else { self.time(own.length) };
        let leaves = own.tail.max(now + stream);
        if block == MEMORY || block == HOST {
            let node = self.transfers.get(number).src;
            self.transfers.get_mut(number).own.entered = now;
            self.carry(number, node, now, leaves);
        }
        match out {
            MEMORY => self.receive(router, number, leaves),
            HOST => self.over_to_host(router, number, leaves),
            BUFFER => self.store(router, number, leaves),
            port => {
                if O::ACTIVE && own.asked + self.times.routing < now {
                    let port = self.wiring.routers[router as usize].ports[usize::from(port)];
                    let ready = own.asked + self.times.routing;
                    self.observer.blocked(port.channel, ready, now);
                }
                self.cross(router, number, port, leaves);
            }
        }
        self.events.plan(leaves, What::Left(router, block));
    }

    /// Over the link of a port into the neighbour's port.
    fn cross(&mut self, router: u32, number: u32, port: u8, leaves: Time) {
        let port = self.wiring.routers[router as usize].ports[usize::from(port)];
        let lane = self.lane(port.link, port.side);
        self.taken[lane] = number;
        self.carry(number, port.channel, self.now, leaves);
        self.transfers.get_mut(number).own.tail = leaves + self.times.link;
        self.routers[port.neighbour as usize].held[usize::from(port.theirs)] = number;
        self.events.plan(self.now + self.times.link, What::Ask(port.neighbour, port.theirs));
    }

    /// By interrupt and bus request into the memory.
    fn receive(&mut self, router: u32, number: u32, leaves: Time) {
        let node = self.transfers.get(number).dst;
        self.routers[router as usize].receiving = number;
        self.carry(number, self.nodes + node, self.now, leaves);
        self.events.plan(self.now + self.times.interrupt, What::Known(number));
        self.events.plan(leaves + self.times.interrupt, What::Received(router));
    }

    fn over_to_host(&mut self, router: u32, number: u32, leaves: Time) {
        let node = self.transfers.get(number).dst;
        let lane = self.lane(self.host_link(router), 0);
        self.taken[lane] = number;
        self.carry(number, self.nodes + node, self.now, leaves);
        self.events.plan(self.now + self.times.link, What::Known(number));
        self.events.plan(leaves + self.times.link, What::AtHost(router, number));
    }

    fn store(&mut self, router: u32, number: u32, leaves: Time) {
        let own = &mut self.transfers.get_mut(number).own;
        own.tail = leaves;
        let length = own.length;
        self.counts.buffered += u64::from(!std::mem::replace(&mut own.was_buffered, true));
        let state = &mut self.routers[router as usize];
        state.storing = number;
        state.buffer_bytes += length;
        state.buffered.push_back(number);
        let first = usize::from(state.held[usize::from(BUFFER)] != NONE);
        let messages = (state.buffered.len() + first) as u64;
        self.counts.buffer_most = self.counts.buffer_most.max(messages);
        self.events.plan(leaves, What::Stored(router));
        self.next_of_buffer(router);
    }

    /// The first message of the packet buffer asks; it may still be coming in.
    pub(super) fn next_of_buffer(&mut self, router: u32) {
        let state = &mut self.routers[router as usize];
        if state.held[usize::from(BUFFER)] != NONE {
            return;
        }
        if let Some(number) = state.buffered.pop_front() {
            state.held[usize::from(BUFFER)] = number;
            // The head is in the buffer when the crossbar is connected, which is now.
            self.events.plan(self.now, What::Ask(router, BUFFER));
        }
    }

    /// The tail of a message has left a block.
    pub(super) fn left(&mut self, router: u32, block: u8) {
        let held = &mut self.routers[router as usize].held[usize::from(block)];
        let number = std::mem::replace(held, NONE);
        match block {
            MEMORY => {
                self.read(number);
                self.next_to_send(router);
            }
            HOST => {
                let lane = self.lane(self.host_link(router), 1);
                self.taken[lane] = NONE;
                self.next_from_host(router);
                self.wake(router);
            }
            BUFFER => {
                let length = self.transfers.get(number).own.length;
                self.routers[router as usize].buffer_bytes -= length;
                self.next_of_buffer(router);
                self.wake_for_buffer(router);
            }
            port => {
                let port = self.wiring.routers[router as usize].ports[usize::from(port)];
                // The other side acquired the link.
                let lane = self.lane(port.link, 1 - port.side);
                self.taken[lane] = NONE;
                self.wake(port.neighbour);
                self.wake(router);
            }
        }
    }

    pub(super) fn stored(&mut self, router: u32) {
        self.routers[router as usize].storing = NONE;
        self.wake_for_buffer(router);
    }

    pub(super) fn known(&mut self, number: u32) {
        let transfer = self.transfers.get(number);
        if transfer.kind == Kind::Data && !self.transfers.waits(number) {
            self.happened.push(Happening::HeadArrived(transfer.token));
        }
    }

    pub(super) fn received(&mut self, router: u32) {
        let receiving = &mut self.routers[router as usize].receiving;
        let number = std::mem::replace(receiving, NONE);
        self.arrived(number);
        self.wake(router);
    }

    pub(super) fn at_host(&mut self, router: u32, number: u32) {
        let lane = self.lane(self.host_link(router), 0);
        self.taken[lane] = NONE;
        self.arrived(number);
        self.next_from_host(router);
        self.wake(router);
    }

    pub(super) fn arrived(&mut self, number: u32) {
        if O::ACTIVE {
            self.observer.packet_delivered(self.transfers.get(number).own.entered, self.now);
        }
        let mut next = self.transfers.complete(number);
        while next != NONE {
            self.happened.push(Happening::Arrived(self.transfers.get(next).token));
            next = self.transfers.remove(next);
        }
    }

    /// Two clocks a byte.
    pub(super) fn time(&self, bytes: u64) -> Time {
        of_bytes(bytes, self.bytes_per_s)
    }

    /// Counts a message on a channel.
    fn carry(&mut self, number: u32, channel: u32, from: Time, until: Time) {
        let transfer = self.transfers.get(number);
        let (ends, bytes) = ((transfer.src, transfer.dst), transfer.own.length);
        let carried = &mut self.carried[channel as usize];
        carried.bytes += bytes;
        carried.busy += until - from;
        if O::ACTIVE {
            self.observer.packet_on_channel(channel, bytes, from, until);
            self.observer.flow_on_channel(channel, ends, bytes);
        }
    }
}
