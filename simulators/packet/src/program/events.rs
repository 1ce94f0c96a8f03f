//! What happens beside the network, in the order of its times.

use super::clock::Clock;
use mpi::Calendar;
use mpi::time::Time;

/// Something that happens at a NIC; the number is that of a transfer, or a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A transfer is handed over.
    Start(u32),
    /// It enters the queue of its NIC.
    Enter(u32),
    /// The source's memory may be used again.
    Read(u32),
    /// All of it is in the target's memory.
    Written(u32),
    /// A node's next packet may leave.
    Look(u32),
}

/// Events to come, and the cycle of the first.
pub(super) struct Events {
    calendar: Calendar<Event>,
    clock: Clock,
    /// The first cycle that is not before the first of them.
    due: u64,
}

impl Events {
    pub fn new(clock: Clock) -> Self {
        Self { calendar: Calendar::default(), clock, due: u64::MAX }
    }

    pub fn plan(&mut self, at: Time, event: Event) {
        if self.first().is_none_or(|first| at < first) {
            self.due = self.clock.cycle(at);
        }
        self.calendar.plan(at, event);
    }

    pub fn first(&self) -> Option<Time> {
        self.calendar.first()
    }

    /// The next event of this time.
    pub fn pop(&mut self, now: Time) -> Option<Event> {
        if self.first() != Some(now) {
            return None;
        }
        let event = self.calendar.due(now)?;
        match self.first() {
            Some(at) if at == now => {}
            Some(at) => self.due = self.clock.cycle(at),
            None => self.due = u64::MAX,
        }
        Some(event)
    }

    /// The first cycle that is not before the first event; never without one.
    #[inline]
    pub fn due(&self) -> u64 {
        self.due
    }
}
