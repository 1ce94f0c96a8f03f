//! Series and congestion, reported by hand: a ring of four nodes, intervals of 1 us.

use engine::{SERIES, SideTable, TableFile};
use fabric::{Channel, Fabric, TopologySpec};
use mpi::measure::{MOST_INTERVALS, ProgramWatch, WatchProgram};
use programs::measure::{Buffers, NetworkWatch, WatchNetwork};
use programs::tables::{CONGESTION, write_congestion, write_links, write_series};
use programs::{Carried, NetworkObserver, Parameters};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

const US: u64 = 1_000_000;
const NODES: u32 = 4;
/// Router 0 to router 1, and back round.
const PLUS: Channel = 2 * NODES;
const MINUS: Channel = 2 * NODES + 1;
const LINKS: f64 = 16.0;

type Series = BTreeMap<(String, String), Vec<(f64, f64)>>;

fn ring() -> Fabric {
    let spec = json!({"kind": "torus", "sizes": [NODES], "ties": "plus", "nodes": NODES});
    let spec: TopologySpec = serde_json::from_value(spec).unwrap();
    spec.build_channels(1).unwrap()
}

fn watch(interval_ps: Option<u64>) -> NetworkWatch {
    let watch = WatchNetwork {
        interval_ps,
        buffers: Some(Buffers { virtual_channels: 2, vc_buffer_bytes: 1000 }),
    };
    NetworkWatch::new(&ring(), &watch).unwrap()
}

fn table(folder: &Path, table: &SideTable) -> BufWriter<TableFile> {
    table.create(folder, "p").unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("weft-rdma-watch-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn program(folder: &Path, interval_ps: u64) -> ProgramWatch {
    let watch = WatchProgram { interval_ps: Some(interval_ps), ..WatchProgram::default() };
    ProgramWatch::new(&watch, folder, "p", &[0, 1, 2, 3]).unwrap()
}

/// Per metric and label: start in us and value.
fn read(folder: &Path) -> Series {
    let text = std::fs::read_to_string(folder.join("series-p.csv")).unwrap();
    let mut series = Series::new();
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split(',').collect();
        let (start, value) = (fields[1].parse::<f64>().unwrap(), fields[3].parse().unwrap());
        let rows = series.entry((fields[0].into(), fields[5].into())).or_default();
        rows.push((start * 1e6, value));
    }
    series
}

fn series(name: &str, mut network: NetworkWatch, interval_ps: u64, end: u64) -> Series {
    let folder = folder(name);
    network.finish(end);
    let mut program = program(&folder, interval_ps);
    write_series(table(&folder, &SERIES), &mut network, &mut program, end).unwrap();
    read(&folder)
}

fn values(series: &Series, metric: &str, label: &str) -> Vec<f64> {
    series[&(metric.to_string(), label.to_string())].iter().map(|(_, value)| *value).collect()
}

fn close(found: &[f64], expected: &[f64]) {
    let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * b.abs().max(1e-3);
    let all = found.len() == expected.len() && found.iter().zip(expected).all(same);
    assert!(all, "{found:?} instead of {expected:?}");
}

#[test]
fn a_packet_that_spans_intervals_is_divided_between_them() {
    let mut network = watch(Some(US));
    // A quarter of 2000 bytes in the first interval, a half in the second.
    network.packet_on_channel(PLUS, 2000, US * 3 / 4, US * 7 / 4);
    let found = series("divided", network, US, 2 * US);
    close(&values(&found, "link_throughput_bytes_per_s", "x+"), &[500e6 / 4.0, 1500e6 / 4.0]);
    close(&values(&found, "link_throughput_peak_bytes_per_s", "x+"), &[500e6, 1500e6]);
    close(&values(&found, "link_throughput_bytes_per_s", "x-"), &[0.0, 0.0]);
    // Busy for 25 % and 75 %.
    close(&values(&found, "link_share", "20–30 %"), &[1.0 / LINKS, 0.0]);
    close(&values(&found, "link_share", "70–80 %"), &[0.0, 1.0 / LINKS]);
    close(&values(&found, "link_share", "0–10 %"), &[15.0 / LINKS, 15.0 / LINKS]);
}

