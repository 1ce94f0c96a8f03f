//! Chooses the node of each rank.

use fabric::Node;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use workload::Random;

/// Which node a rank runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankToNode {
    /// Neighbours share a node: rank r runs on node r / `ranks_per_node`.
    Block,
    /// In turn: rank r runs on node r modulo the number of nodes.
    Linear,
    /// As `Block`, on nodes in random order.
    Random,
    /// As the file says.
    File,
    /// As `rank_nodes` says: where the ranks of a measurement ran.
    Measured,
}

/// The options that place ranks.
#[derive(Debug, Clone, Deserialize)]
pub struct Placing {
    pub rank_to_node: RankToNode,
    pub ranks_per_node: u32,
    #[serde(default)]
    pub rank_file: Option<PathBuf>,
    /// The node of each rank; the job writes it for `Measured`.
    #[serde(default)]
    pub rank_nodes: Option<Vec<Node>>,
}

impl Placing {
    /// Says what an option lacks.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.ranks_per_node == 0 {
            return Err("ranks_per_node is 0, must be at least 1".into());
        }
        match self.rank_to_node {
            RankToNode::File if self.rank_file.is_none() => {
                Err("rank_to_node file needs a rank_file".into())
            }
            RankToNode::Measured if self.rank_nodes.is_none() => {
                Err("rank_to_node measured needs rank_nodes, where a measurement ran".into())
            }
            _ => Ok(()),
        }
    }
}

/// The node of every rank.
///
/// # Errors
/// When an option is missing, there are more ranks than the nodes hold, or the file is wrong.
pub fn place(options: &Placing, ranks: u32, nodes: u32, seed: u64) -> Result<Vec<Node>, String> {
    options.check()?;
    let each = options.ranks_per_node;
    if let (RankToNode::File, Some(path)) = (options.rank_to_node, &options.rank_file) {
        return read(path, ranks, nodes);
    }
    if let (RankToNode::Measured, Some(given)) = (options.rank_to_node, &options.rank_nodes) {
        return measured(given, ranks, nodes);
    }
    let used = ranks.div_ceil(each);
    if used > nodes {
        return Err(format!(
            "{ranks} ranks do not fit on {nodes} nodes with ranks_per_node {each}; needed: \
             ranks_per_node {}",
            ranks.div_ceil(nodes)
        ));
    }
    let order = match options.rank_to_node {
        RankToNode::Random => shuffled(nodes, seed),
        _ => (0..nodes).collect(),
    };
    let place = |rank: u32| match options.rank_to_node {
        RankToNode::Linear => rank % nodes,
        _ => rank / each,
    };
    Ok((0..ranks).map(|rank| order[place(rank) as usize]).collect())
}

/// The nodes on which a measurement ran.
fn measured(given: &[Node], ranks: u32, nodes: u32) -> Result<Vec<Node>, String> {
    if given.len() != ranks as usize {
        return Err(format!("rank_nodes has {} entries for {ranks} ranks", given.len()));
    }
    match given.iter().find(|&&node| node >= nodes) {
        Some(node) => Err(format!("rank_nodes has node {node}, must be below {nodes}")),
        None => Ok(given.to_vec()),
    }
}

/// All nodes in random order (Fisher and Yates).
fn shuffled(nodes: u32, seed: u64) -> Vec<Node> {
    let mut random = Random::new(seed);
    let mut order: Vec<Node> = (0..nodes).collect();
    for left in (2..=nodes).rev() {
        order.swap(left as usize - 1, random.below(left) as usize);
    }
    order
}

/// A CSV file with the header `rank,node` and a line for every rank, in any order.
fn read(path: &Path, ranks: u32, nodes: u32) -> Result<Vec<Node>, String> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    parse(&name, &text, ranks, nodes)
}

/// Parses the text of the file called `name`.
fn parse(name: &str, text: &str, ranks: u32, nodes: u32) -> Result<Vec<Node>, String> {
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line.trim());
    if header.split(',').map(str::trim).ne(["rank", "node"]) {
        return Err(format!("{name}:1: header is {header:?}, must be rank,node"));
    }
    let mut placed: Vec<Option<Node>> = vec![None; ranks as usize];
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let at = format!("{name}:{}", number + 1);
        let (rank, node) =
            numbers(line).ok_or_else(|| format!("{at}: must be two numbers, rank,node"))?;
        if node >= nodes {
            return Err(format!("{at}: node is {node}, must be below {nodes}"));
        }
        match placed.get_mut(rank as usize) {
            None => return Err(format!("{at}: rank is {rank}, must be below {ranks}")),
            Some(Some(_)) => return Err(format!("{at}: rank {rank} has a line already")),
            Some(place) => *place = Some(node),
        }
    }
    let missing = placed.iter().position(Option::is_none);
    match missing {
        Some(rank) => Err(format!("{name}: rank {rank} is missing")),
        None => Ok(placed.into_iter().flatten().collect()),
    }
}

