//! The network of a program: every transfer is a flow, and NICs have their DMA.
//!
//! A transfer leaves its NIC as a flow over all channels of its route at once. When its last byte has
//! left, it arrives as much later as its head took on the way: routers and cables delay bytes, and hold
//! none of them up. Flows share channels by a rule; rates change when flows begin or end, once for all
//! that do so at the same picosecond.

mod carried;
mod channels;
mod dma;
mod events;
mod nic;
mod watched;

use crate::due::Due;
use crate::rule::Rule;
use crate::sharing::{Model, Sharing};
use channels::Busy;
use dma::Dma;
use events::What;
use fabric::{Channel, Fabric, Links};
use mpi::time::Time;
use mpi::{Calendar, Happening, Transfer, Transport};
use nic::{Nic, Writing};
use programs::parameters::Service;
use programs::transfers::Transfers;
use programs::{Delays, NetworkObserver, Parameters, SimulatedNetwork};
use watched::Watched;

const PICOSECONDS_PER_S: f64 = 1e12;

/// What is known of a transfer's flow.
#[derive(Debug, Clone, Copy, Default)]
struct Flow {
    /// How long its head takes.
    head: Time,
    entered: Time,
    began: Time,
    /// Its last byte leaves no earlier.
    not_before: Time,
    writing: Writing,
}

/// Network and NICs.
pub struct Network<O> {
    fabric: Fabric,
    links: Links,
    delays: Delays,
    dma: Dma,
    service: Service,
    header_bytes: u64,
    bandwidth_bytes_per_s: f64,
    memory_bytes_per_s: f64,
    now: Time,
    events: Calendar<What>,
    rule: Rule,
    due: Due,
    /// Whether flows began or ended since rates were settled.
    is_unsettled: bool,
    /// Transfer of each slot, and slots without one.
    transfer_of: Vec<u32>,
    free_slots: Vec<u32>,
    transfers: Transfers<Flow>,
    nics: Vec<Nic>,
    busy: Busy,
    happened: Vec<Happening>,
    path: Vec<Channel>,
    batch: Vec<u32>,
    observer: O,
    watched: Watched,
}

impl<O: NetworkObserver> Network<O> {
    /// An empty network.
    ///
    /// # Errors
    /// Says which parameter cannot be.
    pub fn new(
        fabric: &Fabric,
        parameters: &Parameters,
        model: Model,
        observer: O,
    ) -> Result<Self, String> {
        parameters.check()?;
        let channels = fabric.channels();
        let watched = if O::ACTIVE { channels } else { 0 };
        let ps_per_byte = PICOSECONDS_PER_S / parameters.bandwidth_bytes_per_s;
        let of_byte = |channel| ps_per_byte * parameters.links.slower(channel);
        Ok(Self {
            fabric: fabric.clone(),
            links: parameters.links.clone(),
            delays: Delays::new(parameters),
            dma: Dma::new(parameters),
            service: parameters.nic.service,
            header_bytes: parameters.packet.header_bytes,
            bandwidth_bytes_per_s: parameters.bandwidth_bytes_per_s,
            memory_bytes_per_s: parameters.nic.memory_bytes_per_s.unwrap_or(f64::INFINITY),
            now: 0,
            events: Calendar::default(),
            rule: Rule::new(model, fabric, &parameters.links, 1.0 / parameters.links.fastest()),
            due: Due::new(0),
            is_unsettled: false,
            transfer_of: Vec::new(),
            free_slots: Vec::new(),
            transfers: Transfers::default(),
            nics: vec![Nic::default(); fabric.nodes() as usize],
            busy: Busy::new(channels as usize),
            happened: Vec::new(),
            path: Vec::with_capacity(fabric.longest_route()),
            batch: Vec::new(),
            observer,
            watched: Watched::new((0..watched).map(of_byte)),
        })
    }

    /// All that happens at the present time.
    fn happen(&mut self) {
        loop {
            while let Some(what) = self.events.due(self.now) {
                self.apply(what);
            }
            if self.first_end().is_none_or(|at| at > self.now) {
                return;
            }
            self.end_flows();
        }
    }

    fn apply(&mut self, what: What) {
        match what {
            What::HandOver(number) => self.hand_over(number),
            What::Enter(number) => self.enter(number),
            What::Begin(number) => self.begin(number),
            What::Left(number) => self.left(number),
            What::Land(number) => self.land(number),
            What::Copied(number) => self.copied(number),
            What::Written(number) => self.written(number),
        }
    }

    /// The time to which the end of the earliest flow is rounded.
    fn first_end(&self) -> Option<Time> {
        let at = self.due.earliest();
        (at < f64::INFINITY).then_some((at + 0.5) as Time)
    }

