//! From a point's spec to its metrics.

use crate::engine::Engine;
use crate::job::Job;
use crate::jobs;
use crate::options::Options;
use crate::parameters::Parameters;
use engine::{Metric, Point};
use fabric::{Described, Links};
use mpi::computing::{self, Times};
use mpi::{Team, Workload};
use ranks::Source;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;
use std::rc::Rc;

#[derive(Debug, Deserialize)]
struct Spec {
    seed: u64,
    topology: Described,
    network: Parameters,
    workload: Workload,
    options: Map<String, Value>,
}

impl Spec {
    /// Apart from what depends on the engine: the compiler takes long for it, and so does it once.
    fn of(point: &Point) -> Result<Self, String> {
        Self::deserialize(Value::Object(point.spec.clone())).map_err(|e| e.to_string())
    }
}

/// Computes one point in this process; tables on demand go to the folder `out`.
///
/// # Errors
/// Says what is wrong with the point, or how its program failed.
pub fn simulate<E: Engine>(engine: &E, point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let spec = Spec::of(point)?;
    spec.workload.check(E::NAME)?;
    let network = spec.network.with_links_of_costs();
    network.check()?;
    let options = Options::read(&spec.options)?;
    let mut running = mpi::Options::read(&spec.options)?;
    running.measured = jobs::names();
    let sizes = spec.workload.sizes();
    options.tables.check(E::NAME, &E::tables(), "program", sizes.len())?;
    // Each size is a run of the program.
    if let (Some(table), true) = (options.tables.first(), sizes.len() > 1) {
        return Err(format!("table {table} needs exactly one message size"));
    }
    let Described { topology, links } = &spec.topology;
    let fabric = engine.fabric(topology, spec.seed).map_err(|e| e.to_string())?;
    let bandwidth = network.bandwidth_bytes_per_s;
    let links = Links::new(links, &fabric, bandwidth).map_err(|e| e.to_string())?;
    let parameters = Parameters { links, ..network };
    let workload = &spec.workload.with_absolute_input()?;
    let programs = workload.programs();
    let ranks: Vec<u32> = programs.iter().map(|program| program.ranks).collect();
    let (group, hosts) = (workload.group_nodes, fabric.hosts());
    let nodes = match workload.jobs.is_empty() {
        true => mpi::place(&running.placing, workload.ranks, hosts, spec.seed)?,
        false => mpi::place_jobs(&running.placing, &ranks, group, hosts, spec.seed)?,
    };
    let sources: Vec<Source> =
        programs.iter().map(|program| program.source()).collect::<Result<_, _>>()?;
    ranks::as_in(&sources[0].text);
    ranks::install(E::NAME, running.loop_limit_s);
    let computing = measured_times(&running, sizes.len())?;
    let job = Job {
        engine,
        point_id: &point.point_id,
        out,
        options: &options,
        running: &running,
        computing: &computing,
        parameters: &parameters,
        fabric: &fabric,
        nodes: &nodes,
        seed: spec.seed,
        inputs: programs.iter().filter_map(|program| program.input.as_deref()).collect(),
        are_jobs: !workload.jobs.is_empty(),
    };
    let runs: Vec<_> = sizes.iter().map(|&size| (size, teams(workload, size))).collect();
    let is_measured = running.compute_runs.is_some() || running.compute_times.is_some();
    if is_measured && !workload.jobs.is_empty() {
        return Err("computing is not measured for jobs; use compute declared".into());
    }
    match running.compute_runs {
        Some(times) => job.measure_computing(&sources, &runs, times),
        None => job.run(&sources, &runs),
    }
}

/// The ranks of all programs, with the arguments of each for messages of this size. A job has a size of
/// its own.
fn teams(workload: &Workload, size: Option<u64>) -> Vec<Team> {
    if workload.jobs.is_empty() {
        let (arguments, job) = (workload.arguments(size), mpi::Job::once(workload.ranks));
        return vec![Team { program: 0, arguments, job }];
    }
    let teams = workload.jobs.iter().enumerate().map(|(program, each)| {
        let own = each.workload.sizes()[0];
        Team { program, arguments: each.workload.arguments(own), job: each.job() }
    });
    teams.collect()
}

/// Computing times of the simulation of each message size, if the point has them.
fn measured_times(options: &mpi::Options, sizes: usize) -> Result<Vec<Rc<Times>>, String> {
    let Some(path) = &options.compute_times else { return Ok(vec![]) };
    let read = || {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        let runs = computing::from_bytes(&bytes)?;
        match runs.len() == sizes {
            true => Ok(runs.into_iter().map(Rc::new).collect()),
            false => Err(format!("it holds {} runs for {sizes} message sizes", runs.len())),
        }
    };
    read().map_err(|error: String| format!("computing times {}: {error}", path.display()))
}
