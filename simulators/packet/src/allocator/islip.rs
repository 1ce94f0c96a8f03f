//! iSLIP: round-robin matching with slip (McKeown, IEEE/ACM Transactions on Networking, 1999).

use super::{Match, Requests, Turns};
use fabric::bits;

/// Memory between the two phases.
pub struct Grants {
    words: usize,
    by_input: Vec<u64>,
    inputs: Vec<u64>,
    matched_inputs: Vec<u64>,
    matched_outputs: Vec<u64>,
    candidates: Vec<u64>,
}

impl Grants {
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let words = bits::words(outputs);
        Self {
            words,
            by_input: vec![0; inputs * words],
            inputs: vec![0; bits::words(inputs)],
            matched_inputs: vec![0; bits::words(inputs)],
            matched_outputs: vec![0; words],
            candidates: vec![0; bits::words(inputs)],
        }
    }

    #[inline]
    fn add(&mut self, input: usize, output: usize) {
        bits::insert(&mut self.inputs, input);
        bits::insert(&mut self.by_input[input * self.words..], output);
    }
}

/// Outputs grant, inputs accept; the pointers move only with what the first iteration matched.
pub fn allocate(
    requests: &Requests,
    iterations: u32,
    turns: &mut impl Turns,
    grants: &mut Grants,
    matches: &mut Vec<Match>,
) {
    for word in 0..requests.outputs().len() {
        for bit in bits::Bits(requests.outputs()[word]) {
            let output = word * 64 + bit;
            grants.add(turns.input_for(output, requests.of_output(output)), output);
        }
    }
    let before = matches.len();
    accept(turns, grants, matches);
    for &(input, output) in &matches[before..] {
        turns.matched(input as usize, output as usize);
    }
    if iterations > 1 {
        grants.matched_inputs.fill(0);
        grants.matched_outputs.fill(0);
        let mut known = before;
        for _ in 1..iterations {
            known = again(requests, turns, grants, matches, known);
        }
    }
}

/// One more iteration among those still without a match.
fn again(
    requests: &Requests,
    turns: &mut impl Turns,
    grants: &mut Grants,
    matches: &mut Vec<Match>,
    known: usize,
) -> usize {
    for &(input, output) in &matches[known..] {
        bits::insert(&mut grants.matched_inputs, input as usize);
        bits::insert(&mut grants.matched_outputs, output as usize);
    }
    let known = matches.len();
    for output in bits::members(requests.outputs()) {
        if bits::contains(&grants.matched_outputs, output) {
            continue;
        }
        let free = requests.of_output(output).iter().zip(&grants.matched_inputs);
        for (candidate, (&wanted, &matched)) in grants.candidates.iter_mut().zip(free) {
            *candidate = wanted & !matched;
        }
        if bits::any(&grants.candidates) {
            grants.add(turns.input_for(output, &grants.candidates), output);
        }
    }
    accept(turns, grants, matches);
    known
}

/// Every input with grants accepts one; the grants are forgotten.
fn accept(turns: &impl Turns, grants: &mut Grants, matches: &mut Vec<Match>) {
    for word in 0..grants.inputs.len() {
        for bit in bits::Bits(std::mem::take(&mut grants.inputs[word])) {
            let input = word * 64 + bit;
            let granted = &mut grants.by_input[input * grants.words..][..grants.words];
            matches.push((input as u32, turns.output_for(input, granted) as u32));
            match granted {
                [word] => *word = 0,
                words => words.fill(0),
            }
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
    fn every_matching_is_valid() {
        let mut random = Random::new(1);
        for size in [1, 2, 5, 9, 70] {
            let mut pointers = Pointers::new(size, size + 1);
            let mut grants = Grants::new(size, size + 1);
            for iterations in [1, 1, 2, 3] {
                let requests = random_requests(size, size + 1, &mut random);
                let mut matches = Vec::new();
                allocate(&requests, iterations, &mut pointers, &mut grants, &mut matches);
                assert_valid(&requests, &matches);
            }
        }
    }

    #[test]
    fn as_many_iterations_as_inputs_leave_nobody_who_could_be_served() {
        let mut random = Random::new(2);
        let (mut pointers, mut grants) = (Pointers::new(8, 8), Grants::new(8, 8));
        for _ in 0..50 {
            let requests = random_requests(8, 8, &mut random);
            let mut matches = Vec::new();
            allocate(&requests, 8, &mut pointers, &mut grants, &mut matches);
            assert_maximal(&requests, &matches);
        }
    }

    #[test]
    fn full_load_is_served_completely_and_fairly_once_the_pointers_have_slipped() {
        let (mut pointers, mut grants) = (Pointers::new(4, 4), Grants::new(4, 4));
        let mut requests = Requests::new(4, 4);
        (0..16).for_each(|pair| requests.add(pair / 4, pair % 4));
        let mut served = [0; 16];
        for cycle in 0..44 {
            let mut matches = Vec::new();
            allocate(&requests, 1, &mut pointers, &mut grants, &mut matches);
            if cycle >= 4 {
                assert_eq!(matches.len(), 4);
                matches.iter().for_each(|&(i, o)| served[(i * 4 + o) as usize] += 1);
            }
        }
        assert_eq!(served, [10; 16]);
    }
}
