//! Messages on the simulated network at zero load: closed forms of the papers, and order.

use mpi::abi::{Host, table};
use mpi::time::{Time, from_seconds};
use mpi::{Machine, Nobody, Protocol, drive};
use programs::Parameters;
use ranks::Ranks;
use rdma::network::Network;
use std::ptr::null_mut;

const WORLD: i32 = 1;
const BYTE: i32 = 1 << 16 | 1;

/// Table 1 of NSIM-ACE: one InfiniBand QDR switch.
const QDR: &str = r#"{"bandwidth_bytes_per_s": 4e9,
    "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 8},
    "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
               "switch_s": 128e-9},
    "cables": {"cable_s": 0.6e-9}, "nic": {"dma_bytes_per_s": 2.8e9, "dma_unit": "packet"},
    "software": {"put_s": 1e-6}}"#;
/// Table 3 of OpenNSIM: a torus.
const TORUS: &str = r#"{"bandwidth_bytes_per_s": 4e9,
    "packet": {"mtu_bytes": 2048, "header_bytes": 32, "flit_bytes": 16},
    "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
               "switch_s": 78e-9},
    "cables": {"cable_s": 10e-9, "injection_s": 0},
    "nic": {"dma_bytes_per_s": 16e9, "memory_bytes_per_s": 16e9, "dma_unit": "flit"},
    "software": {"send_overhead_s": 200e-9, "receive_overhead_s": 200e-9}}"#;

/// Time of a program of ranks on these nodes.
fn time(
    network: &str,
    topology: &str,
    nodes: Vec<u32>,
    program: impl Fn(&Host, i32) + 'static,
) -> Time {
    let parameters: Parameters = serde_json::from_str(network).unwrap();
    let topology: fabric::TopologySpec = serde_json::from_str(topology).unwrap();
    let fabric = topology.build(1).unwrap();
    let software = parameters.software();
    let protocol = Protocol {
        send_overhead: from_seconds(software.send_overhead_s),
        receive_overhead: from_seconds(software.receive_overhead_s),
        put: from_seconds(software.put_s),
        memory_bytes_per_s: parameters.nic.memory_bytes_per_s.unwrap_or(f64::INFINITY),
        ..Protocol::default()
    };
    let network = Network::new(&fabric, &parameters, 1, Nobody).unwrap();
    let host = table::<Network<Nobody>, Nobody>();
    let body = move |rank: u32| {
        program(host, rank as i32);
        0
    };
    let mut ranks = Ranks::new(body, nodes.len() as u32, 1 << 18).unwrap();
    drive(&mut Machine::new(network, Nobody, nodes, protocol), &mut ranks).unwrap()
}

