//! What the network reports to whoever watches it. Nothing it reports changes what happens.
//!
//! The network has an observer of its own beside the program's ([`mpi::Observer`]), so that neither
//! shares the other's.

use crate::link_flows::LinkFlows;
use crate::metrics::Carried;
use fabric::{Channel, Node};
use mpi::Nobody;
use mpi::time::Time;

/// Watches the network. With `ACTIVE` false the calls cost nothing: the network keeps
/// nothing for them, too.
pub trait NetworkObserver {
    const ACTIVE: bool;

    /// Intervals in which a network that only counts what channels carry reports it.
    fn interval_ps(&self) -> Option<Time> {
        None
    }
    /// A packet of so many bytes, header included, occupies `channel` from `start` to `end`. Reported in
    /// the order in which packets cross the channel.
    fn packet_on_channel(&mut self, channel: Channel, bytes: u64, start: Time, end: Time);
    /// Flows share `channel` from `start` to `end`, or flits cross it at times that nobody counts. At
    /// its full rate the channel would carry their bytes in the time `busy`.
    fn flows_on_channel(&mut self, _: Channel, _: Carried, _start: Time, _end: Time) {}
    /// Whether it wants to know what pairs of nodes send over each channel.
    fn wants_flows(&self) -> bool {
        false
    }
    /// So many bytes, headers included, cross `channel` on their way from one node to another.
    fn flow_on_channel(&mut self, _: Channel, _ends: (Node, Node), _bytes: u64) {}
    /// The same of a whole run, from a network that counts by itself, in units of `each` bytes.
    fn take_flows(&mut self, _: LinkFlows, _each: u64) {}
    /// The buffer of virtual channel `vc` behind `channel` holds `bytes` from now on.
    fn buffer(&mut self, channel: Channel, vc: u32, at: Time, bytes: u64);
    /// A packet's head waited for `channel` (a router's output port) although it was ready.
    fn blocked(&mut self, channel: Channel, from: Time, until: Time);
    /// `channel` (a router's output port) takes a packet at `at`. Of all heads that were waiting for
    /// it, this packet's included, `since` is when the first one was ready. Reported for every packet, in
    /// the order in which a port takes them.
    fn taken(&mut self, channel: Channel, since: Time, at: Time);
    /// A packet's last byte is out of the network; `entered` is when its head left the NIC.
    fn packet_delivered(&mut self, entered: Time, at: Time);
}

impl NetworkObserver for Nobody {
    const ACTIVE: bool = false;

    fn packet_on_channel(&mut self, _: Channel, _: u64, _: Time, _: Time) {}
    fn buffer(&mut self, _: Channel, _: u32, _: Time, _: u64) {}
    fn blocked(&mut self, _: Channel, _: Time, _: Time) {}
    fn taken(&mut self, _: Channel, _: Time, _: Time) {}
    fn packet_delivered(&mut self, _: Time, _: Time) {}
}
