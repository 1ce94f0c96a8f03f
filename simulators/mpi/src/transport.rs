//! What messaging asks of network and NICs: move this amount from node to node, and say when.

use crate::time::Time;
use fabric::Node;

/// Chosen by messaging; comes back in every [`Happening`] of the transfer. May be used again after
/// the last one.
pub type Token = u32;

/// An amount of data that one NIC sends to another, cut into packets there.
///
/// A transfer from a node to itself crosses the node's memory only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    pub src: Node,
    pub dst: Node,
    pub bytes: u64,
    pub kind: Kind,
    /// Whether it arrives after all earlier ordered ones from the same node to the same node.
    /// Others neither wait nor are waited for.
    pub ordered: bool,
    pub token: Token,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Read from memory by DMA at the source, written by DMA at the target.
    Data,
    /// Made and taken by the NICs: one packet, no DMA (`bytes` is what it holds beside the header).
    Control,
}

/// What the network reports to messaging about a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// The source's NIC has read all of it: the memory may be used again. Not reported for `Control`.
    Read(Token),
    /// All of it is in the target's memory (`Data`) or at its NIC (`Control`).
    Arrived(Token),
}

/// Network and NICs. Time never goes back: `at` is never before what `advance` returned last.
pub trait Transport {
    /// Hands a transfer to the source's NIC at the time `at`. Those of one node to another that
    /// are `ordered` arrive in the order in which they were handed over.
    fn send(&mut self, at: Time, transfer: Transfer);

    /// Simulates up to the first time at which something happens to a transfer, but not beyond
    /// `until`. Returns the time reached; `happenings` gets what happens then, in an order that
    /// depends on nothing but the simulation.
    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time;

    /// Whether no transfer is under way, and everything that happened was reported.
    fn is_idle(&self) -> bool;
}
