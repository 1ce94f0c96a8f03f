//! The simulations of one point: one per message size, or one per rate of a search.

use crate::machine::Machine;
use crate::measure::{MessageLog, Meter};
use crate::metrics::{
    CYCLE, FLIT_ROUTER_VISITS, MAKESPAN, MAKESPAN_CYCLES, Measures, PACKET_LATENCY,
    SIMULATED_CYCLES,
};
use crate::options::Options;
use crate::run::{
    Network, Occupancy, Pace, Probe, Series, Steady, SteadyPlan, Window, run_closed, saturation,
};
use crate::tables::{self, BUFFERS, OpenMessages};
use crate::traffic::{Arrivals, ClosedList, OpenLoop, Source};
use engine::{LINKS, MESSAGES, Metric, NODES, SERIES, SideTable, TableFile};
use programs::LINK_FLOWS;
use std::io::{BufWriter, Write};
use std::path::Path;
use workload::{Injection, ListSpec, Outstanding, Search};

/// Collects metrics and tables.
pub struct Study<'a> {
    point_id: &'a str,
    out: &'a Path,
    options: &'a Options,
    seed: u64,
    metrics: Vec<Metric>,
    messages: Option<BufWriter<TableFile>>,
    /// Messages of all sizes are numbered on.
    first_id: u64,
}

fn failed(error: std::io::Error) -> String {
    format!("writing a table: {error}")
}

impl<'a> Study<'a> {
    pub fn new(
        point_id: &'a str,
        out: &'a Path,
        options: &'a Options,
        seed: u64,
    ) -> Result<Self, String> {
        let messages = match options.tables.has(&MESSAGES) {
            true => Some(MESSAGES.create(out, point_id)?),
            false => None,
        };
        Ok(Self { point_id, out, options, seed, metrics: vec![], messages, first_id: 0 })
    }

    /// All metrics, when all tables are written.
    pub fn finish(mut self) -> Result<Vec<Metric>, String> {
        if let Some(writer) = &mut self.messages {
            writer.flush().map_err(failed)?;
        }
        Ok(self.metrics)
    }

    fn pace<'n>(&self, machine: &'n Machine, network: &'n mut dyn Network) -> Pace<'n> {
        let interval = self.options.series_interval_cycles;
        Pace {
            network,
            series: self.options.tables.has(&SERIES).then(|| Series::new(interval)),
            occupancy: self.options.tables.has(&BUFFERS).then(Occupancy::default),
            flows_on: self.options.tables.has(&LINKS).then_some(machine.wiring.channel.as_slice()),
            longest_latency_cycles: machine.longest_latency_cycles(),
        }
    }

    /// A closed list or a trace.
    pub fn closed(
        &mut self,
        machine: &Machine,
        list: &ListSpec,
        outstanding: Outstanding,
        size: Option<u64>,
    ) -> Result<(), String> {
        let mut messages = list.messages(machine.fabric, self.seed).map_err(|e| e.to_string())?;
        if let Some(bytes) = size {
            messages.set_bytes(bytes);
        }
        let times = (machine.cycle_s, machine.latency_cycles);
        let list = ClosedList::new(messages, outstanding, machine.cut, times, machine.interfaces());
        let meter = Meter::new(machine.wiring.nodes());
        let mut network = machine.start(Source::Closed(list), meter)?;
        let mut pace = self.pace(machine, &mut *network);
        let window = run_closed(&mut pace, self.options.max_cycles)?;
        self.tables(machine, &pace, &window)?;
        let mut measures = Measures::new(size);
        if let Source::Closed(list) = network.source() {
            let (end, end_cycles) = list.end();
            measures.push(MAKESPAN, end as f64 * list.tick_s());
            measures.push(MAKESPAN_CYCLES, end_cycles as f64);
        }
        let meter = network.meter();
        measures.push_latency(PACKET_LATENCY, &meter.created.packet_latency);
        measures.push_packets(&meter.created, &meter.flit_latency);
        measures.push_utilisation(&window, &machine.wiring, &machine.parameters.links);
        if let Source::Closed(list) = network.source() {
            let times = (0..list.messages().len() as u32).filter_map(|m| list.times(m));
            let mut times_s: Vec<f64> =
                times.map(|(issued, end)| (end - issued) as f64 * list.tick_s()).collect();
            measures.push_message_times(&mut times_s);
            if let Some(writer) = &mut self.messages {
                tables::list_messages(writer, list, self.first_id).map_err(failed)?;
                self.first_id += list.messages().len() as u64;
            }
        }
        measures.push(FLIT_ROUTER_VISITS, network.flit_router_visits() as f64);
        measures.push(SIMULATED_CYCLES, window.end as f64);
        measures.push(CYCLE, machine.cycle_s);
        self.metrics.append(&mut measures.metrics);
        Ok(())
    }

