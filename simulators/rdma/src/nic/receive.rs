//! The receiving side of a NIC, and what it reports to messaging.

use crate::network::{NONE, Network};
use mpi::time::Time;
use mpi::{Happening, Kind};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    /// The last byte of a packet is here.
    pub(crate) fn receive(&mut self, number: u32) {
        if O::ACTIVE {
            self.observer.packet_delivered(self.watched.entered(number), self.now);
        }
        let packet = self.packets.remove(number);
        let transfer = self.transfers.get_mut(packet.transfer);
        transfer.own.missing_packets -= 1;
        self.reordered += u64::from(packet.later > transfer.own.fewest_later);
        transfer.own.fewest_later = transfer.own.fewest_later.min(packet.later);
        let (is_complete, kind) = (transfer.own.missing_packets == 0, transfer.kind);
        let at = match kind {
            Kind::Control => self.now,
            Kind::Data => self.write(packet.transfer, packet.is_last(), is_complete),
        };
        if !is_complete {
            return;
        }
        if at > self.now {
            self.plan(at, crate::network::What::Written(packet.transfer));
        } else {
            self.written(packet.transfer);
        }
    }

    /// DMA of a packet, or of a message that is complete; its end.
    fn write(&mut self, transfer: u32, is_last: bool, is_complete: bool) -> Time {
        let transfer = *self.transfers.get(transfer);
        let piece = self.piece(self.wiring.nodes + transfer.dst, transfer.bytes, is_last);
        let nic = &mut self.nics[transfer.dst as usize];
        self.timing.dma.write(&mut nic.written_until, self.now, is_complete, &piece)
    }

    pub(crate) fn read(&mut self, transfer: u32) {
        self.happened.push(Happening::Read(self.transfers.get(transfer).token));
    }

    /// All of a transfer is where it should be; an ordered one has arrived with those before it.
    pub(crate) fn written(&mut self, transfer: u32) {
        let mut next = self.transfers.complete(transfer);
        self.held += u64::from(next == NONE);
        while next != NONE {
            let arrived = self.transfers.get(next);
            self.happened.push(Happening::Arrived(arrived.token));
            self.routes.free(arrived.own.route);
            next = self.transfers.remove(next);
        }
    }
}
