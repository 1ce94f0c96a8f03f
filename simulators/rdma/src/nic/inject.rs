//! The sending side of a NIC.

use crate::network::{NONE, Network, Packet, What};
use mpi::Kind;
use mpi::time::NEVER;
use programs::parameters::Service;
use programs::transfers::UnderWay;
use programs::{NetworkObserver, Piece};

impl<O: NetworkObserver> Network<O> {
    /// A transfer is handed over.
    pub(crate) fn start(&mut self, number: u32) {
        self.transfers.keep_order(number);
        let transfer = *self.transfers.get(number);
        if transfer.src == transfer.dst {
            self.copy(number);
        } else if transfer.kind == Kind::Data && self.timing.message > 0 {
            self.plan(self.now + self.timing.message, What::Enter(number));
        } else {
            self.enter(number);
        }
    }

    /// A transfer within a node crosses its memory, one after the other.
    fn copy(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        if transfer.kind == Kind::Control {
            self.written(number);
            return;
        }
        let nic = &mut self.nics[transfer.src as usize];
        nic.copied_until = nic.copied_until.max(self.now) + self.timing.dma.copy(transfer.bytes);
        let at = nic.copied_until;
        self.plan(at, What::Read(number));
        self.plan(at, What::Written(number));
    }

    /// A transfer enters the queue of its NIC.
    pub(crate) fn enter(&mut self, number: u32) {
        let transfer = *self.transfers.get(number);
        let nic = &mut self.nics[transfer.src as usize];
        match transfer.kind {
            Kind::Control => nic.control.push(&mut self.transfers, number),
            Kind::Data => {
                nic.data.push(&mut self.transfers, number);
                if nic.data.first == number {
                    self.prepare(transfer.src);
                }
            }
        }
        self.mark(transfer.src);
    }

    /// DMA begins to read the next packet of data.
    fn prepare(&mut self, node: u32) {
        let number = self.nics[node as usize].data.first;
        let transfer = *self.transfers.get(number);
        let piece = self.piece(transfer.src, transfer.bytes, transfer.own.unsent_packets == 1);
        let parameters = &self.parameters;
        let is_first = || transfer.own.unsent_packets == parameters.packets(transfer.bytes);
        let nic = &mut self.nics[node as usize];
        let read = self.timing.dma.read(&mut nic.read_until, self.now, is_first, &piece);
        nic.prepared = read.prepared;
        match read.all {
            Some(end) if end > self.now => self.plan(end, What::Read(number)),
            Some(_) => self.read(number),
            None => {}
        }
    }

    /// A packet on a channel, of a message of so many bytes, as DMA sees it.
    #[inline]
    pub(super) fn piece(&self, channel: u32, message_bytes: u64, is_last: bool) -> Piece {
        let bytes = self.parameters.bytes_of_packet(message_bytes, is_last);
        let tail = self.flits_on(channel, self.flits(bytes) - 1);
        Piece { bytes, message_bytes, is_last, tail }
    }

    /// One look at the injection channel of a NIC.
    pub(crate) fn inject(&mut self, node: u32) {
        let nic = self.nics[node as usize];
        if nic.control.first == NONE && nic.data.first == NONE {
            return;
        }
        let busy = self.channels[node as usize].busy;
        if busy > self.now {
            self.look_at(node, busy);
        } else if nic.control.first != NONE {
            self.send_packet(node, nic.control.first);
        } else if nic.prepared > self.now {
            self.look_at(node, nic.prepared);
        } else {
            self.send_packet(node, nic.data.first);
        }
    }

    /// Sends a packet of a transfer, if a virtual channel has room for it.
    fn send_packet(&mut self, node: u32, number: u32) {
        let &UnderWay { kind, bytes, own, .. } = self.transfers.get(number);
        let unsent = own.unsent_packets;
        let is_last = unsent == 1;
        let bytes = match kind {
            Kind::Control => bytes,
            Kind::Data => self.parameters.bytes_of_packet(bytes, is_last),
        };
        let flits = self.flits(bytes);
        let Some(vc) = self.injection_vc(node, self.room(flits)) else { return };
        let end = self.now + self.flits_on(node, flits);
        self.channels[node as usize].busy = end;
        let room = self.room(flits);
        self.vcs[vc as usize].fill(room);
        self.count(node, flits);
        let place = self.routes.first_step(self.transfers.get_mut(number), &self.wiring);
        let later = (unsent - 1) as u32;
        let packet = Packet::new(number, place, flits, self.coins(node), later);
        self.count_injected();
        let packet = self.packets.add(packet);
        if self.on_the_way.is_some() {
            self.depart(packet, node);
        }
        let head = self.head_from(node);
        self.arrive(vc, packet, self.now + head);
        if O::ACTIVE {
            self.observe_injection(node, packet, end);
        }
        self.transfers.get_mut(number).own.unsent_packets = unsent - 1;
        let nic = &mut self.nics[node as usize];
        if is_last {
            let control = kind == Kind::Control;
            let queue = if control { &mut nic.control } else { &mut nic.data };
            queue.pop(&self.transfers);
        } else if self.parameters.nic.service == Service::RoundRobin {
            nic.data.rotate(&mut self.transfers);
        }
        if kind == Kind::Data && nic.data.first != NONE {
            self.prepare(node);
        }
        let nic = &self.nics[node as usize];
        if nic.control.first != NONE {
            self.look_at(node, end);
        } else if nic.data.first != NONE {
            self.look_at(node, end.max(nic.prepared));
        }
    }

    /// Flits of a packet with so many bytes of a message; most packets are full.
    #[inline]
    pub(super) fn flits(&self, bytes: u64) -> u32 {
        if bytes == self.parameters.payload_bytes() {
            self.timing.full_packet_flits
        } else {
            self.parameters.flits(bytes) as u32
        }
    }

    /// The virtual channel of the injection channel with so much room, in turn; if there is none,
    /// plans to look again.
    fn injection_vc(&mut self, node: u32, room: u32) -> Option<u32> {
        let (count, now) = (self.wiring.vcs, self.now);
        let turn = u32::from(self.nics[node as usize].turn);
        let first_vc = self.channels[node as usize].first_vc;
        let mut next = NEVER;
        for i in 0..count {
            let number = if turn + i < count { turn + i } else { turn + i - count };
            let vc = first_vc + number;
            let state = &mut self.vcs[vc as usize];
            let free = state.free_for(room, self.capacity, &self.timing);
            if free <= now {
                state.wanted = 0;
                let after = if number + 1 < count { number as u8 + 1 } else { 0 };
                self.nics[node as usize].turn = after;
                return Some(vc);
            }
            if free == NEVER {
                state.wanted = room as u16;
            }
            next = next.min(free);
        }
        if next < NEVER {
            self.look_at(node, next);
        }
        None
    }

    /// A coin for each ring of a torus, for classes that do not matter, of the packet that a node sends
    /// next.
    #[inline]
    fn coins(&self, node: u32) -> u8 {
        let count = self.channels[node as usize].packets;
        let mut bits = self.seed ^ (u64::from(node) << 40) ^ count;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 56) as u8
    }
}
