//! How long DMA takes, and how far it runs beside the network.

use mpi::time::{Time, of_bytes};
use programs::Parameters;
use programs::parameters::DmaUnit;

/// DMA of the NICs, each direction by itself. It moves a message in units: the network has the first
/// one when it is read, and the memory the last one when it has arrived and is written.
pub(super) struct Dma {
    parameters: Parameters,
    bytes_per_s: Option<f64>,
}

impl Dma {
    pub fn new(parameters: &Parameters) -> Self {
        Self { parameters: parameters.clone(), bytes_per_s: parameters.nic.dma_bytes_per_s }
    }

    /// Without a rate, memory is as fast as one likes.
    pub fn is_instant(&self) -> bool {
        self.bytes_per_s.is_none()
    }

    pub fn time(&self, bytes: u64) -> Time {
        self.bytes_per_s.map_or(0, |rate| of_bytes(bytes, rate))
    }

    /// Bytes of a message's first unit.
    pub fn first(&self, bytes: u64) -> u64 {
        match self.parameters.nic.dma_unit {
            DmaUnit::Flit => bytes.min(self.parameters.packet.flit_bytes),
            DmaUnit::Packet => bytes.min(self.parameters.payload_bytes()),
            DmaUnit::Message => bytes,
        }
    }

    /// Bytes of its last unit.
    pub fn last(&self, bytes: u64) -> u64 {
        match self.parameters.nic.dma_unit {
            DmaUnit::Packet => self.parameters.bytes_of_packet(bytes, true),
            _ => self.first(bytes),
        }
    }

    /// Time of a unit on its node's channel; a packet or a whole message has its header with it.
    pub fn on_channel(&self, unit_bytes: u64, node: u32) -> Time {
        let header = match self.parameters.nic.dma_unit {
            DmaUnit::Flit => 0,
            _ => self.parameters.packet.header_bytes,
        };
        self.parameters.time_of_bytes(node, unit_bytes + header)
    }

    /// When the last byte of a message can leave, whose reading begins then. Its last unit has been read; a
    /// short last packet also waits until the full one before it has left.
    pub fn can_leave(&self, begin: Time, bytes: u64, node: u32) -> Time {
        let last = self.last(bytes);
        let before = match self.parameters.nic.dma_unit {
            DmaUnit::Packet if bytes > last => {
                self.time(bytes - last) + self.on_channel(self.first(bytes), node)
            }
            _ => 0,
        };
        begin + self.time(bytes).max(before) + self.on_channel(last, node)
    }

    /// Time of a message's last packet on its node's channel.
    pub fn last_packet_on_channel(&self, bytes: u64, node: u32) -> Time {
        let last = self.parameters.bytes_of_packet(bytes, true);
        self.parameters.time_of_bytes(node, last + self.parameters.packet.header_bytes)
    }

    /// Whether all of a message must be there before its first byte is moved on.
    pub fn stores_messages(&self) -> bool {
        self.parameters.nic.dma_unit == DmaUnit::Message
    }
}
