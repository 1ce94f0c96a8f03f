//! One transfer of a program alone: the closed form of docs/rdma.md without packets.

use crate::network_common::{
    arrival, control, data, fabric, infiniband, opennsim, parameters, plain, run, topologies,
};
use flow::Model;
use flow::network::Network;
use mpi::time::{Time, from_seconds, of_bytes};
use mpi::{Happening, Nobody, Transport};
use serde_json::{Value, json};

const MODELS: [Model; 2] = [Model::EqualShare, Model::MaxMin];

fn network(topology: &Value, network: &Value, model: Model) -> Network<Nobody> {
    Network::new(&fabric(topology), &parameters(network.clone()), model, Nobody).unwrap()
}

fn ns(ns: f64) -> Time {
    from_seconds(ns * 1e-9)
}

/// What a head meets on its way, and what a message meets at its ends.
struct Parts {
    latency: Time,
    injection: Time,
    router: Time,
    cable: Time,
    ejection: Time,
    /// Data beside the header, and the time of all of it on a channel.
    bytes: u64,
    on_channel: Time,
    /// DMA on each side.
    dma: Time,
}

fn cases() -> Vec<(Value, Parts)> {
    let torus = |bytes: u64, unit: &str, dma: Time| {
        let mut network = opennsim();
        network["nic"]["dma_unit"] = json!(unit);
        let on_channel = of_bytes(bytes + 32, 4e9);
        let (router, cable) = (ns(90.0), ns(10.0));
        let parts = Parts {
            latency: 0,
            injection: 0,
            router,
            cable,
            ejection: cable,
            bytes,
            on_channel,
            dma,
        };
        (network, parts)
    };
    let mut qdr = infiniband();
    qdr["nic"]["dma_unit"] = json!("packet");
    vec![
        // A flit of 16 B by DMA of 16 GB/s takes 1 ns.
        torus(100, "flit", ns(1.0)),
        torus(2016, "flit", ns(1.0)),
        torus(7, "flit", of_bytes(7, 16e9)),
        torus(1 << 20, "flit", ns(1.0)),
        torus(100, "packet", of_bytes(100, 16e9)),
        torus(2016, "packet", ns(126.0)),
        torus(1 << 20, "message", of_bytes(1 << 20, 16e9)),
        (
            qdr,
            Parts {
                latency: 0,
                injection: ns(0.6),
                router: ns(140.0),
                cable: ns(0.6),
                ejection: ns(0.6),
                bytes: 8,
                on_channel: ns(10.0),
                dma: of_bytes(8, 2.8e9),
            },
        ),
        (
            plain(),
            Parts {
                latency: ns(50_000.0),
                injection: 0,
                router: 0,
                cable: ns(1000.0),
                ejection: 0,
                bytes: 100_001,
                on_channel: of_bytes(100_001, 1.25e8),
                dma: 0,
            },
        ),
    ]
}

/// Of a head over so many routers.
fn head(parts: &Parts, routers: Time) -> Time {
    parts.injection + routers * parts.router + (routers - 1) * parts.cable + parts.ejection
}

#[test]
fn a_message_alone_takes_the_closed_form_on_every_route() {
    for (parameters, parts) in cases() {
        for (topology, model) in topologies().iter().flat_map(|t| MODELS.map(|model| (t, model))) {
            let fabric = fabric(topology);
            let mut path = Vec::new();
            for dst in 1..fabric.nodes() {
                let mut network = network(topology, &parameters, model);
                network.send(0, data(0, dst, parts.bytes, 5));
                let happened = run(&mut network);
                path.clear();
                fabric.route(0, dst, &mut path);
                let head = head(&parts, path.len() as u64 - 1);
                let left = parts.latency + parts.dma + parts.on_channel;
                let expected =
                    [(left, Happening::Read(5)), (left + head + parts.dma, Happening::Arrived(5))];
                assert_eq!(happened, expected, "{topology} to {dst}, {parameters}");
                assert!(network.is_idle());
            }
        }
    }
}

#[test]
fn a_control_message_has_neither_dma_nor_the_latency_of_messages() {
    let crossbar = json!({"kind": "crossbar", "nodes": 4});
    for (parameters, expected) in
        [(infiniband(), ns(0.6) + ns(140.0) + ns(0.6) + of_bytes(32, 4e9)), (plain(), 0)]
    {
        let mut network = network(&crossbar, &parameters, Model::MaxMin);
        network.send(0, control(1, 2, 0, 3));
        assert_eq!(run(&mut network), [(expected, Happening::Arrived(3))]);
    }
}

