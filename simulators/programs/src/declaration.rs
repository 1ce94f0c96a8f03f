//! Options and metrics that every engine has that runs programs.

use crate::link_flows::{JOB_LINKS, LINK_FLOWS};
use crate::tables::CONGESTION;
use engine::{Filled, LINKS, MESSAGES, Measure, SERIES, algorithm_option, tables_option, words};
use mpi::measure::{CALLS, CRITICAL_PATH, HISTORY, RANK_PAIRS, RANK_TIMELINE};
use mpi::{
    ALGORITHMS, Compute, Files, LIBRARIES, Payload, RankToNode, STORAGE_BANDWIDTH_GB_PER_S,
    STORAGE_LATENCY_US,
};
use serde_json::{Value, json};

pub use crate::metrics::METRICS;

/// Of programs alone.
const OF_PROGRAMS: &[&str] = &["program"];

/// Tables that a program may leave on any network.
pub const TABLES: [Filled; 10] = [
    (&SERIES, OF_PROGRAMS),
    (&LINKS, OF_PROGRAMS),
    (&LINK_FLOWS, OF_PROGRAMS),
    (&JOB_LINKS, OF_PROGRAMS),
    (&MESSAGES, OF_PROGRAMS),
    (&CALLS, OF_PROGRAMS),
    (&RANK_PAIRS, OF_PROGRAMS),
    (&RANK_TIMELINE, OF_PROGRAMS),
    (&CRITICAL_PATH, OF_PROGRAMS),
    (&HISTORY, OF_PROGRAMS),
];

/// Options of points with programs, in the order of the reference.
pub fn options() -> impl Iterator<Item = Value> {
    messages().into_iter().chain(algorithms()).chain(ranks()).chain(files())
}

/// Metrics with their units, in the form in which a declaration lists them, of groups that not all
/// points have: each metric once, with the kinds of workload whose points may have it. The word of a
/// search stands for the traffic that it is about.
pub fn metrics_by_kind(groups: &[(&[&str], &[Measure])]) -> Value {
    let mut found: Vec<(Measure, Vec<&str>)> = vec![];
    for (kinds, metrics) in groups {
        for metric in *metrics {
            let at = found.iter().position(|(known, _)| known == metric).unwrap_or_else(|| {
                found.push((*metric, vec![]));
                found.len() - 1
            });
            found[at].1.extend(*kinds);
        }
    }
    let entry = |((name, unit), of)| json!({"name": name, "unit": unit, "of": of});
    found.into_iter().map(entry).collect()
}

/// Options about the tables of an engine, which writes these.
pub fn table_options(tables: &[Filled]) -> Vec<Value> {
    let mut options = vec![tables_option(tables)];
    if tables.iter().any(|(table, _)| table.name == CONGESTION.name) {
        options.push(json!({
            "name": "congestion_ports", "type": "integer", "minimum": 1, "nullable": true,
            "default": null,
            "description": "How many ports the table congestion lists, those with the longest \
                waits; null for all."
        }));
    }
    options.push(json!({
        "name": "series_interval", "type": "time", "minimum": "1 ns", "default": "1 us",
        "description": "Interval of the table series; long runs join neighbouring intervals."
    }));
    options
}

fn messages() -> Vec<Value> {
    vec![
        json!({"name": "payload", "type": "choice", "allowed": words::<Payload>(),
               "default": "delivered",
               "description": "Whether messages carry their bytes, or their sizes alone, \
                which takes less time; programs then receive zeros."}),
        json!({"name": "eager_limit", "type": "size", "default": "16 KiB",
               "description": "Size up to which a message is sent at once and copied on both \
                sides; larger ones ask the receiver first (rendezvous)."}),
        json!({"name": "zero_copy_limit", "type": "size", "default": null,
               "description": "Smallest size of a rendezvous without copies (zero copy); null if \
                every message is copied."}),
    ]
}

/// One for each collective that has a choice; the first one is the default.
fn algorithms() -> impl Iterator<Item = Value> {
    ALGORITHMS.iter().map(|(collective, choices)| {
        let allowed: Vec<&str> = choices.iter().chain(&LIBRARIES).copied().collect();
        algorithm_option(collective, &allowed)
    })
}

fn ranks() -> Vec<Value> {
    vec![
        json!({"name": "rank_to_node", "type": "choice", "allowed": words::<RankToNode>(),
               "default": "linear",
               "description": "Where ranks run: rank r on node r in turn (linear), \
                ranks_per_node neighbours on each node (block), on nodes drawn \
                by the seed (random), as rank_file says (file), or on the nodes where a measurement \
                of the same experiment ran (measured)."}),
        json!({"name": "ranks_per_node", "type": "integer", "minimum": 1, "maximum": u32::MAX,
               "default": 1,
               "description": "Largest number of ranks on a node."}),
        json!({"name": "rank_file", "type": "file", "default": null,
               "description": "CSV with the columns rank and node, a row for each rank; path \
                from the project."}),
        json!({"name": "stack", "type": "size", "minimum": "16 KiB", "maximum": "1 GiB",
               "default": "2 MiB",
               "description": "Largest stack of a rank; it takes memory only for touched pages, \
                and 4 KiB of page tables for each rank."}),
        json!({"name": "compute", "type": "choice", "allowed": words::<Compute>(),
               "default": "declared",
               "description": "The time of computing between calls: only what the program \
                declares by MGEN_Comp (declared), the processor time that was measured once in \
                the simulator (measured), the same with sampled loops, of which the first passes \
                run (sampled), or the instructions that were counted there (scaled)."}),
        json!({"name": "compute_factor", "type": "number", "above": 0, "default": 1.0,
               "description": "Factor of the measured times: 0.8 for a processor that needs 0.8 \
                times as long as the one that measured. Where compute is scaled, the nanoseconds \
                that an instruction takes."}),
        json!({"name": "loop_limit", "type": "time", "above": "0 s", "default": "30 s",
               "description": "Processor time that a rank may take between two calls, or for \
                calls at one simulated time, before it counts as endless."}),
    ]
}

fn files() -> [Value; 3] {
    [
        json!({"name": "files", "type": "choice", "allowed": words::<Files>(),
               "default": "modelled",
               "description": "Whether calls of files (MPI_File_open …) work and take the time of a \
                model of the storage (modelled), or end the program (refused)."}),
        json!({"name": "storage_latency", "type": "time", "minimum": "0 s", "maximum": "1000 s",
               "default": format!("{STORAGE_LATENCY_US} us"),
               "description": "Time of each access of a file, beside that of its data."}),
        json!({"name": "storage_bandwidth", "type": "rate", "minimum": "1 kB/s",
               "default": format!("{STORAGE_BANDWIDTH_GB_PER_S} GB/s"),
               "description": "Rate at which the storage reads or writes files, for all ranks \
                together; it serves one access at a time."}),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_of_two_groups_has_the_kinds_of_both() {
        let (time, rate) = (("time_s", "s"), ("rate", "1"));
        let found = metrics_by_kind(&[(&["messages"], &[time]), (&["traffic"], &[rate, time])]);
        let expected = json!([
            {"name": "time_s", "unit": "s", "of": ["messages", "traffic"]},
            {"name": "rate", "unit": "1", "of": ["traffic"]},
        ]);
        assert_eq!(found, expected);
    }
}
