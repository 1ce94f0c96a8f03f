//! From a point's spec to its metrics.

use crate::declaration::tables;
use crate::design::{Design, Precedence};
use crate::gates;
use crate::machine::Machine;
use crate::study::Study;
use engine::{Metric, Network, Point};
use fabric::{Described, Links};
use programs::Parameters;
use programs::parameters::has_sections;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;
use workload::{Pattern, WorkloadSpec};

#[derive(Debug, Deserialize)]
struct Spec {
    seed: u64,
    topology: Described,
    network: Map<String, Value>,
    workload: WorkloadSpec,
    options: Map<String, Value>,
}

/// Computes one point; tables on demand go to the folder `out`.
pub fn run_point(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let spec: Spec =
        Spec::deserialize(Value::Object(point.spec.clone())).map_err(|e| e.to_string())?;
    let mut network = spec.network;
    let has_sections = has_sections(&network);
    let design = Design::read(&spec.options, &mut network, Precedence::OptionsByHand)?;
    let parameters =
        Parameters::deserialize(Value::Object(network)).map_err(|e| format!("network: {e}"))?;
    let options = &design.options;
    check_network(&parameters, has_sections)?;
    let list = match &spec.workload {
        WorkloadSpec::Messages { list, .. } => list,
        WorkloadSpec::Traffic { list, injection } => {
            injection.check()?;
            if list.pattern == Pattern::File {
                return Err("pattern file is for the workload kind messages".into());
            }
            if injection.search.is_some() && !options.tables.is_empty() {
                return Err("a search tries many rates and tables show one; leave out search or \
                            tables"
                    .into());
            }
            list
        }
        WorkloadSpec::Program { .. } => {
            return Err("a point with a program needs a process of its own".into());
        }
    };
    let Described { topology, links } = &spec.topology;
    let fabric = topology.build_channels(spec.seed).map_err(|e| e.to_string())?;
    let bandwidth = parameters.bandwidth_bytes_per_s;
    let links = Links::new(links, &fabric, bandwidth).map_err(|e| e.to_string())?;
    gates::check(&links, bandwidth)?;
    let parameters = Parameters { links, ..parameters };
    let (kind, sizes) = (spec.workload.kind(), list.sizes());
    if sizes.is_empty() {
        return Err("message_bytes is empty".into());
    }
    options.tables.check(crate::ENGINE, &tables(), kind, sizes.len())?;
    let mut study = Study::new(&point.point_id, out, options, spec.seed)?;
    for size in sizes {
        let network = (&parameters, has_sections);
        let machine = Machine::new(&fabric, network, &design, size, spec.seed)?;
        match &spec.workload {
            WorkloadSpec::Messages { list, outstanding } => {
                study.closed(&machine, list, *outstanding, size)?;
            }
            WorkloadSpec::Traffic { list, injection } => {
                study.open(&machine, list, injection, size.unwrap_or(0))?;
            }
            WorkloadSpec::Program { .. } => {}
        }
    }
    study.finish()
}

/// A network of links alone may be as slow or as fast as one likes.
fn check_network(parameters: &Parameters, has_sections: bool) -> Result<(), String> {
    let &Parameters { bandwidth_bytes_per_s, latency_s, hop_latency_s, .. } = parameters;
    Network { bandwidth_bytes_per_s, latency_s, hop_latency_s }.check()?;
    if has_sections { parameters.check() } else { Ok(()) }
}
