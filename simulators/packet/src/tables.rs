//! Tables on demand, one CSV file each.

use crate::measure::Logged;
use crate::run::{Interval, Occupancy, Window};
use crate::traffic::ClosedList;
use crate::wiring::{Peer, Wiring};
use engine::{Column, SideTable};
use fabric::{Fabric, Links};
use std::io::{Result, Write};

/// How full the buffers of routers were.
pub const BUFFERS: SideTable = SideTable::new(
    "buffers",
    "virtual channel of a link",
    &[
        Column::text("link", "as in `links`; the buffer is at its end"),
        Column::integer("vc", "the virtual channel, counted from 0"),
        Column::number("occupancy_mean_flits", "mean of the measurement"),
        Column::integer("occupancy_max_flits", "the most that it held"),
        Column::integer("capacity_flits", "what it can hold"),
    ],
)
.of_one_size();

/// All messages of a list that have arrived; numbers go on from `first_id`.
pub fn list_messages(writer: &mut impl Write, list: &ClosedList, first_id: u64) -> Result<()> {
    let messages = list.messages();
    for src in 0..messages.nodes() {
        for message in messages.range(src) {
            let Some((issued, finished)) = list.times(message) else { continue };
            let (dst, bytes) = (messages.dst(message), messages.bytes(message));
            let [start_s, finish_s] = [issued, finished].map(|at| at as f64 * list.tick_s());
            let id = first_id + u64::from(messages.id(message));
            writeln!(writer, "{id},{src},{dst},{bytes},{start_s},{finish_s}")?;
        }
    }
    Ok(())
}

/// What the messages of open-loop traffic have in common.
#[derive(Debug, Clone, Copy)]
pub struct OpenMessages {
    pub bytes: u64,
    pub flits: u64,
    pub cycle_s: f64,
    /// From creation until the source has a message.
    pub latency_cycles: u64,
}

/// Messages of open-loop traffic that were created in the window and have arrived.
pub fn open_messages(
    writer: &mut impl Write,
    logged: &[Logged],
    window: &Window,
    common: OpenMessages,
    first_id: u64,
) -> Result<()> {
    let OpenMessages { bytes, flits, cycle_s, latency_cycles } = common;
    for (number, message) in logged.iter().enumerate() {
        if message.flits < flits || !(window.start..window.end).contains(&message.created) {
            continue;
        }
        let start_s = message.created.saturating_sub(latency_cycles) as f64 * cycle_s;
        let finish_s = message.arrived as f64 * cycle_s;
        let (id, src, dst) = (first_id + number as u64, message.src, message.dst);
        writeln!(writer, "{id},{src},{dst},{bytes},{start_s},{finish_s}")?;
    }
    Ok(())
}

/// Every channel, also those that carried nothing. A channel is busy while it carries flits.
pub fn links(
    writer: &mut impl Write,
    (fabric, links): (&Fabric, &Links),
    wiring: &Wiring,
    window: &Window,
    flit_bytes: f64,
    cycle_s: f64,
) -> Result<()> {
    let mut carried = vec![0; fabric.channels() as usize];
    carried[..wiring.nodes()].copy_from_slice(&window.injection_channel_flits);
    for (port, peer) in wiring.output.iter().enumerate() {
        if *peer != Peer::Nothing {
            carried[wiring.channel[port] as usize] = window.port_flits[port];
        }
    }
    let cycles = window.cycles().max(1) as f64;
    for channel in (0..fabric.channels()).filter(|&channel| fabric.lists(channel)) {
        let flits = carried[channel as usize] as f64;
        // What a flit takes on this channel.
        let busy = flits * links.slower(channel);
        let (bytes, busy_s, utilisation) = (flits * flit_bytes, busy * cycle_s, busy / cycles);
        writeln!(writer, "{},{bytes},{busy_s},{utilisation}", fabric.described(channel))?;
    }
    Ok(())
}

pub fn nodes(writer: &mut impl Write, window: &Window) -> Result<()> {
    let cycles = window.cycles().max(1) as f64;
    let pairs = window.injected_flits.iter().zip(&window.ejected_flits);
    for (node, (injected, ejected)) in pairs.enumerate() {
        writeln!(writer, "{node},{},{}", *injected as f64 / cycles, *ejected as f64 / cycles)?;
    }
    Ok(())
}

/// The buffer at the end of each channel that leads to a router, one row per virtual channel.
pub fn buffers(
    writer: &mut impl Write,
    fabric: &Fabric,
    wiring: &Wiring,
    window: &Window,
    occupancy: &Occupancy,
    capacity_flits: u16,
) -> Result<()> {
    let looked: Vec<(f64, u16)> = occupancy.buffers(window.cycles()).collect();
    let vcs = looked.len() / wiring.numbers.ports().max(1);
    for (port, peer) in wiring.input.iter().enumerate() {
        let link = match peer {
            Peer::Nothing => continue,
            Peer::Node(node) => fabric.name(*node),
            Peer::Port(from) => fabric.name(wiring.channel[*from as usize]),
        };
        for (vc, (mean, max)) in looked[port * vcs..][..vcs].iter().enumerate() {
            writeln!(writer, "{link},{vc},{mean},{max},{capacity_flits}")?;
        }
    }
    Ok(())
}

/// Rates are flits per node and cycle; the latency is that of packets that arrived meanwhile.
pub fn series(
    writer: &mut impl Write,
    intervals: &[Interval],
    nodes: usize,
    cycle_s: f64,
) -> Result<()> {
    for interval in intervals {
        let (start_s, end_s) = (interval.start as f64 * cycle_s, interval.end as f64 * cycle_s);
        let capacity = ((interval.end - interval.start) * nodes as u64) as f64;
        let mut row = |metric: &str, value: f64, unit: &str| {
            // They are about the whole network, which has no label.
            writeln!(writer, "{metric},{start_s},{end_s},{value},{unit},")
        };
        row("injected_rate", interval.injected_flits as f64 / capacity, "1")?;
        row("accepted_rate", interval.ejected_flits as f64 / capacity, "1")?;
        let arrived = interval.arrived;
        if arrived.packets > 0 {
            let mean = arrived.latency_cycles as f64 / arrived.packets as f64;
            row("packet_latency_mean_cycles", mean, "cycle")?;
        }
        row("in_flight_flits", interval.in_flight_flits as f64, "1")?;
    }
    Ok(())
}
