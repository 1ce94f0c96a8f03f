//! What messages cost by their size, beside what the network takes for them.
//!
//! Curves say how long a message of n bytes takes between two ranks that do nothing else: T1(n) one
//! way, T2(n) where both send at once, g(n) from one message to the next of a stream. The network takes
//! a part of T1, and the rest is software. A rank's processor is busy for g(n) with each message, so
//! messages of one rank wait for each other, as the gap of LogGP says. Nobody needs the processor alone
//! for one way, so the busy times matter only where a rank has more to do. A message that crosses one of
//! its receiver's own takes T2(n) from when the first of both has left. Without g(n), sending and
//! receiving share T2(n).
//!
//! Of two streams in opposite directions, d(n) lies between a message and the next of each. Where d(n) is
//! shorter than 2 g(n), a rank sends and receives at the same time: messages of one direction are g(n)
//! apart, and each takes d(n) / 2 of what both directions share. The call that sends ends after s(n), or
//! after g(n) if that is shorter and the call follows another one that sends.

use super::message::Stage;
use crate::time::{Time, from_seconds};
use engine::Curves;

/// How long the network takes for a message at most, if it has nothing else to carry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alone {
    pub start_s: f64,
    pub byte_s: f64,
    /// Of a control packet.
    pub control_s: f64,
}

impl Alone {
    /// A network that takes no time, as the memory of a node does.
    pub const NOTHING: Self = Self { start_s: 0.0, byte_s: 0.0, control_s: 0.0 };

    fn seconds(&self, bytes: u64) -> f64 {
        self.start_s + bytes as f64 * self.byte_s
    }
}

/// Curves with the network that they were measured on.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    curves: Curves,
    alone: Alone,
}

impl Costs {
    pub fn new(curves: Curves, alone: Alone) -> Self {
        Self { curves, alone }
    }

    pub fn eager_limit_bytes(&self) -> Option<u64> {
        self.curves.eager_limit_bytes
    }

    pub fn one_way(&self, bytes: u64) -> Time {
        from_seconds(self.curves.one_way.seconds(bytes))
    }

    /// From the arrival of a message until it is whole. A rendezvous has sent two control packets.
    pub fn rest(&self, bytes: u64, stage: Stage) -> Time {
        let asking_s = if stage == Stage::Data { 2.0 * self.alone.control_s } else { 0.0 };
        let network_s = self.alone.seconds(bytes) + asking_s;
        from_seconds(self.curves.one_way.seconds(bytes) - network_s)
    }

    /// How long the processor is busy with a message that it receives: no longer than the message
    /// takes, nor than its share of both ways.
    pub fn receiving(&self, bytes: u64) -> Time {
        let half = self.two_way(bytes) / 2;
        let gap = self.curves.gap.as_ref().map_or(half, |gap| from_seconds(gap.seconds(bytes)));
        gap.min(half).min(self.one_way(bytes))
    }

    /// How long it is busy with one that it sends: as long, or the rest of both ways.
    pub fn sending(&self, bytes: u64) -> Time {
        match self.curves.gap {
            Some(_) => self.receiving(bytes),
            None => self.two_way(bytes) - self.receiving(bytes),
        }
    }

    /// How long the processor is busy with a message that it sends or receives, as far as it can do
    /// nothing in the other direction meanwhile.
    pub fn shared(&self, bytes: u64, busy: Time) -> Time {
        let duplex = self.curves.duplex.as_ref().filter(|_| self.curves.gap.is_some());
        duplex.map_or(busy, |times| from_seconds(times.seconds(bytes) / 2.0).min(busy))
    }

    /// How long the call takes that sends a message.
    pub fn calling(&self, bytes: u64) -> Time {
        match self.curves.sent {
            Some(_) => from_seconds(self.curves.sent_seconds(bytes)),
            None => self.sending(bytes),
        }
    }

    /// How much later than its sender the receiver of a rendezvous may call without a delay: the first
    /// control packet is on its way for so long.
    pub fn asking(&self) -> Time {
        self.one_way(0)
    }

    /// A copy within the memory of a rank.
    pub fn copying(&self, bytes: u64) -> Time {
        self.curves.copying.as_ref().map_or(0, |times| from_seconds(times.seconds(bytes)))
    }

    /// Whether a send goes before a message that the rank takes in, if the rank calls it by the time
    /// that the message is whole. It would leave a gap later otherwise, and ranks that enter an exchange
    /// apart would leave it further apart. Without a gap, a rank does first what can begin first.
    pub fn sends_first(&self) -> bool {
        self.curves.gap.is_some()
    }

    /// How long two messages that cross take at least, from when the first has left. Without a gap the
    /// processor's time holds that.
    pub fn crossing(&self, bytes: u64) -> Option<Time> {
        self.curves.gap.as_ref().map(|_| self.two_way(bytes))
    }

    fn two_way(&self, bytes: u64) -> Time {
        from_seconds(self.curves.two_way().seconds(bytes))
    }

    /// From the call of a put until its transfer begins.
    pub fn before_put(&self, bytes: u64) -> Time {
        let network_s = self.alone.seconds(bytes) + self.alone.control_s;
        from_seconds(self.curves.put().seconds(bytes) - network_s)
    }

    /// From the call of a put until it is complete.
    pub fn put(&self, bytes: u64) -> Time {
        from_seconds(self.curves.put().seconds(bytes))
    }
}
