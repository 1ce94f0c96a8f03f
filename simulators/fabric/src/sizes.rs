//! Checks that the numbers of nodes and channels fit their types.

use crate::{FabricError, MAX_NODES};

/// The product of the factors, if a fabric may have so many nodes.
pub(crate) fn product(factors: impl Iterator<Item = u32>) -> Result<u64, FabricError> {
    let mut nodes = 1_u64;
    for factor in factors {
        nodes = nodes
            .checked_mul(u64::from(factor))
            .filter(|&n| n <= MAX_NODES)
            .ok_or(FabricError::TooLarge)?;
    }
    Ok(nodes)
}

pub(crate) fn power(base: u32, exponent: u32) -> Result<u64, FabricError> {
    product(std::iter::repeat_n(base, exponent.min(32) as usize))
}

/// Checks that all channels can be numbered.
pub(crate) fn numbered(nodes: u64, routers: u64, per_router: u64) -> Result<(), FabricError> {
    if 2 * nodes + routers * per_router > u64::from(u32::MAX) {
        return Err(FabricError::TooManyChannels);
    }
    Ok(())
}
