//! Traffic patterns: the destination of a node's j-th message.
//!
//! Bit patterns follow Dally and Towles, "Principles and Practices of Interconnection Networks",
//! section 3.2. Digit patterns (`tornado`, `neighbor`) shift every digit of the node number.

use crate::{Outstanding, Random};
use fabric::{Fabric, Node};
use serde::Deserialize;
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// A random node, drawn per message; the sender itself only with `include_self`.
    Uniform,
    /// The halves of the node number's bits swapped.
    Transpose,
    /// Every digit plus `floor(k/2) - 1`, modulo its radix `k`.
    Tornado,
    /// Every digit plus `ceil(k/2) - 1`, modulo its radix `k`.
    TornadoCeil,
    /// Every bit inverted.
    BitComplement,
    /// The bits in reverse order.
    BitReverse,
    /// The bits rotated left by one.
    Shuffle,
    /// Every digit plus 1, modulo its radix.
    Neighbor,
    /// With probability `hotspot_fraction` one of `hotspot_nodes`, else as `uniform`.
    Hotspot,
    /// One random permutation for all messages; it may map nodes to themselves.
    RandomPermutation,
    /// The other nodes in the order s+1, s+2, …; one message each and per round.
    AllToAll,
    /// Messages from a CSV file.
    File,
}

impl Pattern {
    pub const NAMES: [&'static str; 12] = [
        "uniform",
        "transpose",
        "tornado",
        "tornado_ceil",
        "bit_complement",
        "bit_reverse",
        "shuffle",
        "neighbor",
        "hotspot",
        "random_permutation",
        "all_to_all",
        "file",
    ];
}

