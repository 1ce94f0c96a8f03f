//! The chosen allocator with its requests and its memory.

use super::{Match, Requests, Turns, islip, maximum, separable, wavefront};
use crate::router_options::Allocator;

pub struct Matcher {
    allocator: Allocator,
    iterations: u32,
    side: u32,
    pub requests: Requests,
    pub matches: Vec<Match>,
    grants: islip::Grants,
    choices: separable::Choices,
    wave: wavefront::Wave,
    paths: maximum::Paths,
}

impl Matcher {
    pub fn new(allocator: Allocator, iterations: u32, inputs: usize, outputs: usize) -> Self {
        Self {
            allocator,
            iterations,
            side: inputs.max(outputs) as u32,
            requests: Requests::new(inputs, outputs),
            matches: Vec::with_capacity(inputs.min(outputs)),
            grants: islip::Grants::new(inputs, outputs),
            choices: separable::Choices::new(inputs, outputs),
            wave: wavefront::Wave::default(),
            paths: maximum::Paths::default(),
        }
    }

    /// Whether a lone request is served and moves only the pointers of its two ends.
    pub fn serves_a_lone_request_by_pointers(&self) -> bool {
        matches!(self.allocator, Allocator::Islip | Allocator::SeparableInputFirst)
    }

    /// Fills `matches` from `requests`, and forgets the requests. `rotation` belongs to the
    /// allocators that favour all inputs in turn.
    #[inline]
    pub fn allocate(&mut self, turns: &mut impl Turns, rotation: &mut u32) {
        let (requests, matches) = (&self.requests, &mut self.matches);
        matches.clear();
        match self.allocator {
            Allocator::Islip => {
                islip::allocate(requests, self.iterations, turns, &mut self.grants, matches);
            }
            Allocator::SeparableInputFirst => {
                separable::allocate(requests, turns, &mut self.choices, matches);
            }
            Allocator::Wavefront => {
                wavefront::allocate(requests, *rotation, self.side, turns, &mut self.wave, matches);
                *rotation = (*rotation + 1) % self.side;
            }
            Allocator::Maximum => {
                maximum::allocate(requests, *rotation, turns, &mut self.paths, matches);
                *rotation = (*rotation + 1) % self.side;
            }
        }
        self.requests.clear();
    }
}
