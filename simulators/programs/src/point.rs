//! From a point's spec to its metrics.

use crate::engine::Engine;
use crate::job::Job;
use crate::metrics::METRICS;
use crate::options::Options;
use crate::parameters::Parameters;
use engine::{Metric, Point};
use fabric::{Described, Links};
use mpi::Workload;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

#[derive(Debug, Deserialize)]
struct Spec {
    seed: u64,
    topology: Described,
    network: Parameters,
    workload: Workload,
    options: Map<String, Value>,
}

/// Computes one point in this process; tables on demand go to the folder `out`.
///
/// # Errors
/// Says what is wrong with the point, or how its program failed.
pub fn simulate<E: Engine>(engine: &E, point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let spec = Spec::deserialize(Value::Object(point.spec.clone())).map_err(|e| e.to_string())?;
    spec.workload.check(E::NAME)?;
    let network = spec.network.with_links_of_costs();
    network.check()?;
    let options = Options::read(&spec.options)?;
    let mut running = mpi::Options::read(&spec.options)?;
    running.measured = METRICS.iter().map(|(name, _)| *name).collect();
    let sizes = spec.workload.sizes();
    if let (Some(table), true) = (options.tables.first(), sizes.len() > 1) {
        let name = format!("{table:?}").to_lowercase();
        return Err(format!("table {name} needs exactly one message size"));
    }
    let Described { topology, links } = &spec.topology;
    let fabric = engine.fabric(topology, spec.seed).map_err(|e| e.to_string())?;
    let bandwidth = network.bandwidth_bytes_per_s;
    let links = Links::new(links, &fabric, bandwidth).map_err(|e| e.to_string())?;
    let parameters = Parameters { links, ..network };
    let workload = &spec.workload.with_absolute_input()?;
    let nodes = mpi::place(&running.placing, workload.ranks, fabric.hosts(), spec.seed)?;
    let source = workload.source()?;
    ranks::as_in(&source.text);
    ranks::install(E::NAME, running.loop_limit_s);
    let job = Job {
        engine,
        point_id: &point.point_id,
        out,
        options: &options,
        running: &running,
        parameters: &parameters,
        fabric: &fabric,
        nodes: &nodes,
        seed: spec.seed,
        input: workload.input.as_deref(),
    };
    let runs = sizes.iter().map(|&size| (size, workload.arguments(size)));
    job.run(&source, &runs.collect::<Vec<_>>())
}
