//! The requests that an allocator sees in a cycle.

use fabric::bits;

/// A sparse matrix of requests, by input and by output; made once and used again.
pub struct Requests {
    input_words: usize,
    output_words: usize,
    by_input: Vec<u64>,
    by_output: Vec<u64>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Requests {
    pub fn new(inputs: usize, outputs: usize) -> Self {
        let (input_words, output_words) = (bits::words(inputs), bits::words(outputs));
        Self {
            input_words,
            output_words,
            by_input: vec![0; inputs * output_words],
            by_output: vec![0; outputs * input_words],
            inputs: vec![0; input_words],
            outputs: vec![0; output_words],
        }
    }

    #[inline]
    pub fn add(&mut self, input: usize, output: usize) {
        bits::insert(&mut self.inputs, input);
        bits::insert(&mut self.outputs, output);
        bits::insert(&mut self.by_input[input * self.output_words..], output);
        bits::insert(&mut self.by_output[output * self.input_words..], input);
    }

    /// Forgets what an input and an output want from each other.
    pub fn withdraw(&mut self, input: usize, output: usize) {
        bits::remove(&mut self.by_input[input * self.output_words..], output);
        bits::remove(&mut self.by_output[output * self.input_words..], input);
        if !bits::any(self.of_input(input)) {
            bits::remove(&mut self.inputs, input);
        }
        if !bits::any(self.of_output(output)) {
            bits::remove(&mut self.outputs, output);
        }
    }

    #[inline]
    pub fn contains(&self, input: usize, output: usize) -> bool {
        bits::contains(&self.by_input[input * self.output_words..], output)
    }

    /// Forgets all requests.
    #[inline]
    pub fn clear(&mut self) {
        if let ([inputs], [outputs]) = (&mut self.inputs[..], &mut self.outputs[..]) {
            bits::Bits(std::mem::take(inputs)).for_each(|input| self.by_input[input] = 0);
            bits::Bits(std::mem::take(outputs)).for_each(|output| self.by_output[output] = 0);
            return;
        }
        for (word, set) in self.inputs.iter_mut().enumerate() {
            for bit in bits::Bits(std::mem::take(set)) {
                let row = (word * 64 + bit) * self.output_words;
                self.by_input[row..row + self.output_words].fill(0);
            }
        }
        for (word, set) in self.outputs.iter_mut().enumerate() {
            for bit in bits::Bits(std::mem::take(set)) {
                let row = (word * 64 + bit) * self.input_words;
                self.by_output[row..row + self.input_words].fill(0);
            }
        }
    }

    /// The inputs with a request.
    #[inline]
    pub fn inputs(&self) -> &[u64] {
        &self.inputs
    }

    /// The outputs with a request.
    #[inline]
    pub fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// The outputs that an input requests.
    #[inline]
    pub fn of_input(&self, input: usize) -> &[u64] {
        &self.by_input[input * self.output_words..][..self.output_words]
    }

    /// The inputs that request an output.
    #[inline]
    pub fn of_output(&self, output: usize) -> &[u64] {
        &self.by_output[output * self.input_words..][..self.input_words]
    }
}

#[cfg(test)]
pub mod testing {
    use super::*;
    use crate::allocator::{Match, Turns};
    use workload::Random;

    /// Round-robin pointers of a small allocator.
    pub struct Pointers {
        pub grant: Vec<usize>,
        pub accept: Vec<usize>,
    }

    impl Pointers {
        pub fn new(inputs: usize, outputs: usize) -> Self {
            Self { grant: vec![0; outputs], accept: vec![0; inputs] }
        }
    }

    impl Turns for Pointers {
        fn input_for(&self, output: usize, inputs: &[u64]) -> usize {
            bits::first_from(inputs, self.grant[output]).unwrap()
        }
        fn output_for(&self, input: usize, outputs: &[u64]) -> usize {
            bits::first_from(outputs, self.accept[input]).unwrap()
        }
        fn matched(&mut self, input: usize, output: usize) {
            self.grant[output] = (input + 1) % self.accept.len();
            self.accept[input] = (output + 1) % self.grant.len();
        }
        fn rank(&self, _: usize, _: usize) -> u64 {
            0
        }
    }

    /// Random requests of density one third.
    pub fn random_requests(inputs: usize, outputs: usize, random: &mut Random) -> Requests {
        let mut requests = Requests::new(inputs, outputs);
        for input in 0..inputs {
            for output in 0..outputs {
                if random.below(3) == 0 {
                    requests.add(input, output);
                }
            }
        }
        requests
    }

    /// Fails unless every match was requested and nobody has two.
    pub fn assert_valid(requests: &Requests, matches: &[Match]) {
        let mut taken = std::collections::HashSet::new();
        for &(input, output) in matches {
            assert!(requests.contains(input as usize, output as usize), "{matches:?}");
            assert!(taken.insert((true, input)) && taken.insert((false, output)), "{matches:?}");
        }
    }

    /// Fails if a request is left between an input and an output that both have nothing.
    pub fn assert_maximal(requests: &Requests, matches: &[Match]) {
        for input in bits::members(requests.inputs()) {
            for output in bits::members(requests.of_input(input)) {
                let served = |&(i, o): &Match| i as usize == input || o as usize == output;
                assert!(matches.iter().any(served), "{input} and {output} are both free");
            }
        }
    }
}
