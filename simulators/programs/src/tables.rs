//! Tables on demand, one CSV file each.

use crate::link_flows::{JOB_LINKS, LINK_FLOWS};
use crate::measure::NetworkWatch;
use crate::metrics::Carried;
use crate::observer::NetworkObserver;
use crate::options::Options;
use crate::parameters::Parameters;
use engine::{Column, LINKS, NODES, SERIES, SideTable, TableFile};
use fabric::{Channel, End, Fabric};
use mpi::measure::{Interval, Intervals, Latencies, ProgramWatch};
use mpi::time::{Time, to_seconds};
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub const CONGESTION: SideTable = SideTable::new(
    "congestion",
    "output port of a router",
    &[
        Column::integer("router", "its number"),
        Column::text("port", "class of its link"),
        Column::text("link", "as in `links`"),
        Column::number("blocked_s", "time in which packets had to wait for it"),
        Column::number("blocked_share", "the same over the simulated time"),
        Column::integer("packets_blocked", "packets that had to wait"),
    ],
)
.about("Those with the longest waits first.");

type File = BufWriter<TableFile>;

/// The tables that are asked for, with their headers. They are open before the program is loaded, because
/// the process cannot create files after that.
#[derive(Debug, Default)]
pub struct Files {
    pub series: Option<File>,
    pub congestion: Option<File>,
    pub links: Option<File>,
    pub link_flows: Option<File>,
    /// Of points with jobs.
    pub job_links: Option<File>,
    pub nodes: Option<File>,
}

impl Files {
    pub fn create(
        out: &Path,
        point_id: &str,
        options: &Options,
        are_jobs: bool,
    ) -> Result<Self, String> {
        let create = |table: &SideTable| {
            options.tables.has(table).then(|| table.create(out, point_id)).transpose()
        };
        Ok(Self {
            series: create(&SERIES)?,
            congestion: create(&CONGESTION)?,
            links: create(&LINKS)?,
            link_flows: create(&LINK_FLOWS)?,
            job_links: if are_jobs { create(&JOB_LINKS)? } else { None },
            nodes: create(&NODES)?,
        })
    }
}

/// Writes the table `series`; `end` is when the last thing happened. Returns a note when intervals
/// had to be joined.
pub fn write_series(
    mut writer: File,
    network: &mut NetworkWatch,
    program: &mut ProgramWatch,
    end: Time,
) -> Result<Option<String>, String> {
    let asked = network.interval_ps().unwrap_or(1);
    let shift = network.shift().max(program.series().map_or(0, |series| series.shift()));
    let intervals = Intervals::new(asked, shift, end);
    let written = network_series(&mut writer, network, &intervals);
    let written = written.and_then(|()| match program.series() {
        Some(series) => {
            series.fit(&intervals);
            latencies(&mut writer, "communication_latency_s", &intervals, series.rows())
        }
        None => Ok(()),
    });
    written.and_then(|()| writer.flush()).map_err(|e| format!("table series: {e}"))?;
    Ok((intervals.shift > 0).then(|| {
        let used = to_seconds(asked << intervals.shift);
        format!("series: the run is long, so intervals are {used} s, longer than asked for")
    }))
}

fn row(
    writer: &mut impl Write,
    metric: &str,
    interval: &Interval,
    value: f64,
    unit: &str,
    label: &str,
) -> io::Result<()> {
    let (start_s, end_s) = (to_seconds(interval.start), to_seconds(interval.end));
    writeln!(writer, "{metric},{start_s},{end_s},{value},{unit},{label}")
}

fn network_series(
    writer: &mut impl Write,
    network: &mut NetworkWatch,
    intervals: &Intervals,
) -> io::Result<()> {
    let capacity = network.vc_buffer_bytes();
    let Some((series, waits, classes)) = network.series(intervals) else { return Ok(()) };
    latencies(writer, "network_latency_s", intervals, series.latency.rows())?;
    for (interval, links) in series.links.rows(intervals, classes) {
        for (class, name) in classes.names().iter().enumerate() {
            let (mean, max) = (links.bytes_per_s[class], links.max_bytes_per_s[class]);
            row(writer, "link_throughput_bytes_per_s", &interval, mean, "B/s", name)?;
            row(writer, "link_throughput_peak_bytes_per_s", &interval, max, "B/s", name)?;
        }
        for (tenth, share) in links.share.iter().enumerate() {
            let label = format!("{}–{} %", 10 * tenth, 10 * (tenth + 1));
            row(writer, "link_share", &interval, *share, "1", &label)?;
        }
    }
    let buffers = series.buffers.iter();
    for (interval, shares) in buffers.flat_map(|all| all.rows(intervals, classes, capacity)) {
        for (name, share) in classes.names().iter().zip(shares) {
            if let Some(share) = share {
                row(writer, "buffer_utilisation", &interval, share, "1", name)?;
            }
        }
    }
    let shares = waits.map(|waits| waits.shares(intervals, classes));
    for (interval, share) in intervals.iter().zip(shares.into_iter().flatten()) {
        row(writer, "congestion_ratio", &interval, share, "1", "")?;
    }
    Ok(())
}

