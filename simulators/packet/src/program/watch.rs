//! Counts of packets, and those who watch them.

use super::clock::Clock;
use super::send::transfer_of;
use crate::recorder::{Delivered, Recorder};
use fabric::Node;
use programs::NetworkObserver;

/// Counts what arrives, and reports it to an observer.
pub struct Watch<O> {
    pub observer: O,
    clock: Clock,
    pub packets: u64,
    /// Packets times the routers that they left.
    pub packet_hops: u64,
    /// Packets that arrived after a later one of their transfer.
    pub reordered: u64,
    /// By transfer: when that of its packets left that left last, of those that are here. Packets of
    /// a transfer that had the number before left before.
    departed: Vec<u64>,
}

impl<O> Watch<O> {
    pub fn new(observer: O, clock: Clock) -> Self {
        Self { observer, clock, packets: 0, packet_hops: 0, reordered: 0, departed: vec![] }
    }
}

impl<O: NetworkObserver> Recorder for Watch<O> {
    fn injected(&mut self, _: Node, _: u64) {}

    fn ejected(&mut self, _: Node, _: u64, _: u64) {}

    fn delivered(&mut self, packet: &Delivered) {
        let (number, _) = transfer_of(packet.message);
        let number = number as usize;
        if number >= self.departed.len() {
            self.departed.resize(number + 1, 0);
        }
        let last = &mut self.departed[number];
        self.reordered += u64::from(packet.departed < *last);
        *last = packet.departed.max(*last);
        self.packets += 1;
        self.packet_hops += u64::from(packet.routers);
        if O::ACTIVE {
            let time = |cycle| self.clock.time(cycle);
            self.observer.packet_delivered(time(packet.departed), time(packet.arrived));
        }
    }
}
