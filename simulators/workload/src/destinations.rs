//! Draws destinations, one message after the other.

use crate::Random;
use crate::pattern::{Choice, Pattern, PatternError};
use fabric::{Fabric, Node, Rails};

/// Where the next message of a node goes.
#[derive(Debug, Clone)]
pub struct Destinations {
    /// Of hosts, where nodes are their rails.
    nodes: u32,
    rails: Option<Rails>,
    rule: Rule,
}

#[derive(Debug, Clone)]
enum Rule {
    /// One destination per source.
    Fixed(Vec<Node>),
    Uniform {
        include_self: bool,
    },
    Hotspot {
        include_self: bool,
        hot: Vec<Node>,
        fraction: f64,
    },
    /// Messages drawn so far, per source.
    InTurn(Vec<u32>),
}

fn shuffled(nodes: u32, random: &mut Random) -> Vec<Node> {
    let mut order: Vec<Node> = (0..nodes).collect();
    for last in (1..nodes).rev() {
        order.swap(last as usize, random.below(last + 1) as usize);
    }
    order
}

#[inline]
fn uniform(src: Node, nodes: u32, include_self: bool, random: &mut Random) -> Node {
    if include_self {
        return random.below(nodes);
    }
    let drawn = random.below(nodes - 1);
    drawn + u32::from(drawn >= src)
}

impl Destinations {
    /// Fails if the pattern does not fit the fabric. A permutation is drawn here, from `random`.
    pub fn new(
        pattern: Pattern,
        fabric: &Fabric,
        choice: &Choice,
        random: &mut Random,
    ) -> Result<Self, PatternError> {
        let nodes = fabric.hosts();
        let others = nodes > 1 || choice.include_self;
        let include_self = choice.include_self;
        let rule = match pattern {
            Pattern::Uniform if others => Rule::Uniform { include_self },
            Pattern::Uniform => return Err(PatternError::TwoNodes("uniform without include_self")),
            Pattern::Hotspot => {
                let valid = choice.hotspot_nodes.iter().all(|&node| node < nodes)
                    && !choice.hotspot_nodes.is_empty()
                    && (0.0..=1.0).contains(&choice.hotspot_fraction);
                if !valid {
                    return Err(PatternError::Hotspot(nodes));
                }
                if !others {
                    return Err(PatternError::TwoNodes("hotspot without include_self"));
                }
                let (hot, fraction) = (choice.hotspot_nodes.clone(), choice.hotspot_fraction);
                Rule::Hotspot { include_self, hot, fraction }
            }
            Pattern::RandomPermutation => Rule::Fixed(shuffled(nodes, random)),
            Pattern::AllToAll => Rule::InTurn(vec![0; nodes as usize]),
            _ => Rule::Fixed(pattern.permutation(fabric)?),
        };
        Ok(Self { nodes, rails: fabric.rails().cloned(), rule })
    }

    /// Destination of the next message of `src`; what is random comes from `random`. A message leaves and
    /// arrives by rails of the same place.
    #[inline]
    pub fn draw(&mut self, src: Node, random: &mut Random) -> Node {
        let Some(host) = self.rails.as_ref().map(|rails| rails.host(src)) else {
            return self.draw_host(src, random);
        };
        let dst = self.draw_host(host, random);
        self.rails.as_ref().map_or(dst, |rails| rails.opposite(src, dst))
    }

    /// The same between hosts.
    #[inline]
    pub(crate) fn draw_host(&mut self, src: u32, random: &mut Random) -> u32 {
        match &mut self.rule {
            Rule::Fixed(dst) => dst[src as usize],
            Rule::Uniform { include_self } => uniform(src, self.nodes, *include_self, random),
            Rule::Hotspot { include_self, hot, fraction } => {
                if random.fraction() < *fraction {
                    hot[random.below(hot.len() as u32) as usize]
                } else {
                    uniform(src, self.nodes, *include_self, random)
                }
            }
            Rule::InTurn(drawn) => {
                let turn = &mut drawn[src as usize];
                let dst = (u64::from(src) + 1 + u64::from(*turn)) % u64::from(self.nodes);
                *turn = (*turn + 1) % (self.nodes - 1).max(1);
                dst as Node
            }
        }
    }
}
