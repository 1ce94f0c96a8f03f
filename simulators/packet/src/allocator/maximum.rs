//! A largest matching, by augmenting paths (Kuhn, Naval Research Logistics Quarterly, 1955).

use super::{Match, Requests, Turns};
use fabric::bits;

const NOBODY: u32 = u32::MAX;

/// Memory of the search.
#[derive(Default)]
pub struct Paths {
    order: Vec<(u64, u32, u32)>,
    input_of: Vec<u32>,
    seen: Vec<u64>,
}

/// Matches as many inputs as can be matched at all. Inputs of lower rank, then those from
/// `first_input` on, never lose their match to others.
pub fn allocate(
    requests: &Requests,
    first_input: u32,
    turns: &impl Turns,
    paths: &mut Paths,
    matches: &mut Vec<Match>,
) {
    let size = requests.inputs().len() as u32 * 64;
    paths.order.clear();
    for input in bits::members(requests.inputs()) {
        let wanted = bits::members(requests.of_input(input));
        if let Some(rank) = wanted.map(|output| turns.rank(input, output)).min() {
            let distance = (input as u32 + size - first_input % size) % size;
            paths.order.push((rank, distance, input as u32));
        }
    }
    paths.order.sort_unstable();
    paths.input_of.clear();
    paths.input_of.resize(requests.outputs().len() * 64, NOBODY);
    for index in 0..paths.order.len() {
        paths.seen.clear();
        paths.seen.resize(requests.outputs().len(), 0);
        let input = paths.order[index].2;
        augment(requests, input, &mut paths.input_of, &mut paths.seen);
    }
    let assigned = paths.input_of.iter().enumerate().filter(|&(_, &input)| input != NOBODY);
    matches.extend(assigned.map(|(output, &input)| (input, output as u32)));
}

/// Finds an output for the input, if need be by moving others to other outputs.
fn augment(requests: &Requests, input: u32, input_of: &mut [u32], seen: &mut [u64]) -> bool {
    for output in bits::members(requests.of_input(input as usize)) {
        if bits::contains(seen, output) {
            continue;
        }
        bits::insert(seen, output);
        if input_of[output] == NOBODY || augment(requests, input_of[output], input_of, seen) {
            input_of[output] = input;
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::requests::testing::{Pointers, assert_valid, random_requests};
    use super::*;
    use workload::Random;

    /// Size of a largest matching, by trying everything.
    fn largest(requests: &Requests, input: usize, taken: u32) -> usize {
        if input == 6 {
            return 0;
        }
        let without = largest(requests, input + 1, taken);
        bits::members(requests.of_input(input))
            .filter(|output| taken >> output & 1 == 0)
            .map(|output| 1 + largest(requests, input + 1, taken | 1 << output))
            .max()
            .map_or(without, |with| with.max(without))
    }

    #[test]
    fn every_matching_is_valid_and_none_is_larger() {
        let mut random = Random::new(5);
        let mut paths = Paths::default();
        for round in 0..60 {
            let requests = random_requests(6, 6, &mut random);
            let mut matches = Vec::new();
            allocate(&requests, round, &Pointers::new(6, 6), &mut paths, &mut matches);
            assert_valid(&requests, &matches);
            assert_eq!(matches.len(), largest(&requests, 0, 0));
        }
    }
}
