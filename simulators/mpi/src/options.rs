//! The options of a point that say how its program runs, and checks of them.

use crate::Protocol;
use crate::computing::Charge;
use crate::files::FileOptions;
use crate::placement::Placing;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Whether messages carry the program's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    Delivered,
    /// Buffers are neither read nor written.
    Sizes,
}

/// What computing between calls costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compute {
    /// What the program declares (`MGEN_Comp`); everything else is free.
    #[default]
    Declared,
    /// The processor time that it took while a run noted it.
    Measured,
    /// The same; of sampled loops only the first passes run.
    Sampled,
    /// The instructions that a run counted, each of which takes `compute_factor` nanoseconds.
    Scaled,
}

/// Collectives with a choice of algorithms, and the choices of each; the first one is the default.
pub const ALGORITHMS: [(&str, &[&str]); 8] = [
    ("barrier", &["dissemination", "ring", "recursive_doubling", "tree", "linear"]),
    (
        "bcast",
        &[
            "binomial",
            "scatter_allgather",
            "scatter_ring_allgather",
            "linear",
            "chain",
            "binary",
            "split_binary",
            "knomial",
        ],
    ),
    ("reduce", &["binomial", "linear", "chain", "binary", "in_order_binary", "rabenseifner"]),
    ("allreduce", &["recursive_doubling", "ring", "rabenseifner", "reduce_bcast", "linear"]),
    ("gather", &["binomial", "linear"]),
    ("scatter", &["binomial", "linear", "linear_nonblocking"]),
    ("allgather", &["ring", "recursive_doubling", "bruck", "neighbor_exchange"]),
    ("alltoall", &["pairwise", "bruck", "ring", "linear", "scattered"]),
];

/// The libraries whose choice an option may name (`programs/lib/libraries.c`).
pub const LIBRARIES: [&str; 2] = ["mpich", "openmpi"];

/// How a program runs, on any network.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    pub payload: Payload,
    pub eager_limit_bytes: u64,
    /// From this size on, a rendezvous needs no copies.
    pub zero_copy_limit_bytes: Option<u64>,
    #[serde(flatten)]
    pub placing: Placing,
    pub stack_bytes: u64,
    /// CPU time that a rank may run without a call.
    pub loop_limit_s: f64,
    /// Of each collective: its algorithm, a library that chooses, or rules.
    #[serde(skip)]
    pub algorithms: Vec<(String, String)>,
    #[serde(default)]
    pub compute: Compute,
    /// The times of computing that was measured are multiplied by this.
    #[serde(default = "one")]
    pub compute_factor: f64,
    /// Where those times are; the planner's option says `measured`, and a job adds the file.
    pub compute_times: Option<PathBuf>,
    /// Instead of metrics, writes those times, each the median of so many runs.
    pub compute_runs: Option<u32>,
    /// What computing costs, in a run.
    #[serde(skip)]
    pub charge: Charge,
    #[serde(flatten)]
    pub files: FileOptions,
    /// Metrics that the engine measures itself.
    #[serde(skip)]
    pub measured: Vec<String>,
}

fn one() -> f64 {
    1.0
}

impl Options {
    /// Reads these options and checks each by itself. Other keys may stand beside them.
    pub fn read(map: &Map<String, Value>) -> Result<Self, String> {
        let read = Self::deserialize(Value::Object(map.clone()));
        let mut options = read.map_err(|e| format!("options: {e}"))?;
        options.placing.check()?;
        options.files.check()?;
        if !(options.loop_limit_s.is_finite() && options.loop_limit_s > 0.0) {
            return Err(format!("loop_limit_s is {}, must be above 0", options.loop_limit_s));
        }
        let factor = options.compute_factor;
        if !(factor.is_finite() && factor > 0.0) {
            return Err(format!("compute_factor is {factor}, must be above 0"));
        }
        if options.compute_runs == Some(0) {
            return Err("compute_runs is 0, must be at least 1".into());
        }
        let has_times = options.compute_times.is_some() || options.compute_runs.is_some();
        if options.compute != Compute::Declared && !has_times {
            return Err("computing that was measured needs compute_times, what was measured".into());
        }
        options.algorithms = algorithms(map)?;
        Ok(options)
    }

    /// The protocol of `costs` with the limits of these options.
    pub fn protocol(&self, costs: Protocol) -> Protocol {
        Protocol {
            eager_limit_bytes: self.eager_limit_bytes,
            zero_copy_limit_bytes: self.zero_copy_limit_bytes.unwrap_or(u64::MAX),
            delivered: self.payload == Payload::Delivered,
            ..costs
        }
    }
}

