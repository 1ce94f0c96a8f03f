//! Accesses to memory of ranks that do not run.

/// To be made before the next rank runs.
#[derive(Debug, Clone, Copy)]
pub(super) enum MemoryAccess {
    /// The data of a put landed in the memory of `rank`.
    Write { rank: u32, address: usize, payload: u32 },
    /// The message takes data out of the memory of `rank`.
    Read { rank: u32, address: usize, message: u32 },
}
