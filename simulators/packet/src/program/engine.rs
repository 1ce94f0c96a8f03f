//! This engine's network, as points with programs describe it.

use super::network::FlitNetwork;
use crate::design::{Design, Precedence};
use engine::{Filled, Metric, Point};
use fabric::Fabric;
use programs::{Engine, NetworkObserver, Parameters};
use serde_json::{Map, Value};
use std::path::Path;

/// Flit-level networks with these options.
pub struct Flits(Design);

impl Flits {
    /// Reads the options of a point. Of `network`, what the options say of flits and packets is put
    /// where it does not say so itself.
    ///
    /// # Errors
    /// Says which option is wrong.
    pub fn read(
        options: &Map<String, Value>,
        network: &mut Map<String, Value>,
    ) -> Result<Self, String> {
        let design = Design::read(options, network, Precedence::Sections)?;
        match design.options.flit_bytes {
            Some(_) => Ok(Self(design)),
            None => Err("messages of a program differ in size: give flit_size".into()),
        }
    }
}

impl Engine for Flits {
    type Network<O: NetworkObserver> = FlitNetwork<O>;

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
    ) -> Result<FlitNetwork<O>, String> {
        let flit_bytes = parameters.packet.flit_bytes as f64;
        let cycle_s = flit_bytes / parameters.bandwidth_bytes_per_s;
        let Self(design) = self;
        let pipeline = design.pipeline(fabric, parameters, cycle_s)?;
        let options = &design.options;
        let routing =
            options.routing(&pipeline.router).function(fabric).map_err(|e| e.to_string())?;
        FlitNetwork::new(fabric, parameters, &pipeline, routing, seed, observer)
    }
}

/// Computes a point with a program in this process; tables on demand go to the folder `out`.
///
/// # Errors
/// Says what is wrong with the point, or how its program failed.
pub fn simulate(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let mut point = point.clone();
    let options = point.spec.get("options").and_then(Value::as_object).cloned();
    let network = point.spec.get_mut("network").and_then(Value::as_object_mut);
    let (Some(options), Some(network)) = (options, network) else {
        return Err("a point has the sections network and options".into());
    };
    let flits = Flits::read(&options, network)?;
    // Programs know seconds, the options of this engine cycles.
    let links = network.get("costs").and_then(|costs| costs.get("link_bandwidth_bytes_per_s"));
    let rate = links.or(network.get("bandwidth_bytes_per_s")).and_then(Value::as_f64);
    if let Some(bytes_per_s) = rate {
        let cycle_s = flits.0.options.flit_bytes.unwrap_or_default() / bytes_per_s;
        let mut options = options;
        let interval_s = flits.0.options.series_interval_cycles as f64 * cycle_s;
        options.insert("series_interval_s".into(), interval_s.into());
        point.spec.insert("options".into(), Value::Object(options));
    }
    programs::simulate(&flits, &point, out)
}
