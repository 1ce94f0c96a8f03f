//! What happens at a known time.

/// The number is a transfer's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Messaging hands it over.
    HandOver(u32),
    /// It is at its NIC.
    Enter(u32),
    /// Its first bytes are read from memory.
    Begin(u32),
    /// Its last byte leaves the NIC.
    Left(u32),
    /// Its last byte is at the target's NIC.
    Land(u32),
    /// It has crossed the node's memory.
    Copied(u32),
    /// It is in the target's memory.
    Written(u32),
}