fn qdr(ranks: u32, per_node: u32, program: impl Fn(&Host, i32) + 'static) -> Time {
    let topology = format!(r#"{{"kind": "crossbar", "nodes": {}}}"#, ranks.div_ceil(per_node));
    time(QDR, &topology, (0..ranks).map(|rank| rank / per_node).collect(), program)
}

/// L + 2 cables + RC, VA, SA + switch + (8 + 32) B on the link + DMA on both sides.
const PUT: Time = 1_000_000 + 1_200 + 12_000 + 128_000 + 10_000 + 2 * 2_857;
/// The answer: the same without L, data and DMA.
const ANSWER: Time = 1_200 + 12_000 + 128_000 + 8_000;

#[test]
fn a_put_of_8_bytes_and_its_answer_take_the_papers_terms() {
    let landed = qdr(2, 1, |host, rank| match rank {
        0 => _ = (host.rdma_put)(1, 8, 0),
        _ => (host.rdma_poll)(0),
    });
    assert_eq!(landed, PUT);
    let complete = qdr(2, 1, |host, rank| {
        if rank == 0 {
            (host.rdma_complete)((host.rdma_put)(1, 8, 0));
        }
    });
    assert_eq!(complete, PUT + ANSWER);
}

fn ring(host: &Host, rank: i32, ranks: i32) {
    let mut last = 0;
    for _ in 1..ranks {
        last = (host.rdma_put)((rank + 1) % ranks, 8, 0);
        (host.rdma_poll)(0);
    }
    (host.rdma_complete)(last);
}

fn recursive_doubling(host: &Host, rank: i32, ranks: i32) {
    for bit in 0..ranks.ilog2() {
        (host.rdma_put)(rank ^ 1 << bit, 8, rank);
        (host.rdma_poll)(rank ^ 1 << bit);
    }
}

#[test]
fn a_ring_barrier_takes_p_minus_1_puts_and_an_answer() {
    for ranks in 2..=32 {
        let expected = (ranks as Time - 1) * PUT + ANSWER;
        assert_eq!(qdr(ranks, 1, move |host, r| ring(host, r, ranks as i32)), expected, "{ranks}");
    }
}

/// Ranks 2j and 2j + 1 on node j: puts inside a node cost nothing, the first step vanishes. Of the
/// first two puts of a node, the second waits 10 ns for the link; from then on they do not meet.
#[test]
fn recursive_doubling_of_two_ranks_per_node_takes_log2_p_minus_1_puts() {
    for ranks in [4, 8, 16, 32] {
        let got = qdr(ranks, 2, move |host, rank| recursive_doubling(host, rank, ranks as i32));
        assert_eq!(got, Time::from(ranks.ilog2() - 1) * PUT + 10_000, "{ranks} ranks");
    }
}

fn one_message(host: &Host, rank: i32, bytes: i32) {
    match rank {
        0 => _ = (host.send)(null_mut(), bytes, BYTE, 1, 0, WORLD),
        _ => _ = (host.recv)(null_mut(), bytes, BYTE, 0, 0, WORLD, null_mut()),
    }
}

/// 200 ns on both sides, 100 ns per router, 1/4 ns per byte of the packet, one flit of DMA and one
/// copy on both sides.
#[test]
fn an_eager_packet_takes_opennsims_terms_over_any_distance() {
    for (bytes, node, hops) in [(2016, 1, 1), (0, 1, 1), (1008, 8, 8), (2016, 8 + 128 + 1024, 20)] {
        let torus = r#"{"kind": "torus", "ties": "plus", "sizes": [16, 16, 8]}"#;
        let program = move |host: &Host, rank| one_message(host, rank, bytes);
        let got = time(TORUS, torus, vec![0, node], program);
        let (bytes, dma) = (bytes as Time, if bytes > 0 { 2 * 1_000 } else { 0 });
        let link = (bytes + 32) * 250;
        let copies = 2 * bytes * 1_000 / 16;
        assert_eq!(got, 400_000 + 100_000 * (hops + 1) + link + dma + copies, "{bytes} B");
    }
}

/// A message that needs no DMA of its own must not arrive before an earlier one that does.
#[test]
fn messages_of_all_kinds_arrive_in_their_order() {
    for nodes in [vec![0, 1], vec![0, 0]] {
        let sizes = [16_000, 20_000, 0, 50_000, 8_000, 0, 17_000, 16_000];
        time(
            TORUS,
            r#"{"kind": "torus", "ties": "plus", "sizes": [4, 4]}"#,
            nodes,
            move |host, rank| {
                let mut requests = [0; 8];
                for (size, request) in sizes.into_iter().zip(&mut requests) {
                    if rank == 0 {
                        (host.isend)(null_mut(), size, BYTE, 1, 0, WORLD, request);
                    } else {
                        let mut status = Default::default();
                        (host.recv)(null_mut(), 60_000, BYTE, 0, -2, WORLD, &mut status);
                        assert_eq!(status.bytes, i64::from(size));
                    }
                }
                (host.waitall)(8, requests.as_mut_ptr(), null_mut());
            },
        );
    }
}
