//! The `workload` part of a point: which collective a program is, and how it is measured.

use crate::algorithms::{ALGORITHMS, ELEMENT_BYTES, Multicast, named, set_up, to_group};
use crate::options::Options;
use crate::rules::{Sizes, chosen};
use crate::schedule::{Schedule, Way};
use engine::Measure;
use serde::Deserialize;

engine::metrics! {
    /// Every metric that a point may have.
    METRICS:
    PROGRAM_TIME = "program_time_s", "s";
    COLLECTIVE_TIME = "collective_time_s", "s";
    PAIRWISE_TIME = "pairwise_time_s", "s";
    MULTICAST_TIME = "multicast_time_s", "s";
    ONE_WAY_TIME = "one_way_time_s", "s";
    EXCHANGE_TIME = "exchange_time_s", "s";
    STEPS = "steps", "1";
    COLLECTIVE_MESSAGES = "collective_messages", "1";
    COLLECTIVE_BYTES = "collective_bytes", "B";
}

/// A program, and the collective that all of it is.
const WHOLE: [(&str, &str, &str); 4] = [
    ("allreduce_recursive_doubling", "allreduce", "recursive_doubling"),
    ("alltoall_bruck", "alltoall", "bruck"),
    ("alltoall_pairwise", "alltoall", "pairwise"),
    ("alltoall_ring", "alltoall", "ring"),
];
const PINGPONG: &str = "pingpong";
const MULTICAST: &str = "group_multicast";

/// Every program with a formula.
pub fn programs() -> Vec<&'static str> {
    let collectives = ALGORITHMS.iter().map(|(name, _)| *name);
    let whole = WHOLE.iter().map(|(name, _, _)| *name);
    let mut all: Vec<&str> = collectives.chain(whole).chain([PINGPONG, MULTICAST]).collect();
    all.sort_unstable();
    all
}

/// What a program times.
pub type Timed = (Measure, Schedule);

#[derive(Debug, Deserialize)]
pub struct Workload {
    kind: String,
    #[serde(default)]
    program: String,
    #[serde(default)]
    ranks: u64,
    message_bytes: Option<Vec<u64>>,
    arguments: Option<Vec<String>>,
}

/// So many ranks and bytes keep all products within their types.
const MOST_RANKS: u64 = 1 << 24;
const MOST_BYTES: u64 = 1 << 38;

impl Workload {
    /// Refuses what has no formula.
    ///
    /// # Errors
    /// Says what has one.
    pub fn check(&self) -> Result<(), String> {
        if self.kind != "program" {
            let kind = &self.kind;
            return Err(format!("the model engine answers the workload kind program, not {kind}"));
        }
        if !programs().contains(&self.program.as_str()) {
            let known = programs().join(", ");
            return Err(format!("there is no formula for '{}'; known: {known}", self.program));
        }
        if !(1..=MOST_RANKS).contains(&self.ranks) {
            return Err(format!("ranks is {}, must be within 1..{MOST_RANKS}", self.ranks));
        }
        if self.program == PINGPONG && self.ranks != 2 {
            return Err(format!("pingpong runs with 2 ranks, not with {}", self.ranks));
        }
        let sizes = self.message_bytes.iter().flatten();
        if let Some(bytes) = sizes.copied().find(|bytes| *bytes > MOST_BYTES) {
            return Err(format!("message_bytes is {bytes}, must be at most {MOST_BYTES}"));
        }
        if self.program != "barrier" && self.message_bytes.as_ref().is_none_or(Vec::is_empty) {
            return Err(format!("{} needs a message_size", self.program));
        }
        Ok(())
    }

