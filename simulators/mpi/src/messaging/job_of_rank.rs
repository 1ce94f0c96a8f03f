//! To which job each rank belongs.

/// The jobs of ranks, which follow each other; empty where there is one program and no jobs.
#[derive(Debug, Default)]
pub struct JobOfRank {
    of_ranks: Vec<u32>,
}

impl JobOfRank {
    /// The number of the job of a rank, counted from 0; None without jobs.
    pub fn number_of(&self, rank: u32) -> Option<u32> {
        self.of_ranks.get(rank as usize).copied()
    }

    /// Makes a job of the next `count` ranks. Returns the first of them.
    pub fn add(&mut self, count: u32) -> u32 {
        let number = self.of_ranks.last().map_or(0, |last| last + 1);
        let first = self.of_ranks.len() as u32;
        self.of_ranks.extend(std::iter::repeat_n(number, count as usize));
        first
    }
}
