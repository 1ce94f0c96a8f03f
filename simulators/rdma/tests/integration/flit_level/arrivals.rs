//! What arrived, whichever simulator moved it.

use super::{CYCLE, Case, Plan};
use fabric::Node;
use mpi::time::Time;
use packet::recorder::{Delivered, Recorder};
use programs::NetworkObserver;
use std::collections::HashMap;

/// Over the messages created in the last two thirds of the run: mean time from creation to the last
/// flit, mean time of their packets in the network; and flits per node and cycle that arrived in
/// that time.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub message: f64,
    pub network: f64,
    pub accepted: f64,
    /// Cycle in which the last message arrived.
    pub last: u64,
}

/// Arrivals, in cycles, whichever simulator found them.
pub(super) struct Arrivals {
    nodes: u32,
    from: u64,
    until: u64,
    /// Per message: when it was created, its source and its destination.
    created: Vec<(u64, Node, Node)>,
    /// Per message: its last packet's arrival.
    pub(super) finished: Vec<u64>,
    network_sum: u64,
    network_count: u64,
    flits: u64,
}

impl Arrivals {
    pub fn new(case: &Case, plan: &Plan) -> Self {
        let of = |(src, own): (usize, &Vec<(u64, Node, u64)>)| {
            own.iter().map(move |&(at, dst, _)| (at, src as Node, dst)).collect::<Vec<_>>()
        };
        let created: Vec<_> = plan.iter().enumerate().flat_map(of).collect();
        Self {
            nodes: plan.len() as u32,
            from: case.cycles / 3,
            until: case.cycles,
            finished: vec![0; created.len()],
            created,
            network_sum: 0,
            network_count: 0,
            flits: 0,
        }
    }

    fn packet(&mut self, entered: u64, at: u64) {
        if (self.from..self.until).contains(&entered) {
            self.network_sum += at - entered;
            self.network_count += 1;
        }
    }

    /// Per message: when it and all earlier ones from its source to its destination were there; 0 where
    /// one of them was not. Programs get messages no sooner, whatever ways packets took.
    fn in_order(&self) -> Vec<u64> {
        let mut last = HashMap::new();
        let of_message = |(&(_, src, dst), &finished): (&(u64, Node, Node), &u64)| {
            let before = last.entry((src, dst)).or_insert((0, false));
            let missing = before.1 || finished == 0;
            *before = (before.0.max(finished), missing);
            if missing { 0 } else { before.0 }
        };
        self.created.iter().zip(&self.finished).map(of_message).collect()
    }

    pub fn found(&self) -> Found {
        let window = self.from..self.until;
        let arrived = self.in_order();
        let own = self.created.iter().zip(&arrived).map(|(message, &arrived)| (message.0, arrived));
        let own = own.filter(|(created, arrived)| window.contains(created) && *arrived > 0);
        let (sum, count) = own.fold((0, 0), |(s, n), (c, a)| (s + a - c, n + 1));
        let cycles = (self.until - self.from) * u64::from(self.nodes);
        Found {
            message: sum as f64 / f64::from(count),
            network: self.network_sum as f64 / self.network_count as f64,
            accepted: self.flits as f64 / cycles as f64,
            last: self.finished.iter().copied().max().unwrap_or(0),
        }
    }
}

impl Recorder for Arrivals {
    fn injected(&mut self, _: Node, _: u64) {}

    fn ejected(&mut self, _: Node, _: u64, now: u64) {
        self.flits += u64::from((self.from..self.until).contains(&now));
    }

    fn delivered(&mut self, packet: &Delivered) {
        self.packet(packet.departed, packet.arrived);
        self.finished[packet.message as usize] = packet.arrived;
    }
}

impl NetworkObserver for Arrivals {
    const ACTIVE: bool = true;

    fn packet_on_channel(&mut self, channel: u32, _: u64, start: Time, end: Time) {
        if (self.nodes..2 * self.nodes).contains(&channel) {
            let cycle = |time: Time| (time / CYCLE).clamp(self.from, self.until);
            self.flits += cycle(end) - cycle(start);
        }
    }
    fn buffer(&mut self, _: u32, _: u32, _: Time, _: u64) {}
    fn blocked(&mut self, _: u32, _: Time, _: Time) {}
    fn taken(&mut self, _: u32, _: u64, _: u64) {}
    fn packet_delivered(&mut self, entered: Time, at: Time) {
        self.packet(entered / CYCLE, at / CYCLE);
    }
}
