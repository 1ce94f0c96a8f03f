//! From a point's spec to its metrics.

use crate::job::Job;
use crate::list;
use crate::measures::Measures;
use crate::options::Options;
use crate::simulation::simulate;
use crate::tables;
use engine::{AskedTables, LINKS, MESSAGES, Metric, Network, Point};
use fabric::{Described, Links};
use programs::parameters::has_sections;
use programs::{LINK_FLOWS, Parameters};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::Write;
use std::path::Path;
use workload::{ListSpec, Messages, Outstanding, Process, WorkloadSpec};

#[derive(Debug, Deserialize)]
struct Spec {
    seed: u64,
    topology: Described,
    network: Map<String, Value>,
    workload: WorkloadSpec,
}

/// Computes one point with a list of messages; tables on demand go to the folder `out`.
pub fn run_point(point: &Point, out: &Path) -> Result<Vec<Metric>, String> {
    let spec: Spec =
        Spec::deserialize(Value::Object(point.spec.clone())).map_err(|e| e.to_string())?;
    let has_sections = has_sections(&spec.network);
    let network = Value::Object(spec.network);
    let parameters = Parameters::deserialize(network).map_err(|e| format!("network: {e}"))?;
    let &Parameters { bandwidth_bytes_per_s, latency_s, hop_latency_s, .. } = &parameters;
    Network { bandwidth_bytes_per_s, latency_s, hop_latency_s }.check()?;
    let options = Options::of(point)?;
    let Described { topology, links } = &spec.topology;
    let fabric = topology.build(spec.seed).map_err(|e| e.to_string())?;
    let links = Links::new(links, &fabric, bandwidth_bytes_per_s).map_err(|e| e.to_string())?;
    let none = Messages::regular(fabric.nodes(), 0, vec![]);
    let mut job = Job {
        fabric: &fabric,
        links: &links,
        messages: &none,
        model: options.model,
        bandwidth_bytes_per_s,
        latency_s,
        hop_latency_s,
        parts: has_sections.then_some(&parameters),
        outstanding: Outstanding::AtMost(1),
        injection_rate: 1.0,
        until_first_node: false,
        busy_times: false,
    };
    let list = match &spec.workload {
        WorkloadSpec::Program { .. } => {
            return Err("a program runs in a process of its own".into());
        }
        WorkloadSpec::Messages { list, outstanding } => {
            job.outstanding = *outstanding;
            list
        }
        WorkloadSpec::Traffic { list, injection } => {
            injection.check()?;
            if injection.process == Process::OnOff || injection.search.is_some() {
                return Err("the flow model has neither bursts nor a search for saturation: \
                            injection_process on_off and search are for packet"
                    .into());
            }
            job.injection_rate = injection.rate;
            job.until_first_node = true;
            list
        }
    };
    let (id, wanted, kind) = (&point.point_id, &options.tables, spec.workload.kind());
    wanted.check(crate::ENGINE, &crate::declaration::tables(), kind, list.sizes().len())?;
    run_list(id, list, &job, spec.seed, wanted, out).map(|measures| measures.metrics)
}

/// Runs a message list for each of its sizes.
fn run_list(
    point_id: &str,
    list: &ListSpec,
    job: &Job,
    seed: u64,
    wanted: &AskedTables,
    out: &Path,
) -> Result<Measures, String> {
    let mut messages = list.messages(job.fabric, seed).map_err(|e| e.to_string())?;
    let wants_links = wanted.has(&LINKS);
    let mut rows = match wanted.has(&MESSAGES) {
        true => Some(MESSAGES.create(out, point_id)?),
        false => None,
    };
    let failed = |e: std::io::Error| format!("writing a table: {e}");
    let mut measures = Measures::default();
    let mut first_id = 0;
    for size in list.sizes() {
        if let Some(bytes) = size {
            messages.set_bytes(bytes);
        }
        let job = Job { messages: &messages, busy_times: wants_links, ..*job };
        let outcome = match job.parts {
            Some(parameters) => list::run(&job, parameters)?,
            None => simulate(&job),
        };
        measures.push_list(&job, &outcome, size);
        if let Some(writer) = &mut rows {
            tables::messages(writer, &job, &outcome, first_id).map_err(failed)?;
            first_id += messages.len() as u64;
        }
        if wants_links {
            let mut writer = LINKS.create(out, point_id)?;
            tables::links(&mut writer, &job, &outcome)
                .and_then(|()| writer.flush())
                .map_err(failed)?;
            let file = LINK_FLOWS.create(out, point_id)?;
            if let Some(note) = tables::flows(&job, &outcome).write(file, job.fabric, 1.0)? {
                eprintln!("{note}");
            }
        }
    }
    if let Some(mut writer) = rows {
        writer.flush().map_err(failed)?;
    }
    Ok(measures)
}
