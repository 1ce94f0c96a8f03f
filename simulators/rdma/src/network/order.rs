//! The order in which outputs are looked at in the second phase: by region, and within a region in an
//! order that changes from time to time. A key holds it together with the channel's number.

use mpi::time::Time;

const MIX: u32 = 0x85eb_ca6b;
/// `MIX` · `UNMIX` = 1 modulo 2^32.
const UNMIX: u32 = 0xa5cb_9243;

/// Changes the order from time to time.
#[inline]
pub fn salt(now: Time) -> u32 {
    (now as u32).wrapping_mul(0x9e37_79b9)
}

#[inline]
pub fn key(region: u32, channel: u32, salt: u32) -> u64 {
    u64::from(region) << 32 | u64::from((channel ^ salt).wrapping_mul(MIX))
}

#[inline]
pub fn channel(key: u64, salt: u32) -> u32 {
    (key as u32).wrapping_mul(UNMIX) ^ salt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_holds_its_channel() {
        for number in [0, 1, 77, 1 << 27, u32::MAX] {
            for now in [0, 1, 522_000, u64::MAX] {
                assert_eq!(channel(key(9, number, salt(now)), salt(now)), number);
            }
        }
    }
}
