//! Ranks of several jobs: each job has a world of its own, begins when it begins, and may begin again.

use super::machine::Machine;
use super::rank::{Idle, Rank};
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;
use std::ops::Range;

/// To which job each rank belongs; empty where there is one program and no jobs.
#[derive(Debug, Default)]
pub struct Jobs {
    of_ranks: Vec<u32>,
}

impl Jobs {
    /// The number of the job of a rank, counted from 0; None without jobs.
    pub fn number_of(&self, rank: u32) -> Option<u32> {
        self.of_ranks.get(rank as usize).copied()
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Makes a job of the next `count` ranks, with a world of their own, whose clocks begin at `start`.
    pub fn add_job(&mut self, count: u32, start: Time) {
        let of_ranks = &mut self.jobs.of_ranks;
        let (first, number) = (of_ranks.len(), of_ranks.last().map_or(0, |last| last + 1));
        of_ranks.extend(std::iter::repeat_n(number, count as usize));
        self.communicators.new_world(first as u32, count);
        for rank in &mut self.ranks[first..][..count as usize] {
            rank.clock = start;
        }
    }

    /// A rank in messages, as its job counts it: `rank 3`, or `rank 3 of job 2`.
    pub(crate) fn rank_name(&self, rank: u32) -> String {
        let own = rank - self.communicators.first_of(rank);
        match self.jobs.number_of(rank) {
            Some(job) => format!("rank {own} of job {}", job + 1),
            None => format!("rank {own}"),
        }
    }

    /// Lets ranks that have all ended begin again at `at`. No message of before can reach them: their
    /// world is a new one.
    pub(crate) fn begin_again(&mut self, ranks: Range<u32>, at: Time) {
        self.communicators.new_world(ranks.start, ranks.len() as u32);
        for number in ranks {
            self.ranks[number as usize].begin_again(at);
            if let Some(exposed) = self.exposed.get_mut(number as usize) {
                *exposed = (0, 0);
            }
            self.ready.push_back(number);
        }
    }
}

impl Rank {
    fn begin_again(&mut self, at: Time) {
        self.clock = at;
        self.landed.clear();
        self.taken.clear();
        *self.own = Default::default();
        (self.call, self.collective) = ("", "");
        self.idle = Idle::No;
        self.made = 0;
        self.ended = false;
    }
}
