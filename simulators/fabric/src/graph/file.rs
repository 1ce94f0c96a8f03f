//! The file of a graph: JSON with nodes, switches and directed channels.

use crate::MAX_NODES;
use serde::{Deserialize, Serialize};

/// The version of the format.
pub(crate) const SCHEMA: u32 = 1;
/// Most ports of a switch.
pub(super) const MAX_PORTS: u32 = u16::MAX as u32;

/// What a file holds.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GraphFile {
    pub schema: u32,
    /// Names of the nodes, in the order of their numbers.
    pub nodes: Vec<String>,
    /// Names of the switches; the first one has the number behind the last node.
    pub switches: Vec<String>,
    /// Where hosts have several links: how many of the nodes, which are rails then, belong to each host, in
    /// their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rails: Option<Vec<u32>>,
    pub channels: Columns,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routes: Option<RouteColumns>,
}

/// Channels, one at each place of the columns.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Columns {
    pub from: Vec<u32>,
    pub from_port: Vec<u32>,
    pub to: Vec<u32>,
    pub to_port: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bandwidth_bytes_per_s: Option<Vec<Option<f64>>>,
    /// How many times slower than the network, instead of a bandwidth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slower: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_s: Option<Vec<Option<f64>>>,
    /// Of channels between switches, where numbers are left out; rising.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Vec<Option<u32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Vec<String>>,
}

/// Static routes of the file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum RouteColumns {
    /// At `router`, counted from 0, a packet for `node` leaves by `port`, in a class of virtual channels.
    Destination {
        router: Vec<u32>,
        node: Vec<u32>,
        port: Vec<u16>,
        class: Vec<u8>,
        /// How many classes there are, if more than those of the steps.
        #[serde(default)]
        classes: u16,
    },
    /// The steps from node s to node d of N nodes are those from place `first[s N + d]` to the next
    /// entry of `first`: the output port of each switch and the class behind it, without the last
    /// switch.
    Pair {
        first: Vec<u32>,
        port: Vec<u16>,
        class: Vec<u8>,
        #[serde(default)]
        classes: u16,
    },
}

impl GraphFile {
    /// Reads a file and checks that it has the SHA-256 that the point names.
    pub(super) fn read(path: &std::path::Path, sha256: &str) -> Result<Self, String> {
        let content = std::fs::read(path).map_err(|e| e.to_string())?;
        let digest = hmac_sha256::Hash::hash(&content);
        let found: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        if found != sha256 {
            return Err(format!("its SHA-256 is {found}, must be {sha256} as planned"));
        }
        serde_json::from_slice(&content).map_err(|e| e.to_string())
    }

    pub(super) fn name(&self, number: u32) -> String {
        let (number, nodes) = (number as usize, self.nodes.len());
        match self.nodes.get(number).or_else(|| self.switches.get(number - nodes)) {
            Some(name) => name.clone(),
            None => format!("number {number}"),
        }
    }

    pub(super) fn check_columns(&self) -> Result<(), String> {
        if self.schema != SCHEMA {
            return Err(format!("schema is {}, must be {SCHEMA}", self.schema));
        }
        if self.nodes.is_empty() || self.nodes.len() as u64 > MAX_NODES {
            return Err(format!("it has {} nodes, must be 1 to {MAX_NODES}", self.nodes.len()));
        }
        if let Some(rails) = &self.rails {
            let all: u64 = rails.iter().map(|&count| u64::from(count)).sum();
            if all != self.nodes.len() as u64 || rails.contains(&0) {
                let nodes = self.nodes.len();
                return Err(format!(
                    "rails add up to {all}, must be the {nodes} nodes, none with 0"
                ));
            }
        }
        let channels = &self.channels;
        let length = channels.from.len();
        if length as u64 > u64::from(u32::MAX) {
            return Err("it has more than 2^32 channels".into());
        }
        let lengths = [
            ("from_port", Some(channels.from_port.len())),
            ("to", Some(channels.to.len())),
            ("to_port", Some(channels.to_port.len())),
            ("bandwidth_bytes_per_s", channels.bandwidth_bytes_per_s.as_ref().map(Vec::len)),
            ("slower", channels.slower.as_ref().map(Vec::len)),
            ("latency_s", channels.latency_s.as_ref().map(Vec::len)),
            ("number", channels.number.as_ref().map(Vec::len)),
            ("class", channels.class.as_ref().map(Vec::len)),
            ("name", channels.name.as_ref().map(Vec::len)),
        ];
        match lengths.into_iter().find(|(_, found)| found.is_some_and(|found| found != length)) {
            Some((column, found)) => Err(format!(
                "channels.{column} has {} entries, channels.from has {length}",
                found.unwrap_or(0)
            )),
            None => Ok(()),
        }
    }

    pub(super) fn check_values(&self) -> Result<(), String> {
        let columns = [
            ("bandwidth_bytes_per_s", &self.channels.bandwidth_bytes_per_s, false),
            ("slower", &self.channels.slower, false),
            ("latency_s", &self.channels.latency_s, true),
        ];
        for (name, column, or_zero) in columns {
            for (at, value) in column.iter().flatten().enumerate() {
                let allowed =
                    value.is_none_or(|v| v.is_finite() && (v > 0.0 || (or_zero && v == 0.0)));
                if !allowed {
                    let least = if or_zero { "0 or more" } else { "above 0" };
                    let value = value.unwrap_or(0.0);
                    return Err(format!("channels.{name}[{at}] is {value}, must be {least}"));
                }
            }
        }
        Ok(())
    }
}
