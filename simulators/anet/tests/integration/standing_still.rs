//! A run that stops is reported with who waits for what.

use crate::common::{data, network_with, run};
use mpi::Transport;
use serde_json::json;

/// Four messages of two hops round a ring without packet buffers: each holds a link that the next wants.
#[test]
fn messages_that_wait_in_a_circle_are_named() {
    let ring = json!({"kind": "torus", "sizes": [4], "ties": "plus"});
    let mut options = crate::common::options();
    options["packet_buffer_bytes"] = json!(0);
    options["choice"] = json!("fixed");
    let mut network = crate::common::try_network(&ring, options).unwrap();
    for src in 0..4 {
        network.send(0, data(src, (src + 2) % 4, 100, src));
    }
    let text = run(&mut network).unwrap_err();
    assert!(text.starts_with("deadlock at "), "{text}");
    assert!(
        text.contains("the message from node 0 to node 2 waits at router 1 in the port from router 0 for the link to router 2, held by the message from node"),
        "{text}"
    );
    assert!(text.contains("room in its packet buffer, which holds 0 B"), "{text}");
    // With room for them in packet buffers, all arrive.
    let mut network = network_with(&ring, "choice", json!("fixed"));
    for src in 0..4 {
        network.send(0, data(src, (src + 2) % 4, 100, src));
    }
    assert!(run(&mut network).is_ok());
}
