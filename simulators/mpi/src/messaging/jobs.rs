//! Ranks of several jobs: each job has a world of its own, begins when it begins, and may begin again.

use super::machine::Machine;
use super::rank::Rank;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;
use std::ops::Range;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Makes a job of the next `count` ranks, with a world of their own, whose clocks begin at `start`.
    pub fn add_job(&mut self, count: u32, start: Time) {
        let first = self.jobs.add(count);
        self.communicators.new_world(first, count);
        for rank in &mut self.ranks[first as usize..][..count as usize] {
            rank.clock = start;
        }
        self.report_start(first..first + count, start);
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
        self.report_beginning(ranks.clone(), at);
        for number in ranks {
            self.ranks[number as usize].begin_again(at);
            if let Some(exposed) = self.exposed.get_mut(number as usize) {
                *exposed = (0, 0);
            }
            self.ready.push_back((number, 0));
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
        self.acts();
        self.made = 0;
        self.ended = false;
        self.set_plain(self.is_plain);
    }
}
