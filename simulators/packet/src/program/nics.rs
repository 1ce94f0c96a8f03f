//! Network interfaces: DMA, cutting into packets and putting together.
//!
//! A NIC sends one packet at a time. Control packets go first, data transfers one after the other in
//! the order in which they were handed over, or a packet of each in turn. Its DMA reads one packet ahead; each direction of DMA
//! serves one packet (or message) at a time. What arrives is taken at once. Virtual channels and
//! adaptive routes let packets overtake each other, so a transfer is there with the last of its
//! packets, and an ordered one waits for those handed over before it from the same node to the same
//! node. `send` and `receive` are the two sides.

use super::clock::Clock;
use super::events::{Event, Events};
use crate::recorder::Delivered;
use crate::traffic::{Next, Traffic};
use fabric::Node;
use mpi::time::Time;
use mpi::{Happening, Kind, Transfer};
use programs::transfers::{NONE, Transfers};
use programs::{Delays, Dma, Parameters};
use std::collections::VecDeque;

/// A network interface and its node's memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Nic {
    pub control: VecDeque<u32>,
    pub data: VecDeque<u32>,
    /// When the next packet of data may leave.
    pub prepared: Time,
    pub read_until: Time,
    pub written_until: Time,
    pub copied_until: Time,
}

/// Packets of a transfer that have not left, and those that have not arrived.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packets {
    pub unsent: u64,
    pub missing: u64,
}

/// Packets name their transfer by its number, with a bit beside it.
const MOST_TRANSFERS: u32 = 1 << 31;

/// All NICs, as the source queues of the network.
pub struct Nics {
    pub(super) parameters: Parameters,
    pub(super) clock: Clock,
    pub(super) dma: Dma,
    /// Of a message of data, before it may leave.
    pub(super) latency: Time,
    pub(super) now: Time,
    pub(super) nics: Vec<Nic>,
    pub(super) transfers: Transfers<Packets>,
    pub(super) events: Events,
    pub(super) happened: Vec<Happening>,
    /// Nodes whose sources have something to send.
    pub(super) awake: Vec<Node>,
    /// Transfers that were complete before an earlier one, and waited for it.
    pub(super) held: u64,
}

impl Nics {
    pub(super) fn new(nodes: u32, parameters: &Parameters, clock: Clock) -> Self {
        Self {
            dma: Dma::new(parameters),
            latency: Delays::new(parameters).message,
            parameters: parameters.clone(),
            clock,
            now: 0,
            nics: vec![Nic::default(); nodes as usize],
            transfers: Transfers::default(),
            events: Events::new(clock),
            happened: vec![],
            awake: vec![],
            held: 0,
        }
    }

    /// A transfer is handed over at `at`, which is not before the last event.
    pub(super) fn hand_over(&mut self, at: Time, transfer: &Transfer) {
        let packets = match transfer.kind {
            Kind::Data => self.parameters.packets(transfer.bytes),
            Kind::Control => 1,
        };
        let own = Packets { unsent: packets, missing: packets };
        let number = self.transfers.add(transfer, own);
        assert!(number < MOST_TRANSFERS, "more than 2^31 transfers under way");
        match at == self.now {
            true => self.start(number),
            false => self.events.plan(at, Event::Start(number)),
        }
    }

    /// All events of the time `now`.
    pub(super) fn happen(&mut self, now: Time) {
        self.now = now;
        while let Some(event) = self.events.pop(now) {
            match event {
                Event::Start(number) => self.start(number),
                Event::Enter(number) => self.enter(number),
                Event::Read(number) => {
                    self.happened.push(Happening::Read(self.transfers.get(number).token));
                }
                Event::Written(number) => self.written(number),
                Event::Look(node) => self.awake.push(node),
            }
        }
    }

    fn start(&mut self, number: u32) {
        self.transfers.keep_order(number);
        let transfer = *self.transfers.get(number);
        if transfer.src == transfer.dst {
            self.copy(number);
        } else if transfer.kind == Kind::Data && self.latency > 0 {
            self.events.plan(self.now + self.latency, Event::Enter(number));
        } else {
            self.enter(number);
        }
    }

    /// A transfer within a node crosses its memory, one after the other.
    fn copy(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        if transfer.kind == Kind::Control {
            return self.events.plan(self.now, Event::Written(number));
        }
        let nic = &mut self.nics[transfer.src as usize];
        nic.copied_until = nic.copied_until.max(self.now) + self.dma.copy(transfer.bytes);
        let at = nic.copied_until;
        self.events.plan(at, Event::Read(number));
        self.events.plan(at, Event::Written(number));
    }

    /// All of a transfer is where it should be; an ordered one has arrived with those before it.
    fn written(&mut self, number: u32) {
        let mut next = self.transfers.complete(number);
        self.held += u64::from(next == NONE);
        while next != NONE {
            self.happened.push(Happening::Arrived(self.transfers.get(next).token));
            next = self.transfers.remove(next);
        }
    }

    /// Whether nothing is under way, and everything that happened was reported.
    pub(super) fn is_idle(&self) -> bool {
        self.transfers.is_empty() && self.happened.is_empty()
    }
}

impl Traffic for Nics {
    const ANSWERS: bool = true;

    #[inline]
    fn due(&self) -> u64 {
        self.events.due()
    }

    fn next(&mut self, src: Node, now: u64) -> Next {
        self.next_packet(src, now)
    }

    fn delivered(&mut self, packet: &Delivered) -> bool {
        self.receive(packet.message, packet.arrived);
        false
    }
}
