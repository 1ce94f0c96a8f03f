//! Flattened butterfly (Kim, Dally and Abts, ISCA 2007): `k^dimensions` routers with `concentration`
//! nodes each. Routers whose numbers differ in one digit to base `k` are joined directly.
//!
//! Node number = router · concentration + place. Routes go in dimension order, digit 0 first.

use crate::about::{About, Class, Default, Key, Routing};
use crate::channels::Topology;
use crate::sizes::{numbered, power, product};
use crate::{Channel, Detour, FabricError, Node};

pub(crate) const ABOUT: About = About {
    kind: "flattened_butterfly",
    meaning: "A flattened butterfly: k routers along each dimension, all of them joined with each \
              other.\n\nKim, Dally and Abts: Flattened butterfly, ISCA 2007.",
    keys: &[
        Key::integer("k", 2, "Routers along every dimension."),
        Key::exponent("dimensions", "Dimensions of routers.").or(Default::Number(1)),
        Key::integer("concentration", 1, "Nodes of each router; `k` unless given.")
            .or(Default::Formula("k")),
        Key::routing(
            "minimal",
            "The shortest path, a path over a random router, or the less loaded of both (UGAL).",
        ),
    ],
    nodes: "concentration * k ** dimensions",
    routings: &[
        Routing::new("minimal", "lowest dimension first"),
        Routing::new("valiant", "by way of a random router")
            .decides_on_the_way()
            .with_classes(2, "one for each half of the way"),
        Routing::new("ugal", "as `minimal` or as `valiant`")
            .decides_on_the_way()
            .with_classes(2, "one for each half of the way"),
    ],
    ring_classes: &[],
    per_destination: false,
    classes: &[Class::new("d*/*/*", &["dimensions", "k ** dimensions", "k"])],
    tapered: &[],
    examples: &[
        r#"{"k": 2, "dimensions": 1}"#,
        r#"{"k": 2, "dimensions": 3, "concentration": 1}"#,
        r#"{"k": 3, "dimensions": 2, "concentration": 2}"#,
    ],
};

#[derive(Debug, Clone)]
pub struct FlattenedButterfly {
    k: u32,
    concentration: u32,
    routing: Detour,
    /// `k^0 … k^dimensions`.
    powers: Vec<u32>,
}

impl Topology for FlattenedButterfly {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn chosen(&self) -> &'static Routing {
        &ABOUT.routings[self.routing as usize]
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        let routers = std::iter::repeat_n(self.k, self.dimensions());
        Some(std::iter::once(self.concentration).chain(routers).collect())
    }
}

impl FlattenedButterfly {
    pub(crate) fn new(
        k: u32,
        dimensions: u32,
        concentration: u32,
        routing: Detour,
    ) -> Result<Self, FabricError> {
        ABOUT.check("k", k)?;
        ABOUT.check("dimensions", dimensions)?;
        ABOUT.check("concentration", concentration)?;
        let routers = power(k, dimensions)?;
        let nodes = product([routers as u32, concentration].into_iter())?;
        numbered(nodes, routers, u64::from(dimensions) * u64::from(k - 1))?;
        let powers = (0..=dimensions).map(|i| k.pow(i)).collect();
        Ok(Self { k, concentration, routing, powers })
    }

    pub fn routing(&self) -> Detour {
        self.routing
    }

    pub fn k(&self) -> u32 {
        self.k
    }

    pub fn dimensions(&self) -> usize {
        self.powers.len() - 1
    }

    /// Nodes per router.
    pub fn concentration(&self) -> u32 {
        self.concentration
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.powers[self.dimensions()]
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.router_count() * self.concentration
    }

    /// Number of channels from one router to others.
    fn width(&self) -> u32 {
        self.dimensions() as u32 * (self.k - 1)
    }

    pub(crate) fn channels(&self) -> u32 {
        2 * self.nodes() + self.router_count() * self.width()
    }

    pub(crate) fn longest_route(&self) -> usize {
        2 + self.dimensions()
    }

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        node / self.concentration
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        self.injection_router(node)
    }

    /// The nodes' ports, then per dimension the ports to the other routers in ascending order.
    pub(crate) fn ports(&self, _router: u32) -> u32 {
        self.concentration + self.width()
    }

    pub(crate) fn node_port(&self, node: Node) -> u32 {
        node % self.concentration
    }

    fn digit(&self, router: u32, dimension: usize) -> u32 {
        router / self.powers[dimension] % self.k
    }

    /// Place of the channel from digit `own` to digit `other` among the channels of its router.
    fn place(&self, dimension: usize, own: u32, other: u32) -> u32 {
        dimension as u32 * (self.k - 1) + other - u32::from(other > own)
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        let (from, to) = (self.injection_router(src), self.injection_router(dst));
        (0..self.dimensions()).filter(|&i| self.digit(from, i) != self.digit(to, i)).count() as u32
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        let (mut router, last) = (self.injection_router(src), self.injection_router(dst));
        for dimension in 0..self.dimensions() {
            let (own, other) = (self.digit(router, dimension), self.digit(last, dimension));
            if own != other {
                let place = self.place(dimension, own, other);
                path.push(2 * self.nodes() + router * self.width() + place);
                router = router - own * self.powers[dimension] + other * self.powers[dimension];
            }
        }
    }

    /// Parts of a router channel: router, dimension, its digit there, the digit of the other router.
    fn parts(&self, channel: u32) -> (u32, usize, u32, u32) {
        let (router, place) = (channel / self.width(), channel % self.width());
        let (dimension, rank) = ((place / (self.k - 1)) as usize, place % (self.k - 1));
        let own = self.digit(router, dimension);
        (router, dimension, own, rank + u32::from(rank >= own))
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (router, dimension, own, other) = self.parts(channel);
        let power = self.powers[dimension];
        (router, router - own * power + other * power)
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        self.concentration + channel % self.width()
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        let (_, dimension, own, other) = self.parts(channel);
        self.concentration + self.place(dimension, other, own)
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        format!("d{}", self.parts(channel).1)
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        let (router, _, _, other) = self.parts(channel);
        format!("{}/{router}/{other}", self.class(channel))
    }
}
