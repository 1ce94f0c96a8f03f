//! The network that a point describes, for one length of a cycle.

use crate::Simulation;
use crate::measure::Meter;
use crate::options::{Options, read_router};
use crate::router_options::RouterOptions;
use crate::run::Network as Running;
use crate::traffic::Source;
use crate::wiring::Wiring;
use engine::Network;
use fabric::{Fabric, Links};
use serde_json::{Map, Value};

/// Ready to be simulated, any number of times.
pub struct Machine<'a> {
    pub fabric: &'a Fabric,
    pub links: &'a Links,
    pub wiring: Wiring,
    pub router: RouterOptions,
    pub options: &'a Options,
    pub flit_bytes: f64,
    pub cycle_s: f64,
    /// Delay of a message before its source has it.
    pub latency_cycles: u64,
    seed: u64,
}

impl<'a> Machine<'a> {
    /// For messages of `message_bytes`, which matter where there is no flit size.
    pub fn new(
        (fabric, links): (&'a Fabric, &'a Links),
        network: &Network,
        map: &Map<String, Value>,
        options: &'a Options,
        message_bytes: Option<u64>,
        seed: u64,
    ) -> Result<Self, String> {
        let flit_bytes = options.cut().bytes_per_flit(message_bytes)?;
        let cycle_s = flit_bytes / network.bandwidth_bytes_per_s;
        let router = read_router(map, options, fabric)?;
        let latencies = options.latencies(network, cycle_s)?;
        let wiring = Wiring::with_links(fabric, &latencies, links, cycle_s);
        let wiring = wiring.map_err(|e| e.to_string())?;
        let latency_cycles = (network.latency_s / cycle_s).round() as u64;
        Ok(Self {
            fabric,
            links,
            wiring,
            router,
            options,
            flit_bytes,
            cycle_s,
            latency_cycles,
            seed,
        })
    }

    /// A fresh network with its sources.
    pub fn start(&self, source: Source, meter: Meter) -> Result<Box<dyn Running>, String> {
        let routing =
            self.options.routing(&self.router).function(self.fabric).map_err(|e| e.to_string())?;
        let Self { wiring, router, seed, .. } = self;
        Ok(Box::new(Simulation::new(wiring, router, routing, source, meter, *seed)))
    }

    pub fn longest_latency_cycles(&self) -> u64 {
        self.wiring.slowest_cycles()
    }
}
