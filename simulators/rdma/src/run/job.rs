//! The simulations of one point: a fresh one per message size.

#![expect(unsafe_code, reason = "system calls")]

use crate::abi;
use crate::measure::{NetworkWatch, ProgramWatch, WatchNetwork, WatchProgram};
use crate::messaging::{Machine, Protocol, drive};
use crate::metrics::{Carried, Performance};
use crate::names;
use crate::network::Network;
use crate::observer::{Nobody, Observer};
use crate::options::{Options, Payload, Table};
use crate::parameters::Parameters;
use crate::program::{Program, Source};
use crate::tables;
use crate::time::{Time, from_seconds};
use engine::Metric;
use fabric::{Fabric, Node};
use std::path::Path;
use std::rc::Rc;

/// What all simulations of a point have in common.
pub struct Job<'a> {
    pub point_id: &'a str,
    pub out: &'a Path,
    pub options: &'a Options,
    pub parameters: &'a Parameters,
    pub fabric: &'a Fabric,
    /// Node of every rank.
    pub nodes: &'a [Node],
    pub seed: u64,
}

/// A simulation that came to its end.
struct Ended<N: Observer, P: Observer> {
    machine: Machine<Network<N>, P>,
    time: Time,
    switches: u64,
}

type Run = (Option<u64>, Vec<String>);

impl Job<'_> {
    /// Compiles the program and runs it once per message size with the arguments of that size.
    pub fn run(&self, source: &Source, runs: &[Run]) -> Result<Vec<Metric>, String> {
        if !self.options.tables.is_empty() {
            return match runs {
                [run] => self.watched(source, run),
                _ => Err("tables need exactly one message size".into()),
            };
        }
        let program = self.load::<Nobody, Nobody>(source)?;
        let mut metrics = vec![];
        for (size, arguments) in runs {
            let ended = self.simulate(&program, arguments, Nobody, Nobody)?;
            metrics.append(&mut self.performance(&ended, *size).metrics());
        }
        Ok(metrics)
    }

    fn load<N: Observer, P: Observer>(&self, source: &Source) -> Result<Rc<Program>, String> {
        let host = std::ptr::from_ref(abi::table::<Network<N>, P>());
        // SAFETY: the table is static, and of the types of the machine that `simulate` makes.
        unsafe { Program::load(source, host.cast()) }
    }

    fn simulate<N: Observer, P: Observer>(
        &self,
        program: &Rc<Program>,
        arguments: &[String],
        network: N,
        watcher: P,
    ) -> Result<Ended<N, P>, String> {
        let count = self.nodes.len() as u32;
        let network = Network::new(self.fabric, self.parameters, self.seed, network)?;
        let mut machine = Machine::new(network, watcher, self.nodes.to_vec(), self.protocol());
        machine.set_algorithms(&self.options.algorithms);
        let mut ranks = program.ranks(arguments, count, self.options.stack_bytes as usize)?;
        let time = drive(&mut machine, &mut ranks)?;
        if let Some(note) = machine.unreceived() {
            eprintln!("{}", names::in_words_of_the_program(&note));
        }
        Ok(Ended { machine, time, switches: ranks.switches() })
    }

    fn protocol(&self) -> Protocol {
        let software = self.parameters.software();
        Protocol {
            send_overhead: from_seconds(software.send_overhead_s),
            receive_overhead: from_seconds(software.receive_overhead_s),
            put: from_seconds(software.put_s),
            memory_bytes_per_s: self.parameters.nic.memory_bytes_per_s.unwrap_or(f64::INFINITY),
            control_bytes: self.parameters.packet.control_bytes,
            eager_limit_bytes: self.options.eager_limit_bytes,
            zero_copy_limit_bytes: self.options.zero_copy_limit_bytes.unwrap_or(u64::MAX),
            delivered: self.options.payload == Payload::Delivered,
        }
    }

    /// What was counted, watched or not.
    fn performance<'e, N: Observer, P: Observer>(
        &self,
        ended: &'e Ended<N, P>,
        message_bytes: Option<u64>,
    ) -> Counted<'e> {
        let network = &ended.machine.transport;
        let channels = (0..self.fabric.channels()).filter(|&c| self.fabric.exists(c));
        let links = channels
            .map(|c| Carried { bytes: network.channel_bytes(c), busy: network.channel_busy(c) })
            .collect();
        let performance = Performance {
            message_bytes,
            program_time: ended.time,
            samples: ended.machine.samples.list(),
            messages: ended.machine.messages_sent(),
            payload_bytes: ended.machine.payload_bytes(),
            packets: network.packets(),
            packet_hops: network.packet_hops(),
            wire_bytes: network.wire_bytes(),
            coroutine_switches: ended.switches,
            ..Performance::default()
        };
        Counted { links, performance }
    }

    /// One simulation with its tables.
    fn watched(&self, source: &Source, (size, arguments): &Run) -> Result<Vec<Metric>, String> {
        let options = self.options;
        let series = options.wants(Table::Series).then(|| from_seconds(options.series_interval_s));
        let router = self.parameters.router();
        let watch = WatchNetwork {
            interval_ps: series,
            virtual_channels: router.virtual_channels,
            vc_buffer_bytes: router.vc_buffer_bytes,
        };
        let network = NetworkWatch::new(self.fabric, &watch)?;
        let watch = WatchProgram {
            interval_ps: series,
            messages: options.wants(Table::Messages),
            history: options.wants(Table::History),
        };
        let watcher = ProgramWatch::new(&watch, self.out, self.point_id, self.nodes)?;
        let program = self.load::<NetworkWatch, ProgramWatch>(source)?;
        let mut ended = self.simulate(&program, arguments, network, watcher)?;
        let end = ended.machine.transport.observer().end(ended.time);
        ended.machine.transport.observer_mut().finish(end);
        self.tables(&mut ended, end)?;
        let counted = self.performance(&ended, *size);
        let (network, program) = (ended.machine.transport.observer(), &ended.machine.observer);
        let performance = Performance {
            network_latency: Some(network.latencies()),
            communication_latency: Some(program.latencies()),
            links: &counted.links,
            ..counted.performance
        };
        Ok(performance.metrics())
    }

    /// Writes the tables that are asked for; what one of them could not hold goes to the log.
    fn tables(
        &self,
        ended: &mut Ended<NetworkWatch, ProgramWatch>,
        end: Time,
    ) -> Result<(), String> {
        let (out, id, fabric) = (self.out, self.point_id, self.fabric);
        let machine = &mut ended.machine;
        let mut notes = vec![];
        if self.options.wants(Table::Series) {
            let network = machine.transport.observer_mut();
            notes.push(tables::write_series(out, id, network, &mut machine.observer, end)?);
        }
        if self.options.wants(Table::Congestion) {
            let network = machine.transport.observer();
            let first = self.options.congestion_ports;
            tables::write_congestion(out, id, fabric, network, first, end)?;
        }
        if self.options.wants(Table::Links) {
            let network = &machine.transport;
            let carried = |channel| (network.channel_bytes(channel), network.channel_busy(channel));
            tables::write_links(out, id, fabric, carried, end)?;
        }
        notes.push(machine.observer.finish()?);
        for note in notes.into_iter().flatten() {
            eprintln!("{note}");
        }
        Ok(())
    }
}

/// Metrics refer to the channels' counts.
struct Counted<'e> {
    links: Vec<Carried>,
    performance: Performance<'e>,
}

impl Counted<'_> {
    fn metrics(&self) -> Vec<Metric> {
        Performance { links: &self.links, ..self.performance.clone() }.metrics()
    }
}