#[test]
fn dma_slower_than_the_link_sets_the_pace_and_serves_one_message_after_the_other() {
    let crossbar = json!({"kind": "crossbar", "nodes": 4});
    let mut parameters = opennsim();
    parameters["nic"] = json!({"dma_bytes_per_s": 1e9, "dma_unit": "packet"});
    let head = ns(90.0) + ns(10.0);
    let bytes = 65 * 2016;
    // The last packet is read, crosses the network, and is written.
    let first = of_bytes(bytes, 1e9) + of_bytes(2048, 4e9) + head + of_bytes(2016, 1e9);
    let mut alone = network(&crossbar, &parameters, Model::EqualShare);
    alone.send(0, data(0, 1, bytes, 0));
    assert_eq!(arrival(&run(&mut alone), 0), first);
    // Two from one NIC to different nodes: the second is read after the first.
    let mut both = network(&crossbar, &parameters, Model::EqualShare);
    both.send(0, data(0, 1, bytes, 0));
    both.send(0, data(0, 2, bytes, 1));
    let happened = run(&mut both);
    assert_eq!(arrival(&happened, 0), first);
    assert_eq!(arrival(&happened, 1), first + of_bytes(bytes, 1e9));
    // Two to one NIC: both are read at once, and written one after the other.
    let mut incast = network(&crossbar, &parameters, Model::EqualShare);
    incast.send(0, data(1, 0, bytes, 0));
    incast.send(0, data(2, 0, bytes, 1));
    let happened = run(&mut incast);
    assert_eq!(happened.last().unwrap().0, first + of_bytes(bytes, 1e9));
}

/// A full packet is read before it leaves. A short one behind it is soon read, and waits until the full one
/// has left; it is written after the full one. The next message is read from when the short one begins to
/// leave, and arrives one such pace later.
#[test]
fn a_short_last_packet_waits_for_the_full_one_before_it() {
    let (read, crosses, packet) = (of_bytes(2016, 2.8e9), of_bytes(2048, 4e9), 2016);
    let head = ns(0.6) + ns(140.0) + ns(0.6);
    for (full, short) in [(1, 8), (8, 256), (4, 1000)] {
        let bytes = full * packet + short;
        let mut parameters = infiniband();
        parameters["nic"]["dma_unit"] = json!("packet");
        let mut both =
            network(&json!({"kind": "crossbar", "nodes": 4}), &parameters, Model::MaxMin);
        both.send(0, data(0, 1, bytes, 0));
        both.send(0, data(0, 2, bytes, 1));
        let happened = run(&mut both);
        let expected = full * read + crosses + head + read + of_bytes(short, 2.8e9);
        assert_near(arrival(&happened, 0), expected);
        let pace = full * read + crosses.max(of_bytes(short, 2.8e9));
        assert_near(arrival(&happened, 1), expected + pace);
    }
}

/// Up to the picoseconds to which each packet's time is rounded.
fn assert_near(found: Time, expected: Time) {
    assert!(found.abs_diff(expected) < 20, "{found} ps in place of {expected} ps");
}

#[test]
fn a_transfer_within_a_node_crosses_its_memory_only() {
    let mut parameters = opennsim();
    parameters["nic"]["memory_bytes_per_s"] = json!(16e9);
    let mut network =
        network(&json!({"kind": "crossbar", "nodes": 2}), &parameters, Model::EqualShare);
    network.send(0, data(1, 1, 1600, 4));
    network.send(0, data(1, 1, 1600, 5));
    network.send(0, control(1, 1, 0, 6));
    let happened = run(&mut network);
    let times = [4, 5, 6].map(|token| arrival(&happened, token));
    assert_eq!(times, [100_000, 200_000, 200_000]);
}

/// Both networks with packets that hold a whole message: their times differ by less than a flit on
/// each side, up to which packets are rounded. With small packets `rdma` sends a header in each. (With one
/// virtual channel to a class, its routers pause between packets as well.)
#[test]
fn alone_it_agrees_with_packets_up_to_headers_and_whole_flits() {
    for (mtu, topology) in
        [32_768, 2048].into_iter().flat_map(|m| topologies().into_iter().map(move |t| (m, t)))
    {
        let mut parameters = opennsim();
        parameters["packet"]["mtu_bytes"] = json!(mtu);
        parameters["router"]["vc_buffer_bytes"] = json!(65_536);
        parameters["router"]["virtual_channels"] = json!(4);
        let packets = |bytes: u64| bytes.div_ceil(mtu - 32).max(1);
        for (dst, bytes) in [(1, 0), (1, 15), (fabric(&topology).nodes() - 1, 30_001)] {
            let mut fluid = network(&topology, &parameters, Model::MaxMin);
            fluid.send(0, data(0, dst, bytes, 0));
            let mut cut = crate::network_common::network(&topology, parameters.clone());
            cut.send(0, data(0, dst, bytes, 0));
            let (fluid, cut) = (arrival(&run(&mut fluid), 0), arrival(&run(&mut cut), 0));
            let headers = of_bytes(32 * (packets(bytes) - 1), 4e9);
            let more = cut - fluid;
            let rounding = packets(bytes) * ns(4.0);
            assert!((headers..=headers + rounding).contains(&more), "{topology} {bytes}: {more}");
        }
    }
}
