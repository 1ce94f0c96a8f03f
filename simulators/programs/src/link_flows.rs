//! Which pairs of nodes used each channel most.

use engine::{Column, SideTable, TableFile};
use fabric::{Channel, End, Fabric, Node};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufWriter, Write};

pub const LINK_FLOWS: SideTable = SideTable::new(
    "link_flows",
    "link and pair of nodes",
    &[
        Column::text("link", "as in `links`"),
        Column::text("source", "node that sends, as in `links`"),
        Column::text("destination", "node that receives"),
        Column::number("bytes", "of this pair on this link, in the time that `links` counts"),
    ],
)
.about(
    "It has the three pairs with most on each link. A point in which more than 2,097,152 pairs of links and \
     nodes occur has no rows, and its log says so.",
)
.beside("links");

pub const JOB_LINKS: SideTable = SideTable::new(
    "job_links",
    "link and job of a workload `jobs`",
    &[
        Column::text("link", "as in `links`"),
        Column::integer("job", "counted from 1"),
        Column::number("bytes", "of this job on this link"),
        Column::number("other_bytes", "of the other jobs"),
    ],
)
.about("Links that one job alone uses have no rows. It has none where `link_flows` has none.")
.beside("links");

/// Pairs of each channel in the table.
const MOST_OF_A_CHANNEL: usize = 3;
/// Entries of all channels together. More would take 100 MB, for a table that says little: so many pairs
/// share the channels about equally.
const MOST: usize = 1 << 21;

/// What each pair of nodes sent over each channel. It counts in whatever is given: bytes, or flits.
#[derive(Debug, Clone, Default)]
pub struct LinkFlows {
    counts: HashMap<(Channel, Node, Node), u64>,
    are_too_many: bool,
}

impl LinkFlows {
    pub fn add(&mut self, channel: Channel, (source, destination): (Node, Node), count: u64) {
        if self.are_too_many {
            return;
        }
        *self.counts.entry((channel, source, destination)).or_default() += count;
        if self.counts.len() > MOST {
            *self = Self { counts: HashMap::new(), are_too_many: true };
        }
    }

    /// Adds all of another one, each count times `each`.
    pub fn add_all(&mut self, other: Self, each: u64) {
        self.are_too_many |= other.are_too_many;
        for ((channel, source, destination), count) in other.counts {
            self.add(channel, (source, destination), count * each);
        }
    }

    /// Writes the table `link_flows`, whose file has its header: of each channel the pairs with most, `each`
    /// bytes for a count. Without any, and with a note, if there were too many pairs.
    ///
    /// # Errors
    /// Says why it could not be written.
    pub fn write(
        &self,
        mut writer: BufWriter<TableFile>,
        fabric: &Fabric,
        each: f64,
    ) -> Result<Option<String>, String> {
        let mut write = || {
            let name = |node| fabric.end_name(End::Node(node));
            for (channel, source, destination, count) in self.most() {
                let (from, to, bytes) = (name(source), name(destination), count as f64 * each);
                writeln!(writer, "{},{from},{to},{bytes}", fabric.name(channel))?;
            }
            writer.flush()
        };
        write().map_err(|e: io::Error| format!("table link_flows: {e}"))?;
        Ok(self.are_too_many.then(|| {
            format!("link_flows: no rows, because more than {MOST} pairs of nodes and links occur")
        }))
    }

    /// Writes the table `job_links`, whose file has its header: of each channel that several jobs use, the
    /// bytes of each of them and those of the others. `job_of` gives the job of a node. Without any row
    /// where there were too many pairs.
    ///
    /// # Errors
    /// Says why it could not be written.
    pub fn write_shared(
        &self,
        mut writer: BufWriter<TableFile>,
        fabric: &Fabric,
        job_of: impl Fn(Node) -> Option<usize>,
    ) -> Result<(), String> {
        let mut write = || {
            for (channel, jobs) in self.shared(&job_of) {
                let all: u64 = jobs.values().sum();
                for (job, bytes) in jobs {
                    let (link, others) = (fabric.name(channel), all - bytes);
                    writeln!(writer, "{link},{},{bytes},{others}", job + 1)?;
                }
            }
            writer.flush()
        };
        write().map_err(|e: io::Error| format!("table job_links: {e}"))
    }

    /// What each job sent over each channel that several use.
    fn shared(
        &self,
        job_of: impl Fn(Node) -> Option<usize>,
    ) -> BTreeMap<Channel, BTreeMap<usize, u64>> {
        let mut found: BTreeMap<Channel, BTreeMap<usize, u64>> = BTreeMap::new();
        for (&(channel, source, _), &bytes) in &self.counts {
            if let Some(job) = job_of(source) {
                *found.entry(channel).or_default().entry(job).or_default() += bytes;
            }
        }
        found.retain(|_, jobs| jobs.len() > 1);
        found
    }

    /// The pairs with most of each channel: first the one with most, equal ones by their numbers.
    fn most(&self) -> Vec<(Channel, Node, Node, u64)> {
        let mut all: Vec<_> = self.counts.iter().map(|(&(c, s, d), &n)| (c, s, d, n)).collect();
        all.sort_unstable_by_key(|&(channel, source, destination, count)| {
            (channel, Reverse(count), source, destination)
        });
        let mut kept: Vec<(Channel, Node, Node, u64)> = vec![];
        for flow in all {
            let before = kept.len().checked_sub(MOST_OF_A_CHANNEL).map(|place| kept[place].0);
            if before != Some(flow.0) {
                kept.push(flow);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_channel_the_three_with_most_are_kept_largest_first() {
        let mut flows = LinkFlows::default();
        for (channel, pair, count) in [
            (7, (0, 1), 5),
            (7, (2, 1), 9),
            (7, (0, 1), 5),
            (7, (4, 1), 9),
            (7, (3, 1), 1),
            (2, (9, 8), 1),
        ] {
            flows.add(channel, pair, count);
        }
        let expected = [(2, 9, 8, 1), (7, 0, 1, 10), (7, 2, 1, 9), (7, 4, 1, 9)];
        assert_eq!(flows.most(), expected);
    }

    #[test]
    fn of_each_channel_that_several_jobs_use_each_job_has_its_bytes() {
        let mut flows = LinkFlows::default();
        for (channel, pair, count) in
            [(3, (0, 1), 5), (3, (1, 0), 6), (3, (2, 3), 7), (4, (0, 1), 8), (5, (9, 0), 1)]
        {
            flows.add(channel, pair, count);
        }
        let found = flows.shared(|node| (node < 4).then_some(node as usize / 2));
        assert_eq!(found, BTreeMap::from([(3, BTreeMap::from([(0, 11), (1, 7)]))]));
    }

    #[test]
    fn too_many_pairs_leave_nothing_and_take_no_memory() {
        let mut flows = LinkFlows::default();
        for pair in 0..=MOST as u32 {
            flows.add(0, (pair, 0), 1);
        }
        flows.add(1, (0, 0), 1);
        assert!(flows.are_too_many && flows.most().is_empty() && flows.counts.capacity() == 0);
    }
}
