//! The simulations of one point: a fresh one per message size.

use crate::engine::{Engine, SimulatedNetwork};
use crate::jobs;
use crate::measure::{NetworkWatch, WatchNetwork};
use crate::metrics::{Carried, Performance};
use crate::observer::NetworkObserver;
use crate::options::Options;
use crate::parameters::Parameters;
use crate::tables::{self, Files};
use engine::{LINKS, MESSAGES, Metric, SERIES};
use fabric::{Channel, Fabric, Node};
use mpi::computing::{Charge, Times};
use mpi::measure::{
    CALLS, CRITICAL_PATH, HISTORY, ProgramWatch, RANK_PAIRS, RANK_TIMELINE, WatchProgram,
};
use mpi::time::{Time, from_seconds, to_seconds};
use mpi::{Hosts, Loaded, Nobody, Observer, Team};
use ranks::{Built, Source, confine, enter, note};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

/// Sums of times differ by so much of themselves.
const ROUNDING: f64 = 1e-9;

/// What all simulations of a point have in common.
pub struct Job<'a, E> {
    pub engine: &'a E,
    pub point_id: &'a str,
    pub out: &'a Path,
    pub options: &'a Options,
    pub running: &'a mpi::Options,
    /// What programs compute between calls, of each run; empty where that is free.
    pub computing: &'a [Rc<Times>],
    pub parameters: &'a Parameters,
    pub fabric: &'a Fabric,
    /// Node of every rank.
    pub nodes: &'a [Node],
    pub seed: u64,
    /// Files of the user that programs read.
    pub inputs: Vec<&'a Path>,
    /// Whether each team of a run is a job of its own.
    pub are_jobs: bool,
}

type Network<E, N> = <E as Engine>::Network<N>;
type Ended<E, N, P> = mpi::Ended<Network<E, N>, P>;
/// A message size, and who runs what with it.
pub(crate) type Run = (Option<u64>, Vec<Team>);

