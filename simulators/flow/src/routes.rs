//! `weft-flow routes`: static routes, and the messages that take them, for simulators of others.

use fabric::{Described, Fabric, Link, Links, NeededVcs, Node, TorusClasses};
use mpi::Placing;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use workload::{KINDS, ListSpec, Pattern, WorkloadSpec};

/// The part of a point that decides its routes.
#[derive(Debug, Deserialize)]
struct Asked {
    seed: u64,
    topology: Described,
    /// Of the network; channels may differ from it.
    #[serde(default = "one")]
    bandwidth_bytes_per_s: f64,
    /// Whether to write the names of all channels first.
    #[serde(default)]
    names: bool,
    /// Whether to write the class of virtual channels on each channel of a route.
    #[serde(default)]
    classes: bool,
    workload: Option<WorkloadSpec>,
    /// Whether pairs of messages get the route back, too.
    #[serde(default)]
    both_ways: bool,
    /// Without a list of messages: between which nodes. Those of `ranks`, or else all, unless given.
    nodes: Option<Vec<Node>>,
    /// Ranks of a program, whose nodes are asked for.
    ranks: Option<Ranks>,
}

#[derive(Debug, Deserialize)]
struct Ranks {
    count: u32,
    #[serde(flatten)]
    placing: Placing,
}

fn one() -> f64 {
    1.0
}

/// The part of a point that a command needs. As a value first: this crate reads points from values already.
fn read<T: DeserializeOwned>(point: &mut dyn Read) -> Result<T, String> {
    let spec: Value = serde_json::from_reader(point).map_err(|e| e.to_string())?;
    T::deserialize(spec).map_err(|e| e.to_string())
}

/// Reads the JSON object of a point and writes one JSON object a line: first the numbers of nodes and of
/// channels and with `ranks` the node of each, then with `names` the name of each channel and its first `columns` in the table of links,
/// then the messages of its list, then the route of each pair of nodes that has one, or all of them where
/// messages of a pair take several. Without a list, these are all pairs of `nodes`.
///
/// Before the messages comes each channel that is not as the network says, with how many times `slower`
/// it is and its `latency_s`, if it has its own.
///
/// A message has `bytes` only if its list is a file. `hops` of a route is the shortest way's number of
/// channels between routers; `channels` are the numbers of the channels in their order, and with `classes` the
/// class of virtual channels on each of them.
///
/// # Errors
/// Says what is wrong with the point, or that writing failed.
pub fn write_routes(point: &mut dyn Read, out: &mut dyn Write) -> Result<(), String> {
    let asked: Asked = read(point)?;
    let Described { topology, links } = &asked.topology;
    let fabric = topology.build(asked.seed).map_err(|e| e.to_string())?;
    let bandwidth = asked.bandwidth_bytes_per_s;
    let links = Links::new(links, &fabric, bandwidth).map_err(|e| e.to_string())?;
    let failed = |e: std::io::Error| format!("writing the routes: {e}");
    let channels = (0..fabric.channels()).filter(|&channel| fabric.exists(channel)).count();
    let placed = asked.ranks.as_ref();
    if placed.is_some() && fabric.rails().is_some() {
        return Err("nodes have several rails, and a rank of SMPI has one".into());
    }
    let rank_nodes = placed
        .map(|ranks| mpi::place(&ranks.placing, ranks.count, fabric.nodes(), asked.seed))
        .transpose()?;
    let mut size = json!({ "nodes": fabric.nodes(), "channels": channels });
    if let Some(rank_nodes) = &rank_nodes {
        size["rank_nodes"] = json!(rank_nodes);
    }
    writeln!(out, "{size}").map_err(failed)?;
    write_channels(&fabric, &links, asked.names, out).map_err(failed)?;
    let mut pairs = match &asked.workload {
        Some(WorkloadSpec::Messages { list, .. } | WorkloadSpec::Traffic { list, .. }) => {
            write_messages(list, &fabric, asked.seed, out)?
        }
        Some(WorkloadSpec::Program {}) => {
            return Err(format!("{} has no list of messages; leave out workload", KINDS[2]));
        }
        None => {
            let named = asked.nodes.or(rank_nodes);
            all_pairs(&named.unwrap_or_else(|| (0..fabric.nodes()).collect()))
        }
    };
    if asked.both_ways {
        let back: Vec<_> = pairs.iter().map(|&(src, dst)| (dst, src)).collect();
        pairs.extend(back);
    }
    if asked.classes {
        // Refuses routes that no classes keep free of circles.
        fabric.vc_classes().map_err(|e| e.to_string())?;
    }
    for (src, dst) in pairs {
        if src.max(dst) >= fabric.nodes() {
            return Err(format!("node {} is beyond the {} nodes", src.max(dst), fabric.nodes()));
        }
        let hops = fabric.distance(src, dst);
        fabric
            .each_route(src, dst, &mut |path| {
                let mut route = json!({ "src": src, "dst": dst, "hops": hops, "channels": path });
                if asked.classes {
                    route["classes"] = json!(fabric.virtual_classes(path));
                }
                writeln!(out, "{route}")
            })
            .map_err(failed)?;
    }
    Ok(())
}

