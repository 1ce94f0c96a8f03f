//! Graphs in files of their own: regular ones, and random ones.
#![allow(dead_code, reason = "each test uses a part of it")]

use serde_json::{Value, json};
use std::path::PathBuf;

/// Nodes and links of a graph; ends are switches.
#[derive(Debug, Clone, Default)]
pub struct Links {
    pub switches: u32,
    /// The switch of each node.
    pub nodes: Vec<u32>,
    /// Cables, each a channel both ways.
    pub links: Vec<(u32, u32)>,
}

impl Links {
    /// Switches in a circle with so many nodes each.
    pub fn ring(switches: u32, each: u32) -> Self {
        let nodes = (0..switches * each).map(|node| node / each).collect();
        Self { switches, nodes, links: (0..switches).map(|s| (s, (s + 1) % switches)).collect() }
    }

    /// A torus of switches with one node each.
    pub fn torus(wide: u32, high: u32) -> Self {
        let place = |x: u32, y: u32| x % wide + y % high * wide;
        let all = (0..wide * high).map(|s| (s % wide, s / wide));
        let links =
            all.flat_map(|(x, y)| [(place(x, y), place(x + 1, y)), (place(x, y), place(x, y + 1))]);
        Self { switches: wide * high, nodes: (0..wide * high).collect(), links: links.collect() }
    }

    /// A connected graph, with parallel cables and with switches without nodes.
    pub fn random(seed: u64, switches: u32, nodes: u32, more: u32) -> Self {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |bound: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % bound
        };
        let mut links: Vec<_> = (1..switches).map(|s| (s, below(s))).collect();
        for _ in 0..if switches > 1 { more } else { 0 } {
            let from = below(switches);
            links.push((from, (from + 1 + below(switches - 1)) % switches));
        }
        let nodes = (0..nodes).map(|_| below(switches)).collect();
        Self { switches, nodes, links }
    }

    /// What its file holds.
    pub fn file(&self) -> Value {
        let (mut from, mut from_port, mut to, mut to_port) = (vec![], vec![], vec![], vec![]);
        let mut ports = vec![0; self.switches as usize];
        let count = self.nodes.len() as u32;
        let mut next = |switch: u32| {
            ports[switch as usize] += 1;
            ports[switch as usize] - 1
        };
        let mut join = |ends: [(u32, u32); 2]| {
            for [start, end] in [ends, [ends[1], ends[0]]] {
                from.push(start.0);
                from_port.push(start.1);
                to.push(end.0);
                to_port.push(end.1);
            }
        };
        for (node, &switch) in self.nodes.iter().enumerate() {
            join([(node as u32, 0), (count + switch, next(switch))]);
        }
        for &(one, other) in &self.links {
            let (first, second) = (next(one), next(other));
            join([(count + one, first), (count + other, second)]);
        }
        let names = |word: &str, count: u32| -> Vec<String> {
            (0..count).map(|number| format!("{word}{number}")).collect()
        };
        json!({
            "schema": 1, "nodes": names("node", count), "switches": names("leaf", self.switches),
            "channels": {"from": from, "from_port": from_port, "to": to, "to_port": to_port},
        })
    }

    /// The `topology` of a point.
    pub fn spec(&self, routing: &str) -> Value {
        spec(&self.file(), routing)
    }
}

/// The `topology` of a point whose file holds `content`.
pub fn spec(content: &Value, routing: &str) -> Value {
    let text = content.to_string();
    let sha256: String =
        hmac_sha256::Hash::hash(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    let file: PathBuf = std::env::temp_dir().join(format!("weft-graph-{sha256}.json"));
    if std::fs::read(&file).ok().as_deref() != Some(text.as_bytes()) {
        // Tests that run side by side write the same file.
        let own = format!("{}-{:?}", std::process::id(), std::thread::current().id());
        let draft = file.with_extension(own.replace(['(', ')'], "-"));
        std::fs::write(&draft, text).unwrap();
        std::fs::rename(&draft, &file).unwrap();
    }
    json!({"kind": "graph", "file": file, "sha256": sha256, "routing": routing})
}

/// Small graphs with every routing that follows from a graph.
pub fn samples() -> Vec<Value> {
    let mut graphs = vec![Links::ring(5, 2), Links::ring(3, 1), Links::torus(4, 4)];
    graphs.extend((0..6).map(|seed| Links::random(seed, 2 + seed as u32, 6, 2 * seed as u32)));
    graphs.push(Links::random(1, 1, 3, 0));
    let routed =
        |graph: &Links| ["shortest", "layered", "up_down"].map(|routing| graph.spec(routing));
    graphs.iter().flat_map(routed).collect()
}
