//! The network of programs, and transfers through it.
#![allow(dead_code, reason = "each test uses a part of it")]

use crate::spec;
use mpi::time::{NEVER, Time};
use mpi::{Happening, Kind, Nobody, Token, Transfer, Transport};
use packet::program::{FlitNetwork, Flits};
use programs::{Engine, Parameters};
use serde_json::{Value, json};

/// A cycle of 4 ns: flits of 16 B at 4 GB/s. What the options say of the routers holds.
pub const CYCLE: Time = 4_000;

pub fn plain() -> Value {
    json!({"bandwidth_bytes_per_s": 4e9})
}

/// One small topology of every kind, with routes that are chosen on the way where there are such;
/// and the virtual channels that it needs.
pub fn topologies() -> Vec<(Value, u32)> {
    vec![
        (json!({"kind": "crossbar", "nodes": 6}), 1),
        (json!({"kind": "mesh", "sizes": [4, 3]}), 1),
        (json!({"kind": "torus", "sizes": [5, 3], "ties": "plus"}), 2),
        (json!({"kind": "fat_tree", "k": 2, "levels": 3, "routing": "nca"}), 1),
        (json!({"kind": "fat_tree", "k": 2, "levels": 3, "routing": "anca"}), 1),
        (json!({"kind": "hypercube", "dimensions": 4, "routing": "minimal_adaptive"}), 2),
        (json!({"kind": "fly", "k": 2, "stages": 3}), 1),
        (json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2, "routing": "valiant"}), 2),
        (json!({"kind": "flattened_butterfly", "k": 3, "dimensions": 2, "routing": "ugal"}), 2),
        (json!({"kind": "dragonfly", "p": 1, "a": 2, "h": 1, "routing": "ugal"}), 3),
    ]
}

pub struct Made {
    pub parameters: Parameters,
    pub network: FlitNetwork<Nobody>,
}

/// The network of a point with these options.
pub fn made(topology: &Value, network: &Value, options: &Value) -> Made {
    let mut point = spec::point(topology.clone(), json!({}));
    point["network"] = network.clone();
    let point = spec::with(point, options.clone());
    let mut network = point["network"].as_object().unwrap().clone();
    let flits = Flits::read(point["options"].as_object().unwrap(), &mut network).unwrap();
    let parameters: Parameters = serde_json::from_value(Value::Object(network)).unwrap();
    let fabric = flits.fabric(&serde_json::from_value(topology.clone()).unwrap(), 1).unwrap();
    let network = flits.network(&fabric, &parameters, 1, Nobody).unwrap();
    Made { parameters, network }
}

pub fn data(src: u32, dst: u32, bytes: u64, token: Token) -> Transfer {
    Transfer { src, dst, number: 0, bytes, kind: Kind::Data, ordered: true, token }
}

pub fn control(src: u32, dst: u32, token: Token) -> Transfer {
    Transfer { src, dst, number: 0, bytes: 0, kind: Kind::Control, ordered: true, token }
}

/// All that happens from now on.
pub fn run(network: &mut impl Transport) -> Vec<(Time, Happening)> {
    let (mut out, mut found) = (Vec::new(), Vec::new());
    let mut last = 0;
    while !network.is_idle() {
        let at = network.advance(NEVER, &mut found);
        assert!(!found.is_empty(), "nothing happens any more, but transfers are under way");
        assert!(at >= last, "time went back");
        last = at;
        out.extend(found.drain(..).map(|happening| (at, happening)));
    }
    out
}

/// When a transfer arrived.
pub fn arrival(happened: &[(Time, Happening)], token: Token) -> Time {
    let arrived = |(_, happening): &&(Time, Happening)| *happening == Happening::Arrived(token);
    happened.iter().find(arrived).expect("it arrived").0
}
