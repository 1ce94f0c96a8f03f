//! Chooses the node of each rank of several jobs.

use crate::placement::{Placing, place};
use fabric::Node;

/// The node of every rank of jobs with so many ranks each, which follow each other. With `group_nodes`
/// each job begins on the first node of a group of so many.
///
/// # Errors
/// As [`place`]. Also when a node has ranks of two jobs, or there are too few groups.
pub fn place_jobs(
    options: &Placing,
    jobs: &[u32],
    group_nodes: Option<u32>,
    nodes: u32,
    seed: u64,
) -> Result<Vec<Node>, String> {
    let placed = match group_nodes {
        None => place(options, jobs.iter().sum(), nodes, seed)?,
        Some(group) => by_groups(options.ranks_per_node.max(1), jobs, group.max(1), nodes)?,
    };
    let of_ranks =
        jobs.iter().enumerate().flat_map(|(job, &n)| std::iter::repeat_n(job, n as usize));
    let mut job_of = vec![None; nodes as usize];
    for (&node, job) in placed.iter().zip(of_ranks) {
        match job_of[node as usize].replace(job) {
            Some(other) if other != job => {
                return Err(format!(
                    "node {node} has ranks of the jobs {} and {}; a node runs one job",
                    other + 1,
                    job + 1
                ));
            }
            _ => {}
        }
    }
    Ok(placed)
}

fn by_groups(each: u32, jobs: &[u32], group: u32, nodes: u32) -> Result<Vec<Node>, String> {
    let (mut placed, mut next) = (vec![], 0_u32);
    for &ranks in jobs {
        let used = ranks.div_ceil(each);
        if next + used > nodes {
            return Err(format!(
                "the jobs do not fit on {nodes} nodes if each begins with a group of {group}"
            ));
        }
        placed.extend((0..ranks).map(|rank| next + rank / each));
        next = (next + used).next_multiple_of(group);
    }
    Ok(placed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn jobs_on(
        each: u32,
        jobs: &[u32],
        group: Option<u32>,
        nodes: u32,
    ) -> Result<Vec<Node>, String> {
        let options = json!({ "rank_to_node": "block", "ranks_per_node": each });
        place_jobs(&serde_json::from_value(options).unwrap(), jobs, group, nodes, 7)
    }

    #[test]
    fn jobs_follow_each_other_or_begin_with_a_group_of_their_own() {
        assert_eq!(jobs_on(1, &[3, 2], None, 8).unwrap(), [0, 1, 2, 3, 4]);
        assert_eq!(jobs_on(1, &[3, 2], Some(4), 8).unwrap(), [0, 1, 2, 4, 5]);
        assert_eq!(jobs_on(2, &[3, 2, 1], Some(4), 12).unwrap(), [0, 0, 1, 4, 4, 8]);
        assert_eq!(jobs_on(1, &[4, 4], Some(4), 8).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7]);
        let error = jobs_on(1, &[5, 1, 1], Some(4), 8).unwrap_err();
        assert!(error.ends_with("if each begins with a group of 4"), "{error}");
    }

    #[test]
    fn a_node_runs_one_job() {
        let error = jobs_on(2, &[3, 2], None, 8).unwrap_err();
        assert_eq!(error, "node 1 has ranks of the jobs 1 and 2; a node runs one job");
    }
}
