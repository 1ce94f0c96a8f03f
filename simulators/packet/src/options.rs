//! The `options` part of a point, and its checks.

use crate::router_options::RouterOptions;
use crate::routing::{RoutingOptions, VirtualChannels};
use crate::wiring::{ChannelLatencies, MAX_LATENCY_CYCLES};
use engine::{AskedTables, Network};
use fabric::Fabric;
use fabric::TorusClasses;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Options beside those of the routers.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    virtual_channels: VirtualChannels,
    /// What the network says, or what it takes, unless given.
    pub vc_buffer_flits: Option<u16>,
    torus_classes: TorusClasses,
    channel_latency_cycles: u32,
    injection_latency_cycles: u32,
    ejection_latency_cycles: u32,
    class_latency_cycles: BTreeMap<String, u32>,
    pub packet_flits: u32,
    pub flit_bytes: Option<f64>,
    pub warmup_cycles: Option<u64>,
    pub measure_cycles: u64,
    pub drain_cycles: u64,
    pub max_cycles: u64,
    pub confidence: f64,
    pub tables: AskedTables,
    pub series_interval_cycles: u64,
}

fn at_least_one(values: &[(&str, u64)]) -> Result<(), String> {
    match values.iter().find(|(_, value)| *value == 0) {
        Some((key, _)) => Err(format!("{key} is 0, must be at least 1")),
        None => Ok(()),
    }
}

impl Options {
    /// Reads the options and checks each by itself.
    pub fn read(options: &Map<String, Value>) -> Result<Self, String> {
        let read = Self::deserialize(Value::Object(options.clone()));
        let options = read.map_err(|e| format!("options: {e}"))?;
        at_least_one(&[
            ("packet_flits", u64::from(options.packet_flits)),
            ("measure_cycles", options.measure_cycles),
            ("max_cycles", options.max_cycles),
            ("series_interval_cycles", options.series_interval_cycles),
        ])?;
        if let Some(bytes) = options.flit_bytes {
            if !(bytes.is_finite() && bytes > 0.0) {
                return Err(format!("flit_bytes is {bytes}, must be above 0"));
            }
        }
        let confidence = options.confidence;
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(format!("confidence is {confidence}, must be within 0..1"));
        }
        Ok(options)
    }

    pub fn routing(&self, router: &RouterOptions) -> RoutingOptions {
        let wait = router.wait_for_tail_credit;
        RoutingOptions::new(self.virtual_channels, self.torus_classes, wait)
    }

    /// Latencies of all channels, for cycles of `cycle_s`.
    pub fn latencies(&self, network: &Network, cycle_s: f64) -> Result<ChannelLatencies, String> {
        let router_cycles = if network.hop_latency_s > 0.0 {
            if self.channel_latency_cycles != 1 {
                return Err(
                    "network.hop_latency above 0 gives the latency of channels already; leave out \
                            channel_latency_cycles"
                        .into(),
                );
            }
            hop_cycles(network.hop_latency_s, cycle_s)?.max(1)
        } else {
            self.channel_latency_cycles
        };
        let own = [
            ("injection_latency_cycles".to_string(), self.injection_latency_cycles),
            ("ejection_latency_cycles".to_string(), self.ejection_latency_cycles),
            ("channel_latency_cycles".to_string(), router_cycles),
        ];
        let classes = self.class_latency_cycles.iter();
        let classes = classes.map(|(class, &of)| (format!("class_latency_cycles.{class}"), of));
        match own.into_iter().chain(classes).find(|(_, cycles)| *cycles > MAX_LATENCY_CYCLES) {
            Some((key, cycles)) => {
                Err(format!("{key} is {cycles}, must be at most {MAX_LATENCY_CYCLES} cycles"))
            }
            None => Ok(ChannelLatencies {
                injection_cycles: self.injection_latency_cycles,
                ejection_cycles: self.ejection_latency_cycles,
                router_cycles,
                class_cycles: self.class_latency_cycles.clone(),
            }),
        }
    }
}

/// Whole cycles that cover a time. A quotient that misses a whole number by a bit is that number.
fn hop_cycles(time_s: f64, cycle_s: f64) -> Result<u32, String> {
    let cycles = (time_s / cycle_s * (1.0 - 1e-12)).ceil();
    if cycles > f64::from(MAX_LATENCY_CYCLES) {
        return Err(format!(
            "network.hop_latency is {time_s} s, which are {cycles} cycles of {cycle_s} s; must be at \
             most {MAX_LATENCY_CYCLES} cycles, {} s",
            f64::from(MAX_LATENCY_CYCLES) * cycle_s
        ));
    }
    Ok(cycles as u32)
}

/// Reads the options of routers, all but the size of their buffers, and checks them with the fabric.
pub fn read_router(
    map: &Map<String, Value>,
    options: &Options,
    fabric: &Fabric,
) -> Result<RouterOptions, String> {
    // The number of virtual channels may be a word that the fabric turns into a number, and the size of
    // buffers may follow from the channels.
    let mut map = map.clone();
    for key in ["virtual_channels", "vc_buffer_flits"] {
        map.insert(key.into(), Value::from(1));
    }
    let read = RouterOptions::deserialize(Value::Object(map));
    let mut router = read.map_err(|e| format!("options: {e}"))?;
    let routing = options.routing(&router);
    router.virtual_channels = routing.number_of_vcs(fabric).map_err(|e| e.to_string())?;
    router.check()?;
    Ok(router)
}
