//! This engine's network, as points with programs describe it.

use super::network::FlitNetwork;
use super::pipeline::Pipeline;
use crate::options::{Options, read_router};
use engine::{Metric, Network, Point};
use fabric::Fabric;
use programs::{Engine, NetworkObserver, Parameters};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Flit-level networks with these options.
pub struct Flits {
    map: Map<String, Value>,
    options: Options,
}

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
        let mut map = options.clone();
        let own = Options::read(&map)?;
        if let Some(packet) = network.get("packet").filter(|packet| !packet.is_null()) {
            let bytes = |key: &str| packet[key].as_u64().unwrap_or(1).max(1);
            let flits = bytes("mtu_bytes").div_ceil(bytes("flit_bytes"));
            map.insert("packet_flits".into(), flits.into());
            map.insert("flit_bytes".into(), (bytes("flit_bytes") as f64).into());
        } else {
            let flit =
                own.flit_bytes.ok_or("messages of a program differ in size: give flit_size")?;
            let packet = json!({"flit_bytes": flit as u64,
                                "mtu_bytes": flit as u64 * u64::from(own.packet_flits)});
            network.insert("packet".into(), packet);
        }
        set_router(&mut map, network);
        let options = Options::read(&map)?;
        Ok(Self { map, options })
    }
}

/// What the section `router` of the network says stands in place of the options.
fn set_router(map: &mut Map<String, Value>, network: &Map<String, Value>) {
    let Some(router) = network.get("router").and_then(Value::as_object) else { return };
    for key in ["virtual_channels", "torus_classes"] {
        if let Some(value) = router.get(key) {
            map.insert(key.into(), value.clone());
        }
    }
    let buffer = router.get("vc_buffer_bytes").and_then(Value::as_u64);
    let flit = network["packet"]["flit_bytes"].as_u64().unwrap_or(1).max(1);
    if let Some(bytes) = buffer {
        map.insert("vc_buffer_flits".into(), (bytes / flit).into());
    }
}

impl Engine for Flits {
    type Network<O: NetworkObserver> = FlitNetwork<O>;

    const NAME: &'static str = crate::ENGINE;

    fn network<O: NetworkObserver>(
        &self,
        fabric: &Fabric,
        parameters: &Parameters,
        seed: u64,
        observer: O,
    ) -> Result<FlitNetwork<O>, String> {
        let flit_bytes = parameters.packet.flit_bytes as f64;
        let cycle_s = flit_bytes / parameters.bandwidth_bytes_per_s;
        let hop_latency_s = if parameters.is_detailed() { 0.0 } else { parameters.hop_latency_s };
        let network = Network {
            bandwidth_bytes_per_s: parameters.bandwidth_bytes_per_s,
            latency_s: 0.0,
            hop_latency_s,
        };
        let router = read_router(&self.map, &self.options, fabric)?;
        let channels = self.options.latencies(&network, cycle_s)?;
        let pipeline = Pipeline::new(router, channels, parameters, cycle_s);
        let routing =
            self.options.routing(&pipeline.router).function(fabric).map_err(|e| e.to_string())?;
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
        let cycle_s = flits.options.flit_bytes.unwrap_or_default() / bytes_per_s;
        let mut options = options;
        let interval_s = flits.options.series_interval_cycles as f64 * cycle_s;
        options.insert("series_interval_s".into(), interval_s.into());
        point.spec.insert("options".into(), Value::Object(options));
    }
    programs::simulate(&flits, &point, out)
}