#[derive(Debug, Error, PartialEq)]
pub enum PatternError {
    #[error("pattern transpose needs an even power of two nodes (4, 16, 64, …), not {0}")]
    EvenPowerOfTwo(u32),
    #[error("pattern {0} needs a power of two nodes, not {1}")]
    PowerOfTwo(&'static str, u32),
    #[error("pattern {0} needs node numbers with digits: a mesh, torus or fat tree")]
    Digits(&'static str),
    #[error("pattern {0} needs at least 2 nodes")]
    TwoNodes(&'static str),
    #[error("pattern hotspot needs hotspot_nodes within 0..{0} and hotspot_fraction within 0..1")]
    Hotspot(u32),
}

/// What the patterns `uniform` and `hotspot` need besides the fabric.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    pub include_self: bool,
    pub hotspot_nodes: Vec<Node>,
    pub hotspot_fraction: f64,
}

fn bits(name: &'static str, nodes: u32) -> Result<u32, PatternError> {
    if nodes.is_power_of_two() {
        Ok(nodes.trailing_zeros())
    } else {
        Err(PatternError::PowerOfTwo(name, nodes))
    }
}

fn shift_digits(node: Node, sizes: &[u32], shift: impl Fn(u32) -> u32) -> Node {
    let (mut rest, mut stride, mut shifted) = (node, 1, 0);
    for &size in sizes {
        shifted += (rest % size + shift(size)) % size * stride;
        rest /= size;
        stride *= size;
    }
    shifted
}

fn permute(
    nodes: u32,
    count: u32,
    dst: &mut Vec<Node>,
    permutation: impl Fn(Node) -> Node,
) -> Result<(), PatternError> {
    for src in 0..nodes {
        dst.extend(std::iter::repeat_n(permutation(src), count as usize));
    }
    Ok(())
}

impl Pattern {
    /// Messages that one node sends for `per_node`.
    pub fn messages_per_node(self, nodes: u32, per_node: u32) -> u64 {
        match self {
            Pattern::AllToAll => u64::from(per_node) * u64::from(nodes.saturating_sub(1)),
            _ => u64::from(per_node),
        }
    }

    /// Destinations of all messages, node by node.
    pub fn destinations(
        self,
        fabric: &Fabric,
        per_node: u32,
        choice: &Choice,
        seed: u64,
    ) -> Result<Vec<Node>, PatternError> {
        let nodes = fabric.nodes();
        let mut dst =
            Vec::with_capacity((self.messages_per_node(nodes, per_node) as usize) * nodes as usize);
        let mut random = Random::new(seed);
        let digits = |name| fabric.digit_sizes().ok_or(PatternError::Digits(name));
        match self {
            Pattern::Uniform => {
                if nodes < 2 && !choice.include_self {
                    return Err(PatternError::TwoNodes("uniform without include_self"));
                }
                for src in 0..nodes {
                    dst.extend((0..per_node).map(|_| uniform(src, nodes, choice, &mut random)));
                }
                Ok(())
            }
            Pattern::Hotspot => {
                let valid = choice.hotspot_nodes.iter().all(|&node| node < nodes)
                    && !choice.hotspot_nodes.is_empty()
                    && (0.0..=1.0).contains(&choice.hotspot_fraction);
                if !valid {
                    return Err(PatternError::Hotspot(nodes));
                }
                if nodes < 2 && !choice.include_self {
                    return Err(PatternError::TwoNodes("hotspot without include_self"));
                }
                let hot = &choice.hotspot_nodes;
                for src in 0..nodes {
                    dst.extend((0..per_node).map(|_| {
                        if random.fraction() < choice.hotspot_fraction {
                            hot[random.below(hot.len() as u32) as usize]
                        } else {
                            uniform(src, nodes, choice, &mut random)
                        }
                    }));
                }
                Ok(())
            }
            Pattern::Transpose => {
                let width = nodes.trailing_zeros();
                if !nodes.is_power_of_two() || width % 2 == 1 {
                    return Err(PatternError::EvenPowerOfTwo(nodes));
                }
                let half = width / 2;
                permute(nodes, per_node, &mut dst, |s| s >> half | s << half & (nodes - 1))
            }
            Pattern::Tornado => {
                let sizes = digits("tornado")?;
                permute(nodes, per_node, &mut dst, |s| {
                    shift_digits(s, &sizes, |k| (k / 2).saturating_sub(1))
                })
            }
            Pattern::TornadoCeil => {
                let sizes = digits("tornado_ceil")?;
                permute(nodes, per_node, &mut dst, |s| {
                    shift_digits(s, &sizes, |k| k.div_ceil(2) - 1)
                })
            }
            Pattern::Neighbor => {
                let sizes = digits("neighbor")?;
                permute(nodes, per_node, &mut dst, |s| shift_digits(s, &sizes, |_| 1))
            }
            Pattern::BitComplement => {
                bits("bit_complement", nodes)?;
                permute(nodes, per_node, &mut dst, |s| !s & (nodes - 1))
            }
            Pattern::BitReverse => {
                let width = bits("bit_reverse", nodes)?;
                permute(nodes, per_node, &mut dst, |s| {
                    if width == 0 {
                        s
                    } else {
                        s.reverse_bits() >> (32 - width)
                    }
                })
            }
            Pattern::Shuffle => {
                let width = bits("shuffle", nodes)?.max(1);
                permute(nodes, per_node, &mut dst, |s| (s << 1 | s >> (width - 1)) & (nodes - 1))
            }
            Pattern::RandomPermutation => {
                let mut shuffled: Vec<Node> = (0..nodes).collect();
                for last in (1..nodes).rev() {
                    shuffled.swap(last as usize, random.below(last + 1) as usize);
                }
                permute(nodes, per_node, &mut dst, |s| shuffled[s as usize])
            }
            Pattern::AllToAll => {
                for src in 0..nodes {
                    for _ in 0..per_node {
                        dst.extend((src + 1..nodes).chain(0..src));
                    }
                }
                Ok(())
            }
            Pattern::File => Ok(()),
        }?;
        Ok(dst)
    }
}

fn uniform(src: Node, nodes: u32, choice: &Choice, random: &mut Random) -> Node {
    if choice.include_self {
        return random.below(nodes);
    }
    let drawn = random.below(nodes - 1);
    drawn + u32::from(drawn >= src)
}

impl Outstanding {
    /// Messages that a node with `messages` to send has under way at most.
    pub fn limit(self, messages: u32) -> u32 {
        match self {
            Outstanding::All => messages,
            Outstanding::AtMost(limit) => messages.min(limit),
        }
    }
}
