//! The network that a point describes, for one length of a cycle.

use crate::Simulation;
use crate::design::Design;
use crate::measure::Meter;
use crate::options::Options;
use crate::program::Clock;
use crate::router_options::RouterOptions;
use crate::run::Network as Running;
use crate::traffic::{Cut, Interfaces, Source};
use crate::wiring::Wiring;
use fabric::Fabric;
use programs::{Delays, Parameters};

/// Ready to be simulated, any number of times.
pub struct Machine<'a> {
    pub fabric: &'a Fabric,
    pub parameters: &'a Parameters,
    pub wiring: Wiring,
    pub router: RouterOptions,
    pub options: &'a Options,
    pub cut: Cut,
    pub flit_bytes: f64,
    pub cycle_s: f64,
    /// Delay of a message before its source has it.
    pub latency_cycles: u64,
    /// Whether messages wait for memory and interfaces, too.
    has_interfaces: bool,
    seed: u64,
}

impl<'a> Machine<'a> {
    /// For messages of `message_bytes`, which matter where there is no flit size. `has_sections` says
    /// whether the network knows more than its links.
    pub fn new(
        fabric: &'a Fabric,
        (parameters, has_sections): (&'a Parameters, bool),
        design: &'a Design,
        message_bytes: Option<u64>,
        seed: u64,
    ) -> Result<Self, String> {
        let options = &design.options;
        let plain = Cut::new(options.flit_bytes, options.packet_flits);
        let cut = if has_sections { Cut { sizes: parameters.packet, ..plain } } else { plain };
        let flit_bytes = cut.bytes_per_flit(message_bytes)?;
        let cycle_s = flit_bytes / parameters.bandwidth_bytes_per_s;
        let pipeline = design.pipeline(fabric, parameters, cycle_s)?;
        let links = &parameters.links;
        let wiring = Wiring::with_links(fabric, &pipeline.channels, links, cycle_s);
        let wiring = wiring.map_err(|e| e.to_string())?;
        let latency_cycles = match has_sections {
            true => {
                let software = mpi::time::from_seconds(parameters.software().put_s);
                Clock::new(cycle_s).cycle(Delays::new(parameters).message + software)
            }
            false => (parameters.latency_s / cycle_s).round() as u64,
        };
        Ok(Self {
            fabric,
            parameters,
            wiring,
            router: pipeline.router,
            options,
            cut,
            flit_bytes,
            cycle_s,
            latency_cycles,
            has_interfaces: has_sections,
            seed,
        })
    }

    /// Interfaces and memory of the nodes, which have done nothing yet.
    pub fn interfaces(&self) -> Option<Interfaces> {
        let Self { fabric, parameters, cut, cycle_s, .. } = self;
        self.has_interfaces.then(|| Interfaces::new(fabric.nodes(), parameters, *cut, *cycle_s))
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
