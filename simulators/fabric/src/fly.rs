//! k-ary n-fly (Dally and Towles, "Principles and Practices of Interconnection Networks", section
//! 4.1): `n` stages of `k^(n-1)` routers with `k` inputs and `k` outputs, from the nodes back to them.
//!
//! Wire `x` behind a stage is output `x mod k` of its router `x div k`. Between stage `i` and the next
//! one, digits 0 and `n-1-i` of `x` to base `k` change places. So a message reaches its destination if
//! its output at stage `i` is digit `n-1-i` of the destination. There is no other path.

use crate::about::{About, Class, Default, Key, Routing};
use crate::channels::Topology;
use crate::sizes::power;
use crate::{Channel, FabricError, Node};

pub(crate) const ABOUT: About = About {
    kind: "fly",
    meaning: "A k-ary n-fly (butterfly): every packet passes one switch of each stage.",
    keys: &[
        Key::integer("k", 2, "Inputs, and outputs, of each switch."),
        Key::exponent(
            "stages",
            "Stages of switches; k to the power of these is the number of nodes.",
        )
        .or(Default::Number(2)),
        Key::routing(
            "destination_tag",
            "The digits of the destination choose the outputs: there is one way only.",
        ),
    ],
    nodes: "k ** stages",
    routings: &[Routing::new("destination_tag", "digits of the destination, highest first")],
    ring_classes: &[],
    per_destination: false,
    classes: &[Class::new("stage*/*/*", &["stages - 1", "k ** (stages - 1)", "k"])],
    tapered: &[],
    examples: &[
        r#"{"k": 2, "stages": 1}"#,
        r#"{"k": 2, "stages": 2}"#,
        r#"{"k": 2, "stages": 3}"#,
        r#"{"k": 3, "stages": 2}"#,
        r#"{"k": 3, "stages": 3}"#,
        r#"{"k": 4, "stages": 2}"#,
    ],
};

#[derive(Debug, Clone)]
pub struct Fly {
    k: u32,
    /// `k^0 … k^stages`.
    powers: Vec<u32>,
}

impl Topology for Fly {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        Some(vec![self.k; self.stages()])
    }
}

impl Fly {
    pub(crate) fn new(k: u32, stages: u32) -> Result<Self, FabricError> {
        ABOUT.check("k", k)?;
        ABOUT.check("stages", stages)?;
        power(k, stages)?;
        Ok(Self { k, powers: (0..=stages).map(|i| k.pow(i)).collect() })
    }

    pub fn k(&self) -> u32 {
        self.k
    }

    pub fn stages(&self) -> usize {
        self.powers.len() - 1
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.powers[self.stages()]
    }

    pub(crate) fn channels(&self) -> u32 {
        self.nodes() * (self.stages() as u32 + 1)
    }

    pub(crate) fn longest_route(&self) -> usize {
        self.stages() + 1
    }

    fn routers_per_stage(&self) -> u32 {
        self.nodes() / self.k
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.routers_per_stage() * self.stages() as u32
    }

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        node / self.k
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        self.router_count() - self.routers_per_stage() + node / self.k
    }

    pub(crate) fn ports(&self, _router: u32) -> u32 {
        self.k
    }

    pub(crate) fn node_port(&self, node: Node) -> u32 {
        node % self.k
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        if src == dst { 0 } else { self.stages() as u32 - 1 }
    }

    /// The wire at the inputs of the next stage that is `wire` at the outputs of `stage`.
    fn permuted(&self, stage: usize, wire: u32) -> u32 {
        let power = self.powers[self.stages() - 1 - stage];
        let (low, high) = (wire % self.k, wire / power % self.k);
        wire - low - high * power + high + low * power
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        let mut wire = src;
        for stage in 0..self.stages() - 1 {
            let digit = dst / self.powers[self.stages() - 1 - stage] % self.k;
            let left = wire - wire % self.k + digit;
            path.push(self.nodes() * (2 + stage as u32) + left);
            wire = self.permuted(stage, left);
        }
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (stage, wire) = (channel / self.nodes(), channel % self.nodes());
        let first = stage * self.routers_per_stage();
        let to = first + self.routers_per_stage() + self.permuted(stage as usize, wire) / self.k;
        (first + wire / self.k, to)
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        channel % self.k
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        let (stage, wire) = (channel / self.nodes(), channel % self.nodes());
        self.permuted(stage as usize, wire) % self.k
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        format!("stage{}", channel / self.nodes())
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        let wire = channel % self.nodes();
        format!("{}/{}/{}", self.class(channel), wire / self.k, wire % self.k)
    }
}
