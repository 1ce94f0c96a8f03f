//! The last transfer from one node to another, for those that arrive in order.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Spreads pairs of nodes; nothing depends on its order.
#[derive(Debug, Clone, Copy, Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// The ordered transfer that was handed over last, of those under way, from one node to another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Order {
    last: HashMap<u64, u32, BuildHasherDefault<PairHasher>>,
}

fn pair(src: u32, dst: u32) -> u64 {
    u64::from(src) << 32 | u64::from(dst)
}

impl Order {
    /// A further transfer; the one before it.
    pub(crate) fn add(&mut self, src: u32, dst: u32, transfer: u32) -> Option<u32> {
        self.last.insert(pair(src, dst), transfer)
    }

    /// The last transfer has arrived.
    #[inline]
    pub(crate) fn forget(&mut self, src: u32, dst: u32) {
        self.last.remove(&pair(src, dst));
    }
}
