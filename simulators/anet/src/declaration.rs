//! What this engine says of itself.

use crate::network::COUNTS;
use crate::options::{Choice, Duplex, LONGEST_S, WhenFull};
use crate::wiring::{MOST_NODES, MOST_PORTS};
use engine::{Filled, side_tables, with_units, words};
use programs::{METRICS, TABLES};
use serde_json::{Value, json};

/// The tables that its points may ask for.
pub fn tables() -> Vec<Filled> {
    TABLES.to_vec()
}

/// The part of `configs/engine/anet.yaml` that the code decides.
pub fn declaration() -> Value {
    let counts = COUNTS.map(|name| (name, "1"));
    json!({
        "answers": ["program"],
        "metrics": with_units(METRICS.into_iter().chain(counts)),
        "side_tables": side_tables(&tables()),
        "routers": {"most_links": MOST_PORTS, "most_nodes": MOST_NODES},
        "options": times().into_iter().chain(rules()).chain(programs::options())
            .chain(programs::table_options(&tables())).collect::<Vec<_>>(),
    })
}

/// The constants of the paper. Sections are those of Hirota, Yoshinaga and Baba (1996).
fn times() -> Vec<Value> {
    let longest = format!("{LONGEST_S} s");
    vec![
        json!({"name": "send_setup", "type": "time", "minimum": "0 s",
               "maximum": longest, "default": "1.67 us",
               "description": "From the write of the end address until the message sender of an \
                idle router asks for a route. Section 3.2 gives 3.61 us until the head arrives at \
                distance 1; this is what remains of it without the hop and the route to the \
                receiver."}),
        json!({"name": "routing", "type": "time", "minimum": "0 s",
               "maximum": longest, "default": "0.89 us",
               "description": "How long the controller (PCC) serves one request: route, port, \
                crossbar. Section 3.2 gives 3.22 us between two messages of a multicast; this is \
                what remains of it without 2 clocks for each of 35 bytes."}),
        json!({"name": "link", "type": "time", "minimum": "0 s",
               "maximum": longest, "default": "0.16 us",
               "description": "From the crossbar through the port and the link into the next \
                router. Section 3.1 gives 1.05 us for a hop with its routing."}),
        json!({"name": "interrupt", "type": "time", "minimum": "0 s",
               "maximum": longest, "default": "0 s",
               "description": "From the route to the message receiver until its processor \
                knows of the message and has granted the bus. Only the sum of this and send_setup \
                is published."}),
        json!({"name": "host_byte", "type": "time", "minimum": "0 s",
               "maximum": longest, "default": "66.667 ns",
               "description": "Time of a byte on the link to a host, with its handshake. Not \
                published; the default is the 2 clocks of the router (section 2.1)."}),
        json!({"name": "least_message", "type": "size", "minimum": "0 B", "default": "35 B",
               "description": "Shorter messages are padded to this size. Section 4.1: the \
                smallest message has 35 bytes."}),
    ]
}

fn rules() -> Vec<Value> {
    vec![
        json!({"name": "turns", "type": "integer", "minimum": 1, "maximum": u32::MAX, "default": 2,
               "description": "At which turn of the controller a message moves to the packet \
                buffer if all of its ports are taken. Section 2.1: the second."}),
        json!({"name": "packet_buffer", "type": "size", "minimum": "0 B", "nullable": true,
               "default": "16 KiB",
               "description": "Room of the packet buffer (PB) of a router; null for no limit. \
                Not published."}),
        json!({"name": "when_full", "type": "choice", "allowed": words::<WhenFull>(),
               "default": "ask_both",
               "description": "A message that finds the packet buffer full asks at each turn for \
                its ports and for the buffer, or for the buffer alone. Not published."}),
        json!({"name": "choice", "type": "choice", "allowed": words::<Choice>(),
               "default": "first_free",
               "description": "Of the ports that lead to the destination, a message takes the \
                first free one in the order of the table, one of the free ones drawn by \
                the seed, or only ever the first (fixed: no adaptive routing). The order \
                is not published."}),
        json!({"name": "duplex", "type": "choice", "allowed": words::<Duplex>(),
               "default": "half",
               "description": "Whether a link carries one message at a time (section 2.2.1), \
                or one in each direction."}),
        json!({"name": "ports_file", "type": "file", "default": null,
               "description": "CSV with the columns router, destination and next, a row for \
                each candidate in the order of preference; path from the project. Null for \
                all shortest paths."}),
    ]
}
