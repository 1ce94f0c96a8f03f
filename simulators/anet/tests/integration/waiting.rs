//! What a message does that finds its ports taken: a turn of waiting, another port, the packet buffer.

use crate::common::{
    HOP, LINK, ROUTING, SETUP, cube, data, graph, network, network_with, run, stream, when,
};
use mpi::{Happening, Transport};
use programs::SimulatedNetwork;
use serde_json::{Value, json};

fn count(network: &impl SimulatedNetwork, name: &str) -> u64 {
    let counts = network.counts();
    counts.iter().find(|(key, _)| *key == name).unwrap().1
}

fn line() -> Value {
    graph(&[0, 1, 2], &[(0, 1), (1, 2)])
}

/// Both ends want the one link at once. The second is refused twice, goes to its packet buffer, and leaves
/// it when the tail has left the port at the other end, after a turn of its own.
#[test]
fn a_link_carries_one_message_at_a_time() {
    let pair = graph(&[0, 1], &[(0, 1)]);
    let mut network = network(&pair);
    network.send(0, data(0, 1, 250, 1));
    network.send(0, data(1, 0, 250, 2));
    let all = run(&mut network).unwrap();
    // The other controller is at the second turn of its own message when the head comes.
    let first = SETUP + 3 * ROUTING;
    assert_eq!(when(&all, Happening::HeadArrived(1)), first);
    let link_is_free = first + stream(250);
    assert_eq!(when(&all, Happening::HeadArrived(2)), link_is_free + ROUTING + LINK + ROUTING);
    assert_eq!(count(&network, "messages_buffered"), 1);
    // Twice in its sender, once in the buffer.
    assert_eq!(count(&network, "requests_refused"), 3);
}

#[test]
fn a_full_duplex_link_carries_one_in_each_direction() {
    let pair = graph(&[0, 1], &[(0, 1)]);
    let mut network = network_with(&pair, "duplex", json!("full"));
    network.send(0, data(0, 1, 250, 1));
    network.send(0, data(1, 0, 250, 2));
    let all = run(&mut network).unwrap();
    for token in [1, 2] {
        assert_eq!(when(&all, Happening::Arrived(token)), SETUP + HOP + ROUTING + stream(250));
    }
}

/// The controller serves one request at a time: two messages that reach a router together are a service
/// apart.
#[test]
fn requests_are_served_one_after_the_other() {
    let mut network = network(&graph(&[0, 1, 2, 3], &[(0, 1), (0, 2), (0, 3)]));
    network.send(0, data(1, 2, 35, 1));
    network.send(0, data(3, 0, 35, 2));
    let all = run(&mut network).unwrap();
    let asked = SETUP + HOP;
    assert_eq!(when(&all, Happening::HeadArrived(1)), asked + ROUTING + LINK + ROUTING);
    assert_eq!(when(&all, Happening::HeadArrived(2)), asked + 2 * ROUTING);
}

#[test]
fn a_message_takes_another_shortest_way_when_the_first_is_taken() {
    for (choice, detours) in [("first_free", 1), ("fixed", 0)] {
        let mut network = network_with(&cube(), "choice", json!(choice));
        // 1 holds the link 0-1 for long; 0 to 3 may go by 2.
        network.send(0, data(1, 0, 4000, 1));
        network.send(3_000_000, data(0, 3, 35, 2));
        let all = run(&mut network).unwrap();
        let alone = 3_000_000 + SETUP + 2 * HOP + ROUTING;
        let head = when(&all, Happening::HeadArrived(2));
        assert_eq!(head == alone, choice == "first_free", "{choice}: {head}");
        assert_eq!(count(&network, "hops_detoured"), detours);
    }
}

/// Two messages for one node: the second waits for the message receiver in the packet buffer, and the link
/// behind it is free again.
#[test]
fn a_message_in_the_packet_buffer_holds_no_link() {
    let mut network = network(&line());
    network.send(0, data(2, 1, 2000, 1));
    network.send(4_000_000, data(0, 1, 100, 2));
    // 1 to 0 needs the link over which the second message came.
    network.send(30_000_000, data(1, 0, 35, 3));
    let all = run(&mut network).unwrap();
    let third = when(&all, Happening::HeadArrived(3));
    assert_eq!(third, 30_000_000 + SETUP + HOP + ROUTING);
    assert!(when(&all, Happening::HeadArrived(2)) > when(&all, Happening::Arrived(1)));
    assert_eq!(count(&network, "packet_buffer_most_messages"), 1);
}

/// Two messages wait for the message receiver of node 0. The packet buffer takes one in, and the other,
/// which holds the link to 3, when the first is stored. Only then a further message can leave 3.
#[test]
fn the_packet_buffer_takes_in_one_message_at_a_time() {
    let star = graph(&[0, 1, 2, 3, 4], &[(0, 1), (0, 2), (0, 3), (0, 4)]);
    let mut network = network(&star);
    network.send(0, data(1, 0, 8000, 1));
    let sent = 10_000_000;
    network.send(sent, data(2, 0, 1000, 2));
    network.send(sent, data(3, 0, 1000, 3));
    network.send(sent, data(3, 4, 35, 4));
    let all = run(&mut network).unwrap();
    // The requests of both are served in turn; the third service is the second turn of the first.
    let stored = sent + SETUP + HOP + 3 * ROUTING + stream(1000);
    let free = stored + ROUTING + stream(1000);
    let head = when(&all, Happening::HeadArrived(4));
    assert_eq!(head, free + 2 * HOP + ROUTING);
    assert_eq!(count(&network, "packet_buffer_most_messages"), 2);
}

#[test]
fn without_a_packet_buffer_a_message_holds_its_link() {
    let mut network = network_with(&line(), "packet_buffer_bytes", json!(0));
    network.send(0, data(2, 1, 2000, 1));
    network.send(4_000_000, data(0, 1, 100, 2));
    network.send(30_000_000, data(1, 0, 35, 3));
    let all = run(&mut network).unwrap();
    assert!(when(&all, Happening::HeadArrived(3)) > when(&all, Happening::Arrived(2)));
    assert_eq!(count(&network, "messages_buffered"), 0);
}

/// With more turns than the two of the paper a message waits longer in its place.
#[test]
fn turns_decide_when_a_message_moves() {
    for (turns, buffered) in [(1, 1), (2, 1), (30, 0)] {
        let mut network = network_with(&line(), "turns", json!(turns));
        network.send(0, data(2, 1, 100, 1));
        network.send(4_000_000, data(0, 1, 100, 2));
        run(&mut network).unwrap();
        assert_eq!(count(&network, "messages_buffered"), buffered, "{turns} turns");
    }
}

/// A message that may ask for the buffer alone leaves no sooner than one that asks for both.
#[test]
fn what_a_message_asks_for_when_the_buffer_is_full_is_a_choice() {
    let star = graph(&[0, 1, 2, 3, 4], &[(0, 1), (0, 2), (0, 3), (0, 4)]);
    let last = |when_full: &str| {
        let mut options = crate::common::options();
        options["packet_buffer_bytes"] = json!(300);
        options["when_full"] = json!(when_full);
        let mut network = crate::common::try_network(&star, options).unwrap();
        for (at, src, dst, bytes) in
            [(0, 1, 0, 2000), (1, 2, 0, 300), (20_000_000, 3, 4, 35), (2, 4, 0, 300)]
        {
            network.send(at, data(src, dst, bytes, src));
        }
        let all = run(&mut network).unwrap();
        (1..5).map(|token| when(&all, Happening::Arrived(token))).max().unwrap()
    };
    assert!(last("ask_buffer") >= last("ask_both"));
}