#[test]
fn the_last_interval_is_as_long_as_the_run_goes_on() {
    let mut network = watch(Some(US));
    network.packet_on_channel(PLUS, 500, US, US + US / 2);
    let found = series("last", network, US, US + US / 2);
    close(&values(&found, "link_throughput_peak_bytes_per_s", "x+"), &[0.0, 1e9]);
    close(&values(&found, "link_share", "90–100 %"), &[0.0, 1.0 / LINKS]);
}

proptest! {
    #[test]
    fn intervals_add_up_to_what_was_carried(
        packets in prop::collection::vec((1u64..5000, 0u64..3 * US, 1u64..4 * US), 1..40),
        interval in 100_000u64..2 * US,
    ) {
        let (mut network, mut at, mut carried) = (watch(Some(interval)), 0, 0);
        for (bytes, gap, length) in packets {
            network.packet_on_channel(MINUS, bytes, at + gap, at + gap + length);
            at += gap + length;
            carried += bytes;
        }
        let found = series("sums", network, interval, at);
        let starts: Vec<f64> =
            found[&("link_throughput_bytes_per_s".into(), "x-".into())].iter().map(|r| r.0).collect();
        let rates = values(&found, "link_throughput_bytes_per_s", "x-");
        let ends = starts.iter().skip(1).copied().chain([at as f64 / 1e6]);
        let sum: f64 = rates.iter().zip(starts.iter().zip(ends)).map(|(r, (s, e))| r * (e - s) * 1e-6).sum();
        prop_assert!((sum * 4.0 - carried as f64).abs() < 1e-3, "{} of {carried}", sum * 4.0);
        let shares: f64 = found.iter().filter(|(key, _)| key.0 == "link_share").flat_map(|(_, rows)| rows).map(|r| r.1).sum();
        prop_assert!((shares - starts.len() as f64).abs() < 1e-6);
    }
}

#[test]
fn utilisation_is_the_mean_over_time_of_what_buffers_hold() {
    let mut network = watch(Some(US));
    // 8 buffers of 1000 bytes are behind x+: 800 bytes for three quarters of the first interval
    // and all of the second, another buffer's 400 for half of the third; reported out of order.
    network.buffer(PLUS, 0, US / 4, 800);
    network.buffer(PLUS, 1, 2 * US + US / 2, 400);
    network.buffer(PLUS, 0, 2 * US, 0);
    network.buffer(PLUS, 1, 3 * US, 0);
    let found = series("buffers", network, US, 3 * US);
    close(&values(&found, "buffer_utilisation", "x+"), &[0.075, 0.1, 0.025]);
    assert!(!found.contains_key(&("buffer_utilisation".into(), "ejection".into())));
}

#[test]
fn utilisation_of_a_short_last_interval_counts_its_own_length() {
    let mut network = watch(Some(US));
    network.buffer(PLUS, 0, US, 800);
    let found = series("short", network, US, US + US / 4);
    close(&values(&found, "buffer_utilisation", "x+"), &[0.0, 0.1]);
}

#[test]
fn latencies_are_means_of_what_arrived_in_an_interval() {
    let mut network = watch(Some(US));
    network.packet_delivered(0, US / 2);
    network.packet_delivered(US / 4, US);
    network.packet_delivered(0, 3 * US);
    let found = series("latency", network, US, 3 * US);
    let rows = &found[&("network_latency_s".into(), String::new())];
    let starts: Vec<f64> = rows.iter().map(|r| r.0).collect();
    assert_eq!(starts, [0.0, 2.0]);
    close(&values(&found, "network_latency_s", ""), &[0.625e-6, 3e-6]);
}

/// Two heads wait for one port, from 0.5 to 1.5 us and from 1 to 2.5 us, one for another port.
fn congested() -> NetworkWatch {
    let mut network = watch(Some(US));
    let mut take = |channel, ready, since, at| {
        network.blocked(channel, ready, at);
        network.taken(channel, since, at);
    };
    take(PLUS, US / 2, US / 2, US + US / 2);
    take(MINUS, US, US, US + 1);
    take(PLUS, US, US, 2 * US + US / 2);
    // A head that did not have to wait; and no router's port.
    take(PLUS, 3 * US, 3 * US, 3 * US);
    take(0, 0, 0, 4 * US);
    network
}

