//! Packets that wait for an output port, in the state of its channel.

/// Input virtual channels of a router whose first packets wait for one output port.
///
/// A router with at most 64 input virtual channels is narrow: this is the set of their numbers. Of a
/// wider router it is only their count, and the network holds the sets elsewhere. So the state of a
/// channel fits a line of the cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Heads(u64);

impl Heads {
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with one member; for a narrow router.
    #[inline]
    pub fn only(bit: u32) -> Self {
        Self(1 << bit)
    }

    /// The members as bits; for a narrow router.
    #[inline]
    pub fn members(self) -> u64 {
        self.0
    }

    /// Adds a member; for a narrow router.
    #[inline]
    pub fn insert(&mut self, bit: u32) {
        self.0 |= 1 << bit;
    }

    /// Removes a member; for a narrow router.
    #[inline]
    pub fn remove(&mut self, bit: u32) {
        self.0 &= !(1 << bit);
    }

    /// Counts one more member; for a wide router.
    #[inline]
    pub fn count_in(&mut self) {
        self.0 += 1;
    }

    /// Counts one member less; for a wide router.
    #[inline]
    pub fn count_out(&mut self) {
        self.0 -= 1;
    }
}
