//! This engine's network, as programs get it.

use crate::network::Network;
use crate::options::Options;
use engine::{Filled, Metric, Point};
use fabric::Fabric;
use programs::{Engine, NetworkObserver, Parameters};
use std::path::Path;

struct Anet {
    options: Options,
}

impl Engine for Anet {
    type Network<O: NetworkObserver> = Network<O>;

    const NAME: &'static str = crate::ENGINE;

    fn tables() -> Vec<Filled> {
        crate::declaration::tables()
    }

    fn network<O: NetworkObserver>(
        &self,
        fabric: &Fabric,
        parameters: &Parameters,
        seed: u64,
        observer: O,
    ) -> Result<Network<O>, String> {
        Network::new(fabric, parameters, &self.options, seed, observer)
    }
}

/// Computes one point in this process; tables on demand go to the folder `out`.
///
/// # Errors
/// Says what is wrong with the point, or how its program failed.
pub fn simulate(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let options = Options::of(point)?;
    programs::simulate(&Anet { options }, point, out)
}
