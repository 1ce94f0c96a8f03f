//! Traffic patterns: the destination of a node's j-th message.
//!
//! Bit patterns follow Dally and Towles, "Principles and Practices of Interconnection Networks",
//! section 3.2. Digit patterns (`tornado`, `neighbor`) shift every digit of the node number.

use crate::{Destinations, Outstanding, Random};
use fabric::{Fabric, Node};
use serde::Deserialize;
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    Uniform,
    Transpose,
    Tornado,
    TornadoCeil,
    BitComplement,
    BitReverse,
    Shuffle,
    Neighbor,
    Hotspot,
    RandomPermutation,
    AllToAll,
    File,
}

/// What is said of every pattern, in the order of [`Pattern`]; the catalogue prints it.
pub const PATTERNS: [About; 12] = [
    About::new("uniform", "a node drawn for each message, all others alike", Rule::Drawn),
    About::new(
        "transpose",
        "the two halves of the bits of s change places",
        Rule::EvenBits(|s, width| s >> (width / 2) | s << (width / 2) & ((1 << width) - 1)),
    ),
    About::new(
        "tornado",
        "every digit: dᵢ = (sᵢ + ⌊kᵢ/2⌋ − 1) mod kᵢ, shift at least 0",
        Rule::Digits(|k| (k / 2).saturating_sub(1)),
    ),
    About::new(
        "tornado_ceil",
        "every digit: dᵢ = (sᵢ + ⌈kᵢ/2⌉ − 1) mod kᵢ",
        Rule::Digits(|k| k.div_ceil(2) - 1),
    ),
    About::new(
        "bit_complement",
        "dᵢ = 1 − sᵢ for every bit, so d = N − 1 − s",
        Rule::Bits(|s, width| !s & ((1 << width) - 1)),
    ),
    About::new(
        "bit_reverse",
        "dᵢ = sₙ₋₁₋ᵢ, with n bits",
        Rule::Bits(|s, width| s.reverse_bits().checked_shr(32 - width).unwrap_or(0)),
    ),
    About::new(
        "shuffle",
        "bits rotated left by one: d = 2s mod (N − 1), and N − 1 stays",
        Rule::Bits(|s, width| (s << 1 | s >> width.saturating_sub(1)) & ((1 << width) - 1)),
    ),
    About::new("neighbor", "every digit: dᵢ = (sᵢ + 1) mod kᵢ", Rule::Digits(|_| 1)),
    About::new(
        "hotspot",
        "with probability `hotspot_fraction` one of `hotspot_nodes`, all alike; else as `uniform`",
        Rule::Drawn,
    ),
    About::new(
        "random_permutation",
        "d = π(s), one permutation π drawn for the point",
        Rule::Drawn,
    ),
    About::new(
        "all_to_all",
        "s + 1, s + 2, …, s + N − 1, modulo N, in this order; `per_node` counts rounds",
        Rule::Drawn,
    ),
    About::new("file", "a list of your own", Rule::Listed),
];

/// What is said of one pattern.
#[derive(Debug, Clone, Copy)]
pub struct About {
    pub name: &'static str,
    /// Node d that receives a message of node s, of N nodes.
    pub receiver: &'static str,
    rule: Rule,
}

/// How a pattern finds the receiver of a node's message.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// From the sender's number and the number of its bits.
    Bits(fn(Node, u32) -> Node),
    /// The same where that number is even.
    EvenBits(fn(Node, u32) -> Node),
    /// By a shift of every digit, from its radix.
    Digits(fn(u32) -> u32),
    /// Message by message, or at random.
    Drawn,
    /// A file lists the messages.
    Listed,
}

impl About {
    const fn new(name: &'static str, receiver: &'static str, rule: Rule) -> Self {
        Self { name, receiver, rule }
    }

    /// What the nodes of the network must have, as one word.
    pub fn needs(&self) -> &'static str {
        match self.rule {
            Rule::Bits(_) => "power_of_two",
            Rule::EvenBits(_) => "even_power_of_two",
            Rule::Digits(_) => "digits",
            Rule::Drawn => "nothing",
            Rule::Listed => "file",
        }
    }
}

#[derive(Debug, Error, PartialEq)]
pub enum PatternError {
    #[error("pattern {0} needs an even power of two nodes (4, 16, 64, …), not {1}")]
    EvenPowerOfTwo(&'static str, u32),
    #[error("pattern {0} needs a power of two nodes, not {1}")]
    PowerOfTwo(&'static str, u32),
    #[error("pattern {0} needs node numbers with digits, which a {1} does not have")]
    Digits(&'static str, &'static str),
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

impl Pattern {
    /// What is said of the pattern.
    pub fn about(self) -> &'static About {
        &PATTERNS[self as usize]
    }

    /// Destination of each node, where a node always sends to the same one; else nothing.
    pub(crate) fn permutation(self, fabric: &Fabric) -> Result<Vec<Node>, PatternError> {
        let (name, nodes) = (self.about().name, fabric.hosts());
        let (width, of_bits) = (nodes.trailing_zeros(), nodes.is_power_of_two());
        match self.about().rule {
            Rule::Bits(_) if !of_bits => Err(PatternError::PowerOfTwo(name, nodes)),
            Rule::EvenBits(_) if !of_bits || width % 2 == 1 => {
                Err(PatternError::EvenPowerOfTwo(name, nodes))
            }
            Rule::Bits(rule) | Rule::EvenBits(rule) => {
                Ok((0..nodes).map(|s| rule(s, width)).collect())
            }
            Rule::Digits(shift) => {
                let missing = PatternError::Digits(name, fabric.about().kind);
                let sizes = fabric.digit_sizes().ok_or(missing)?;
                Ok((0..nodes).map(|s| shift_digits(s, &sizes, shift)).collect())
            }
            Rule::Drawn | Rule::Listed => Ok(vec![]),
        }
    }

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
        let mut random = Random::new(seed);
        let mut destinations = Destinations::new(self, fabric, choice, &mut random)?;
        let hosts = fabric.hosts();
        let each = self.messages_per_node(hosts, per_node);
        let mut dst = Vec::with_capacity(each as usize * hosts as usize);
        for src in 0..hosts {
            dst.extend((0..each).map(|_| destinations.draw_host(src, &mut random)));
        }
        Ok(dst)
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

impl Outstanding {
    /// Messages that a node with `messages` to send has under way at most.
    pub fn limit(self, messages: u32) -> u32 {
        match self {
            Outstanding::All => messages,
            Outstanding::AtMost(limit) => messages.min(limit),
        }
    }
}
