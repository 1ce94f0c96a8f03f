//! This engine's network, as programs get it.

use crate::network::Network;
use engine::{Filled, Metric, Point};
use fabric::Fabric;
use programs::measure::Buffers;
use programs::{Engine, NetworkObserver, Parameters};
use std::path::Path;

struct Rdma;

impl Engine for Rdma {
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
        Network::new(fabric, parameters, seed, observer)
    }

    fn buffers(&self, parameters: &Parameters) -> Option<Buffers> {
        let router = parameters.router();
        Some(Buffers {
            virtual_channels: router.virtual_channels,
            vc_buffer_bytes: router.vc_buffer_bytes,
        })
    }
}

/// Computes one point in this process; tables on demand go to the folder `out`.
///
/// # Errors
/// Says what is wrong with the point, or how its program failed.
pub fn simulate(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    programs::simulate(&Rdma, point, out)
}
