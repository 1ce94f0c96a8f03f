//! How messages are cut into packets, and what a cycle lasts.

use programs::parameters::PacketSizes;

/// Sizes of flits and packets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cut {
    /// `None`: every message is one packet of `packet_flits` flits, whatever its size.
    pub flit_bytes: Option<f64>,
    /// Most flits in a packet.
    pub packet_flits: u32,
    /// The same in bytes, with the header.
    pub sizes: PacketSizes,
}

impl Cut {
    /// Without headers.
    pub fn new(flit_bytes: Option<f64>, packet_flits: u32) -> Self {
        let flit = flit_bytes.unwrap_or(1.0) as u64;
        let mtu_bytes = flit * u64::from(packet_flits);
        let sizes = PacketSizes { mtu_bytes, header_bytes: 0, control_bytes: 0, flit_bytes: flit };
        Self { flit_bytes, packet_flits, sizes }
    }

    /// Flits of a message, with the headers of its packets; at least 1.
    pub fn flits(&self, message_bytes: u64) -> u64 {
        match self.flit_bytes {
            None => u64::from(self.packet_flits),
            Some(flit_bytes) if self.sizes.header_bytes == 0 => {
                ((message_bytes as f64 / flit_bytes).ceil() as u64).max(1)
            }
            Some(_) => {
                let last = self.sizes.flits(self.sizes.bytes_of_packet(message_bytes, true));
                (self.sizes.packets(message_bytes) - 1) * u64::from(self.packet_flits) + last
            }
        }
    }

    /// Bytes of a message in one of its packets.
    pub fn bytes_of_packet(&self, message_bytes: u64, is_last: bool) -> u64 {
        match self.flit_bytes {
            None => message_bytes,
            Some(_) => self.sizes.bytes_of_packet(message_bytes, is_last),
        }
    }

    pub fn packets(&self, message_flits: u64) -> u64 {
        message_flits.div_ceil(u64::from(self.packet_flits))
    }

    /// Flits of the next packet of a message with `left` flits to send.
    pub fn next(&self, left: u64) -> u32 {
        left.min(u64::from(self.packet_flits)) as u32
    }

    /// Bytes in a flit. Without a flit size, messages of `message_bytes` decide.
    pub fn bytes_per_flit(&self, message_bytes: Option<u64>) -> Result<f64, String> {
        match (self.flit_bytes, message_bytes) {
            (Some(bytes), _) => Ok(bytes),
            (None, Some(0)) => {
                Err("message size 0 B needs a flit_size: otherwise a flit is a part \
                                    of a message"
                    .into())
            }
            (None, Some(bytes)) => Ok(bytes as f64 / f64::from(self.packet_flits)),
            (None, None) => {
                Err("pattern file needs a flit_size: its messages differ in size".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_packet_of_a_message_is_shorter() {
        let cut = Cut::new(Some(16.0), 8);
        assert_eq!((cut.flits(0), cut.flits(16), cut.flits(17), cut.flits(320)), (1, 1, 2, 20));
        assert_eq!((cut.packets(20), cut.next(20), cut.next(4)), (3, 8, 4));
    }

    #[test]
    fn every_packet_has_a_header() {
        let sizes =
            PacketSizes { mtu_bytes: 128, header_bytes: 28, control_bytes: 0, flit_bytes: 16 };
        let cut = Cut { sizes, ..Cut::new(Some(16.0), 8) };
        for (bytes, flits) in [(0, 2), (100, 8), (101, 8 + 2), (800, 64), (804, 64 + 2)] {
            assert_eq!(cut.flits(bytes), flits, "{bytes} B");
            assert_eq!(cut.packets(flits), sizes.packets(bytes), "{bytes} B");
        }
        assert_eq!((cut.bytes_of_packet(101, false), cut.bytes_of_packet(101, true)), (100, 1));
    }

    #[test]
    fn without_a_flit_size_a_message_is_one_packet() {
        let cut = Cut::new(None, 40);
        assert_eq!((cut.flits(125), cut.packets(40)), (40, 1));
        assert_eq!(cut.bytes_per_flit(Some(125)), Ok(3.125));
        assert!(cut.bytes_per_flit(Some(0)).unwrap_err().contains("flit_size"));
        assert!(cut.bytes_per_flit(None).unwrap_err().contains("flit_size"));
    }
}
