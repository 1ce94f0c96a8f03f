//! Computing times of a program, as a file holds them and as one run of the program made them.

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The number of this form of a file.
const FORM: u32 = 1;
/// Bytes of a stretch in a file: nanoseconds and call.
const STRETCH_BYTES: usize = 12;
/// In a file, marks a call that tests.
const TESTS: u32 = 1 << 31;

/// What a rank computed before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The place of the call's name in [`Times::calls`].
    pub call: u32,
    /// Whether the call only tests or probes. How often a rank does so depends on the network.
    pub tests: bool,
    pub ns: u64,
}

/// One run of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Times {
    /// Names of calls.
    pub calls: Vec<String>,
    /// Of each rank, in the order of its calls.
    pub ranks: Vec<Vec<Stretch>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    weft_compute: u32,
    calls: Vec<String>,
    /// Of each run and rank: the number of stretches.
    runs: Vec<Vec<u64>>,
}

impl Times {
    /// Of each stretch the median of several runs.
    ///
    /// # Errors
    /// When the runs did not make the same calls.
    pub fn median(runs: &[Self]) -> Result<Self, String> {
        let Some((first, others)) = runs.split_first() else { return Ok(Self::default()) };
        let mut found = first.clone();
        for (rank, stretches) in found.ranks.iter_mut().enumerate() {
            let calls = &mut found.calls;
            let others = others.iter().map(|run| renamed(&run.ranks[rank], &run.calls, calls));
            let all: Vec<_> = [stretches.clone()].into_iter().chain(others).collect();
            let all: Vec<_> = all.iter().map(|stretches| split(stretches)).collect();
            *stretches = of_rank(&all).map_err(|call| {
                format!(
                    "rank {rank} made other calls in another run of the same program, from its call \
                     {call} on: what it does depends on the time, so its computing cannot be \
                     measured in one run and used in another"
                )
            })?;
        }
        Ok(found)
    }

    /// The time of all stretches of all ranks.
    pub fn sum_s(&self) -> f64 {
        self.ranks.iter().flatten().map(|stretch| stretch.ns as f64 * 1e-9).sum()
    }

    /// The name of a call.
    pub fn name(&self, call: u32) -> &str {
        &self.calls[call as usize]
    }
}

/// The same stretches with calls numbered as in `calls`, which grows.
fn renamed(stretches: &[Stretch], from: &[String], calls: &mut Vec<String>) -> Vec<Stretch> {
    let numbers: Vec<u32> = from
        .iter()
        .map(|name| {
            let known = calls.iter().position(|known| known == name);
            known.unwrap_or_else(|| {
                calls.push(name.clone());
                calls.len() - 1
            }) as u32
        })
        .collect();
    stretches
        .iter()
        .map(|stretch| Stretch { call: numbers[stretch.call as usize], ..*stretch })
        .collect()
}

/// What a rank does between two calls that act: its tests, then the call.
fn split(stretches: &[Stretch]) -> Vec<(&[Stretch], Stretch)> {
    stretches
        .split_inclusive(|stretch| !stretch.tests)
        .filter_map(|part| part.split_last().map(|(last, tests)| (tests, *last)))
        .collect()
}

/// The medians of one rank; the number of the first call in which the runs differ.
fn of_rank(runs: &[Vec<(&[Stretch], Stretch)>]) -> Result<Vec<Stretch>, usize> {
    let (most, least) = (runs.iter().map(Vec::len).max(), runs.iter().map(Vec::len).min());
    let mut found = vec![];
    for place in 0..least.unwrap_or(0) {
        let (_, act) = runs[0][place];
        if runs.iter().any(|run| run[place].1.call != act.call) {
            return Err(place + 1);
        }
        // Tests are those of the run that tested most; later ones are in fewer runs.
        let tests = runs.iter().map(|run| run[place].0).max_by_key(|tests| tests.len());
        for (number, test) in tests.unwrap_or_default().iter().enumerate() {
            let times = runs.iter().filter_map(|run| run[place].0.get(number));
            found.push(Stretch { ns: middle(times.map(|stretch| stretch.ns)), ..*test });
        }
        let ns = middle(runs.iter().map(|run| run[place].1.ns));
        found.push(Stretch { ns, ..act });
    }
    match most == least {
        true => Ok(found),
        false => Err(least.unwrap_or(0) + 1),
    }
}