/// Means; an interval in which nothing ended has no row.
fn latencies<'a>(
    writer: &mut impl Write,
    metric: &str,
    intervals: &Intervals,
    rows: impl Iterator<Item = &'a Latencies>,
) -> io::Result<()> {
    for (interval, latencies) in intervals.iter().zip(rows) {
        if let Some(mean_s) = latencies.mean_s() {
            row(writer, metric, &interval, mean_s, "s", "")?;
        }
    }
    Ok(())
}

/// Writes the table `congestion`: the first ports of the ranking, or all.
pub fn write_congestion(
    mut writer: File,
    fabric: &Fabric,
    network: &NetworkWatch,
    first: Option<usize>,
    end: Time,
) -> Result<(), String> {
    let end_s = to_seconds(end);
    let mut write = || {
        for port in network.ranking().iter().take(first.unwrap_or(usize::MAX)) {
            let End::Router(router) = fabric.ends(port.channel).0 else { continue };
            let (class, link) = (fabric.class(port.channel), fabric.name(port.channel));
            let (blocked_s, packets) = (to_seconds(port.blocked_ps), port.packets);
            writeln!(
                writer,
                "{router},{class},{link},{blocked_s},{},{packets}",
                blocked_s / end_s
            )?;
        }
        writer.flush()
    };
    write().map_err(|e: io::Error| format!("table congestion: {e}"))
}

/// Writes the table `links`: every channel, also those that carried nothing. `carried` gives bytes
/// and busy time of a channel.
///
/// A channel is utilised by what it carried of what it could have carried. It may be busy for longer:
/// flows may leave a part of it unused.
pub fn write_links(
    mut writer: File,
    (fabric, parameters): (&Fabric, &Parameters),
    carried: impl Fn(Channel) -> Carried,
    end: Time,
) -> Result<(), String> {
    let mut write = || {
        for channel in (0..fabric.channels()).filter(|&channel| fabric.lists(channel)) {
            // What failed carried nothing.
            let there = fabric.exists(channel).then(|| carried(channel));
            let Carried { bytes, busy } = there.unwrap_or_default();
            let full = parameters.time_of_bytes(channel, bytes);
            let utilisation = if end > 0 { full as f64 / end as f64 } else { 0.0 };
            let (columns, busy_s) = (fabric.described(channel), to_seconds(busy));
            writeln!(writer, "{columns},{bytes},{busy_s},{utilisation}")?;
        }
        writer.flush()
    };
    write().map_err(|e: io::Error| format!("table links: {e}"))
}

/// Writes the table `nodes`: what each node sent to the network and received from it, as parts of what
/// a link of `bytes_per_s` could have carried until `end`. `carried` gives the bytes of a channel.
pub fn write_nodes(
    mut writer: File,
    (fabric, bytes_per_s): (&Fabric, f64),
    carried: impl Fn(Channel) -> u64,
    end: Time,
) -> Result<(), String> {
    let (mut sent, mut received) =
        (vec![0; fabric.nodes() as usize], vec![0; fabric.nodes() as usize]);
    for channel in (0..fabric.channels()).filter(|&channel| fabric.exists(channel)) {
        let (from, to) = fabric.ends(channel);
        if let End::Node(node) = from {
            sent[node as usize] += carried(channel);
        }
        if let End::Node(node) = to {
            received[node as usize] += carried(channel);
        }
    }
    let capacity = to_seconds(end) * bytes_per_s;
    let rate = |bytes: u64| if end > 0 { bytes as f64 / capacity } else { 0.0 };
    let mut write = || {
        for (node, (&sent, &received)) in sent.iter().zip(&received).enumerate() {
            writeln!(writer, "{node},{},{}", rate(sent), rate(received))?;
        }
        writer.flush()
    };
    write().map_err(|e: io::Error| format!("table nodes: {e}"))
}
