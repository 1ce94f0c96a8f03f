//! k-ary n-tree (Petrini and Vanneschi): `k^n` nodes under `n` levels of `k^(n-1)` routers.
//!
//! Node `s` has digits `s_(n-1) … s_0` in base `k`. A router is named by its level (0 is the leaf)
//! and digits `w_(n-2) … w_0`; the leaf of `s` has `w_i = s_(i+1)`. Up port `u` at level `l` leads
//! to the router of level `l + 1` with `w_l` replaced by `u`. A message climbs to the lowest level
//! that covers its destination and descends on the only way down.

use crate::about::{About, Class, Default, Key, Routing};
use crate::channels::Topology;
use crate::sizes::power;
use crate::{Channel, FabricError, Node};
use serde::Deserialize;

pub(crate) const ABOUT: About = About {
    kind: "fat_tree",
    meaning: "A k-ary n-tree: k to the power of `levels` nodes, full bisection.",
    keys: &[
        Key::integer("k", 2, "Down links of each switch."),
        Key::exponent("levels", "Levels of switches.").or(Default::Number(2)),
        Key::routing(
            "dmodk",
            "How the link upwards is chosen: by a digit of the destination (`dmodk`) or of the \
             source (`smodk`), at random (`nca`), or by load (`anca`).",
        ),
    ],
    nodes: "k ** levels",
    routings: &[
        Routing::new(
            "dmodk",
            "up to the nearest common ancestor by digits of the destination, then down",
        ),
        Routing::new("smodk", "the same by digits of the source"),
        Routing::new("nca", "up by random ports, one per packet and router").decides_on_the_way(),
        Routing::new("anca", "up by the less loaded of two random ports").decides_on_the_way(),
    ],
    ring_classes: &[],
    per_destination: false,
    classes: &[
        Class::new("up/*/*/*", &["levels - 1", "k ** (levels - 1)", "k"]),
        Class::new("down/*/*/*", &["levels - 1", "k ** (levels - 1)", "k"]),
    ],
    tapered: &["up", "down"],
    examples: &[
        r#"{"k": 2, "levels": 1}"#,
        r#"{"k": 2, "levels": 2}"#,
        r#"{"k": 2, "levels": 3}"#,
        r#"{"k": 3, "levels": 2}"#,
        r#"{"k": 3, "levels": 3}"#,
        r#"{"k": 4, "levels": 2}"#,
    ],
};

/// How a message chooses its up port at level `l`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum UpRouting {
    /// By digit `l` of the destination: all messages to one node share one way down.
    #[default]
    Dmodk,
    /// By digit `l` of the source: all messages of one node share one way up.
    Smodk,
    /// At random for each packet; not static.
    Nca,
    /// The less loaded of two random ports; not static.
    Anca,
}

#[derive(Debug, Clone)]
pub struct FatTree {
    k: u32,
    routing: UpRouting,
    /// `k^0 … k^levels`.
    powers: Vec<u32>,
}

impl Topology for FatTree {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn chosen(&self) -> &'static Routing {
        &ABOUT.routings[self.routing as usize]
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        Some(vec![self.k; self.levels()])
    }
}

impl FatTree {
    pub(crate) fn new(k: u32, levels: u32, routing: UpRouting) -> Result<Self, FabricError> {
        ABOUT.check("k", k)?;
        ABOUT.check("levels", levels)?;
        power(k, levels)?;
        let powers = (0..=levels).map(|l| k.pow(l)).collect();
        Ok(Self { k, routing, powers })
    }

    pub fn k(&self) -> u32 {
        self.k
    }

    pub fn routing(&self) -> UpRouting {
        self.routing
    }

    pub fn levels(&self) -> usize {
        self.powers.len() - 1
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.powers[self.levels()]
    }

    pub(crate) fn channels(&self) -> u32 {
        2 * self.nodes() * self.levels() as u32
    }

    pub(crate) fn longest_route(&self) -> usize {
        2 * self.levels()
    }

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        node / self.k
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        self.injection_router(node)
    }

    fn routers_per_level(&self) -> u32 {
        self.powers[self.levels() - 1]
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.routers_per_level() * self.levels() as u32
    }

    /// Down ports first, then up ports. A root has no up ports.
    pub(crate) fn ports(&self, router: u32) -> u32 {
        let is_root = router >= self.router_count() - self.routers_per_level();
        if is_root { self.k } else { 2 * self.k }
    }

    pub(crate) fn node_port(&self, node: Node) -> u32 {
        node % self.k
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        let (level, up, router, port) = self.parts(channel);
        if up { self.k + port } else { self.digit(router, level as usize) }
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        let (level, up, router, port) = self.parts(channel);
        if up { self.digit(router, level as usize) } else { self.k + port }
    }

    fn digit(&self, number: u32, i: usize) -> u32 {
        number / self.powers[i] % self.k
    }

    /// Level of the lowest common router; 0 for two nodes of one leaf.
    #[inline]
    fn common_level(&self, src: Node, dst: Node) -> usize {
        (0..self.levels())
            .find(|&l| src / self.powers[l + 1] == dst / self.powers[l + 1])
            .unwrap_or(0)
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        2 * self.common_level(src, dst) as u32
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        let nodes = self.nodes();
        let top = self.common_level(src, dst);
        let chooser = if self.routing == UpRouting::Smodk { src } else { dst };
        let mut router = src / self.k;
        for level in 0..top {
            let port = self.digit(chooser, level);
            path.push(nodes * (2 + 2 * level as u32) + router * self.k + port);
            let power = self.powers[level];
            router = router - router / power % self.k * power + port * power;
        }
        for level in (0..top).rev() {
            let power = self.powers[level];
            let port = router / power % self.k;
            router = router - port * power + self.digit(dst, level + 1) * power;
            path.push(nodes * (3 + 2 * level as u32) + router * self.k + port);
        }
    }

    /// Parts of a router channel: level, whether it leads up, lower router, up port of that router.
    fn parts(&self, channel: u32) -> (u32, bool, u32, u32) {
        let (block, place) = (channel / self.nodes(), channel % self.nodes());
        (block / 2, block % 2 == 0, place / self.k, place % self.k)
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (level, up, router, port) = self.parts(channel);
        let per_level = self.routers_per_level();
        let power = self.powers[level as usize];
        let above = router - router / power % self.k * power + port * power;
        let (low, high) = (level * per_level + router, (level + 1) * per_level + above);
        if up { (low, high) } else { (high, low) }
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        if self.parts(channel).1 { "up" } else { "down" }.into()
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        let (level, _, router, port) = self.parts(channel);
        format!("{}/{level}/{router}/{port}", self.class(channel))
    }
}