impl<E: Engine> Job<'_, E> {
    /// Compiles the programs and runs them once per message size with the arguments of that size.
    pub fn run(&self, sources: &[Source], runs: &[Run]) -> Result<Vec<Metric>, String> {
        if !self.options.tables.is_empty() {
            return match runs {
                [run] => self.watched(sources, run),
                _ => Err("tables need exactly one message size".into()),
            };
        }
        let programs = self.load(sources)?;
        let mut metrics = vec![];
        for (place, (size, teams)) in runs.iter().enumerate() {
            let run = (&teams[..], self.nodes, self.charge(place));
            let ended = self.simulate(&programs, run, Nobody, Nobody)?;
            metrics.append(&mut self.performance(&ended, *size).metrics());
            let jobs = (&teams[..], &ended.runs[..]);
            metrics.append(&mut self.of_jobs(&programs, jobs, || Ok((Nobody, Nobody)))?);
        }
        Ok(metrics)
    }

    /// What computing costs in the run at this place.
    fn charge(&self, place: usize) -> Charge {
        self.computing.get(place).map_or(Charge::Free, |times| {
            Charge::Recorded(Rc::clone(times), self.running.compute_factor)
        })
    }

    /// Compiles the programs, goes to the folder in which they run, confines this process, and loads the
    /// programs into it. All files that the simulation writes are open before.
    pub(crate) fn load<N: NetworkObserver, P: Observer>(
        &self,
        sources: &[Source],
    ) -> Result<Loaded<Network<E, N>, P>, String> {
        let built: Vec<Built> = sources.iter().map(Built::new).collect::<Result<_, _>>()?;
        let libraries = built.iter().flat_map(|each| [Some(each.library()), each.runtime()]);
        let files: Vec<&Path> = libraries.flatten().chain(self.inputs.iter().copied()).collect();
        let folder = enter(&jobs::data_of_all(sources)?)?;
        confine(&files, folder)?;
        Loaded::new(&built)
    }

    pub(crate) fn simulate<N: NetworkObserver, P: Observer>(
        &self,
        programs: &Loaded<Network<E, N>, P>,
        (teams, nodes, charge): (&[Team], &[Node], Charge),
        network: N,
        watcher: P,
    ) -> Result<Ended<E, N, P>, String> {
        let network = self.engine.network(self.fabric, self.parameters, self.seed, network)?;
        let costs = self.parameters.costs();
        let hosts = Hosts { of_ranks: nodes, rails: self.fabric.rails() };
        let options = mpi::Options { charge, ..self.running.clone() };
        programs.run((teams, self.are_jobs), hosts, (&options, costs), network, watcher)
    }

    /// The metrics of the jobs of a run that has ended. Each job runs once more, alone and on its nodes;
    /// `watchers` makes what watches that.
    fn of_jobs<N: NetworkObserver, P: Observer>(
        &self,
        programs: &Loaded<Network<E, N>, P>,
        (teams, together): (&[Team], &[jobs::RunsOf]),
        watchers: impl Fn() -> Result<(N, P), String>,
    ) -> Result<Vec<Metric>, String> {
        if !self.are_jobs {
            return Ok(vec![]);
        }
        if teams.len() == 1 {
            return Ok(jobs::metrics(together, together));
        }
        let (mut alone, mut first) = (vec![], 0);
        for (number, team) in teams.iter().enumerate() {
            let nodes = &self.nodes[first..][..team.job.ranks as usize];
            first += nodes.len();
            eprintln!("job {} alone:", number + 1);
            let (network, watcher) = watchers()?;
            let team = [jobs::alone(team)];
            let run = (&team[..], nodes, Charge::Free);
            let ended = self.simulate(programs, run, network, watcher);
            let mut ended = ended.map_err(|why| format!("job {} alone: {why}", number + 1))?;
            alone.append(&mut ended.runs);
        }
        Ok(jobs::metrics(together, &alone))
    }

    /// The job of each node.
    fn job_of(&self, teams: &[Team]) -> HashMap<Node, usize> {
        let of_ranks = teams.iter().enumerate();
        let of_ranks = of_ranks
            .flat_map(|(number, team)| std::iter::repeat_n(number, team.job.ranks as usize));
        self.nodes.iter().copied().zip(of_ranks).collect()
    }

    /// What was counted, watched or not.
    fn performance<'e, N: NetworkObserver, P: Observer>(
        &self,
        ended: &'e Ended<E, N, P>,
        message_bytes: Option<u64>,
    ) -> Counted<'e> {
        mark_times_beyond(ended.time, ended.machine.samples.list());
        let network = &ended.machine.transport;
        let channels = (0..self.fabric.channels()).filter(|&c| self.fabric.exists(c));
        let links = channels.map(|channel| carried(network, channel)).collect();
        let performance = Performance {
            message_bytes,
            program_time: ended.time,
            samples: ended.machine.samples.list(),
            messages: ended.machine.messages_sent(),
            payload_bytes: ended.machine.payload_bytes(),
            wire_bytes: (0..self.fabric.nodes()).map(|nic| network.channel_bytes(nic)).sum(),
            files: ended.machine.storage.used(),
            coroutine_switches: ended.switches,
            ..Performance::default()
        };
        Counted { links, counts: network.counts(), performance }
    }

    /// One simulation with its tables.
    fn watched(&self, sources: &[Source], (size, teams): &Run) -> Result<Vec<Metric>, String> {
        let options = self.options;
        let series = options.tables.has(&SERIES).then(|| from_seconds(options.series_interval_s));
        let buffers = self.engine.buffers(self.parameters);
        let watch = WatchNetwork { interval_ps: series, buffers };
        let mut network = NetworkWatch::new(self.fabric, &watch)?;
        if options.tables.has(&LINKS) {
            network = network.with_flows();
        }
        let watch = WatchProgram {
            interval_ps: series,
            messages: options.tables.has(&MESSAGES),
            calls: options.tables.has(&CALLS),
            rank_pairs: options.tables.has(&RANK_PAIRS),
            rank_timeline: options.tables.has(&RANK_TIMELINE),
            critical_path: options.tables.has(&CRITICAL_PATH),
            history: options.tables.has(&HISTORY),
        };
        let watcher = ProgramWatch::new(&watch, self.out, self.point_id, self.nodes)?;
        let files = Files::create(self.out, self.point_id, options, self.are_jobs)?;
        let programs = self.load(sources)?;
        let run = (&teams[..], self.nodes, self.charge(0));
        let mut ended = self.simulate(&programs, run, network, watcher)?;
        let end = ended.machine.transport.observer().end(ended.time);
        ended.machine.transport.finish(end);
        ended.machine.transport.observer_mut().finish(end);
        self.tables(files, &mut ended, teams, end)?;
        let counted = self.performance(&ended, *size);
        let (network, program) = (ended.machine.transport.observer(), &ended.machine.observer);
        let performance = Performance {
            network_latency: Some(network.latencies()),
            communication_latency: Some(program.latencies()),
            courses: program.courses(),
            links: &counted.links,
            counts: &counted.counts,
            ..counted.performance
        };
        let mut metrics = performance.metrics();
        let watchers = || {
            let nothing = WatchNetwork { interval_ps: None, buffers: None };
            let (network, nobody) =
                (NetworkWatch::new(self.fabric, &nothing)?, WatchProgram::default());
            Ok((network, ProgramWatch::new(&nobody, self.out, self.point_id, self.nodes)?))
        };
        metrics.append(&mut self.of_jobs(&programs, (teams, &ended.runs), watchers)?);
        Ok(metrics)
    }

    /// Writes the tables that are asked for; what one of them could not hold goes to the log.
    fn tables(
        &self,
        files: Files,
        ended: &mut Ended<E, NetworkWatch, ProgramWatch>,
        teams: &[Team],
        end: Time,
    ) -> Result<(), String> {
        let fabric = self.fabric;
        let machine = &mut ended.machine;
        let mut notes = vec![];
        if let Some(file) = files.series {
            let network = machine.transport.observer_mut();
            notes.push(tables::write_series(file, network, &mut machine.observer, end)?);
        }
        if let Some(file) = files.congestion {
            let network = machine.transport.observer();
            let first = self.options.congestion_ports;
            tables::write_congestion(file, fabric, network, first, end)?;
        }
        if let Some(file) = files.links {
            let network = &machine.transport;
            let network = |channel| carried(network, channel);
            tables::write_links(file, (fabric, self.parameters), network, end)?;
        }
        if let (Some(file), Some(flows)) = (files.link_flows, machine.transport.observer().flows())
        {
            notes.push(flows.write(file, fabric, 1.0)?);
        }
        if let (Some(file), Some(flows)) = (files.job_links, machine.transport.observer().flows()) {
            let of_nodes = self.job_of(teams);
            flows.write_shared(file, fabric, |node| of_nodes.get(&node).copied())?;
        }
        if let Some(file) = files.nodes {
            let bytes = |channel| machine.transport.channel_bytes(channel);
            let bytes_per_s = self.parameters.bandwidth_bytes_per_s;
            tables::write_nodes(file, (fabric, bytes_per_s), bytes, end)?;
        }
        notes.extend(machine.observer.finish(ended.time)?.into_iter().map(Some));
        for note in notes.into_iter().flatten() {
            eprintln!("{note}");
        }
        Ok(())
    }
}

/// Notes times that a program reports and that its run has no room for: the program says them, not the
/// network.
fn mark_times_beyond(end: Time, samples: &[(String, f64)]) {
    let end_s = to_seconds(end);
    for (metric, reported_s) in samples {
        if *reported_s > end_s * (1.0 + ROUNDING) {
            note(&format!(
                "the program reports {metric} of {reported_s} s, but its run takes {end_s} s: the number is \
                 not the network's"
            ));
        }
    }
}

fn carried(network: &impl SimulatedNetwork, channel: Channel) -> Carried {
    Carried { bytes: network.channel_bytes(channel), busy: network.channel_busy(channel) }
}

/// Metrics refer to the channels' counts.
struct Counted<'e> {
    links: Vec<Carried>,
    counts: Vec<(&'static str, u64)>,
    performance: Performance<'e>,
}

impl Counted<'_> {
    fn metrics(&self) -> Vec<Metric> {
        let performance = self.performance.clone();
        Performance { links: &self.links, counts: &self.counts, ..performance }.metrics()
    }
}
