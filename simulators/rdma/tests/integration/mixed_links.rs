//! Links of different speed and latency: closed forms, and the same as `packet`, flit by flit.

use crate::network_common::*;
use crate::program_flits::{machine, options};
use fabric::{Link, Links, LinksSpec};
use mpi::time::Time;
use mpi::{Happening, Nobody, Transfer, Transport};
use packet::program::Flits;
use programs::{Engine, Parameters, SimulatedNetwork};
use proptest::prelude::*;
use rdma::network::Network;
use serde_json::{Value, json};

/// Of a flit of 16 B at 4 GB/s; each of a router's four stages and each cable takes as long.
const FLIT: Time = 4_000;
const ROUTER: Time = 4 * FLIT;
/// Of a packet, header included: 240 B of a message.
const FLITS: Time = 16;

fn tree() -> Value {
    json!({"kind": "fat_tree", "k": 4, "levels": 2})
}

fn with_links(topology: &Value, network: Value, links: Value) -> Parameters {
    let spec: LinksSpec = serde_json::from_value(links).unwrap();
    let links = Links::new(&spec, &fabric(topology), 4e9).unwrap();
    Parameters { links, ..parameters(network) }
}

fn rdma(topology: &Value, links: Value) -> Network<Nobody> {
    let parameters = with_links(topology, machine(json!({})), links);
    Network::new(&fabric(topology), &parameters, 7, Nobody).unwrap()
}

fn flits(topology: &Value, links: Value) -> impl SimulatedNetwork {
    let Value::Object(mut network) = machine(json!({})) else { unreachable!() };
    let engine = Flits::read(options().as_object().unwrap(), &mut network).unwrap();
    let parameters = with_links(topology, Value::Object(network), links);
    engine.network(&fabric(topology), &parameters, 7, Nobody).unwrap()
}

fn arrivals(network: &mut impl Transport, sent: &[Transfer]) -> Vec<Time> {
    sent.iter().for_each(|&transfer| network.send(0, transfer));
    let happened = run(network);
    sent.iter().map(|transfer| arrival(&happened, transfer.token)).collect()
}

/// Nodes 0 and 15 have a link upwards and one downwards between them: how many times slower are the
/// four channels.
const CASES: [[u64; 4]; 8] = [
    [1, 1, 1, 1],
    [1, 2, 2, 1],
    [1, 5, 1, 1],
    [3, 1, 1, 1],
    [1, 1, 1, 3],
    [1, 2, 4, 8],
    [8, 4, 2, 1],
    [2, 6, 3, 2],
];

fn slower([injection, up, down, ejection]: [u64; 4]) -> Value {
    json!({"links": [
        {"channels": ["injection"], "slower": injection}, {"channels": ["up"], "slower": up},
        {"channels": ["down"], "slower": down}, {"channels": ["ejection"], "slower": ejection},
    ]})
}

/// The head takes latencies, routers, and a flit on each link; where a flit is no slower than on the
/// network's links, it is a part of the router's time. The last flit goes through routers in half of
/// that, and is no earlier than it can be behind the one before it.
fn alone(slower: [u64; 4]) -> Time {
    let (mut head, mut tail) = (0, 0);
    for (link, slower) in slower.into_iter().enumerate() {
        tail = (head + (FLITS - 1) * slower * FLIT).max(tail);
        // Without gaps, the head waits for the tail.
        head = tail - (FLITS - 1) * slower * FLIT;
        if link == 3 {
            return tail + FLIT + slower * FLIT;
        }
        let later = (slower - 1) * FLIT;
        head += FLIT + later + ROUTER;
        tail += FLIT + later + ROUTER / 2;
    }
    tail
}

#[test]
fn a_packet_alone_takes_latencies_a_flit_on_each_link_and_the_rest_on_the_slowest() {
    let sent = [data(0, 15, 240, 1)];
    for case in CASES {
        let found = arrivals(&mut rdma(&tree(), slower(case)), &sent)[0];
        assert_eq!(found, alone(case), "{case:?}");
        let found = arrivals(&mut flits(&tree(), slower(case)), &sent)[0];
        // A head that does not wait for its tail gains that in the routers behind a slow link.
        let least = alone(case) - ROUTER;
        assert!((least..=alone(case)).contains(&found), "{case:?}: {found} flit by flit");
    }
}

#[test]
fn a_link_has_its_own_latency() {
    let sent = [data(0, 15, 240, 1)];
    let links = json!({"links": [
        {"channels": ["up"], "latency_s": 100e-9}, {"channels": ["ejection/15"], "latency_s": 40e-9},
    ]});
    let expected = alone([1; 4]) + 96_000 + 36_000;
    assert_eq!(arrivals(&mut rdma(&tree(), links.clone()), &sent)[0], expected);
    assert_eq!(arrivals(&mut flits(&tree(), links), &sent)[0], expected);
}