/// The median; of an even number of times the lower of the two in the middle.
fn middle(times: impl Iterator<Item = u64>) -> u64 {
    let mut times: Vec<u64> = times.collect();
    times.sort_unstable();
    times.get(times.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// The bytes of a file: a line of JSON, then 12 bytes for each stretch, in the order of runs and ranks.
pub fn to_bytes(runs: &[Times]) -> Vec<u8> {
    let mut calls: Vec<String> = vec![];
    let runs: Vec<Vec<Vec<Stretch>>> = runs
        .iter()
        .map(|run| run.ranks.iter().map(|rank| renamed(rank, &run.calls, &mut calls)).collect())
        .collect();
    let counts = |run: &Vec<Vec<Stretch>>| run.iter().map(|rank| rank.len() as u64).collect();
    let header = Header { weft_compute: FORM, calls, runs: runs.iter().map(counts).collect() };
    let mut bytes = serde_json::to_vec(&header).expect("numbers and texts");
    bytes.push(b'\n');
    for stretch in runs.iter().flatten().flatten() {
        let tests = if stretch.tests { TESTS } else { 0 };
        bytes.extend(stretch.ns.to_le_bytes());
        bytes.extend((stretch.call | tests).to_le_bytes());
    }
    bytes
}

/// The runs in the bytes of a file.
///
/// # Errors
/// When the file is cut, longer, or no such file.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<Times>, String> {
    let no_file = || "it is no file of computing times of this version".to_string();
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(no_file)?;
    let header: Header = serde_json::from_slice(&bytes[..end]).map_err(|_| no_file())?;
    if header.weft_compute != FORM {
        return Err(no_file());
    }
    let body = &bytes[end + 1..];
    let counts = header.runs.iter().flatten();
    let count = counts.fold(0_u64, |sum, &count| sum.saturating_add(count));
    if count.saturating_mul(STRETCH_BYTES as u64) != body.len() as u64 {
        return Err(format!(
            "it holds {} bytes for {count} stretches of computing, which is not {STRETCH_BYTES} each",
            body.len()
        ));
    }
    let known = header.calls.len();
    let mut stretches = body.chunks_exact(STRETCH_BYTES).map(|chunk| {
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let (low, high) = (u64::from(word(&chunk[..4])), u64::from(word(&chunk[4..8])));
        let marked = word(&chunk[8..]);
        Stretch { call: marked & !TESTS, tests: marked & TESTS != 0, ns: high << 32 | low }
    });
    let mut runs = vec![];
    for counts in &header.runs {
        let mut ranks = vec![];
        for &count in counts {
            let rank: Vec<Stretch> = stretches.by_ref().take(count as usize).collect();
            if rank.iter().any(|stretch| stretch.call as usize >= known) {
                return Err("it has a call without a name".into());
            }
            ranks.push(rank);
        }
        runs.push(Times { calls: header.calls.clone(), ranks });
    }
    Ok(runs)
}

/// Numbers of calls by their names.
#[derive(Debug, Default)]
pub struct Numbers(HashMap<&'static str, u32>);

impl Numbers {
    /// The number of a name, which is `new()` when it is asked for the first time.
    #[inline]
    pub fn of(&mut self, name: &'static str, new: impl FnOnce() -> u32) -> u32 {
        *self.0.entry(name).or_insert_with(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stretch(call: u32, tests: bool, ns: u64) -> Stretch {
        Stretch { call, tests, ns }
    }

    fn run(calls: &[&str], stretches: &[Stretch]) -> Times {
        let calls = calls.iter().map(ToString::to_string).collect();
        Times { calls, ranks: vec![stretches.to_vec()] }
    }

    /// Call, whether it tests, and time of each stretch of each rank.
    fn by_name(run: &Times) -> Vec<Vec<(&str, bool, u64)>> {
        let named = |stretch: &Stretch| (run.name(stretch.call), stretch.tests, stretch.ns);
        run.ranks.iter().map(|rank| rank.iter().map(named).collect()).collect()
    }

    #[test]
    fn a_stretch_takes_the_median_of_the_runs_whatever_their_numbers_of_calls() {
        let runs = [
            run(&["Send", "Recv"], &[stretch(0, false, 10), stretch(1, false, 7)]),
            run(&["Recv", "Send"], &[stretch(1, false, 30), stretch(0, false, 9)]),
            run(&["Send", "Recv"], &[stretch(0, false, 20), stretch(1, false, 8)]),
        ];
        let expected = run(&["Send", "Recv"], &[stretch(0, false, 20), stretch(1, false, 8)]);
        assert_eq!(Times::median(&runs), Ok(expected));
    }

    #[test]
    fn runs_may_differ_in_how_often_they_test_and_in_nothing_else() {
        let once = run(&["Test", "Wait"], &[stretch(0, true, 4), stretch(1, false, 6)]);
        let tests = [stretch(0, true, 2), stretch(0, true, 5), stretch(1, false, 8)];
        let expected = [stretch(0, true, 2), stretch(0, true, 5), stretch(1, false, 6)];
        let twice = run(&["Test", "Wait"], &tests);
        let found = Times::median(&[once.clone(), twice]).unwrap();
        assert_eq!(found, run(&["Test", "Wait"], &expected));
        let other = run(&["Test", "Send"], &[stretch(1, false, 1)]);
        let error = Times::median(&[once.clone(), other]).unwrap_err();
        assert!(error.contains("from its call 1 on"), "{error}");
        let longer = [stretch(1, false, 1), stretch(1, false, 1)];
        let error = Times::median(&[once, run(&["Test", "Wait"], &longer)]).unwrap_err();
        assert!(error.contains("from its call 2 on"), "{error}");
    }

    #[test]
    fn a_cut_file_is_refused() {
        let bytes = to_bytes(&[run(&["Send"], &[stretch(0, false, 1 << 40)])]);
        assert!(from_bytes(&bytes[..bytes.len() - 1]).unwrap_err().contains("for 1 stretches"));
        assert!(from_bytes(&bytes[..9]).unwrap_err().contains("no file of computing times"));
        let mut wrong = bytes.clone();
        *wrong.last_mut().unwrap() = 1;
        assert!(from_bytes(&wrong).unwrap_err().contains("without a name"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_file_holds_what_was_written(
            ranks in prop::collection::vec(
                prop::collection::vec((0_u32..2, any::<bool>(), any::<u64>()), 0..4), 0..4
            )
        ) {
            let ranks = ranks.iter().map(|rank| {
                rank.iter().map(|&(call, tests, ns)| stretch(call, tests, ns)).collect()
            });
            let run = Times { calls: vec!["a".into(), "b".into()], ranks: ranks.collect() };
            let read = from_bytes(&to_bytes(&[run.clone(), run.clone()])).unwrap();
            prop_assert_eq!(read.iter().map(by_name).collect::<Vec<_>>(), vec![by_name(&run); 2]);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = from_bytes(&bytes);
        }
    }
}