/// The part of a point that decides how many virtual channels its routes need.
#[derive(Debug, Deserialize)]
struct Needing {
    #[serde(default)]
    seed: u64,
    topology: Described,
    #[serde(default)]
    torus_classes: TorusClasses,
}

/// Reads the JSON object of a point and writes how many virtual channels its routes need, and why.
///
/// # Errors
/// Says what is wrong with the point, or why its packets can deadlock whatever there is.
pub fn write_needs(point: &mut dyn Read, out: &mut dyn Write) -> Result<(), String> {
    let asked: Needing = read(point)?;
    let fabric = asked.topology.topology.build_channels(asked.seed).map_err(|e| e.to_string())?;
    let needed = fabric.needed_vcs(asked.torus_classes).map_err(|e| e.to_string())?;
    let NeededVcs { at_least, multiple_of, because } = needed;
    let needs = json!({ "at_least": at_least, "multiple_of": multiple_of, "because": because });
    writeln!(out, "{needs}").map_err(|e| format!("writing what the routes need: {e}"))
}

/// Writes the names of all channels, if they are asked for, and the channels that differ.
fn write_channels(
    fabric: &Fabric,
    links: &Links,
    names: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for channel in (0..fabric.channels()).filter(|&channel| fabric.lists(channel)) {
        if names {
            let (name, columns) = (fabric.name(channel), fabric.described(channel));
            writeln!(out, "{}", json!({ "channel": channel, "name": name, "columns": columns }))?;
        }
        let link = links.get(channel);
        if link != Link::PLAIN {
            let Link { slower, latency_s } = link;
            let line = json!({ "channel": channel, "slower": slower, "latency_s": latency_s });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// The part of a point that decides its network.
#[derive(Debug, Deserialize)]
struct Exported {
    #[serde(default)]
    seed: u64,
    topology: Described,
}

/// Reads the JSON object of a point and writes its topology as the canonical file of a graph, with its
/// own static routes and speeds of links.
///
/// # Errors
/// Says what is wrong with the point, or that writing failed.
pub fn write_graph(point: &mut dyn Read, out: &mut dyn Write) -> Result<(), String> {
    let asked: Exported = read(point)?;
    let Described { topology, links } = &asked.topology;
    let fabric = topology.build_channels(asked.seed).map_err(|e| e.to_string())?;
    let text = fabric.exported(links).map_err(|e| e.to_string())?;
    out.write_all(text.as_bytes()).map_err(|e| format!("writing the graph: {e}"))
}

/// Writes the messages node by node, in the order of sending; the pairs of nodes that they join.
fn write_messages(
    list: &ListSpec,
    fabric: &Fabric,
    seed: u64,
    out: &mut dyn Write,
) -> Result<BTreeSet<(Node, Node)>, String> {
    let messages = list.messages(fabric, seed).map_err(|e| e.to_string())?;
    let mut pairs = BTreeSet::new();
    for src in 0..messages.nodes() {
        for number in messages.range(src) {
            let dst = messages.dst(number);
            let mut line = json!({ "message": messages.id(number), "src": src, "dst": dst });
            if list.pattern == Pattern::File {
                line["bytes"] = messages.bytes(number).into();
                line["start_s"] = messages.earliest_s(number).into();
            }
            writeln!(out, "{line}").map_err(|e| format!("writing the messages: {e}"))?;
            if src != dst {
                pairs.insert((src, dst));
            }
        }
    }
    Ok(pairs)
}

fn all_pairs(nodes: &[Node]) -> BTreeSet<(Node, Node)> {
    let others = |&src: &Node| nodes.iter().map(move |&dst| (src, dst));
    nodes.iter().flat_map(others).filter(|(src, dst)| src != dst).collect()
}
