//! Networks, routers and traffic as a row describes them.

use crate::booksim2::rows::Row;
use crate::common::{Network, options};
use fabric::Node;
use packet::recorder::{Delivered, Recorder};
use packet::router_options::RouterOptions;
use packet::traffic::{Arrivals, Cut, OpenLoop, Source};
use workload::{Choice, Destinations, Injection, Pattern, Process, Random};

/// The network of a row; channels between the routers of a torus take 2 cycles unless `long_channels` is false.
pub fn network(row: &Row, long_channels: bool) -> Network {
    let (k, n) = (row.count("k"), row.count("n"));
    let grid = |kind: &str, more: &str| {
        let sizes = vec![k; n as usize];
        format!(r#"{{"kind": "{kind}", "sizes": {sizes:?}{more}}}"#)
    };
    let tree = |routing: &str| {
        format!(r#"{{"kind": "fat_tree", "k": {k}, "levels": {n}, "routing": "{routing}"}}"#)
    };
    // Table 1 has nothing but fat trees.
    let topology = if row.has("topology") { row.text("topology") } else { "fattree" };
    let (spec, cycles) = match topology {
        "mesh" => (grid("mesh", ""), 1),
        "torus" => (grid("torus", r#", "ties": "random""#), if long_channels { 2 } else { 1 }),
        "fattree" => (tree(row.text("routing")), 1),
        other => panic!("topology {other}"),
    };
    let mut network = Network::new(&spec, cycles);
    network.per_destination = row.text("routing") == "dim_order_ni";
    network
}

pub fn router(row: &Row) -> RouterOptions {
    options(row.count("num_vcs") as u16, row.count("vc_buf_flits") as u16)
}

/// Open-loop traffic; a rate of 1 is a source that always has a packet.
pub fn traffic(network: &Network, pattern: &str, flits: u32, rate: f64, seed: u64) -> Source {
    let pattern = match pattern {
        "uniform" => Pattern::Uniform,
        "transpose" => Pattern::Transpose,
        "tornado" => Pattern::TornadoCeil,
        "tornado_floor" => Pattern::Tornado,
        other => panic!("traffic {other}"),
    };
    let choice = Choice { include_self: true, ..Choice::default() };
    let random = &mut Random::new(seed);
    let destinations = Destinations::new(pattern, &network.fabric, &choice, random).unwrap();
    let nodes = network.nodes();
    let arrivals = (rate < 1.0).then(|| {
        let process = Process::Bernoulli;
        let injection =
            Injection { process, rate, burst_messages: None, burst_rate: None, search: None };
        Arrivals::new(nodes, &injection, flits.into(), 0, seed)
    });
    let cut = Cut::new(None, flits);
    Source::Open(OpenLoop::new(nodes, arrivals, destinations, (cut, 1), None, seed))
}

/// What is looked at: flits that arrive in a window, and packets created in it.
pub struct Window {
    from: u64,
    until: u64,
    pub flits: Vec<u64>,
    pub packets: u64,
    pub packet_cycles: u64,
    pub network_cycles: u64,
}

impl Window {
    pub fn new(nodes: u32, from: u64, until: u64) -> Self {
        let flits = vec![0; nodes as usize];
        Self { from, until, flits, packets: 0, packet_cycles: 0, network_cycles: 0 }
    }

    /// Flits per node and cycle.
    pub fn accepted(&self) -> f64 {
        let flits: u64 = self.flits.iter().sum();
        flits as f64 / self.flits.len() as f64 / (self.until - self.from) as f64
    }
}

impl Recorder for Window {
    fn injected(&mut self, _: Node, _: u64) {}

    fn ejected(&mut self, dst: Node, _: u64, now: u64) {
        self.flits[dst as usize] += u64::from((self.from..self.until).contains(&now));
    }

    fn delivered(&mut self, packet: &Delivered) {
        if (self.from..self.until).contains(&packet.created) {
            self.packets += 1;
            self.packet_cycles += packet.arrived - packet.created;
            self.network_cycles += packet.arrived - packet.departed;
        }
    }
}