#[test]
fn a_port_is_congested_once_in_an_interval_however_many_heads_wait() {
    let found = series("ratio", congested(), US, 4 * US);
    let ports = 12.0;
    close(&values(&found, "congestion_ratio", ""), &[1.0 / ports, 2.0 / ports, 1.0 / ports, 0.0]);
}

#[test]
fn the_ranking_begins_with_the_longest_wait_and_can_be_cut() {
    let (folder, mut network) = (folder("ranking"), congested());
    network.finish(4 * US);
    let rows = |first| {
        write_congestion(table(&folder, &CONGESTION), &ring(), &network, first, 4 * US).unwrap();
        std::fs::read_to_string(folder.join("congestion-p.csv")).unwrap()
    };
    let header = "router,port,link,blocked_s,blocked_share,packets_blocked\n";
    let first = "0,x+,x+/0,0.000002,0.5,2\n";
    assert_eq!(rows(Some(1)), format!("{header}{first}"));
    let all = rows(None);
    assert!(all.starts_with(&format!("{header}{first}0,x-,x-/0,")), "{all}");
    assert_eq!(all.lines().count(), 3);
}

#[test]
fn a_port_that_takes_others_meanwhile_is_blocked_by_the_head_that_still_waits() {
    let mut network = watch(None);
    // One head waits from 1 to 4 us, for the buffer behind; others pass it at 2 and 3 us at once.
    network.taken(PLUS, US, 2 * US);
    network.taken(PLUS, US, 3 * US);
    network.blocked(PLUS, US, 4 * US);
    network.taken(PLUS, US, 4 * US);
    let ranking = network.ranking();
    assert_eq!((ranking.len(), ranking[0].blocked_ps, ranking[0].packets), (1, 3 * US, 1));
}

#[test]
fn a_long_run_has_longer_intervals_and_the_same_means() {
    let (end, interval) = (3 * MOST_INTERVALS as u64 * 1000, 1000);
    let mut network = watch(Some(interval));
    for at in (0..end).step_by(2000) {
        network.packet_on_channel(PLUS, 10, at, at + 500);
    }
    network.buffer(PLUS, 0, 0, 800);
    network.taken(PLUS, 0, end / 2);
    let folder = folder("long");
    network.finish(end);
    let mut program = program(&folder, interval);
    let note = write_series(table(&folder, &SERIES), &mut network, &mut program, end).unwrap();
    assert!(note.unwrap().contains("0.000000004 s"), "the length that was used");
    let found = read(&folder);
    let throughput = values(&found, "link_throughput_bytes_per_s", "x+");
    assert_eq!(throughput.len(), MOST_INTERVALS * 3 / 4);
    close(&throughput[..2], &[20e9 / 4.0 / 4.0; 2]);
    close(&values(&found, "link_share", "50–60 %")[..2], &[0.5 / LINKS; 2]);
    close(&values(&found, "buffer_utilisation", "x+")[..2], &[0.1; 2]);
    let ratio = values(&found, "congestion_ratio", "");
    close(&[ratio[0], ratio[throughput.len() - 1]], &[1.0 / 12.0, 0.0]);
}

#[test]
fn links_lists_every_channel() {
    let folder = folder("links");
    let parameters: Parameters =
        serde_json::from_value(json!({"bandwidth_bytes_per_s": 1e9})).unwrap();
    // It had a part of the channel for longer than its bytes need.
    let plus = Carried { bytes: 500, busy: US * 3 / 4 };
    let carried = |channel| if channel == PLUS { plus } else { Carried::default() };
    write_links(table(&folder, &engine::LINKS), (&ring(), &parameters), carried, US).unwrap();
    let text = std::fs::read_to_string(folder.join("links-p.csv")).unwrap();
    assert_eq!(text.lines().count(), 1 + LINKS as usize);
    assert!(text.contains("\nx+/0,x+,router 0,router 1,500,0.00000075,0.5\n"), "{text}");
}

#[test]
fn an_interval_without_length_is_refused() {
    let watch = WatchNetwork {
        interval_ps: Some(0),
        buffers: Some(Buffers { virtual_channels: 2, vc_buffer_bytes: 1 }),
    };
    let error = NetworkWatch::new(&ring(), &watch).unwrap_err();
    assert!(error.contains("series_interval_s"), "{error}");
}
