//! Which node each rank runs on.

use crate::options::{Options, RankToNode};
use fabric::Node;
use std::path::Path;
use workload::Random;

/// The node of every rank.
///
/// # Errors
/// When the nodes do not hold so many ranks, or the file is wrong.
pub fn place(options: &Options, ranks: u32, nodes: u32, seed: u64) -> Result<Vec<Node>, String> {
    let each = options.ranks_per_node;
    if let (RankToNode::File, Some(path)) = (options.rank_to_node, &options.rank_file) {
        return read(path, ranks, nodes);
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
        RankToNode::Linear => rank % used,
        _ => rank / each,
    };
    Ok((0..ranks).map(|rank| order[place(rank) as usize]).collect())
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
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
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
            Some(Some(_)) => return Err(format!("{at}: rank {rank} is there already")),
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