/// How each collective chooses its algorithm; the first one where the option is absent.
fn algorithms(map: &Map<String, Value>) -> Result<Vec<(String, String)>, String> {
    let chosen = ALGORITHMS.iter().map(|(collective, choices)| {
        let key = format!("{collective}_algorithm");
        let chosen = match map.get(&key) {
            None | Some(Value::Null) => choices[0],
            Some(value) => value.as_str().unwrap_or_default(),
        };
        let known = |name: &str| choices.contains(&name);
        match known(chosen) || LIBRARIES.contains(&chosen) || are_rules(chosen, known) {
            true => Ok((collective.to_string(), chosen.to_string())),
            false => Err(format!(
                "{key} is {}, must be one of {}, {}, or rules like `bytes<=2048: {}; {}`",
                map[&key],
                choices.join(", "),
                LIBRARIES.join(", "),
                choices[0],
                choices[choices.len() - 1],
            )),
        }
    });
    chosen.collect()
}

/// Whether a text holds rules that always choose: `bytes<=2048 ranks<=8: a; b`, as
/// `programs/lib/choose.c` reads them.
fn are_rules(text: &str, known: impl Fn(&str) -> bool) -> bool {
    let rules: Vec<(&str, &str)> =
        text.split("; ").map(|rule| rule.split_once(": ").unwrap_or(("", rule))).collect();
    let bounded = |condition: &str| {
        let bound = condition.strip_prefix("bytes<=").or(condition.strip_prefix("ranks<="));
        bound.is_some_and(|bound| bound.parse::<u64>().is_ok())
    };
    let (last, others) = rules.split_last().expect("a split text has a part");
    last.0.is_empty()
        && rules.iter().all(|(_, name)| known(name))
        && others.iter().all(|(conditions, _)| conditions.split(' ').all(bounded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(key: &str, value: Value) -> Result<Options, String> {
        let mut options = json!({
            "payload": "delivered", "eager_limit_bytes": 16384, "zero_copy_limit_bytes": null,
            "rank_to_node": "linear", "ranks_per_node": 1, "stack_bytes": 65536,
            "loop_limit_s": 30.0,
        });
        options[key] = value;
        Options::read(options.as_object().unwrap())
    }

    #[test]
    fn algorithms_have_a_default_and_errors_name_the_right_ones() {
        let options = read("barrier_algorithm", json!("ring")).unwrap();
        assert_eq!(options.algorithms[0], ("barrier".into(), "ring".into()));
        assert_eq!(options.algorithms[1], ("bcast".into(), "binomial".into()));
        let error = read("gather_algorithm", json!("ring")).unwrap_err();
        let wanted = "gather_algorithm is \"ring\", must be one of binomial, linear, mpich, openmpi, or \
             rules like `bytes<=2048: binomial; linear`";
        assert_eq!(error, wanted);
    }

    #[test]
    fn rules_end_with_an_algorithm_for_everything_else() {
        let rules = "bytes<=2048 ranks<=8: binomial; ranks<=64: linear; binomial";
        assert_eq!(read("gather_algorithm", json!(rules)).unwrap().algorithms[4].1, rules);
        for wrong in [
            "bytes<=1: linear",
            "bytes: linear; binomial",
            "linear; binomial",
            "x<=1: linear; binomial",
            "bytes<=1: ring; binomial",
            "bytes<=1: linear; ",
        ] {
            assert!(read("gather_algorithm", json!(wrong)).is_err(), "{wrong}");
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let words = ["delivered", "sizes", "linear", "file", "ring", "mpich", ""];
        prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            prop::sample::select(words.to_vec()).prop_map(Value::from),
            Just(json!([1])),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Whatever an option holds, it is refused with its name, or a program can run with it.
        #[test]
        fn any_option_is_read_or_refused(
            key in prop::sample::select(vec![
                "payload", "eager_limit_bytes", "zero_copy_limit_bytes", "rank_to_node",
                "ranks_per_node", "rank_file", "stack_bytes", "loop_limit_s", "alltoall_algorithm",
                "files", "storage_latency_s", "storage_bandwidth_bytes_per_s",
            ]),
            value in any_value()
        ) {
            match read(key, value) {
                Ok(options) => {
                    prop_assert!(options.placing.ranks_per_node > 0 && options.loop_limit_s > 0.0);
                    for ((_, chosen), (_, choices)) in options.algorithms.iter().zip(ALGORITHMS) {
                        prop_assert!(choices.contains(&chosen.as_str()) || chosen == "mpich");
                    }
                    options.protocol(Protocol::default());
                }
                Err(error) => prop_assert!(
                    error.starts_with("options: ") || error.contains(key), "{}", error
                ),
            }
        }
    }

    #[test]
    fn a_rank_file_is_needed_where_ranks_are_placed_by_it() {
        assert!(read("rank_to_node", json!("file")).unwrap_err().contains("needs a rank_file"));
    }
}
