//! A message alone takes what the formulas of sections 3.1 and 3.2 say, to the picosecond.

use crate::common::{HOP, ROUTING, SETUP, cube, data, network, run, stream, when};
use mpi::{Happening, Transport};

/// x + 1.05 (D - 1) until the head is there, and two clocks a byte until the tail is.
#[test]
fn a_message_alone_takes_a_hop_for_each_router_and_one_stream() {
    for (distance, dst) in [(1, 1), (2, 3), (3, 7), (4, 15)] {
        for bytes in [35, 125, 250] {
            let mut network = network(&cube());
            network.send(0, data(0, dst, bytes, 1));
            let all = run(&mut network).unwrap();
            let head = 3_610_000 + 1_050_000 * (distance - 1);
            assert_eq!(when(&all, Happening::HeadArrived(1)), head);
            assert_eq!(when(&all, Happening::Arrived(1)), head + stream(bytes));
            assert_eq!(when(&all, Happening::Read(1)), SETUP + ROUTING + stream(bytes));
        }
    }
}

#[test]
fn the_constants_add_up_to_those_of_the_paper() {
    assert_eq!(SETUP + HOP + ROUTING, 3_610_000);
    // 31.5 clocks of 30 MHz, which the paper's two digits round; 96.6 clocks between two messages.
    assert_eq!(HOP, 31_500_000 / 30);
    assert_eq!((ROUTING + stream(35)) / 10_000, 322);
}

/// T_m = 3.61 + 1.05 (D - 1) + T_s (i - 1): the sender alone spaces the messages of a list.
#[test]
fn messages_of_a_list_follow_each_other() {
    let mut network = network(&cube());
    let mut order: Vec<u32> = (1..16).collect();
    order.sort_by_key(|dst| (dst.count_ones(), *dst));
    for &dst in &order {
        network.send(0, data(0, dst, 35, dst));
    }
    let all = run(&mut network).unwrap();
    for (i, &dst) in order.iter().enumerate() {
        let spacing = ROUTING + stream(35);
        let expected =
            3_610_000 + 1_050_000 * (u64::from(dst.count_ones()) - 1) + spacing * i as u64;
        assert_eq!(when(&all, Happening::HeadArrived(dst)), expected, "message {i} to {dst}");
    }
}

/// Ports in the order of the dimensions give the routes that the paper prints: 0-1-3 and 2-3-7.
#[test]
fn the_first_ports_are_those_of_the_printed_routes() {
    use programs::SimulatedNetwork;
    let mut network = network(&cube());
    network.send(0, data(0, 3, 35, 1));
    run(&mut network).unwrap();
    network.send(100_000_000, data(2, 7, 35, 2));
    run(&mut network).unwrap();
    let fabric = crate::common::fabric(&cube()).unwrap();
    let used = (2 * 16..fabric.channels()).filter(|&c| network.channel_bytes(c) > 0);
    let ends: Vec<_> = used.map(|c| fabric.ends(c)).collect();
    use fabric::End::Router;
    let hop = |a, b| (Router(a), Router(b));
    assert_eq!(ends, [hop(0, 1), hop(1, 3), hop(2, 3), hop(3, 7)]);
}

#[test]
fn a_short_message_is_filled_up() {
    let mut network = network(&cube());
    network.send(0, data(0, 1, 0, 1));
    let all = run(&mut network).unwrap();
    assert_eq!(when(&all, Happening::Arrived(1)), 3_610_000 + stream(35));
}

#[test]
fn a_message_within_a_node_crosses_no_router() {
    let mut network = network(&cube());
    network.send(5, data(3, 3, 100, 1));
    let all = run(&mut network).unwrap();
    assert_eq!(when(&all, Happening::Arrived(1)), 5);
}
