//! Allocators: matchings between inputs and outputs that request each other (Dally and Towles,
//! chapter 19).

pub mod islip;
mod matcher;
pub mod maximum;
mod requests;
mod round;
pub mod separable;
pub mod wavefront;

pub use matcher::Matcher;
pub use requests::Requests;
pub use round::Round;

/// Whose turn it is; the arbiters at the inputs and outputs of an allocator.
pub trait Turns {
    /// Which of the inputs (never none) the output takes.
    fn input_for(&self, output: usize, inputs: &[u64]) -> usize;
    /// Which of the outputs (never none) the input takes.
    fn output_for(&self, input: usize, outputs: &[u64]) -> usize;
    /// Input and output have each other.
    fn matched(&mut self, input: usize, output: usize);
    /// Lower goes first, where an allocator has one order for all.
    fn rank(&self, input: usize, output: usize) -> u64;
}

/// An input and the output it got.
pub type Match = (u32, u32);