#[test]
fn a_faster_link_saves_time_in_rdma_and_is_refused_where_a_flit_takes_a_cycle() {
    let links = json!({"links": [{"channels": ["ejection"], "bandwidth_bytes_per_s": 16e9}]});
    let found = arrivals(&mut rdma(&tree(), links.clone()), &[data(0, 15, 240, 1)])[0];
    assert_eq!(found, alone([1; 4]) - FLIT * 3 / 4 - ROUTER / 2);
    let Value::Object(mut network) = machine(json!({})) else { unreachable!() };
    let engine = Flits::read(options().as_object().unwrap(), &mut network).unwrap();
    let parameters = with_links(&tree(), Value::Object(network), links);
    let Err(error) = engine.network(&fabric(&tree()), &parameters, 7, Nobody) else {
        panic!("a link faster than a cycle");
    };
    assert!(error.contains("raise network.bandwidth"), "{error}");
}

#[test]
fn a_stream_has_the_rate_of_the_slowest_link() {
    const PACKETS: u64 = 400;
    let sent = [data(0, 15, 240 * PACKETS, 1)];
    for case in CASES {
        let most = case.into_iter().max().unwrap();
        let expected = alone(case) + (PACKETS - 1) * FLITS * most * FLIT;
        for (found, by) in [
            (arrivals(&mut rdma(&tree(), slower(case)), &sent)[0], "packets"),
            (arrivals(&mut flits(&tree(), slower(case)), &sent)[0], "flits"),
        ] {
            let ratio = found as f64 / expected as f64;
            assert!((0.999..1.03).contains(&ratio), "{case:?} by {by}: {ratio}");
        }
    }
}

/// Packets of random pairs, `apart` from each other: how long each takes in the mean.
fn random_pairs(network: &mut impl Transport, apart: Time) -> f64 {
    let mut draw = Draw(5);
    let mut sent: Vec<Transfer> = vec![];
    for token in 0..3200 {
        let src = token % 16;
        let dst = (src + 1 + draw.below(15) as u32) % 16;
        sent.push(data(src, dst, 240, token));
        network.send(Time::from(token) * apart, sent[token as usize]);
    }
    let happened = run(network);
    let taken = |t: &Transfer| arrival(&happened, t.token) - Time::from(t.token) * apart;
    sent.iter().map(taken).sum::<Time>() as f64 / sent.len() as f64
}

#[test]
fn a_tapered_tree_is_as_fast_as_flit_by_flit() {
    for taper in [1.0, 1.5, 2.0, 3.0, 4.0] {
        let links = json!({"taper": taper});
        // All at once, so that throughput decides; and at a tenth of what the tapered tree carries.
        // Parts of cycles are rounded flit by flit.
        let alone = if taper == 1.5 { 1.04 } else { 1.02 };
        for (apart, most) in [(0, 1.03), (200_000, alone)] {
            let packets = random_pairs(&mut rdma(&tree(), links.clone()), apart);
            let flits = random_pairs(&mut flits(&tree(), links.clone()), apart);
            let ratio = (packets / flits).max(flits / packets);
            assert!(
                ratio < most,
                "taper {taper}, {apart} ps apart: {packets} ps, {flits} by flits"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64, failure_persistence: None, ..ProptestConfig::default()
    })]
    #[test]
    fn everything_arrives_and_all_buffers_come_free(
        topology in prop::sample::select([topologies(), chosen_on_the_way()].concat()),
        numbers in prop::collection::vec(0_u16..5, 1..30),
        seed in any::<u64>(),
    ) {
        let kinds = [1.0, 2.0, 3.5, 0.5, 1.25].into_iter().enumerate().map(|(i, slower)| Link {
            slower,
            latency_s: (i % 2 == 1).then_some(30e-9),
        });
        let fabric = fabric(&topology);
        let of = (0..fabric.channels()).map(|c| numbers[c as usize % numbers.len()]).collect();
        let mut machine = machine(json!({"dma_bytes_per_s": 5e9}));
        machine["router"]["virtual_channels"] = enough_vcs(&topology, 2).into();
        let links = Links::of_kinds(of, kinds.collect());
        let parameters = Parameters { links, ..parameters(machine) };
        let mut network = Network::new(&fabric, &parameters, seed, Nobody).unwrap();
        let mut draw = Draw(seed);
        let nodes = u64::from(fabric.nodes());
        for token in 0..200 {
            let (src, dst) = (draw.below(nodes) as u32, draw.below(nodes) as u32);
            network.send(u64::from(token) * 1_000, data(src, dst, draw.below(1500), token));
        }
        let happened = run(&mut network);
        let all = happened.iter().filter(|(_, what)| matches!(what, Happening::Arrived(_))).count();
        prop_assert_eq!(all, 200);
        let end = happened.last().map_or(0, |last| last.0);
        network.advance(end + 10_000_000, &mut Vec::new());
        prop_assert!(network.is_restored());
    }
}
