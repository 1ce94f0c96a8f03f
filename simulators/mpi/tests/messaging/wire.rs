//! A network in closed form: latency and bytes over a rate, no contention. Inside a node both are 0.

use mpi::time::Time;
use mpi::{Happening, Kind, Transfer, Transport};
use std::collections::{BTreeMap, HashMap};

pub const LATENCY: Time = 1_000_000;
pub const PER_BYTE: Time = 250;

#[derive(Default)]
pub struct Wire {
    events: BTreeMap<(Time, u64), Happening>,
    last: HashMap<(u32, u32), Time>,
    number: u64,
    now: Time,
    pub sent: Vec<(Time, Transfer)>,
}

impl Wire {
    fn at(&mut self, at: Time, happening: Happening) {
        self.number += 1;
        self.events.insert((at, self.number), happening);
    }
}

impl Transport for Wire {
    /// So that all tests show that heads change nothing for programs that do not wait for them.
    const REPORTS_HEADS: bool = true;

    fn send(&mut self, at: Time, transfer: Transfer) {
        assert!(at >= self.now, "a transfer is handed over in the past");
        self.sent.push((at, transfer));
        let Transfer { src, dst, bytes, kind, ordered, token, .. } = transfer;
        let crossing = if src == dst { 0 } else { LATENCY };
        let reading = if kind == Kind::Data && src != dst { bytes * PER_BYTE } else { 0 };
        let mut arrived = at + reading + crossing;
        let mut is_next = true;
        if ordered {
            let last = self.last.entry((src, dst)).or_default();
            is_next = *last <= at + crossing;
            *last = arrived.max(*last);
            arrived = *last;
        }
        if kind == Kind::Data && is_next {
            self.at(at + crossing, Happening::HeadArrived(token));
        }
        if kind == Kind::Data {
            self.at(at + reading, Happening::Read(token));
        }
        self.at(arrived, Happening::Arrived(token));
    }

    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time {
        let first = self.events.keys().next().map_or(until, |&(at, _)| at.min(until));
        while let Some(entry) = self.events.first_entry().filter(|e| e.key().0 == first) {
            happenings.push(entry.remove());
        }
        self.now = first;
        first
    }

    fn is_idle(&self) -> bool {
        self.events.is_empty()
    }
}