    /// Traffic at one rate, or the search for the largest.
    pub fn open(
        &mut self,
        machine: &Machine,
        list: &ListSpec,
        injection: &Injection,
        bytes: u64,
    ) -> Result<(), String> {
        let mut measures = Measures::new(Some(bytes));
        let (mut visits, mut cycles) = (0, 0);
        if injection.search == Some(Search::Saturation) {
            let found = saturation(injection.rate, |rate, windows| {
                let injection = Injection { rate, ..*injection };
                let mut network = self.sources(machine, list, &injection, bytes)?;
                let mut pace = self.pace(machine, &mut *network);
                let mut plan = self.plan(machine, &injection, bytes);
                plan.measure_cycles *= windows;
                let steady = plan.run(&mut pace)?;
                visits += network.flit_router_visits();
                cycles += network.now();
                let accepted_rate = steady.window.rate(&steady.window.ejected_flits);
                let Steady { saturated, left_over, .. } = steady;
                Ok(Probe { saturated, left_over, accepted_rate })
            })?;
            measures.push_saturation(&found);
        } else {
            let mut network = self.sources(machine, list, injection, bytes)?;
            let mut pace = self.pace(machine, &mut *network);
            let steady = self.plan(machine, injection, bytes).run(&mut pace)?;
            self.tables(machine, &pace, &steady.window)?;
            self.open_messages(machine, &*network, &steady, bytes)?;
            measures.push_steady(&steady, injection.rate);
            measures.push_utilisation(&steady.window, &machine.wiring, &machine.parameters.links);
            visits = network.flit_router_visits();
            cycles = network.now();
        }
        measures.push(FLIT_ROUTER_VISITS, visits as f64);
        measures.push(SIMULATED_CYCLES, cycles as f64);
        measures.push(CYCLE, machine.cycle_s);
        self.metrics.append(&mut measures.metrics);
        Ok(())
    }

    /// A network whose sources offer `injection`.
    fn sources(
        &self,
        machine: &Machine,
        list: &ListSpec,
        injection: &Injection,
        bytes: u64,
    ) -> Result<Box<dyn Network>, String> {
        let destinations =
            list.destinations(machine.fabric, self.seed).map_err(|e| e.to_string())?;
        let nodes = machine.fabric.nodes();
        let arrivals = self.arrivals(machine, injection, bytes);
        let (messages, interfaces) = ((machine.cut, bytes), machine.interfaces());
        let open = OpenLoop::new(nodes, arrivals, destinations, messages, interfaces, self.seed);
        let mut meter = Meter::new(machine.wiring.nodes());
        meter.log = self.messages.is_some().then(MessageLog::default);
        machine.start(Source::Open(open), meter)
    }

    /// Creation times; none at rate 1, where every source always has a message waiting.
    fn arrivals(&self, machine: &Machine, injection: &Injection, bytes: u64) -> Option<Arrivals> {
        let flits = machine.cut.flits(bytes);
        let (nodes, start) = (machine.fabric.nodes(), machine.latency_cycles);
        (injection.rate < 1.0).then(|| Arrivals::new(nodes, injection, flits, start, self.seed))
    }

    fn plan(&self, machine: &Machine, injection: &Injection, bytes: u64) -> SteadyPlan {
        let cut = machine.cut;
        let message_flits = cut.flits(bytes);
        SteadyPlan {
            arrivals: self.arrivals(machine, injection, bytes),
            message_flits,
            packets_per_message: cut.packets(message_flits),
            burst_messages: injection.burst_messages.unwrap_or(1.0),
            warmup_cycles: self.options.warmup_cycles,
            measure_cycles: self.options.measure_cycles,
            drain_cycles: self.options.drain_cycles,
            confidence: self.options.confidence,
        }
    }

    fn open_messages(
        &mut self,
        machine: &Machine,
        network: &dyn Network,
        steady: &Steady,
        bytes: u64,
    ) -> Result<(), String> {
        let (Some(writer), Some(log)) = (&mut self.messages, &network.meter().log) else {
            return Ok(());
        };
        let common = OpenMessages {
            bytes,
            flits: machine.cut.flits(bytes),
            cycle_s: machine.cycle_s,
            latency_cycles: machine.latency_cycles,
        };
        let logged = log.messages();
        tables::open_messages(writer, logged, &steady.window, common, self.first_id)
            .map_err(failed)?;
        self.first_id += logged.len() as u64;
        Ok(())
    }

    /// The tables of the window that are asked for.
    fn tables(&self, machine: &Machine, pace: &Pace, window: &Window) -> Result<(), String> {
        let Machine { fabric, wiring, flit_bytes, cycle_s, .. } = machine;
        type Rows<'r> = &'r dyn Fn(&mut BufWriter<TableFile>) -> std::io::Result<()>;
        let write = |table: &SideTable, rows: Rows| {
            let mut writer = table.create(self.out, self.point_id)?;
            rows(&mut writer).and_then(|()| writer.flush()).map_err(failed)
        };
        if self.options.tables.has(&LINKS) {
            write(&LINKS, &|writer| {
                tables::links(
                    writer,
                    (fabric, &machine.parameters.links),
                    wiring,
                    window,
                    *flit_bytes,
                    *cycle_s,
                )
            })?;
        }
        if let Some(flows) = &window.flows {
            let file = LINK_FLOWS.create(self.out, self.point_id)?;
            let note = flows.write(file, fabric, *flit_bytes)?;
            note.into_iter().for_each(|note| eprintln!("{note}"));
        }
        if self.options.tables.has(&NODES) {
            write(&NODES, &|writer| tables::nodes(writer, window))?;
        }
        if let Some(occupancy) = &pace.occupancy {
            let capacity = machine.router.vc_buffer_flits;
            write(&BUFFERS, &|writer| {
                tables::buffers(writer, fabric, wiring, window, occupancy, capacity)
            })?;
        }
        if let Some(series) = &pace.series {
            write(&SERIES, &|writer| {
                tables::series(writer, &series.intervals, wiring.nodes(), *cycle_s)
            })?;
        }
        Ok(())
    }
}
