//! What is seen of a real network agrees with what it counts, and changes nothing.

use crate::network_common::*;
use mpi::measure::Intervals;
use mpi::time::{Time, to_seconds};
use mpi::{Happening, Nobody, Transport};
use programs::measure::{Buffers, NetworkWatch, WatchNetwork};
use programs::{NetworkObserver, SimulatedNetwork};
use rdma::network::Network;
use serde_json::{Value, json};

const INTERVAL: Time = 700_000;

/// Random messages between all nodes of a torus, many more than it can carry at once.
fn busy<O: NetworkObserver>(topology: &Value, observer: O) -> (Network<O>, Vec<(Time, Happening)>) {
    let fabric = fabric(topology);
    let parameters = parameters(opennsim());
    let mut network = Network::new(&fabric, &parameters, 7, observer).unwrap();
    let mut draw = Draw(3);
    for token in 0..2000 {
        let (src, dst) = (draw.below(32) as u32, draw.below(32) as u32);
        network.send(0, data(src, dst, 1 + draw.below(9000), token));
    }
    let happened = run(&mut network);
    (network, happened)
}

fn torus() -> Value {
    json!({"kind": "torus", "ties": "plus", "sizes": [4, 4, 2]})
}

fn watched() -> (Network<NetworkWatch>, Vec<(Time, Happening)>) {
    let watch = WatchNetwork {
        interval_ps: Some(INTERVAL),
        buffers: Some(Buffers { virtual_channels: 2, vc_buffer_bytes: 8192 }),
    };
    busy(&torus(), NetworkWatch::new(&fabric(&torus()), &watch).unwrap())
}

#[test]
fn watching_changes_nothing() {
    assert_eq!(watched().1, busy(&torus(), Nobody).1);
}

#[test]
fn series_add_up_to_the_counters_of_the_network() {
    let (mut network, happened) = watched();
    let fabric = fabric(&torus());
    let end = network.observer().end(happened.last().unwrap().0);
    let (packets, mut by_class) = (network.packets(), std::collections::BTreeMap::new());
    for channel in (0..fabric.channels()).filter(|&channel| fabric.exists(channel)) {
        *by_class.entry(fabric.class(channel)).or_insert(0) += network.channel_bytes(channel);
    }
    let watch = network.observer_mut();
    watch.finish(end);
    assert_eq!(watch.latencies().count, packets);
    let intervals = Intervals::new(INTERVAL, watch.shift(), end);
    let (series, waits, classes) = watch.series(&intervals).unwrap();
    let mut carried = vec![0.0; classes.count()];
    for (interval, row) in series.links.rows(&intervals, classes) {
        let length_s = to_seconds(interval.end - interval.start);
        for (class, bytes_per_s) in row.bytes_per_s.iter().enumerate() {
            carried[class] += bytes_per_s * length_s * classes.links(class) as f64;
            let (mean, max) = (*bytes_per_s, row.max_bytes_per_s[class]);
            assert!(mean <= max * 1.000_001 && max <= 4.000_001e9, "{mean} {max}");
        }
        assert!((row.share.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    for (name, carried) in classes.names().iter().zip(carried) {
        assert!((carried - by_class[name] as f64).abs() < 1.0, "{name}: {carried}");
    }
    let arrived: u64 = series.latency.rows().map(|latencies| latencies.count).sum();
    assert_eq!(arrived, packets);
    let mut fullest: f64 = 0.0;
    for (_, shares) in series.buffers.as_ref().unwrap().rows(&intervals, classes, 8192) {
        for share in shares.into_iter().flatten() {
            assert!((-1e-9..=1.0).contains(&share), "{share}");
            fullest = fullest.max(share);
        }
    }
    assert!(fullest > 0.2, "{fullest}");
    assert!(waits.unwrap().shares(&intervals, classes).all(|share| (0.0..=1.0).contains(&share)));
}

#[test]
fn a_port_is_blocked_at_most_as_long_as_the_run_lasts() {
    let (mut network, happened) = watched();
    let end = network.observer().end(happened.last().unwrap().0);
    network.observer_mut().finish(end);
    let ranking = network.observer().ranking();
    assert!(ranking.len() > 32, "{}", ranking.len());
    for port in &ranking {
        assert!(port.blocked_ps <= end && port.packets <= network.channel_packets(port.channel));
    }
    assert!(ranking.is_sorted_by_key(|port| std::cmp::Reverse(port.blocked_ps)));
}

#[test]
fn nobody_waits_where_one_message_is_alone() {
    let watch = WatchNetwork {
        interval_ps: None,
        buffers: Some(Buffers { virtual_channels: 2, vc_buffer_bytes: 8192 }),
    };
    let watch = NetworkWatch::new(&fabric(&torus()), &watch).unwrap();
    let mut network = Network::new(&fabric(&torus()), &parameters(opennsim()), 7, watch).unwrap();
    network.send(0, data(0, 21, 2016, 1));
    let arrived = arrival(&run(&mut network), 1);
    assert_eq!(network.observer().ranking(), []);
    // DMA is beside the network: a flit's time on each side.
    let latency_s = network.observer().latencies().mean_s().unwrap();
    assert!((latency_s - to_seconds(arrived - 2000)).abs() < 2e-12, "{latency_s} of {arrived}");
}

#[test]
fn two_packets_to_one_node_block_its_port_for_the_time_of_the_first() {
    let topology = json!({"kind": "crossbar", "nodes": 3});
    let watch = WatchNetwork {
        interval_ps: None,
        buffers: Some(Buffers { virtual_channels: 2, vc_buffer_bytes: 8192 }),
    };
    let watch = NetworkWatch::new(&fabric(&topology), &watch).unwrap();
    let mut network = Network::new(&fabric(&topology), &parameters(opennsim()), 7, watch).unwrap();
    network.send(0, data(0, 2, 2016, 1));
    network.send(0, data(1, 2, 2016, 2));
    run(&mut network);
    let ranking = network.observer().ranking();
    // 2048 bytes at 4 GB/s.
    assert_eq!((ranking.len(), ranking[0].packets, ranking[0].blocked_ps), (1, 1, 512_000));
}