    /// Puts a transfer on the channels of its route.
    fn begin(&mut self, number: u32) {
        let transfer = self.transfers.get_mut(number);
        let bytes = transfer.bytes + self.header_bytes;
        let ends = (transfer.src, transfer.dst);
        transfer.own.began = self.now;
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        self.fabric.route_of(transfer.flow(), &mut path);
        transfer.own.head = self.delays.of_head_on(&path, self.nics.len() as u32, &self.links);
        if !self.dma.is_instant() {
            let unit = self.dma.on_channel(self.dma.first(transfer.bytes), transfer.src);
            let first = self.now + transfer.own.head + unit;
            transfer.own.writing = self.nics[transfer.dst as usize].expect(first);
        }
        if bytes == 0 {
            self.ended(number);
        } else {
            let slot = self.slot(number);
            self.busy.begin(&path, self.rule.incidence(), self.now);
            self.rule.add(slot, &path, bytes as f64);
            let alone = bytes as f64 / self.bandwidth_bytes_per_s * PICOSECONDS_PER_S;
            self.due.begin(slot, self.now as f64 + alone);
            self.is_unsettled = true;
            if O::ACTIVE {
                self.watched.begin(slot);
                for &channel in &path {
                    self.observer.flow_on_channel(channel, ends, bytes);
                }
            }
        }
        self.path = path;
    }

    fn slot(&mut self, number: u32) -> u32 {
        let slot = self.free_slots.pop().unwrap_or_else(|| {
            self.rule.add_slot();
            self.due.add_slot();
            self.transfer_of.push(0);
            self.transfer_of.len() as u32 - 1
        });
        self.transfer_of[slot as usize] = number;
        slot
    }

    /// Ends the flows that are due at the present time.
    fn end_flows(&mut self) {
        let mut batch = std::mem::take(&mut self.batch);
        let until = just_below(self.now as f64 + 0.5).max(self.due.earliest());
        self.due.until(until, &mut batch);
        for &slot in &batch {
            if O::ACTIVE {
                self.watched.end(slot, &self.rule, self.now, &mut self.observer);
            }
            self.busy.end(slot, self.rule.incidence(), self.now);
            self.rule.remove(slot);
            self.due.set(slot, f64::INFINITY);
            self.free_slots.push(slot);
            self.ended(self.transfer_of[slot as usize]);
        }
        self.is_unsettled |= !batch.is_empty();
        batch.clear();
        self.batch = batch;
    }

    /// Gives all flows their rates from now on.
    fn settle(&mut self) {
        if !std::mem::replace(&mut self.is_unsettled, false) {
            return;
        }
        let Self { rule, due, watched, now, .. } = self;
        rule.settle(|slot, factor| {
            due.stretch(slot, *now as f64, factor);
            if O::ACTIVE {
                watched.changed.push(slot);
            }
        });
        if O::ACTIVE {
            let bytes_per_ps = self.bandwidth_bytes_per_s / PICOSECONDS_PER_S;
            self.watched.settle(&self.rule, bytes_per_ps, self.now, &mut self.observer);
        }
    }
}

/// The largest number below a positive one.
fn just_below(number: f64) -> f64 {
    f64::from_bits(number.to_bits() - 1)
}

impl<O: NetworkObserver> Transport for Network<O> {
    /// A flow is on all channels of its route at once: it has no head.
    const REPORTS_HEADS: bool = false;

    fn send(&mut self, at: Time, transfer: Transfer) {
        debug_assert!(at >= self.now, "a transfer in the past");
        if self.is_idle() {
            // Nothing happened since, and nobody had to ask for it.
            self.now = at;
        }
        let number = self.transfers.add(&transfer, Flow::default());
        self.then(at, What::HandOver(number));
    }

    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time {
        loop {
            self.happen();
            if !self.happened.is_empty() {
                happenings.append(&mut self.happened);
                return self.now;
            }
            self.settle();
            let ends = self.first_end().unwrap_or(Time::MAX);
            let next = ends.min(self.events.first().unwrap_or(Time::MAX));
            if next > until {
                self.now = until;
                return until;
            }
            self.now = next.max(self.now);
        }
    }

    fn is_idle(&self) -> bool {
        self.transfers.is_empty() && self.happened.is_empty()
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
        // Whole numbers below 2^53 add up exactly.
        self.rule.incidence().bytes(channel) as u64
    }

    fn channel_busy(&self, channel: Channel) -> Time {
        self.busy.total(channel)
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        vec![]
    }
}
