//! One round of iSLIP where all inputs and all outputs fit into a word: what small routers need, with
//! neither rows of words nor lists between its two phases.

use crate::router_options::{Allocator, Arbiter, RouterOptions};

/// Memory for the requests and grants of a round.
pub struct Round {
    /// Per output: who requests it.
    requests: [u64; 64],
    /// Per input: which outputs grant it.
    grants: [u64; 64],
}

impl Default for Round {
    fn default() -> Self {
        Self { requests: [0; 64], grants: [0; 64] }
    }
}

impl Round {
    /// Whether it does what the options ask of an allocator with so many inputs; there are never
    /// more outputs.
    pub fn serves(allocator: Allocator, options: &RouterOptions, inputs: usize) -> bool {
        allocator == Allocator::Islip
            && options.arbiter == Arbiter::RoundRobin
            && options.allocator_iterations == 1
            && !options.speculative
            && inputs <= 64
    }

    /// The output, as a set: the caller holds that of all with a request.
    #[inline]
    #[must_use]
    pub fn request(&mut self, input: usize, output: usize) -> u64 {
        self.requests[output & 63] |= 1 << input;
        1 << output
    }

    /// Who requests an output; forgets it.
    #[inline]
    pub fn take_requests(&mut self, output: usize) -> u64 {
        std::mem::take(&mut self.requests[output & 63])
    }

    /// The input, as a set: the caller holds that of all with a grant.
    #[inline]
    #[must_use]
    pub fn grant(&mut self, input: usize, output: usize) -> u64 {
        self.grants[input & 63] |= 1 << output;
        1 << input
    }

    /// Which outputs grant an input; forgets it.
    #[inline]
    pub fn take_grants(&mut self, input: usize) -> u64 {
        std::mem::take(&mut self.grants[input & 63])
    }
}

#[cfg(test)]
mod tests {
    use super::super::islip::{Grants, allocate};
    use super::super::requests::testing::{Pointers, random_requests};
    use super::*;
    use fabric::bits::{Bits, first_in_word, members};
    use workload::Random;

    #[test]
    fn a_round_matches_what_islip_matches_and_leaves_nothing_behind() {
        let (mut random, mut round) = (Random::new(6), Round::default());
        for (inputs, outputs) in [(1, 1), (5, 5), (10, 2), (64, 64)] {
            let mut pointers = Pointers::new(inputs, outputs);
            let mut grants = Grants::new(inputs, outputs);
            for _ in 0..50 {
                let requests = random_requests(inputs, outputs, &mut random);
                let (mut requested, mut granted) = (0, 0);
                for input in members(requests.inputs()) {
                    let wanted = members(requests.of_input(input));
                    wanted.for_each(|output| requested |= round.request(input, output));
                }
                for output in Bits(requested) {
                    let requests = round.take_requests(output);
                    granted |= round.grant(first_in_word(requests, pointers.grant[output]), output);
                }
                let accept = |input| {
                    let outputs = round.take_grants(input);
                    (input as u32, first_in_word(outputs, pointers.accept[input]) as u32)
                };
                let ours: Vec<_> = Bits(granted).map(accept).collect();
                let mut matches = Vec::new();
                allocate(&requests, 1, &mut pointers, &mut grants, &mut matches);
                assert_eq!(ours, matches);
            }
        }
    }
}
