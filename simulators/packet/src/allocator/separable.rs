//! Separable allocation, inputs first: one arbiter per input, then one per output.

use super::{Match, Requests, Turns};
use fabric::bits;

/// Memory between the two stages.
pub struct Choices {
    words: usize,
    by_output: Vec<u64>,
    outputs: Vec<u64>,
}

impl Choices {
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let words = bits::words(inputs);
        Self { words, by_output: vec![0; outputs * words], outputs: vec![0; bits::words(outputs)] }
    }
}

/// Every input picks one of its requests, then every output picks one of the inputs that picked it.
pub fn allocate(
    requests: &Requests,
    turns: &mut impl Turns,
    choices: &mut Choices,
    matches: &mut Vec<Match>,
) {
    for input in bits::members(requests.inputs()) {
        let output = turns.output_for(input, requests.of_input(input));
        bits::insert(&mut choices.outputs, output);
        bits::insert(&mut choices.by_output[output * choices.words..], input);
    }
    for word in 0..choices.outputs.len() {
        for bit in bits::Bits(std::mem::take(&mut choices.outputs[word])) {
            let output = word * 64 + bit;
            let inputs = &mut choices.by_output[output * choices.words..][..choices.words];
            let input = turns.input_for(output, inputs);
            inputs.fill(0);
            turns.matched(input, output);
            matches.push((input as u32, output as u32));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::requests::testing::{Pointers, assert_valid, random_requests};
    use super::*;
    use workload::Random;

    #[test]
    fn every_matching_is_valid() {
        let mut random = Random::new(3);
        for size in [1, 4, 7, 66] {
            let (mut pointers, mut choices) = (Pointers::new(size, 6), Choices::new(size, 6));
            for _ in 0..10 {
                let requests = random_requests(size, 6, &mut random);
                let mut matches = Vec::new();
                allocate(&requests, &mut pointers, &mut choices, &mut matches);
                assert_valid(&requests, &matches);
            }
        }
    }

    #[test]
    fn inputs_that_pick_the_same_output_waste_the_others() {
        let (mut pointers, mut choices) = (Pointers::new(2, 2), Choices::new(2, 2));
        let mut requests = Requests::new(2, 2);
        (0..4).for_each(|pair| requests.add(pair / 2, pair % 2));
        let mut matches = Vec::new();
        allocate(&requests, &mut pointers, &mut choices, &mut matches);
        assert_eq!(matches, [(0, 0)]);
    }
}
