//! Messages of open-loop traffic, for the table on demand.

use crate::recorder::Delivered;
use fabric::Node;

/// One message; times in cycles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Logged {
    pub src: Node,
    pub dst: Node,
    pub created: u64,
    /// Arrival of the last packet so far.
    pub arrived: u64,
    /// Flits that have arrived.
    pub flits: u64,
}

/// Messages by number.
#[derive(Debug, Clone, Default)]
pub struct MessageLog(Vec<Logged>);

impl MessageLog {
    pub fn add(&mut self, packet: &Delivered) {
        let number = packet.message as usize;
        if self.0.len() <= number {
            self.0.resize(number + 1, Logged::default());
        }
        let message = &mut self.0[number];
        (message.src, message.dst, message.created) = (packet.src, packet.dst, packet.created);
        message.arrived = message.arrived.max(packet.arrived);
        message.flits += u64::from(packet.flits);
    }

    pub fn messages(&self) -> &[Logged] {
        &self.0
    }
}
