//! Exchanges by rendezvous, both ways at once: neither direction waits for the other.

use crate::network_common::{fabric, infiniband, parameters};
use mpi::abi::{Host, table};
use mpi::time::Time;
use mpi::{Machine, Nobody, Protocol, drive};
use ranks::Ranks;
use rdma::network::Network;
use serde_json::{Value, json};
use std::ptr::null_mut;

const WORLD: i32 = 1;
const BYTE: i32 = 1 << 16 | 1;
const MIB: i32 = 1 << 20;

/// Time of a program of two ranks on two nodes of a crossbar.
fn time(network: &Value, program: impl Fn(&Host, i32) + 'static) -> Time {
    let fabric = fabric(&json!({"kind": "crossbar", "nodes": 2}));
    let network = Network::new(&fabric, &parameters(network.clone()), 1, Nobody).unwrap();
    let host = table::<Network<Nobody>, Nobody>();
    let body = move |rank: u32| {
        program(host, rank as i32);
        0
    };
    let mut ranks = Ranks::new(body, 2, 1 << 18).unwrap();
    drive(&mut Machine::new(network, Nobody, vec![0, 1], Protocol::default()), &mut ranks).unwrap()
}

fn plain() -> Value {
    json!({"bandwidth_bytes_per_s": 1e10, "latency_s": 1e-6})
}

fn one_way(host: &Host, rank: i32) {
    match rank {
        0 => _ = (host.send)(null_mut(), MIB, BYTE, 1, 0, WORLD),
        _ => _ = (host.recv)(null_mut(), MIB, BYTE, 0, 0, WORLD, null_mut()),
    }
}

fn exchange(host: &Host, rank: i32) {
    let (to, buffer, status) = (1 - rank, null_mut(), null_mut());
    let (send, receive) = (null_mut(), buffer);
    (host.sendrecv)(send, MIB, BYTE, to, 0, receive, MIB, BYTE, to, 0, WORLD, status);
}

/// Latency, 1 MiB at 10 GB/s, and a flit of 1.6 ns for RTS and CTS each.
const ONE_WAY: Time = 1_000_000 + 104_857_600 + 2 * 1_600;

#[test]
fn an_exchange_takes_the_time_of_one_way() {
    assert_eq!(time(&plain(), one_way), ONE_WAY);
    assert_eq!(time(&plain(), exchange), ONE_WAY);
}

/// The clear to send of the direction that begins later leaves while data go the same way.
#[test]
fn an_exchange_with_a_late_partner_takes_one_way_and_the_delay() {
    for late in 0..2 {
        let got = time(&plain(), move |host, rank| {
            if rank == late {
                (host.comp)(0.5e-6);
            }
            exchange(host, rank);
        });
        assert_eq!(got, ONE_WAY + 500_000, "rank {late} is late");
    }
}

/// A request to send must not overtake the message before it, which takes the latency and a flit;
/// then two control packets leave one after the other.
#[test]
fn a_small_message_before_an_exchange_delays_it_by_its_own_time_only() {
    let got = time(&plain(), |host, rank| {
        match rank {
            0 => _ = (host.send)(null_mut(), 8, BYTE, 1, 1, WORLD),
            _ => _ = (host.recv)(null_mut(), 8, BYTE, 0, 1, WORLD, null_mut()),
        }
        exchange(host, rank);
    });
    assert_eq!(got, ONE_WAY + 1_000_000 + 1_600 + 1_600);
}

/// A message the other way whose data may leave while those of the first are under way: its clear to
/// send waits for the packet that the NIC is sending, not for the message.
#[test]
fn a_message_against_data_under_way_takes_the_time_of_one_way() {
    for (network, packet) in [(plain(), 204_800), (infiniband(), 2 * 512_000)] {
        let got = time(&network, |host, rank| {
            let (other, mut requests) = (1 - rank, [0; 2]);
            (host.irecv)(null_mut(), MIB, BYTE, other, 0, WORLD, &mut requests[0]);
            if rank == 1 {
                (host.comp)(50e-6);
            }
            (host.isend)(null_mut(), MIB, BYTE, other, 0, WORLD, &mut requests[1]);
            (host.waitall)(2, requests.as_mut_ptr(), null_mut());
        });
        let least = 50_000_000 + time(&network, one_way);
        assert!((least..=least + packet).contains(&got), "{got}");
    }
}

/// The same with routers, where messages have no latency of their own.
#[test]
fn an_exchange_over_a_router_with_a_late_partner_takes_one_way_and_the_delay() {
    let alone = time(&infiniband(), one_way);
    assert_eq!(time(&infiniband(), exchange), alone);
    for late in 0..2 {
        let got = time(&infiniband(), move |host, rank| {
            if rank == late {
                (host.comp)(5e-6);
            }
            exchange(host, rank);
        });
        assert_eq!(got, alone + 5_000_000, "rank {late} is late");
    }
}
