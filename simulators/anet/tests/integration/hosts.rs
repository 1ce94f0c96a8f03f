//! The second node of a router is a host at its host port.

use crate::common::{HOP, LINK, ROUTING, SETUP, data, graph, network, network_with, run, when};
use mpi::{Happening, Transport};
use serde_json::{Value, json};

/// Routers 0 and 1 with processors 0 and 1; node 2 is the host of router 0.
fn with_host() -> Value {
    graph(&[0, 1, 0], &[(0, 1)])
}

#[test]
fn a_message_to_a_host_goes_out_of_the_host_port() {
    let mut network = network(&with_host());
    network.send(0, data(1, 2, 35, 1));
    let all = run(&mut network).unwrap();
    let head = SETUP + HOP + ROUTING + LINK;
    assert_eq!(when(&all, Happening::HeadArrived(1)), head);
    // 35 bytes of 66.667 ns.
    assert_eq!(when(&all, Happening::Arrived(1)), head + 2_333_345);
}

#[test]
fn a_message_from_a_host_comes_in_by_the_host_port() {
    let mut network = network(&with_host());
    network.send(0, data(2, 1, 35, 1));
    let all = run(&mut network).unwrap();
    assert_eq!(when(&all, Happening::HeadArrived(1)), LINK + HOP + ROUTING);
}

/// The handshake makes a slow host slow down the whole way of its message.
#[test]
fn a_slow_host_streams_through_the_router() {
    let mut network = network_with(&with_host(), "host_byte_s", json!(1e-6));
    network.send(0, data(2, 1, 100, 1));
    network.send(0, data(0, 2, 100, 2));
    let all = run(&mut network).unwrap();
    // The tail reaches the router after 100 us, then the next one a link later.
    assert_eq!(when(&all, Happening::Arrived(1)), LINK + 100_000_000 + LINK);
    // The link to the host is half duplex, too.
    assert!(when(&all, Happening::HeadArrived(2)) > 100_000_000);
}
