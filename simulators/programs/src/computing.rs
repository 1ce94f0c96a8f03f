//! Measures what programs compute between their calls, for later runs to charge.

use crate::engine::Engine;
use crate::job::{Job, Run};
use engine::{Metric, TableFile};
use mpi::Nobody;
use mpi::computing::{Charge, Meter, Times, to_bytes};
use ranks::Source;
use std::io::Write;

/// What the run answers beside its file: a point without any number counts as not answered.
const COMPUTED: engine::Measure = ("computed_time_s", "s");
/// How far the runs lie apart. Times that come from them are off by as much.
const SPREAD: engine::Measure = ("computed_spread_s", "s");

impl<E: Engine> Job<'_, E> {
    /// Runs the program `times` times for each message size, and writes the median of what it computes
    /// between calls to `compute-<point>.times`. Answers how long all ranks compute, and how far the runs
    /// lie apart.
    pub fn measure_computing(
        &self,
        sources: &[Source],
        runs: &[Run],
        times: u32,
    ) -> Result<Vec<Metric>, String> {
        let name = format!("compute-{}.times", self.point_id);
        let mut file = TableFile::create(self.out.join(name))?;
        let meter = Meter::of(self.running.compute)?;
        let programs = self.load(sources)?;
        let (mut found, mut rows) = (vec![], vec![]);
        for (size, teams) in runs {
            let measured = (0..times).map(|_| {
                let run = (&teams[..], self.nodes, Charge::Measured(meter.clone()));
                let machine = self.simulate(&programs, run, Nobody, Nobody)?.machine;
                Ok(machine.computing.found().unwrap_or_default())
            });
            let measured = measured.collect::<Result<Vec<_>, String>>()?;
            let times = Times::median(&measured)?;
            rows.push(Metric::of(COMPUTED, *size, times.sum_s()));
            rows.push(Metric::of(SPREAD, *size, Times::spread_s(&measured)));
            found.push(times);
        }
        let written = file.write_all(&to_bytes(&found)).and_then(|()| file.flush());
        written.map_err(|error| format!("computing times: {error}"))?;
        Ok(rows)
    }
}
