//! What messaging asks of a network and its NICs: to move data from node to node, and to report when.

use crate::time::Time;
use fabric::Node;

/// Names a transfer in each [`Happening`]. Messaging chooses it, and may reuse it after the last one.
pub type Token = u32;

/// Data that one NIC sends to another, in packets.
///
/// A transfer from a node to itself only crosses the node's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    pub src: Node,
    pub dst: Node,
    /// How many transfers its source has passed before.
    pub number: u32,
    pub bytes: u64,
    pub kind: Kind,
    /// Whether it arrives after all earlier ordered transfers from the same node to the same node. A
    /// transfer that is not ordered waits for no other one, and no other one waits for it.
    pub ordered: bool,
    pub token: Token,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Read from memory by DMA at the source, written by DMA at the target.
    Data,
    /// One packet that the NICs make and consume without DMA. `bytes` is what it holds beside the header.
    Control,
}

/// What the network reports to messaging about a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// The source's NIC has read all of it: the memory may be used again. Not reported for `Control`.
    Read(Token),
    /// The head of a `Data` transfer is at the target, and the target knows of it. The rest follows,
    /// until `Arrived`. Reported only by networks with [`Transport::REPORTS_HEADS`], and only for a
    /// transfer that need not wait for an earlier ordered one.
    HeadArrived(Token),
    /// All of it is in the target's memory (`Data`) or at its NIC (`Control`).
    Arrived(Token),
}

/// A network with its NICs. Time never goes back: `at` is never before the time that `advance` returned
/// last.
pub trait Transport {
    /// Whether it reports [`Happening::HeadArrived`]. Every network states this. Where it does not, a
    /// message has no head of its own, and whoever waits for the head waits for all of the message.
    const REPORTS_HEADS: bool;

    /// Passes a transfer to the source's NIC at the time `at`. Ordered transfers between the same two
    /// nodes arrive in the order in which they are passed.
    fn send(&mut self, at: Time, transfer: Transfer);

    /// Simulates up to the first time at which something happens to a transfer, but not beyond `until`.
    /// Returns the time reached, and appends to `happenings` what happens then, in an order that the
    /// simulation alone determines.
    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time;

    /// Whether no transfer is under way and everything that happened has been reported.
    fn is_idle(&self) -> bool;

    /// Why the network cannot go on, if it cannot: for example because its packets are deadlocked.
    fn failure(&self) -> Option<&str> {
        None
    }
}
