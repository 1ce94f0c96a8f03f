//! Flits, routers and channels as a point describes them: in the sections of its network, else by options.

use crate::declaration::by_hand;
use crate::options::{Options, read_router};
use crate::program::Pipeline;
use crate::router_options::{RouterOptions, Switching};
use crate::wiring::ChannelLatencies;
use engine::Network;
use fabric::{Fabric, Links};
use programs::Parameters;
use serde_json::{Map, Value, json};

/// Smallest buffer of a virtual channel, unless the options give it.
const BUFFER_FLITS: u64 = 8;

/// Who is right where an option and a section of the network give the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// Of programs, where weft refuses points that set both.
    Sections,
    /// Of lists and traffic: an option that has another value than its default.
    OptionsByHand,
}

/// What the options of a point and the sections of its network say together.
#[derive(Debug, Clone)]
pub struct Design {
    map: Map<String, Value>,
    /// Options as they count.
    pub options: Options,
    precedence: Precedence,
}

impl Design {
    /// Reads the options of a point. Sizes of packets and flits as they count go to the section `packet`
    /// of `network`.
    ///
    /// # Errors
    /// Says which option is wrong.
    pub fn read(
        options: &Map<String, Value>,
        network: &mut Map<String, Value>,
        precedence: Precedence,
    ) -> Result<Self, String> {
        let mut map = options.clone();
        Options::read(&map)?;
        let counts = |key: &str| precedence == Precedence::OptionsByHand && by_hand(options, key);
        set_packets(&mut map, network, counts);
        set_router(&mut map, network, counts);
        let options = Options::read(&map)?;
        Ok(Self { map, options, precedence })
    }

    /// The routers and channels of a network whose flits take a cycle each.
    ///
    /// # Errors
    /// Says which option or latency cannot be.
    pub fn pipeline(
        &self,
        fabric: &Fabric,
        parameters: &Parameters,
        cycle_s: f64,
    ) -> Result<Pipeline, String> {
        let is_kept =
            |key: &str| self.precedence == Precedence::OptionsByHand && by_hand(&self.map, key);
        let hop_latency_s = match parameters.is_detailed() || is_kept("channel_latency_cycles") {
            true => 0.0,
            false => parameters.hop_latency_s,
        };
        let network = Network {
            bandwidth_bytes_per_s: parameters.bandwidth_bytes_per_s,
            latency_s: 0.0,
            hop_latency_s,
        };
        let router = read_router(&self.map, &self.options, fabric)?;
        let channels = self.options.latencies(&network, cycle_s)?;
        let own = Pipeline { router, channels };
        let mut pipeline =
            Pipeline::new(own.router.clone(), own.channels.clone(), parameters, cycle_s);
        keep(&mut pipeline, &own, is_kept);
        pipeline.router.vc_buffer_flits = match self.options.vc_buffer_flits {
            Some(flits) => flits,
            None => self.buffer(&pipeline, &parameters.links, cycle_s),
        };
        self.check_buffer(&pipeline.router)?;
        Ok(pipeline)
    }

    /// Of a virtual channel, where nothing says how large it is: for the flits of a credit loop, so that a
    /// virtual channel alone fills its link, and for those that packets cannot do without.
    fn buffer(&self, pipeline: &Pipeline, links: &Links, cycle_s: f64) -> u16 {
        let router = &pipeline.router;
        let slowest = pipeline.channels.slowest_cycles(links, cycle_s);
        let packet = match router.switching {
            Switching::VirtualCutThrough => u64::from(self.options.packet_flits),
            Switching::Wormhole => 1,
        };
        let flits = router.credit_loop_cycles(slowest).max(packet).max(BUFFER_FLITS);
        flits.min(u64::from(u16::MAX)) as u16
    }

