//! Jobs of a point: how long each takes beside the others, and alone.

use crate::metrics::{JOB_ALONE_TIME, JOB_SLOWDOWN, JOB_TIME, METRICS};
use engine::{Measure, Metric};
use mpi::time::{Time, to_seconds};
use mpi::{Job, MOST_JOBS, Runs, Team};
use ranks::Source;
use std::path::PathBuf;

/// Runs of a job, as their first and last moments.
pub type RunsOf = Vec<(Time, Time)>;

/// The team of a job as it runs alone: with the same start and as often, but only once if it runs until
/// the others end.
pub fn alone(team: &Team) -> Team {
    let runs = match team.job.runs {
        Runs::Count(count) => Runs::Count(count),
        Runs::UntilOthersEnd => Runs::Count(1),
    };
    Team { job: Job { runs, ..team.job }, ..team.clone() }
}

/// What each job adds to the metrics of a point: the mean time of its runs beside the others and alone,
/// and the first as a multiple of the second. A job of which no run has ended adds nothing.
pub fn metrics(together: &[RunsOf], alone: &[RunsOf]) -> Vec<Metric> {
    let jobs = together.iter().zip(alone).enumerate();
    jobs.flat_map(|(number, (runs, alone))| {
        let both = mean_s(runs).zip(mean_s(alone));
        let rows = both.map(|(time_s, alone_s)| {
            let slowdown = (alone_s > 0.0).then(|| time_s / alone_s);
            [(JOB_TIME, Some(time_s)), (JOB_ALONE_TIME, Some(alone_s)), (JOB_SLOWDOWN, slowdown)]
        });
        let rows = rows.into_iter().flatten();
        rows.filter_map(move |(measure, value)| Some(row(measure, number, value?)))
    })
    .collect()
}

fn row((name, unit): Measure, job: usize, value: f64) -> Metric {
    let (metric, unit) = (of_job(name, job), unit.into());
    Metric { metric, message_bytes: None, value, unit }
}

/// The metric of a job, which counts from 0 here.
fn of_job(name: &str, job: usize) -> String {
    name.replace("{n}", &(job + 1).to_string())
}

/// The names of all metrics of a point, those of each job among them.
pub fn names() -> Vec<String> {
    let all = METRICS.iter().flat_map(|(name, _)| {
        let jobs = if name.contains("{n}") { MOST_JOBS } else { 1 };
        (0..jobs).map(|job| of_job(name, job))
    });
    all.collect()
}

/// In whole picoseconds, so that equal runs have their own time as mean.
fn mean_s(runs: &[(Time, Time)]) -> Option<f64> {
    let whole: Time = runs.iter().map(|(begun, ended)| ended - begun).sum();
    let count = runs.len() as Time;
    (count > 0).then(|| to_seconds((whole + count / 2) / count))
}

/// The files that programs find in their folder, which they share.
pub fn data_of_all(sources: &[Source]) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut all: Vec<(PathBuf, Vec<u8>)> = vec![];
    for (name, content) in sources.iter().flat_map(|source| &source.data) {
        match all.iter().find(|(known, _)| known == name) {
            Some((_, other)) if other != content => {
                let name = name.display();
                return Err(format!(
                    "two jobs find different files under {name}; all run in one folder"
                ));
            }
            Some(_) => {}
            None => all.push((name.clone(), content.clone())),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slowdown_is_the_mean_of_the_runs_over_that_of_the_runs_alone() {
        let together = [vec![(0, 3_000_000), (3_000_000, 8_000_000)], vec![]];
        let alone = [vec![(0, 2_000_000), (2_000_000, 4_000_000)], vec![(0, 1)]];
        let found = metrics(&together, &alone);
        let found: Vec<(&str, f64)> =
            found.iter().map(|row| (row.metric.as_str(), row.value)).collect();
        let expected = [("job1_time_s", 4e-6), ("job1_alone_time_s", 2e-6), ("job1_slowdown", 2.0)];
        assert_eq!(found, expected);
    }
}
