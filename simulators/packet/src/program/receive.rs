//! The receiving side of a NIC.

use super::events::Event;
use super::nics::Nics;
use super::send::transfer_of;
use mpi::Kind;

impl Nics {
    /// The last flit of a packet is here.
    pub(super) fn receive(&mut self, message: u32, cycle: u64) {
        let now = self.clock.time(cycle);
        let (number, is_last) = transfer_of(message);
        let transfer = self.transfers.get_mut(number);
        transfer.own.missing -= 1;
        let is_complete = transfer.own.missing == 0;
        let (kind, bytes, dst) = (transfer.kind, transfer.bytes, transfer.dst);
        let at = match kind {
            Kind::Control => now,
            Kind::Data => {
                let ejection = self.nics.len() as u32 + dst;
                let piece = self.piece(ejection, bytes, is_last);
                let nic = &mut self.nics[dst as usize];
                self.dma.write(&mut nic.written_until, now, is_complete, &piece)
            }
        };
        if is_complete {
            self.events.plan(at.max(now), Event::Written(number));
        }
    }
}
