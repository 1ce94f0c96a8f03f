//! The table `calls-<point>.csv`: for each rank, how often it made each call and how long that took.

use crate::observer::Call;
use crate::time::{Time, to_seconds};
use engine::{Column, SideTable, TableFile};
use ranks::in_words_of_the_program;
use std::io::{BufWriter, Write};
use std::path::Path;

pub const CALLS: SideTable = SideTable::new(
    "calls",
    "rank and call",
    &[
        Column::integer("rank", "who calls"),
        Column::text("call", "as the program writes it; on hardware as MPI does"),
        Column::integer("count", "how often"),
        Column::number("time_s", "time in it: simulated, or that of the machine"),
        Column::number("waiting_s", "part of it in which the rank could not go on").optional(),
    ],
)
.about("A collective is one call. A machine does not know `waiting_s`.");

/// All calls of one name that a rank has made.
#[derive(Debug)]
struct Sum {
    name: &'static str,
    count: u64,
    time: Time,
    waited: Time,
}

#[derive(Debug)]
pub struct CallTable {
    writer: BufWriter<TableFile>,
    /// By rank. A rank makes few different calls, so a search beats a map.
    sums: Vec<Vec<Sum>>,
}

impl CallTable {
    pub fn create(out: &Path, point_id: &str, ranks: usize) -> Result<Self, String> {
        let writer = CALLS.create(out, point_id)?;
        Ok(Self { writer, sums: (0..ranks).map(|_| vec![]).collect() })
    }

    /// Adds a call of the program; those that a collective makes are part of it.
    pub fn add(&mut self, call: &Call) {
        if call.is_inner {
            return;
        }
        let sums = &mut self.sums[call.rank as usize];
        let place = sums.iter().position(|sum| sum.name == call.name).unwrap_or_else(|| {
            sums.push(Sum { name: call.name, count: 0, time: 0, waited: 0 });
            sums.len() - 1
        });
        let sum = &mut sums[place];
        sum.count += 1;
        sum.time += call.end - call.start;
        sum.waited += call.waited;
    }

    /// Writes the rows, by rank and in the order in which a rank made its first calls.
    pub fn finish(&mut self) -> Result<(), String> {
        for (rank, sums) in self.sums.iter().enumerate() {
            for Sum { name, count, time, waited } in sums {
                let name = in_words_of_the_program(name);
                let (time_s, waiting_s) = (to_seconds(*time), to_seconds(*waited));
                writeln!(self.writer, "{rank},{name},{count},{time_s},{waiting_s}")
                    .map_err(|error| failed(&error))?;
            }
        }
        self.writer.flush().map_err(|error| failed(&error))
    }
}

fn failed(error: &std::io::Error) -> String {
    format!("table calls: {error}")
}
