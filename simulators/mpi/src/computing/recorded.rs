//! Computing times of a program, as a file holds them and as one run of the program made them.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    /// Of each rank, in the order of its calls. Those of its first thread, if it has several.
    pub ranks: Vec<Vec<Stretch>>,
    /// The same of further threads, by rank and number.
    pub threads: BTreeMap<(u32, u32), Vec<Stretch>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    weft_compute: u32,
    calls: Vec<String>,
    /// Of each run and rank: the number of stretches.
    runs: Vec<Vec<u64>>,
    /// Of each run: rank, number and stretches of further threads. Empty if no rank has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    threads: Vec<Vec<(u32, u32, u64)>>,
}

impl Times {
    /// Of each stretch the median of several runs.
    ///
    /// # Errors
    /// When the runs did not make the same calls.
    pub fn median(runs: &[Self]) -> Result<Self, String> {
        let Some(first) = runs.first() else { return Ok(Self::default()) };
        let mut found = first.clone();
        let further: BTreeSet<_> = runs.iter().flat_map(|run| run.threads.keys()).collect();
        let firsts = (0..first.ranks.len() as u32).map(|rank| (rank, 0));
        for (rank, thread) in firsts.chain(further.into_iter().copied()) {
            let calls = &mut found.calls;
            let all = runs.iter().map(|run| renamed(run.of(rank, thread), &run.calls, calls));
            let all: Vec<_> = all.collect();
            let all: Vec<_> = all.iter().map(|stretches| split(stretches)).collect();
            *found.of_mut(rank, thread) = of_rank(&all).map_err(|call| {
                let name = match thread {
                    0 => format!("rank {rank}"),
                    _ => format!("rank {rank}, thread {thread}"),
                };
                format!(
                    "{name} made other calls in another run of the same program, from its call \
                     {call} on: what it does depends on the time, so its computing cannot be \
                     measured in one run and used in another"
                )
            })?;
        }
        Ok(found)
    }

    /// The stretches of a thread; none if there is no such thread.
    pub fn of(&self, rank: u32, thread: u32) -> &[Stretch] {
        match thread {
            0 => &self.ranks[rank as usize],
            _ => self.threads.get(&(rank, thread)).map_or(&[], |stretches| stretches),
        }
    }

    pub(super) fn of_mut(&mut self, rank: u32, thread: u32) -> &mut Vec<Stretch> {
        match thread {
            0 => &mut self.ranks[rank as usize],
            _ => self.threads.entry((rank, thread)).or_default(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Vec<Stretch>> {
        self.ranks.iter().chain(self.threads.values())
    }

    /// The time of all stretches of all ranks.
    pub fn sum_s(&self) -> f64 {
        self.all().flatten().map(|stretch| stretch.ns as f64 * 1e-9).sum()
    }

    /// Half of the range of several runs. The range of n independent runs holds the median of all runs
    /// with a chance of 1 - 2 (1/2)^n, whatever their distribution: 94 % for five (Conover, Practical
    /// Nonparametric Statistics, section 3.2). Of each run the thread counts that computes longest,
    /// because others wait for it.
    pub fn spread_s(runs: &[Self]) -> f64 {
        let longest = runs.iter().map(|run| {
            let thread_ns = |stretches: &Vec<Stretch>| stretches.iter().map(|each| each.ns).sum();
            run.all().map(thread_ns).max().unwrap_or(0)
        });
        let (quickest, slowest) = (longest.clone().min(), longest.max());
        (slowest.unwrap_or(0) - quickest.unwrap_or(0)) as f64 * 0.5e-9
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

/// The bytes of a file: a line of JSON, then 12 bytes for each stretch, in the order of runs, ranks and
/// further threads.
pub fn to_bytes(runs: &[Times]) -> Vec<u8> {
    let mut calls: Vec<String> = vec![];
    let mut body: Vec<Stretch> = vec![];
    for run in runs {
        run.all().for_each(|each| body.extend(renamed(each, &run.calls, &mut calls)));
    }
    let length = |stretches: &Vec<Stretch>| stretches.len() as u64;
    let counts = |run: &Times| run.ranks.iter().map(length).collect();
    let further = |run: &Times| {
        run.threads.iter().map(|(&(rank, thread), each)| (rank, thread, length(each))).collect()
    };
    let have_threads = runs.iter().any(|run| !run.threads.is_empty());
    let header = Header {
        weft_compute: FORM,
        calls,
        runs: runs.iter().map(counts).collect(),
        threads: runs.iter().filter(|_| have_threads).map(further).collect(),
    };
    let mut bytes = serde_json::to_vec(&header).expect("numbers and texts");
    bytes.push(b'\n');
    for stretch in body {
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
    let further = &header.threads;
    if header.weft_compute != FORM || ![0, header.runs.len()].contains(&further.len()) {
        return Err(no_file());
    }
    let body = &bytes[end + 1..];
    let counts = header.runs.iter().flatten();
    let counts = counts.chain(further.iter().flatten().map(|(_, _, count)| count));
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
    for (run, counts) in header.runs.iter().enumerate() {
        let mut next = |count: u64| -> Result<Vec<Stretch>, String> {
            let found: Vec<Stretch> = stretches.by_ref().take(count as usize).collect();
            match found.iter().all(|stretch| (stretch.call as usize) < known) {
                true => Ok(found),
                false => Err("it has a call without a name".into()),
            }
        };
        let ranks = counts.iter().map(|&count| next(count)).collect::<Result<_, _>>()?;
        let of_run = header.threads.get(run).into_iter().flatten();
        let threads = of_run.map(|&(rank, thread, count)| Ok(((rank, thread), next(count)?)));
        let threads = threads.collect::<Result<_, String>>()?;
        runs.push(Times { calls: header.calls.clone(), ranks, threads });
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
mod tests;