    fn check_buffer(&self, router: &RouterOptions) -> Result<(), String> {
        let (buffer, packet) = (router.vc_buffer_flits, self.options.packet_flits);
        if router.switching == Switching::VirtualCutThrough && u32::from(buffer) < packet {
            return Err(format!(
                "switching virtual_cut_through needs buffers for a packet: vc_buffer_flits is {buffer}, \
                 must be at least packet_flits {packet}"
            ));
        }
        router.check()
    }
}

/// Puts what the section `packet` says in place of options that do not count, and the other way round.
fn set_packets(
    map: &mut Map<String, Value>,
    network: &mut Map<String, Value>,
    counts: impl Fn(&str) -> bool,
) {
    let section = network.get("packet").filter(|packet| !packet.is_null()).cloned();
    let bytes = |key: &str| section.as_ref().and_then(|packet| packet[key].as_u64()).unwrap_or(0);
    if section.is_some() {
        let flit = bytes("flit_bytes").max(1);
        if !counts("flit_bytes") {
            map.insert("flit_bytes".into(), (flit as f64).into());
        }
        if !counts("packet_flits") {
            let flit = map["flit_bytes"].as_f64().map_or(flit, |own| own as u64).max(1);
            map.insert("packet_flits".into(), bytes("mtu_bytes").max(1).div_ceil(flit).into());
        }
    }
    // Without a flit size every message is a packet of its own, and nothing is known of headers.
    let Some(flit) = map.get("flit_bytes").and_then(Value::as_f64) else { return };
    let packet_flits = map.get("packet_flits").and_then(Value::as_u64).unwrap_or(1);
    let is_own = section.is_none() || counts("flit_bytes") || counts("packet_flits");
    let mtu = if is_own { flit as u64 * packet_flits } else { bytes("mtu_bytes") };
    network.insert(
        "packet".into(),
        json!({"flit_bytes": flit as u64, "mtu_bytes": mtu,
               "header_bytes": bytes("header_bytes"), "control_bytes": bytes("control_bytes")}),
    );
}

/// Puts what the section `router` says in place of options that do not count.
fn set_router(
    map: &mut Map<String, Value>,
    network: &Map<String, Value>,
    counts: impl Fn(&str) -> bool,
) {
    let Some(router) = network.get("router").and_then(Value::as_object) else { return };
    for key in ["virtual_channels", "torus_classes"] {
        if let Some(value) = router.get(key).filter(|_| !counts(key)) {
            map.insert(key.into(), value.clone());
        }
    }
    let buffer = router.get("vc_buffer_bytes").and_then(Value::as_u64);
    if let Some(bytes) = buffer.filter(|_| !counts("vc_buffer_flits")) {
        let flit = map.get("flit_bytes").and_then(Value::as_f64).unwrap_or(1.0).max(1.0);
        map.insert("vc_buffer_flits".into(), (bytes / flit as u64).into());
    }
}

/// Options that count stand in place of what the sections give.
fn keep(pipeline: &mut Pipeline, own: &Pipeline, is_kept: impl Fn(&str) -> bool) {
    let Pipeline { router, channels } = pipeline;
    let ChannelLatencies { injection_cycles, ejection_cycles, router_cycles, .. } = channels;
    for (key, value, own) in [
        ("routing_delay_cycles", &mut router.routing_delay_cycles, own.router.routing_delay_cycles),
        (
            "vc_allocation_delay_cycles",
            &mut router.vc_allocation_delay_cycles,
            own.router.vc_allocation_delay_cycles,
        ),
        (
            "switch_allocation_delay_cycles",
            &mut router.switch_allocation_delay_cycles,
            own.router.switch_allocation_delay_cycles,
        ),
        (
            "switch_traversal_delay_cycles",
            &mut router.switch_traversal_delay_cycles,
            own.router.switch_traversal_delay_cycles,
        ),
        ("channel_latency_cycles", router_cycles, own.channels.router_cycles),
        ("injection_latency_cycles", injection_cycles, own.channels.injection_cycles),
        ("ejection_latency_cycles", ejection_cycles, own.channels.ejection_cycles),
    ] {
        if is_kept(key) {
            *value = own;
        }
    }
}