fn numbers(line: &str) -> Option<(u32, u32)> {
    let (rank, node) = line.split_once(',')?;
    Some((rank.trim().parse().ok()?, node.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn placed(kind: &str, each: u32, ranks: u32, nodes: u32) -> Result<Vec<Node>, String> {
        let options = json!({ "rank_to_node": kind, "ranks_per_node": each });
        place(&serde_json::from_value(options).unwrap(), ranks, nodes, 7)
    }

    #[test]
    fn block_fills_nodes_and_linear_goes_round_them() {
        assert_eq!(placed("block", 2, 5, 3).unwrap(), [0, 0, 1, 1, 2]);
        assert_eq!(placed("linear", 2, 5, 3).unwrap(), [0, 1, 2, 0, 1]);
    }

    #[test]
    fn random_is_a_permutation_that_is_not_the_identity() {
        let mut nodes = placed("random", 1, 64, 64).unwrap();
        assert_ne!(nodes, (0..64).collect::<Vec<_>>());
        nodes.sort_unstable();
        assert_eq!(nodes, (0..64).collect::<Vec<_>>());
    }

    #[test]
    fn measured_ranks_stand_where_the_measurement_ran() {
        let read = |nodes: serde_json::Value| {
            let options =
                json!({ "rank_to_node": "measured", "ranks_per_node": 1, "rank_nodes": nodes });
            place(&serde_json::from_value(options).unwrap(), 3, 8, 7)
        };
        assert_eq!(read(json!([6, 1, 6])).unwrap(), [6, 1, 6]);
        assert_eq!(read(json!([6, 1])).unwrap_err(), "rank_nodes has 2 entries for 3 ranks");
        assert!(read(json!([6, 1, 8])).unwrap_err().ends_with("must be below 8"));
        assert!(read(json!(null)).unwrap_err().contains("needs rank_nodes"));
    }

    #[test]
    fn an_error_about_too_many_ranks_names_what_would_hold_them() {
        let error = placed("linear", 1, 5, 2).unwrap_err();
        assert!(error.ends_with("needed: ranks_per_node 3"), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Whatever a file holds, there is a node for each rank or a sentence with the file's name.
        #[test]
        fn any_file_is_read_or_refused(lines in "(rank,node\n)?([0-9 ,.-]{0,6}\n){0,4}[^\u{0}]{0,8}") {
            match parse("ranks.csv", &lines, 2, 4) {
                Ok(nodes) => prop_assert!(nodes.len() == 2 && nodes.iter().all(|&node| node < 4)),
                Err(error) => prop_assert!(error.starts_with("ranks.csv:"), "{}", error),
            }
        }

        #[test]
        fn a_file_of_all_ranks_in_any_order_is_read(
            nodes in prop::collection::vec(0_u32..9, 1..20), turn in 0_usize..20
        ) {
            let mut lines: Vec<String> =
                nodes.iter().enumerate().map(|(rank, node)| format!(" {rank} ,{node}\n")).collect();
            let count = lines.len();
            lines.rotate_left(turn % count);
            let text = format!("rank, node\n{}", lines.concat());
            prop_assert_eq!(parse("ranks.csv", &text, count as u32, 9), Ok(nodes));
        }
    }

    #[test]
    fn a_file_names_every_rank_once_and_errors_name_the_line() {
        let path = std::env::temp_dir().join(format!("weft-ranks-{}.csv", std::process::id()));
        let read_text = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(&path, 2, 4)
        };
        assert_eq!(read_text("rank,node\n1,3\n0,2\n"), Ok(vec![2, 3]));
        for (text, expected) in [
            ("node,rank\n", "csv:1: header"),
            ("rank,node\n0,4\n", "csv:2: node is 4, must be below 4"),
            ("rank,node\n0,1\n0,2\n", "csv:3: rank 0 has a line already"),
            ("rank,node\n0,1\n", "csv: rank 1 is missing"),
        ] {
            let error = read_text(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