    /// The sizes to answer; one without a size where the program has none.
    pub fn sizes(&self) -> Vec<Option<u64>> {
        match &self.message_bytes {
            Some(sizes) => sizes.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// What the program times at a size, the most important first.
    ///
    /// # Errors
    /// Says which algorithm or argument has no formula.
    pub fn timed(&self, options: &Options, bytes: u64) -> Result<Vec<Timed>, String> {
        let arguments = self.arguments();
        if self.program == MULTICAST {
            return self.multicast(&arguments, bytes);
        }
        if let Some(first) = arguments.first() {
            return Err(format!("there is no formula for {} with '{first}'", self.program));
        }
        if self.program == PINGPONG {
            let message = |way| Schedule::about(bytes).then(way, 1, bytes).sending(1, bytes);
            return Ok(vec![
                (ONE_WAY_TIME, message(Way::Send)),
                (EXCHANGE_TIME, message(Way::Exchange).sending(1, bytes)),
            ]);
        }
        if let Some((_, collective, algorithm)) = WHOLE.iter().find(|row| row.0 == self.program) {
            return Ok(vec![(PROGRAM_TIME, self.schedule(collective, algorithm, bytes)?)]);
        }
        let collective = self.program.as_str();
        let option = options.algorithm(collective).unwrap_or(first_of(collective));
        let elements = elements(collective, bytes);
        let sizes = Sizes { elements, bytes, ranks: self.ranks };
        let schedule = self.schedule(collective, chosen(option, collective, sizes)?, bytes)?;
        Ok(match collective {
            "barrier" => vec![(PROGRAM_TIME, schedule)],
            "alltoall" => vec![
                (COLLECTIVE_TIME, schedule.copying(bytes)),
                (PAIRWISE_TIME, self.schedule(collective, "pairwise", bytes)?.copying(bytes)),
            ],
            _ => vec![(COLLECTIVE_TIME, schedule)],
        })
    }

    /// With the set-up of the group, and without.
    fn multicast(&self, arguments: &[&str], bytes: u64) -> Result<Vec<Timed>, String> {
        let number = |text: &str| text.parse::<u64>().ok();
        let (how, members) = match arguments {
            [how] => (*how, Some(self.ranks)),
            [how, "0"] => (*how, Some(self.ranks)),
            [how, members] => (*how, number(members)),
            _ => ("", None),
        };
        let members = members.filter(|count| (2..=self.ranks).contains(count));
        let which = match how {
            "ring" => Some(Multicast::Ring),
            "all" => members.map(Multicast::Hybrid),
            d => number(d).filter(|d| *d > 0).map(Multicast::Hybrid),
        };
        let (Some(which), Some(members)) = (which, members) else {
            return Err(format!(
                "there is no formula for {MULTICAST} with {arguments:?}; known: ring, all or d, \
                 then at most how many of the {} ranks are members",
                self.ranks
            ));
        };
        let message = to_group(which, members, bytes)?;
        let both = Schedule::about(bytes)
            .followed_by(set_up(members, self.ranks))
            .followed_by(message.clone());
        Ok(vec![(MULTICAST_TIME, both), (COLLECTIVE_TIME, message)])
    }

    /// Those after the size.
    fn arguments(&self) -> Vec<&str> {
        let given = self.arguments.iter().flatten().map(String::as_str);
        given.filter(|word| *word != "{message_bytes}").collect()
    }

    fn schedule(&self, collective: &str, algorithm: &str, bytes: u64) -> Result<Schedule, String> {
        if let ("allreduce", Some((first, second))) = (collective, algorithm.split_once('+')) {
            let reduce = self.schedule("reduce", first, bytes)?;
            return Ok(reduce.followed_by(self.schedule("bcast", second, bytes)?));
        }
        let formula = named(collective, algorithm).ok_or_else(|| {
            let choices = ALGORITHMS.iter().filter(|(name, _)| *name == collective);
            let known: Vec<&str> =
                choices.flat_map(|(_, all)| all.iter().map(|one| one.0)).collect();
            let known = known.join(", ");
            format!("there is no formula for {collective} by '{algorithm}'; known: {known}")
        })?;
        let schedule = formula(self.ranks, bytes);
        // A rank alone sends nothing, whatever the formula says.
        let alone = self.ranks == 1;
        Ok(if alone { Schedule::about(schedule.whole_bytes) } else { schedule })
    }
}

/// As the collectives of `mgen.h` count them; only a rule for reductions and broadcasts asks.
fn elements(collective: &str, bytes: u64) -> u64 {
    match collective {
        "bcast" => bytes,
        "reduce" | "allreduce" => bytes / ELEMENT_BYTES,
        _ => 0,
    }
}

fn first_of(collective: &str) -> &'static str {
    let mut all = ALGORITHMS.iter();
    all.find(|(name, _)| *name == collective).map_or("", |(_, choices)| choices[0].0)
}
