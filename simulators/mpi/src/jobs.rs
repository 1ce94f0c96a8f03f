//! Jobs: programs that run on one network at once, each with ranks of its own.

use crate::messaging::Machine;
use crate::observer::Observer;
use crate::time::{Time, to_seconds};
use crate::transport::Transport;
use std::ops::Range;

/// How often a job runs. A run begins when all ranks of the one before have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    Count(u32),
    /// Until all jobs with a count have ended, which cuts its last run.
    UntilOthersEnd,
}

/// When a job begins, with how many ranks, and how often it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    pub ranks: u32,
    pub start: Time,
    pub runs: Runs,
}

impl Job {
    /// One that runs once, from the beginning.
    pub fn once(ranks: u32) -> Self {
        Self { ranks, start: 0, runs: Runs::Count(1) }
    }
}

/// The ranks of the jobs that run until the others end: their last run is cut.
pub(crate) fn cut_ranks(jobs: &[Job]) -> Vec<Range<u32>> {
    let mut next = 0;
    let ranges = jobs.iter().map(|job| {
        let first = next;
        next += job.ranks;
        (job.runs, first..next)
    });
    ranges.filter(|(runs, _)| *runs == Runs::UntilOthersEnd).map(|(_, ranks)| ranks).collect()
}

/// The runs of each job that have ended, as their first and last moments.
pub type Ends = Vec<Vec<(Time, Time)>>;

/// How far each job has come.
pub(crate) struct Courses {
    list: Vec<Course>,
    /// Jobs with a count that have not ended.
    open: usize,
    /// The job of each rank.
    of_ranks: Vec<usize>,
}

struct Course {
    job: Job,
    first: u32,
    /// Ranks of the present run that have not ended.
    left: u32,
    begun: Time,
    runs: Vec<(Time, Time)>,
}

impl Courses {
    pub fn new(jobs: &[Job]) -> Self {
        let mut first = 0;
        let list = jobs.iter().map(|&job| {
            let course = Course { job, first, left: job.ranks, begun: job.start, runs: vec![] };
            first += job.ranks;
            course
        });
        let list: Vec<Course> = list.collect();
        let open = jobs.iter().filter(|job| job.runs != Runs::UntilOthersEnd).count();
        let of_ranks = jobs.iter().enumerate();
        let of_ranks = of_ranks
            .flat_map(|(number, job)| std::iter::repeat_n(number, job.ranks as usize))
            .collect();
        Self { list, open, of_ranks }
    }

    /// A rank has ended. Returns the ranks that begin again now.
    ///
    /// # Errors
    /// When a job could begin again forever at the same time.
    pub fn ended<T: Transport, O: Observer>(
        &mut self,
        machine: &Machine<T, O>,
        rank: u32,
    ) -> Result<Option<(Range<u32>, Time)>, String> {
        let number = self.of_ranks[rank as usize];
        let course = &mut self.list[number];
        course.left -= 1;
        if course.left > 0 {
            return Ok(None);
        }
        let ranks = course.first..course.first + course.job.ranks;
        let end = ranks.clone().map(|rank| machine.clock(rank)).max().unwrap_or(0);
        course.runs.push((course.begun, end));
        match course.job.runs {
            Runs::Count(count) if course.runs.len() >= count as usize => {
                self.open -= 1;
                return Ok(None);
            }
            Runs::UntilOthersEnd if end == course.begun => {
                return Err(format!(
                    "job {} takes no simulated time ({} s), so it cannot run until the others end",
                    number + 1,
                    to_seconds(end)
                ));
            }
            _ => {}
        }
        (course.left, course.begun) = (course.job.ranks, end);
        Ok(Some((ranks, end)))
    }

    /// Whether all jobs with a count have ended.
    pub fn have_ended(&self) -> bool {
        self.open == 0
    }

    /// Whether jobs are left that run until the others end.
    pub fn are_cut(&self) -> bool {
        self.have_ended() && self.list.iter().any(|each| each.job.runs == Runs::UntilOthersEnd)
    }

    /// When the last job with a count has ended, and the runs of all jobs.
    pub fn into_ends(self) -> (Time, Ends) {
        let counted = self.list.iter().filter(|each| each.job.runs != Runs::UntilOthersEnd);
        let last = counted.filter_map(|each| each.runs.last().map(|run| run.1)).max().unwrap_or(0);
        (last, self.list.into_iter().map(|each| each.runs).collect())
    }
}
