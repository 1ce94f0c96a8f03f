//! Tables on demand: `messages-<point>.csv`, `links-<point>.csv` and `link_flows-<point>.csv`.

use crate::job::{Job, Outcome};
use programs::LinkFlows;
use std::io::Write;

/// Appends all finished messages of one run; numbers go on from `first_id`.
pub fn messages(
    writer: &mut impl Write,
    job: &Job,
    outcome: &Outcome,
    first_id: u64,
) -> std::io::Result<()> {
    for src in 0..job.messages.nodes() {
        for message in job.messages.range(src) {
            let finish_s = outcome.finish_s[message as usize];
            if finish_s.is_nan() {
                continue;
            }
            let id = first_id + u64::from(job.messages.id(message));
            let (dst, bytes) = (job.messages.dst(message), job.messages.bytes(message));
            let start_s = outcome.issue_s[message as usize];
            writeln!(writer, "{id},{src},{dst},{bytes},{start_s},{finish_s}")?;
        }
    }
    Ok(())
}

/// Writes every channel of the fabric, also those that carried nothing.
pub fn links(writer: &mut impl Write, job: &Job, outcome: &Outcome) -> std::io::Result<()> {
    let capacity = job.bandwidth_bytes_per_s * outcome.end_s;
    for channel in (0..job.fabric.channels()).filter(|&channel| job.fabric.lists(channel)) {
        let bytes = outcome.channel_bytes[channel as usize];
        let (busy_s, slower) =
            (outcome.channel_busy_s[channel as usize], job.links.slower(channel));
        let utilisation = if capacity > 0.0 { bytes * slower / capacity } else { 0.0 };
        writeln!(writer, "{},{bytes},{busy_s},{utilisation}", job.fabric.described(channel))?;
    }
    Ok(())
}

/// What messages that have finished sent over each channel.
pub fn flows(job: &Job, outcome: &Outcome) -> LinkFlows {
    let (mut found, mut path) = (LinkFlows::default(), vec![]);
    for src in 0..job.messages.nodes() {
        let has_finished = |message: &u32| !outcome.finish_s[*message as usize].is_nan();
        for message in job.messages.range(src).filter(has_finished) {
            let dst = job.messages.dst(message);
            path.clear();
            job.fabric.route(src, dst, &mut path);
            path.iter().for_each(|&c| found.add(c, (src, dst), job.messages.bytes(message)));
        }
    }
    found
}
