//! Wavefront allocation (Tamir and Chi, IEEE Transactions on Parallel and Distributed Systems,
//! 1993).

use super::{Match, Requests, Turns};
use fabric::bits;

/// Memory for the requests in the order in which the wave meets them.
#[derive(Default)]
pub struct Wave {
    met: Vec<(u64, u32, u32, u32)>,
    taken_inputs: Vec<u64>,
    taken_outputs: Vec<u64>,
}

/// Serves the requests diagonal by diagonal of a square matrix, beginning with `first_diagonal`;
/// a lower rank goes before any diagonal.
pub fn allocate(
    requests: &Requests,
    first_diagonal: u32,
    side: u32,
    turns: &impl Turns,
    wave: &mut Wave,
    matches: &mut Vec<Match>,
) {
    wave.met.clear();
    for input in bits::members(requests.inputs()) {
        for output in bits::members(requests.of_input(input)) {
            let (i, o) = (input as u32, output as u32);
            let diagonal = (i + o + side - first_diagonal % side) % side;
            wave.met.push((turns.rank(input, output), diagonal, i, o));
        }
    }
    wave.met.sort_unstable();
    wave.taken_inputs.clear();
    wave.taken_inputs.resize(requests.inputs().len(), 0);
    wave.taken_outputs.clear();
    wave.taken_outputs.resize(requests.outputs().len(), 0);
    for &(_, _, input, output) in &wave.met {
        let (i, o) = (input as usize, output as usize);
        if !bits::contains(&wave.taken_inputs, i) && !bits::contains(&wave.taken_outputs, o) {
            bits::insert(&mut wave.taken_inputs, i);
            bits::insert(&mut wave.taken_outputs, o);
            matches.push((input, output));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::requests::testing::{
        Pointers, assert_maximal, assert_valid, random_requests,
    };
    use super::*;
    use workload::Random;

    #[test]
    fn every_matching_is_valid_and_maximal() {
        let mut random = Random::new(4);
        let mut wave = Wave::default();
        for round in 0..60 {
            let requests = random_requests(9, 7, &mut random);
            let mut matches = Vec::new();
            allocate(&requests, round, 9, &Pointers::new(9, 7), &mut wave, &mut matches);
            assert_valid(&requests, &matches);
            assert_maximal(&requests, &matches);
        }
    }

    #[test]
    fn the_first_diagonal_decides_who_goes_first() {
        let mut requests = Requests::new(2, 2);
        requests.add(0, 0);
        requests.add(1, 0);
        let mut winners = Vec::new();
        for first in [0, 1] {
            let mut matches = Vec::new();
            let turns = Pointers::new(2, 2);
            allocate(&requests, first, 2, &turns, &mut Wave::default(), &mut matches);
            winners.push(matches[0].0);
        }
        assert_eq!(winners, [0, 1]);
    }
}
