//! What this engine says of itself.

use crate::metrics;
use crate::router_options::{Allocator, Arbiter, Switching};
use crate::routing::VirtualChannelsWord;
use crate::tables::BUFFERS;
use crate::wiring::MAX_LATENCY_CYCLES;
use engine::{Filled, LINKS, MESSAGES, NODES, SERIES, side_tables, tables_option, words};
use fabric::TorusClasses;
use programs::LINK_FLOWS;
use serde_json::{Map, Value, json};

/// A part of a simulation at most. No processor simulates more cycles in a month, and sums of them are
/// exact in every number that holds them.
const MAX_PERIOD_CYCLES: u64 = 1_000_000_000_000;

/// Size of a flit unless given.
const FLIT_BYTES: u64 = 16;

/// Whether an option of a point, by its name in specs, has another value than its default.
pub fn by_hand(map: &Map<String, Value>, key: &str) -> bool {
    let value = map.get(key).unwrap_or(&Value::Null);
    if key == "flit_bytes" {
        return value.as_f64() != Some(FLIT_BYTES as f64);
    }
    let all = options();
    let option = all.iter().find(|option| option["name"] == key);
    option.is_none_or(|option| &option["default"] != value)
}

/// The tables that its points may ask for.
pub fn tables() -> Vec<Filled> {
    let all: &[&str] = &workload::KINDS;
    let lists: &[&str] = &["messages", "traffic"];
    let mut tables: Vec<Filled> = vec![
        (&MESSAGES, all),
        (&LINKS, all),
        (&LINK_FLOWS, all),
        (&NODES, all),
        (&SERIES, all),
        (&BUFFERS, lists),
    ];
    for (table, of) in programs::TABLES {
        if tables.iter().all(|(known, _)| known.name != table.name) {
            tables.push((table, of));
        }
    }
    tables
}

/// The part of `configs/engine/packet.yaml` that the code decides.
pub fn declaration() -> Value {
    json!({
        "answers": ["messages", "traffic", "program"],
        "metrics": metrics::by_kind(),
        "side_tables": side_tables(&tables()),
        "virtual_channels": {
            "count": "options.virtual_channels",
            "count_of_network": "network.router.virtual_channels",
            "ring_classes": "options.torus_classes",
            "ring_classes_of_network": "network.router.torus_classes",
            "own_buffers": "options.wait_for_tail_credit",
        },
        "options": options().into_iter().chain(programs::options().map(of_programs)).collect::<Vec<_>>(),
    })
}

/// Points of lists and of traffic do not carry it.
fn of_programs(mut option: Value) -> Value {
    option["of"] = "program".into();
    option
}

