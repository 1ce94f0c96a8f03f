//! What happens at a time, as the queue of events holds it.

/// An event, packed into 64 bits for the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// An output port may have something to do.
    Touch { channel: u32 },
    /// A packet's last byte is at the target's NIC.
    Tail { packet: u32 },
    /// So many flits of a virtual channel's buffer are known to be free.
    Credit { vc: u32, flits: u32 },
    /// A transfer is handed over to the source's NIC.
    Start(u32),
    /// It enters the queue of the NIC.
    Enter(u32),
    /// The source's NIC has read all of it.
    Read(u32),
    /// All of it is in the target's memory.
    Written(u32),
    /// The bits of a [`Seldom`].
    Seldom(u64),
}

/// An event of some networks only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seldom {
    /// A packet's head has been in a buffer for as long as routing takes; only for the observer.
    Head { vc: u32, packet: u32 },
    /// The first packet of a buffer chooses its way out of the router.
    Route { vc: u32, packet: u32 },
    /// Packets that wait in the router at the beginning of a channel choose again.
    Choose { channel: u32 },
}

const KIND: u32 = 60;

fn pack(kind: u64, high: u32, low: u32) -> u64 {
    kind << KIND | u64::from(high) << 32 | u64::from(low)
}

fn high(bits: u64) -> u32 {
    (bits >> 32) as u32 & ((1 << (KIND - 32)) - 1)
}

impl What {
    #[inline]
    pub fn bits(self) -> u64 {
        match self {
            What::Touch { channel } => channel.into(),
            What::Tail { packet } => pack(1, 0, packet),
            What::Credit { vc, flits } => pack(2, vc, flits),
            What::Start(transfer) => pack(3, 0, transfer),
            What::Enter(transfer) => pack(4, 0, transfer),
            What::Read(transfer) => pack(5, 0, transfer),
            What::Written(transfer) => pack(6, 0, transfer),
            What::Seldom(bits) => bits,
        }
    }

    #[inline]
    pub fn from_bits(bits: u64) -> Self {
        let low = bits as u32;
        match bits >> KIND {
            0 => What::Touch { channel: low },
            1 => What::Tail { packet: low },
            2 => What::Credit { vc: high(bits), flits: low },
            3 => What::Start(low),
            4 => What::Enter(low),
            5 => What::Read(low),
            6 => What::Written(low),
            _ => What::Seldom(bits),
        }
    }
}

impl Seldom {
    /// As an event of the queue.
    pub fn what(self) -> What {
        What::Seldom(match self {
            Seldom::Head { vc, packet } => pack(7, vc, packet),
            Seldom::Route { vc, packet } => pack(8, vc, packet),
            Seldom::Choose { channel } => pack(9, 0, channel),
        })
    }

    pub fn from_bits(bits: u64) -> Self {
        let (high, low) = (high(bits), bits as u32);
        match bits >> KIND {
            7 => Seldom::Head { vc: high, packet: low },
            8 => Seldom::Route { vc: high, packet: low },
            _ => Seldom::Choose { channel: low },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn an_event_is_unpacked_as_it_was_packed(high in 0_u32..1 << 28, low: u32) {
            for what in [
                What::Touch { channel: low },
                What::Tail { packet: low },
                What::Credit { vc: high, flits: low },
                What::Start(low),
                What::Enter(low),
                What::Read(low),
                What::Written(low),
            ] {
                prop_assert_eq!(What::from_bits(what.bits()), what);
            }
            for seldom in [
                Seldom::Head { vc: high, packet: low },
                Seldom::Route { vc: high, packet: low },
                Seldom::Choose { channel: low },
            ] {
                let bits = seldom.what().bits();
                prop_assert_eq!(What::from_bits(bits), What::Seldom(bits));
                prop_assert_eq!(Seldom::from_bits(bits), seldom);
            }
        }
    }
}
