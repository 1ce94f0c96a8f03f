//! The sending side of a NIC.

use super::events::Event;
use super::nics::Nics;
use crate::traffic::{Next, Packet};
use fabric::{Channel, Flow, Node};
use mpi::Kind;
use mpi::time::Time;
use programs::Piece;
use programs::parameters::Service;

/// What a packet of a transfer is called: the transfer's number, and whether it is the last one.
pub(super) fn message(number: u32, is_last: bool) -> u32 {
    number << 1 | u32::from(is_last)
}

/// Number of the transfer of a packet, and whether it is the last one.
pub(super) fn transfer_of(message: u32) -> (u32, bool) {
    (message >> 1, message & 1 == 1)
}

impl Nics {
    /// A transfer enters the queue of its NIC.
    pub(super) fn enter(&mut self, number: u32) {
        let transfer = self.transfers.get(number);
        let (node, kind) = (transfer.src, transfer.kind);
        let nic = &mut self.nics[node as usize];
        match kind {
            Kind::Control => nic.control.push_back(number),
            Kind::Data => {
                nic.data.push_back(number);
                if nic.data.len() == 1 {
                    self.prepare(node, self.now);
                }
            }
        }
        self.awake.push(node);
    }

    /// DMA begins to read the next packet of data.
    fn prepare(&mut self, node: Node, now: Time) {
        let Some(&number) = self.nics[node as usize].data.front() else { return };
        let transfer = *self.transfers.get(number);
        let piece = self.piece(transfer.src, transfer.bytes, transfer.own.unsent == 1);
        let parameters = &self.parameters;
        let is_first = || transfer.own.unsent == parameters.packets(transfer.bytes);
        let nic = &mut self.nics[node as usize];
        let read = self.dma.read(&mut nic.read_until, now, is_first, &piece);
        nic.prepared = read.prepared;
        if let Some(at) = read.all {
            self.events.plan(at.max(now), Event::Read(number));
        }
    }

    /// A packet on a channel, of a message of so many bytes, for DMA.
    pub(super) fn piece(&self, channel: Channel, message_bytes: u64, is_last: bool) -> Piece {
        let bytes = self.parameters.bytes_of_packet(message_bytes, is_last);
        let flits = self.parameters.flits(bytes);
        let tail = self.clock.tail(flits, self.parameters.links.slower(channel));
        Piece { bytes, message_bytes, is_last, tail }
    }

    /// The packet that the source of `node` sends next.
    pub(super) fn next_packet(&mut self, node: Node, cycle: u64) -> Next {
        let now = self.clock.time(cycle);
        let nic = &self.nics[node as usize];
        let number = match (nic.control.front(), nic.data.front()) {
            (Some(&control), _) => control,
            (None, Some(_)) if nic.prepared > now => {
                self.events.plan(nic.prepared, Event::Look(node));
                return Next::Waiting;
            }
            (None, Some(&data)) => data,
            (None, None) => return Next::Waiting,
        };
        let transfer = self.transfers.get_mut(number);
        transfer.own.unsent -= 1;
        let is_last = transfer.own.unsent == 0;
        let (kind, all) = (transfer.kind, transfer.bytes);
        let Flow { dst, message: of_source, .. } = transfer.flow();
        let nic = &mut self.nics[node as usize];
        let bytes = match kind {
            Kind::Control => {
                nic.control.pop_front();
                all
            }
            Kind::Data => {
                if is_last {
                    nic.data.pop_front();
                } else if self.parameters.nic.service == Service::RoundRobin {
                    nic.data.rotate_left(1);
                }
                self.prepare(node, now);
                self.parameters.bytes_of_packet(all, is_last)
            }
        };
        let flits = self.parameters.flits(bytes) as u32;
        let message = message(number, is_last);
        Next::Packet(Packet { dst, flits, created: cycle, message, number: of_source })
    }
}
