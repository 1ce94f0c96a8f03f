//! Calls of programs on the flow network: what each protocol takes alone, to the picosecond.

use flow::Model;
use flow::network::Network;
use mpi::abi::{Host, table};
use mpi::time::{Time, of_bytes};
use mpi::{Machine, Nobody, Protocol, drive};
use programs::Parameters;
use ranks::Ranks;
use std::ptr::null_mut;

const WORLD: i32 = 1;
const BYTE: i32 = 1 << 16 | 1;
/// 1 us from end to end, 100 ns of software on each side, copies of 8 GB/s, links of 4 GB/s, a header.
const NETWORK: &str = r#"{"bandwidth_bytes_per_s": 4e9,
    "packet": {"mtu_bytes": 2048, "header_bytes": 32, "control_bytes": 8, "flit_bytes": 16},
    "router": {"routing_s": 50e-9}, "cables": {"cable_s": 25e-9},
    "nic": {"memory_bytes_per_s": 8e9},
    "software": {"send_overhead_s": 100e-9, "receive_overhead_s": 100e-9, "put_s": 300e-9}}"#;
/// A router and two cables.
const HEAD: Time = 100_000;
const OVERHEAD: Time = 100_000;
const CONTROL: Time = HEAD + 40 * 250;

fn message(bytes: u64) -> Time {
    HEAD + (bytes + 32) * 250
}

fn copy(bytes: u64) -> Time {
    of_bytes(bytes, 8e9)
}

/// Time of a program of two ranks, with an eager limit of 16 KiB and copies below 128 KiB.
fn time(program: impl Fn(&Host, i32) + Copy + 'static) -> Time {
    let parameters: Parameters = serde_json::from_str(NETWORK).unwrap();
    let topology: fabric::TopologySpec =
        serde_json::from_str(r#"{"kind": "crossbar", "nodes": 2}"#).unwrap();
    let fabric = topology.build(1).unwrap();
    let times = [Model::EqualShare, Model::MaxMin].map(|model| {
        let protocol = Protocol { zero_copy_limit_bytes: 128 << 10, ..parameters.costs() };
        let network = Network::new(&fabric, &parameters, model, Nobody).unwrap();
        let host = table::<Network<Nobody>, Nobody>();
        let body = move |rank: u32| {
            program(host, rank as i32);
            0
        };
        let mut ranks = Ranks::new(body, 2, 1 << 18).unwrap();
        drive(&mut Machine::new(network, Nobody, vec![0, 1], protocol), &mut ranks).unwrap()
    });
    assert_eq!(times[0], times[1], "both rules are the same for what is alone");
    times[0]
}

fn one_way(host: &Host, rank: i32, bytes: i32) {
    match rank {
        0 => _ = (host.send)(null_mut(), bytes, BYTE, 1, 0, WORLD),
        _ => _ = (host.recv)(null_mut(), bytes, BYTE, 0, 0, WORLD, null_mut()),
    }
}

#[test]
fn an_eager_message_is_copied_on_both_sides() {
    for bytes in [0, 1, 8000, 16_384] {
        let expected = 2 * OVERHEAD + 2 * copy(bytes) + message(bytes);
        assert_eq!(time(move |host, rank| one_way(host, rank, bytes as i32)), expected, "{bytes}");
    }
}

#[test]
fn a_rendezvous_has_two_control_messages_before_its_data() {
    let bytes = 100_000;
    let expected = 2 * OVERHEAD + 2 * CONTROL + 2 * copy(bytes) + message(bytes);
    assert_eq!(time(move |host, rank| one_way(host, rank, bytes as i32)), expected);
}

#[test]
fn zero_copy_saves_both_copies_and_frees_the_sender_when_its_data_have_left() {
    let bytes = 200_000;
    let expected = 2 * OVERHEAD + 2 * CONTROL + message(bytes);
    assert_eq!(time(move |host, rank| one_way(host, rank, bytes as i32)), expected);
    // The sender alone: it waits for the last byte's leaving, not for its arrival.
    let sender = time(move |host, rank| {
        one_way(host, rank, bytes as i32);
        if rank == 0 {
            (host.comp)(1.0);
        }
    });
    assert_eq!(sender, OVERHEAD + 2 * CONTROL + message(bytes) - HEAD + 1_000_000_000_000);
}

#[test]
fn a_put_needs_no_call_of_the_target_and_ends_with_a_control_message() {
    let landed = time(|host, rank| match rank {
        0 => _ = (host.rdma_put)(1, 5000, 0),
        _ => (host.rdma_poll)(0),
    });
    assert_eq!(landed, 300_000 + message(5000));
    let complete = time(|host, rank| {
        if rank == 0 {
            (host.rdma_complete)((host.rdma_put)(1, 5000, 0));
        }
    });
    assert_eq!(complete, 300_000 + message(5000) + CONTROL);
    let got = time(|host, rank| {
        if rank == 0 {
            (host.rdma_complete)((host.rdma_get)(1, 5000, 0));
        }
    });
    assert_eq!(got, 300_000 + CONTROL + message(5000));
}

/// Both directions have channels of their own; only the control messages that go the same way as data
/// share with them.
#[test]
fn an_exchange_takes_the_time_of_one_way() {
    let bytes = 100_000;
    let exchange = time(move |host, rank| {
        let (to, none) = (1 - rank, null_mut());
        let bytes = bytes as i32;
        (host.sendrecv)(none, bytes, BYTE, to, 0, none, bytes, BYTE, to, 0, WORLD, null_mut());
    });
    let expected = 2 * OVERHEAD + 2 * CONTROL + 2 * copy(bytes) + message(bytes);
    assert_eq!(exchange, expected);
}
