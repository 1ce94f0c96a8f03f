//! What the simulation tells whoever watches it. Nothing it is told changes what happens.
//!
//! The network tells one observer of packets, messaging tells another of messages and calls
//! (`measure::NetworkWatch` and `measure::ProgramWatch`), so that neither shares the other's.

use crate::time::Time;
use fabric::Channel;

/// Watches network or program. With `ACTIVE` false the calls cost nothing: the network keeps
/// nothing for them, too.
pub trait Observer {
    const ACTIVE: bool;

    /// A packet of so many bytes, header included, occupies `channel` from `start` to `end`. Told in
    /// the order in which packets cross the channel.
    fn packet_on_channel(&mut self, channel: Channel, bytes: u64, start: Time, end: Time);
    /// The buffer of virtual channel `vc` behind `channel` holds `bytes` from now on.
    fn buffer(&mut self, channel: Channel, vc: u32, at: Time, bytes: u64);
    /// A packet's head waited for `channel` (a router's output port) although it was ready.
    fn blocked(&mut self, channel: Channel, from: Time, until: Time);
    /// `channel` (a router's output port) takes a packet at `at`. Of all heads that were waiting for
    /// it, this packet's included, `since` is when the first one was ready. Told of every packet, in
    /// the order in which a port takes them.
    fn taken(&mut self, channel: Channel, since: Time, at: Time);
    /// A packet's last byte is out of the network; `entered` is when its head left the NIC.
    fn packet_delivered(&mut self, entered: Time, at: Time);
    /// A message of the program from rank to rank: from the call that sent it to its data's arrival.
    fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time);
    /// A rank was in a call of the program (`MGEN_Recv`, `MGEN_Comp` …) from `start` to `end`. A call
    /// that another one makes is told as well, and lies within it.
    fn call(&mut self, rank: u32, name: &'static str, start: Time, end: Time);
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Observer for Nobody {
    const ACTIVE: bool = false;

    fn packet_on_channel(&mut self, _: Channel, _: u64, _: Time, _: Time) {}
    fn buffer(&mut self, _: Channel, _: u32, _: Time, _: u64) {}
    fn blocked(&mut self, _: Channel, _: Time, _: Time) {}
    fn taken(&mut self, _: Channel, _: Time, _: Time) {}
    fn packet_delivered(&mut self, _: Time, _: Time) {}
    fn message(&mut self, _: u32, _: u32, _: u64, _: Time, _: Time) {}
    fn call(&mut self, _: u32, _: &'static str, _: Time, _: Time) {}
}
