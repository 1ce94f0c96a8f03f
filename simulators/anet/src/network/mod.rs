//! Routers and links: whole messages, event by event.
//!
//! A message is in a *block* of a router: the port that it came in by, the host port, the message sender
//! or the packet buffer. Its head asks the controller for an output. Once the crossbar connects both, the
//! head goes on and the tail follows; other connections stream at the same time.

mod controller;
mod events;
mod senders;
mod state;
mod streams;
mod stuck;

use crate::options::{Choice, Duplex, Options, WhenFull};
use crate::table::PortTable;
use crate::wiring::Wiring;
use events::What;
use fabric::{Channel, Fabric};
use mpi::time::{NEVER, Time, from_seconds};
use mpi::{Calendar, Happening, Transfer, Transport};

pub(crate) use programs::transfers::NONE;
use programs::transfers::Transfers;
use programs::{Carried, NetworkObserver, Parameters, SimulatedNetwork};
use state::{OnWay, Router};
use workload::Random;

/// Metrics of this network alone.
pub(crate) const COUNTS: [&str; 5] = [
    "messages_blocked",
    "messages_buffered",
    "requests_refused",
    "hops_detoured",
    "packet_buffer_most_messages",
];

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    /// Messages that were refused somewhere, and messages that were in a packet buffer.
    blocked: u64,
    buffered: u64,
    /// Turns without success.
    refused: u64,
    /// Hops by another port than the first of the table.
    detours: u64,
    /// Most messages in a packet buffer.
    buffer_most: u64,
}

#[derive(Debug, Clone, Copy)]
struct Times {
    send_setup: Time,
    routing: Time,
    link: Time,
    interrupt: Time,
}

/// Routers, links and hosts.
pub struct Network<O> {
    wiring: Wiring,
    table: PortTable,
    nodes: u32,
    times: Times,
    bytes_per_s: f64,
    host_byte_s: f64,
    memory_bytes_per_s: f64,
    least_bytes: u64,
    turns: u32,
    buffer_bytes: u64,
    when_full: WhenFull,
    choice: Choice,
    duplex: Duplex,
    random: Random,
    now: Time,
    events: Calendar<What>,
    routers: Vec<Router>,
    /// The message that has acquired each link: one place for both directions, or one for each.
    taken: Vec<u32>,
    copied_until: Vec<Time>,
    transfers: Transfers<OnWay>,
    happened: Vec<Happening>,
    failure: Option<String>,
    carried: Vec<Carried>,
    counts: Counts,
    observer: O,
}

impl<O: NetworkObserver> Network<O> {
    /// A network without messages.
    ///
    /// # Errors
    /// Says what the topology, the network or the file of ports cannot be.
    pub fn new(
        fabric: &Fabric,
        parameters: &Parameters,
        options: &Options,
        seed: u64,
        observer: O,
    ) -> Result<Self, String> {
        parameters.check()?;
        if !parameters.links.are_alike() {
            return Err("all links of anet have the same bandwidth and latency; leave out \
                        topology.links and topology.taper"
                .into());
        }
        let wiring = Wiring::new(fabric)?;
        let table = match &options.ports_file {
            Some(path) => PortTable::read(path, &wiring)?,
            None => PortTable::shortest(&wiring)?,
        };
        let lanes = wiring.links() * if options.duplex == Duplex::Full { 2 } else { 1 };
        Ok(Self {
            nodes: fabric.nodes(),
            times: Times {
                send_setup: from_seconds(options.send_setup_s),
                routing: from_seconds(options.routing_s),
                link: from_seconds(options.link_s),
                interrupt: from_seconds(options.interrupt_s),
            },
            bytes_per_s: parameters.bandwidth_bytes_per_s,
            host_byte_s: options.host_byte_s,
            memory_bytes_per_s: parameters.nic.memory_bytes_per_s.unwrap_or(f64::INFINITY),
            least_bytes: options.least_message_bytes,
            turns: options.turns,
            buffer_bytes: options.packet_buffer_bytes.unwrap_or(u64::MAX),
            when_full: options.when_full,
            choice: options.choice,
            duplex: options.duplex,
            random: Random::new(seed),
            now: 0,
            events: Calendar::default(),
            routers: vec![Router::default(); wiring.routers.len()],
            taken: vec![NONE; lanes],
            copied_until: vec![0; fabric.nodes() as usize],
            transfers: Transfers::default(),
            happened: Vec::new(),
            failure: None,
            carried: vec![Carried::default(); fabric.channels() as usize],
            counts: Counts::default(),
            observer,
            wiring,
            table,
        })
    }

    /// The place in `taken` of what leaves a side of a link.
    fn lane(&self, link: u32, side: u8) -> usize {
        match self.duplex {
            Duplex::Half => link as usize,
            Duplex::Full => 2 * link as usize + usize::from(side),
        }
    }

    /// The router is side 0, its host side 1.
    fn host_link(&self, router: u32) -> u32 {
        self.wiring.first_host_link + router
    }

    fn apply(&mut self, what: What) {
        match what {
            What::HandOver(number) => self.hand_over(number),
            What::Ask(router, block) => self.ask(router, block),
            What::Served(router) => self.served(router),
            What::Left(router, block) => self.left(router, block),
            What::Stored(router) => self.stored(router),
            What::Known(number) => self.known(number),
            What::Received(router) => self.received(router),
            What::AtHost(router, number) => self.at_host(router, number),
            What::Copied(number) => self.copied(number),
        }
    }
}

impl<O: NetworkObserver> Transport for Network<O> {
    /// The head of a message has arrived when the processor knows of it; DMA then writes the message as it
    /// comes in.
    const REPORTS_HEADS: bool = true;

    fn send(&mut self, at: Time, transfer: Transfer) {
        debug_assert!(at >= self.now, "a transfer in the past");
        let length = transfer.bytes.max(self.least_bytes);
        let number = self.transfers.add(&transfer, OnWay { length, ..OnWay::default() });
        self.events.plan(at, What::HandOver(number));
    }

    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time {
        loop {
            while let Some(what) = self.events.due(self.now) {
                self.apply(what);
            }
            if !self.happened.is_empty() {
                happenings.append(&mut self.happened);
                return self.now;
            }
            match self.events.first() {
                Some(next) if next <= until => self.now = next,
                None if until == NEVER => {
                    self.failure = Some(self.stands_still());
                    return until;
                }
                _ => {
                    self.now = until;
                    return until;
                }
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.transfers.is_empty() && self.happened.is_empty()
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

impl<O: NetworkObserver> SimulatedNetwork for Network<O> {
    type Observer = O;

    fn observer(&self) -> &O {
        &self.observer
    }

    fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    fn channel_bytes(&self, channel: Channel) -> u64 {
        self.carried[channel as usize].bytes
    }

    fn channel_busy(&self, channel: Channel) -> Time {
        self.carried[channel as usize].busy
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        let Counts { blocked, buffered, refused, detours, buffer_most } = self.counts;
        COUNTS.into_iter().zip([blocked, buffered, refused, detours, buffer_most]).collect()
    }
}
