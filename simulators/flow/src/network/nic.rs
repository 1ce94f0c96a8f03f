//! Network interfaces: from the hand-over of a transfer to its report.

use super::Network;
use super::events::What;
use mpi::time::{Time, of_bytes};
use mpi::{Happening, Kind};
use programs::NetworkObserver;
use programs::transfers::NONE;

/// Until when a NIC's DMA and its node's memory are taken.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Nic {
    read_until: Time,
    written_until: Time,
    /// How long its DMA has written, and will for what has landed.
    written: Time,
    copied_until: Time,
}

/// A NIC's DMA when the first unit of a message reaches it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Writing {
    /// It is free for the message.
    from: Time,
    /// As [`Nic::written`].
    before: Time,
}

impl Nic {
    /// The first unit of a message that begins now comes then.
    #[inline]
    pub fn expect(&self, first: Time) -> Writing {
        Writing { from: first.max(self.written_until), before: self.written }
    }

    /// DMA writes a message that has landed for so long, and not before its last unit is written: since
    /// its first unit came, it has had to write no more than what has landed.
    fn write(&mut self, expected: Writing, first: Time, time: Time, last: Time) -> Time {
        let others = expected.from + (self.written - expected.before);
        let at = (others.min(self.written_until.max(first)) + time).max(last);
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

    /// DMA reads a message of data after those before it. The flow begins with its first unit, and
    /// cannot end before its last one has been read and sent.
    pub(super) fn enter(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        if transfer.kind == Kind::Control || self.dma.is_instant() {
            return self.begin(number);
        }
        let nic = &mut self.nics[transfer.src as usize];
        let begin = nic.read_until.max(self.now);
        nic.read_until = begin + self.dma.time(transfer.bytes);
        let last = self.dma.on_channel(self.dma.last(transfer.bytes), transfer.src);
        let not_before = nic.read_until + last;
        self.transfers.get_mut(number).own.not_before = not_before;
        let first = self.dma.time(self.dma.first(transfer.bytes));
        self.then(begin + first, What::Begin(number));
    }

    /// A transfer's flow has ended.
    pub(super) fn ended(&mut self, number: u32) {
        self.then(self.transfers.get(number).own.not_before, What::Left(number));
    }

    pub(super) fn left(&mut self, number: u32) {
        let transfer = self.transfers.get(number);
        if transfer.kind == Kind::Data {
            self.happened.push(Happening::Read(transfer.token));
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
        let (first, expected) = match self.dma.stores_messages() {
            true => (self.now, nic.expect(self.now)),
            false => (transfer.own.began + transfer.own.head, transfer.own.writing),
        };
        let at = nic.write(expected, first, self.dma.time(transfer.bytes), last);
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