fn options() -> Vec<Value> {
    vec![
        json!({"name": "virtual_channels", "type": "integer", "minimum": 1, "maximum": u16::MAX,
               "allowed": words::<VirtualChannelsWord>(), "default": 2,
               "description": "Virtual channels of each port, or per_destination: one for \
                each node, taken by the packets that go there (virtual output \
                queues)."}),
        json!({"name": "vc_buffer_flits", "type": "integer", "minimum": 1, "maximum": u16::MAX,
               "default": null,
               "description": "Flits that the buffer of a virtual channel holds; null is what the \
                network's section router says, else the larger of 8 and the credit loop of the \
                slowest channel."}),
        json!({"name": "packet_flits", "type": "integer", "minimum": 1, "maximum": u32::MAX,
               "default": 16,
               "description": "Flits of a packet, at most; longer messages are several \
                packets."}),
        json!({"name": "flit_size", "type": "size", "minimum": "1 B", "nullable": true,
               "default": format!("{FLIT_BYTES} B"),
               "description": "Size of a flit, which a link carries in one cycle; null makes \
                each message one packet of packet_flits flits."}),
        json!({"name": "routing_delay_cycles", "type": "integer", "minimum": 0,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Cycles of route computation; 0 is look-ahead routing, one \
                router earlier."}),
        json!({"name": "vc_allocation_delay_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Cycles of virtual-channel allocation."}),
        json!({"name": "switch_allocation_delay_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Cycles of switch allocation."}),
        json!({"name": "switch_traversal_delay_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Cycles from the switch's grant to the channel."}),
        json!({"name": "credit_delay_cycles", "type": "integer", "minimum": 0,
               "maximum": MAX_LATENCY_CYCLES, "default": 0,
               "description": "Cycles that a router takes for a credit that arrives."}),
        json!({"name": "speculative", "type": "boolean", "default": false,
               "description": "Whether switch allocation goes on beside virtual-channel \
                allocation, not after it."}),
        json!({"name": "switching", "type": "choice", "allowed": words::<Switching>(),
               "default": "wormhole",
               "description": "What a packet waits for: space in the next buffer for a flit \
                (wormhole), or for the whole packet (virtual_cut_through)."}),
        json!({"name": "vc_allocator", "type": "choice", "allowed": words::<Allocator>(),
               "default": "islip",
               "description": "How virtual channels are matched with requests: islip (McKeown \
                1999), separable_input_first, wavefront (Tamir and Chi 1993), \
                or a maximum matching, for study only."}),
        json!({"name": "switch_allocator", "type": "choice", "allowed": words::<Allocator>(),
               "default": "islip",
               "description": "How inputs are matched with outputs of the switch, as \
                vc_allocator."}),
        json!({"name": "allocator_iterations", "type": "integer", "minimum": 1,
               "maximum": u16::MAX, "default": 1,
               "description": "Iterations of islip in a cycle."}),
        json!({"name": "arbiter", "type": "choice", "allowed": words::<Arbiter>(),
               "default": "round_robin",
               "description": "Which packet goes first: each input in turn (round_robin), or the \
                packet that was created first (age)."}),
        json!({"name": "wait_for_tail_credit", "type": "boolean", "default": false,
               "description": "Whether a virtual channel is free again only when the credit \
                of the tail is back."}),
        json!({"name": "hold_switch_for_packet", "type": "boolean", "default": false,
               "description": "Whether an input keeps its output until the tail has passed or \
                no flit can follow."}),
        json!({"name": "channel_latency_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Latency of channels between routers, where the network gives \
                no hop_latency."}),
        json!({"name": "class_latency_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "keyed": true, "default": {},
               "description": "Latency of the channels of a class, like {global: 10} on a \
                dragonfly."}),
        json!({"name": "injection_latency_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Latency of channels from nodes to routers."}),
        json!({"name": "ejection_latency_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_LATENCY_CYCLES, "default": 1,
               "description": "Latency of channels from routers to nodes."}),
        json!({"name": "torus_classes", "type": "choice", "allowed": words::<TorusClasses>(),
               "default": "dateline",
               "description": "Which virtual channels a packet may take in a ring of a torus: \
                half of them, depending on whether its path wraps around (dateline), or \
                more of them where no deadlock is possible (balanced)."}),
        json!({"name": "warmup_cycles", "type": "integer", "minimum": 0,
               "maximum": MAX_PERIOD_CYCLES, "default": null,
               "description": "Cycles before traffic is measured; null detects when the \
                network is steady."}),
        json!({"name": "measure_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_PERIOD_CYCLES, "default": 10000,
               "description": "Cycles for which traffic is measured."}),
        json!({"name": "drain_cycles", "type": "integer", "minimum": 0,
               "maximum": MAX_PERIOD_CYCLES, "default": 100000,
               "description": "Cycles after the measurement in which the measured packets \
                must arrive, or the point counts as saturated."}),
        json!({"name": "max_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_PERIOD_CYCLES, "default": 100000000,
               "description": "Cycles after which the point fails if its closed list has not ended."}),
        json!({"name": "confidence", "type": "number", "above": 0, "below": 1, "default": 0.95,
               "description": "Confidence level of the reported intervals."}),
        tables_option(&tables()),
        json!({"name": "series_interval_cycles", "type": "integer", "minimum": 1,
               "maximum": MAX_PERIOD_CYCLES, "default": 100,
               "description": "Cycles of one interval of the table series."}),
    ]
}
