//! The simulations of one point: a fresh one per message size.

use crate::engine::{Engine, SimulatedNetwork};
use crate::measure::{NetworkWatch, WatchNetwork};
use crate::metrics::{Carried, Performance};
use crate::observer::NetworkObserver;
use crate::options::{Options, Table};
use crate::parameters::Parameters;
use crate::tables::{self, Files};
use engine::{Metric, TableFile};
use fabric::{Channel, Fabric, Node};
use mpi::computing::{Charge, Times, to_bytes};
use mpi::measure::{ProgramWatch, WatchProgram};
use mpi::time::{Time, from_seconds};
use mpi::{Hosts, Loaded, Nobody, Observer};
use ranks::{Built, Source, confine, enter};
use std::io::Write;
use std::path::Path;
use std::rc::Rc;

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
    /// A file of the user that the program reads.
    pub input: Option<&'a Path>,
}

type Network<E, N> = <E as Engine>::Network<N>;
type Ended<E, N, P> = mpi::Ended<Network<E, N>, P>;
type Run = (Option<u64>, Vec<String>);

impl<E: Engine> Job<'_, E> {
    /// Compiles the program and runs it once per message size with the arguments of that size.
    pub fn run(&self, source: &Source, runs: &[Run]) -> Result<Vec<Metric>, String> {
        if !self.options.tables.is_empty() {
            return match runs {
                [run] => self.watched(source, run),
                _ => Err("tables need exactly one message size".into()),
            };
        }
        let program = self.load(source)?;
        let mut metrics = vec![];
        for (place, (size, arguments)) in runs.iter().enumerate() {
            let charge = self.charge(place);
            let ended = self.simulate(&program, (arguments, charge), Nobody, Nobody)?;
            metrics.append(&mut self.performance(&ended, *size).metrics());
        }
        Ok(metrics)
    }

    /// Runs the program `times` times for each message size, and writes the median of what it computes
    /// between calls to `compute-<point>.times`.
    pub fn measure_computing(
        &self,
        source: &Source,
        runs: &[Run],
        times: u32,
    ) -> Result<Vec<Metric>, String> {
        let path = self.out.join(format!("compute-{}.times", self.point_id));
        let mut file = TableFile::create(path)?;
        let program = self.load(source)?;
        let mut found = vec![];
        for (_, arguments) in runs {
            let mut measured = vec![];
            for _ in 0..times {
                let charge = Charge::Measured;
                let ended = self.simulate(&program, (arguments, charge), Nobody, Nobody)?;
                measured.extend(ended.machine.computing.found());
            }
            found.push(Times::median(&measured)?);
        }
        let written = file.write_all(&to_bytes(&found)).and_then(|()| file.flush());
        written.map_err(|error| format!("computing times: {error}"))?;
        Ok(vec![])
    }

    /// What computing costs in the run at this place.
    fn charge(&self, place: usize) -> Charge {
        self.computing.get(place).map_or(Charge::Free, |times| {
            Charge::Recorded(Rc::clone(times), self.running.compute_factor)
        })
    }

    /// Compiles the program, goes to the folder in which it runs, confines this process, and loads the
    /// program into it. All files that the
    /// simulation writes are open before.
    fn load<N: NetworkObserver, P: Observer>(
        &self,
        source: &Source,
    ) -> Result<Loaded<Network<E, N>, P>, String> {
        let built = Built::new(source)?;
        let files: Vec<&Path> = [built.library()].into_iter().chain(self.input).collect();
        let folder = enter(&source.data)?;
        confine(&files, folder)?;
        Loaded::new(&built)
    }

    fn simulate<N: NetworkObserver, P: Observer>(
        &self,
        program: &Loaded<Network<E, N>, P>,
        (arguments, charge): (&[String], Charge),
        network: N,
        watcher: P,
    ) -> Result<Ended<E, N, P>, String> {
        let network = self.engine.network(self.fabric, self.parameters, self.seed, network)?;
        let costs = self.parameters.costs();
        let hosts = Hosts { of_ranks: self.nodes, rails: self.fabric.rails() };
        let options = mpi::Options { charge, ..self.running.clone() };
        program.run(arguments, hosts, (&options, costs), network, watcher)
    }

    /// What was counted, watched or not.
    fn performance<'e, N: NetworkObserver, P: Observer>(
        &self,
        ended: &'e Ended<E, N, P>,
        message_bytes: Option<u64>,
    ) -> Counted<'e> {
        let network = &ended.machine.transport;
        let channels = (0..self.fabric.channels()).filter(|&c| self.fabric.exists(c));
        let links = channels.map(|channel| carried(network, channel)).collect();
        let performance = Performance {
            message_bytes,
            program_time: ended.time,
            samples: ended.machine.samples.list(),
            messages: ended.machine.messages_sent(),
            payload_bytes: ended.machine.payload_bytes(),
            wire_bytes: network.wire_bytes(),
            coroutine_switches: ended.switches,
            ..Performance::default()
        };
        Counted { links, counts: network.counts(), performance }
    }

    /// One simulation with its tables.
    fn watched(&self, source: &Source, (size, arguments): &Run) -> Result<Vec<Metric>, String> {
        let options = self.options;
        let series = options.wants(Table::Series).then(|| from_seconds(options.series_interval_s));
        let buffers = self.engine.buffers(self.parameters);
        let watch = WatchNetwork { interval_ps: series, buffers };
        let mut network = NetworkWatch::new(self.fabric, &watch)?;
        if options.wants(Table::Links) {
            network = network.with_flows();
        }
        let watch = WatchProgram {
            interval_ps: series,
            messages: options.wants(Table::Messages),
            calls: options.wants(Table::Calls),
            rank_pairs: options.wants(Table::RankPairs),
            history: options.wants(Table::History),
        };
        let watcher = ProgramWatch::new(&watch, self.out, self.point_id, self.nodes)?;
        let files = Files::create(self.out, self.point_id, options)?;
        let program = self.load(source)?;
        let run = (arguments.as_slice(), self.charge(0));
        let mut ended = self.simulate(&program, run, network, watcher)?;
        let end = ended.machine.transport.observer().end(ended.time);
        ended.machine.transport.finish(end);
        ended.machine.transport.observer_mut().finish(end);
        self.tables(files, &mut ended, end)?;
        let counted = self.performance(&ended, *size);
        let (network, program) = (ended.machine.transport.observer(), &ended.machine.observer);
        let performance = Performance {
            network_latency: Some(network.latencies()),
            communication_latency: Some(program.latencies()),
            links: &counted.links,
            counts: &counted.counts,
            ..counted.performance
        };
        Ok(performance.metrics())
    }

    /// Writes the tables that are asked for; what one of them could not hold goes to the log.
    fn tables(
        &self,
        files: Files,
        ended: &mut Ended<E, NetworkWatch, ProgramWatch>,
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
        if let Some(file) = files.nodes {
            let bytes = |channel| machine.transport.channel_bytes(channel);
            let bytes_per_s = self.parameters.bandwidth_bytes_per_s;
            tables::write_nodes(file, (fabric, bytes_per_s), bytes, end)?;
        }
        notes.push(machine.observer.finish()?);
        for note in notes.into_iter().flatten() {
            eprintln!("{note}");
        }
        Ok(())
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
