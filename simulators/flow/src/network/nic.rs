//! Network interfaces: from the hand-over of a transfer to its report.
//!
//! A NIC that serves in order sends one message of data after another. Control messages wait for nothing.

use super::Network;
use super::events::What;
use mpi::time::{Time, of_bytes};
use mpi::{Happening, Kind};
use programs::NetworkObserver;
use programs::parameters::Service;
use programs::transfers::NONE;
use std::collections::VecDeque;

/// Until when a NIC's DMA and its node's memory are taken, and what it sends.
#[derive(Debug, Clone, Default)]
pub(super) struct Nic {
    /// Served in order: data that has not left, the message that is being sent first.
    data: VecDeque<u32>,
    read_until: Time,
    written_until: Time,
    /// How long its DMA has written, and will for what has landed.
    written: Time,
    copied_until: Time,
}

/// A NIC's DMA when the first unit of a message reaches it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Writing {
    /// The first unit comes.
    first: Time,
    /// It is free for the message.
    from: Time,
    /// As [`Nic::written`].
    before: Time,
}

impl Nic {
    /// The first unit of a message that begins now comes then.
    #[inline]
    pub fn expect(&self, first: Time) -> Writing {
        Writing { first, from: first.max(self.written_until), before: self.written }
    }

    /// DMA writes a message that has landed for so long, and not before its last unit is written: since
    /// its first unit came, it has had to write no more than what has landed.
    fn write(&mut self, expected: Writing, time: Time, last: Time) -> Time {
        let others = expected.from + (self.written - expected.before);
        let at = (others.min(self.written_until.max(expected.first)) + time).max(last);
        self.written += time;
        self.written_until = self.written_until.max(at);
        at
    }
}

impl<O: NetworkObserver> Network<O> {
    /// Does something now, or plans it.
    pub(super) fn then(&mut self, at: Time, what: What) {
        if at > self.now { self.events.plan(at, what) } else { self.apply(what) }
    }

    pub(super) fn hand_over(&mut self, number: u32) {
        self.transfers.keep_order(number);
        let transfer = self.transfers.get(number);
        let latency = if transfer.kind == Kind::Data { self.delays.message } else { 0 };
        match transfer.src == transfer.dst {
            true => self.copy(number),
            false => self.then(self.now + latency, What::Enter(number)),
        }
    }

    /// A transfer within a node crosses its memory, one after the other.
    fn copy(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        if transfer.kind == Kind::Control {
            return self.written(number);
        }
        let nic = &mut self.nics[transfer.src as usize];
        let time = match self.memory_bytes_per_s {
            f64::INFINITY => 0,
            rate => of_bytes(transfer.bytes, rate),
        };
        nic.copied_until = nic.copied_until.max(self.now) + time;
        let at = nic.copied_until;
        self.events.plan(at, What::Copied(number));
    }

    pub(super) fn copied(&mut self, number: u32) {
        self.happened.push(Happening::Read(self.transfers.get(number).token));
        self.written(number);
    }

    pub(super) fn enter(&mut self, number: u32) {
        let transfer = self.transfers.get_mut(number);
        transfer.own.entered = self.now;
        let (kind, src) = (transfer.kind, transfer.src as usize);
        if kind == Kind::Control {
            return self.begin(number);
        }
        if self.service == Service::InOrder {
            let data = &mut self.nics[src].data;
            data.push_back(number);
            if data.len() > 1 {
                return;
            }
        }
        let at = self.read(number, self.now);
        self.then(at, What::Begin(number));
    }

    /// The first message of a NIC that serves in order has left: the next one follows. DMA reads a packet
    /// ahead, so it has begun with that one when the last packet of the first began to leave.
    fn send_next(&mut self, src: u32, bytes: u64) {
        let data = &mut self.nics[src as usize].data;
        data.pop_front();
        let Some(&next) = data.front() else { return };
        let ahead = self.dma.last_packet_on_channel(bytes, src);
        let at = self.read(next, self.now.saturating_sub(ahead));
        // Planned also if it is now: a queue of messages without bytes would nest as deep as it is long.
        self.events.plan(at.max(self.now), What::Begin(next));
    }

    /// DMA reads a message of data after those before it, not before `from`. Returns when its first unit is
    /// read: then its flow can begin. It cannot end before its last one has been read and sent.
    fn read(&mut self, number: u32, from: Time) -> Time {
        let transfer = *self.transfers.get(number);
        let from = from.max(transfer.own.entered);
        if self.dma.is_instant() {
            return from;
        }
        let nic = &mut self.nics[transfer.src as usize];
        let begin = nic.read_until.max(from);
        nic.read_until = begin + self.dma.time(transfer.bytes);
        let not_before = self.dma.can_leave(begin, transfer.bytes, transfer.src);
        self.transfers.get_mut(number).own.not_before = not_before;
        begin + self.dma.time(self.dma.first(transfer.bytes))
    }

    /// A transfer's flow has ended.
    pub(super) fn ended(&mut self, number: u32) {
        self.then(self.transfers.get(number).own.not_before, What::Left(number));
    }

    pub(super) fn left(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        if transfer.kind == Kind::Data {
            self.happened.push(Happening::Read(transfer.token));
            if self.service == Service::InOrder {
                self.send_next(transfer.src, transfer.bytes);
            }
        }
        self.then(self.now + transfer.own.head, What::Land(number));
    }

    /// DMA writes a message of data beside others that come at the same time.
    pub(super) fn land(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        if O::ACTIVE {
            self.observer.packet_delivered(transfer.own.began, self.now);
        }
        if transfer.kind == Kind::Control || self.dma.is_instant() {
            return self.written(number);
        }
        let last = self.now + self.dma.time(self.dma.last(transfer.bytes));
        let nic = &mut self.nics[transfer.dst as usize];
        let expected = match self.dma.stores_messages() {
            true => nic.expect(self.now),
            false => transfer.own.writing,
        };
        let at = nic.write(expected, self.dma.time(transfer.bytes), last);
        self.then(at, What::Written(number));
    }

    /// All of a transfer is where it should be; an ordered one has arrived with those before it.
    pub(super) fn written(&mut self, number: u32) {
        let mut next = self.transfers.complete(number);
        while next != NONE {
            self.happened.push(Happening::Arrived(self.transfers.get(next).token));
            next = self.transfers.remove(next);
        }
    }
}
