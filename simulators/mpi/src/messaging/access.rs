//! Accesses to the memory of ranks that do not run.

/// An access that must be made before the next rank runs.
#[derive(Debug, Clone, Copy)]
pub(super) enum MemoryAccess {
    /// Writes the data of a put of so many bytes to the memory of `rank`.
    Write { rank: u32, address: usize, payload: u32, bytes: u64 },
    /// Makes the effect of an operation.
    Apply { message: u32 },
    /// Reads the data of a get from the memory of `rank`.
    Read { rank: u32, address: usize, message: u32 },
}
