//! Programs whose ranks wait for each other. Rank `r` runs on node `r`.

use crate::measures::Measures;
use crate::simulation::{Job, simulate};
use workload::{Message, Messages, Outstanding, Program};

/// Time until all messages have arrived that are sent at once.
fn time_s(job: &Job, list: &[Message]) -> f64 {
    let messages = Messages::explicit(job.fabric.nodes(), list);
    simulate(&Job { messages: &messages, outstanding: Outstanding::All, ..*job }).end_s
}

/// Runs a program for one message size.
pub fn run(
    program: Program,
    ranks: u32,
    bytes: u64,
    job: &Job,
    measures: &mut Measures,
) -> Result<(), String> {
    let nodes = job.fabric.nodes();
    if ranks > nodes {
        return Err(format!("{ranks} ranks need as many nodes, the topology has {nodes}"));
    }
    let message = |src, dst| Message { src, dst, bytes, start_s: 0.0 };
    match program {
        Program::Pingpong => {
            if ranks != 2 {
                return Err(format!("program pingpong needs ranks 2, not {ranks}"));
            }
            let one_way_s = (time_s(job, &[message(0, 1)]) + time_s(job, &[message(1, 0)])) / 2.0;
            measures.push("one_way_time_s", Some(bytes), one_way_s);
            let exchange_s = time_s(job, &[message(0, 1), message(1, 0)]);
            measures.push("exchange_time_s", Some(bytes), exchange_s);
            measures.push("put_time_s", Some(bytes), one_way_s);
        }
        Program::Alltoall => {
            if ranks < 2 {
                return Err(format!("program alltoall needs at least 2 ranks, not {ranks}"));
            }
            let total_s: f64 = (1..ranks).map(|step| step_s(job, ranks, step, &message)).sum();
            measures.push("collective_time_s", Some(bytes), total_s);
        }
    }
    Ok(())
}

/// One step of the pairwise exchange: partner `r xor step` for a power of two ranks, otherwise to
/// `r + step` and from `r - step`. All ranks begin a step when the slowest has ended the one before.
fn step_s(job: &Job, ranks: u32, step: u32, message: &impl Fn(u32, u32) -> Message) -> f64 {
    let partner = |rank: u32| {
        if ranks.is_power_of_two() { rank ^ step } else { (rank + step) % ranks }
    };
    let list: Vec<Message> = (0..ranks).map(|rank| message(rank, partner(rank))).collect();
    time_s(job, &list)
}
