//! This engine's network, as programs get it.

use crate::network::Network;
use crate::options::Options;
use crate::sharing::Model;
use engine::{Filled, Metric, Point};
use fabric::{Fabric, FabricError, TopologySpec};
use programs::{Engine, NetworkObserver, Parameters};
use std::path::Path;

struct Flow {
    model: Model,
}

impl Engine for Flow {
    type Network<O: NetworkObserver> = Network<O>;

    const NAME: &'static str = crate::ENGINE;

    fn tables() -> Vec<Filled> {
        crate::declaration::tables()
    }

    fn fabric(&self, topology: &TopologySpec, seed: u64) -> Result<Fabric, FabricError> {
        topology.build(seed)
    }

    fn network<O: NetworkObserver>(
        &self,
        fabric: &Fabric,
        parameters: &Parameters,
        _: u64,
        observer: O,
    ) -> Result<Network<O>, String> {
        Network::new(fabric, parameters, self.model, observer)
    }
}

/// Computes a point with a program in this process; tables on demand go to the folder `out`.
///
/// # Errors
/// Says what is wrong with the point, or how its program failed.
pub fn simulate_program(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let model = Options::of(point)?.model;
    programs::simulate(&Flow { model }, point, out)
}
