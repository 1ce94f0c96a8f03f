//! Dragonfly (Kim, Dally, Scott and Abts, ISCA 2008): groups of `a` routers, all joined within a
//! group; each router has `p` nodes and `h` global channels; `a·h + 1` groups, so that every pair of
//! groups shares one global channel each way.
//!
//! Global arrangement "absolute" (Hastings et al., CLUSTER 2015): slot `j` of a group is global port
//! `j mod h` of its router `j div h` and leads to the `j`-th of the other groups. A route has at most
//! one local, one global and one more local channel. Router = group · a + place in the group;
//! node = router · p + place at the router.

use crate::about::{About, Class, Default, Key, Routing};
use crate::channels::Topology;
use crate::sizes::{numbered, product};
use crate::{Channel, Detour, FabricError, Node};

pub(crate) const ABOUT: About = About {
    kind: "dragonfly",
    meaning: "A dragonfly of a·h + 1 groups: the routers of a group, and all groups, are joined.\n\n\
              Kim, Dally, Scott and Abts: Technology-driven, highly-scalable dragonfly topology, \
              ISCA 2008.",
    keys: &[
        Key::integer("p", 1, "Nodes of each router."),
        Key::integer("a", 1, "Routers of each group; 2p unless given.")
            .or(Default::Formula("2 * p")),
        Key::integer("h", 1, "Links of each router to other groups; p unless given.")
            .or(Default::Formula("p")),
        Key::routing(
            "minimal",
            "The shortest path, a path over a random group, or the less loaded of both (UGAL).",
        ),
    ],
    nodes: "p * a * (a * h + 1)",
    routings: &[
        Routing::new("minimal", "at most one local, one global and one more local channel")
            .with_classes(2, "one for each group on the way"),
        Routing::new("valiant", "by way of a random group")
            .decides_on_the_way()
            .with_classes(3, "one for each group on the way"),
        Routing::new("ugal", "as `minimal` or as `valiant`")
            .decides_on_the_way()
            .with_classes(3, "one for each group on the way"),
    ],
    ring_classes: &[],
    per_destination: false,
    classes: &[
        Class::new("local/*/*", &["a * (a * h + 1)", "a"]),
        Class::new("global/*/*", &["a * (a * h + 1)", "h"]),
    ],
    tapered: &["global"],
    examples: &[
        r#"{"p": 1}"#,
        r#"{"p": 1, "a": 1, "h": 2}"#,
        r#"{"p": 1, "a": 3, "h": 2}"#,
        r#"{"p": 2, "a": 2, "h": 1}"#,
    ],
};

#[derive(Debug, Clone)]
pub struct Dragonfly {
    p: u32,
    a: u32,
    h: u32,
    routing: Detour,
}

impl Topology for Dragonfly {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn chosen(&self) -> &'static Routing {
        &ABOUT.routings[self.routing as usize]
    }

    fn digit_sizes(&self) -> Option<Vec<u32>> {
        Some(vec![self.p, self.a, self.groups()])
    }

    /// Class 1 on the local channel after the global one, class 0 before.
    fn virtual_classes(&self, path: &[Channel]) -> Vec<u8> {
        let mut class = 0;
        path.iter()
            .map(|&channel| {
                if channel < 2 * self.nodes() {
                    0
                } else if self.parts(channel - 2 * self.nodes()).2 {
                    class = 1;
                    0
                } else {
                    class
                }
            })
            .collect()
    }
}

impl Dragonfly {
    pub(crate) fn new(p: u32, a: u32, h: u32, routing: Detour) -> Result<Self, FabricError> {
        for (key, value) in [("p", p), ("a", a), ("h", h)] {
            ABOUT.check(key, value)?;
        }
        let groups = product([a, h].into_iter())? as u32 + 1;
        let nodes = product([p, a, groups].into_iter())?;
        numbered(nodes, nodes / u64::from(p), u64::from(a) + u64::from(h))?;
        Ok(Self { p, a, h, routing })
    }

    pub fn routing(&self) -> Detour {
        self.routing
    }

    /// Nodes per router.
    pub fn p(&self) -> u32 {
        self.p
    }

    /// Routers per group.
    pub fn a(&self) -> u32 {
        self.a
    }

    /// Global channels per router.
    pub fn h(&self) -> u32 {
        self.h
    }

    pub fn groups(&self) -> u32 {
        self.a * self.h + 1
    }

    pub(crate) fn router_count(&self) -> u32 {
        self.a * self.groups()
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.p * self.router_count()
    }

    /// Number of channels from one router to others.
    fn width(&self) -> u32 {
        self.a - 1 + self.h
    }

    pub(crate) fn channels(&self) -> u32 {
        2 * self.nodes() + self.router_count() * self.width()
    }

    pub(crate) fn longest_route(&self) -> usize {
        5
    }

    pub(crate) fn injection_router(&self, node: Node) -> u32 {
        node / self.p
    }

    pub(crate) fn ejection_router(&self, node: Node) -> u32 {
        self.injection_router(node)
    }

    /// The nodes' ports, then the local ones in ascending order of routers, then the global ones.
    pub(crate) fn ports(&self, _router: u32) -> u32 {
        self.p + self.width()
    }

    pub(crate) fn node_port(&self, node: Node) -> u32 {
        node % self.p
    }

    /// Channel from place `own` to place `other` of a group, counted within the router.
    fn local(own: u32, other: u32) -> u32 {
        other - u32::from(other > own)
    }

    /// Router, and global port of it, where the channel from `group` to `other` begins.
    fn global(&self, group: u32, other: u32) -> (u32, u32) {
        let slot = other - u32::from(other > group);
        (group * self.a + slot / self.h, slot % self.h)
    }

    pub(crate) fn distance(&self, src: Node, dst: Node) -> u32 {
        let (from, to) = (self.injection_router(src), self.injection_router(dst));
        let (group, other) = (from / self.a, to / self.a);
        if group == other {
            u32::from(from != to)
        } else {
            let (leaves, enters) = (self.global(group, other).0, self.global(other, group).0);
            1 + u32::from(from != leaves) + u32::from(enters != to)
        }
    }

    #[inline]
    pub(crate) fn between_routers(&self, src: Node, dst: Node, path: &mut Vec<Channel>) {
        let (from, to) = (self.injection_router(src), self.injection_router(dst));
        let (group, other) = (from / self.a, to / self.a);
        let within = |from: u32, to: u32, path: &mut Vec<Channel>| {
            if from != to {
                let place = Self::local(from % self.a, to % self.a);
                path.push(2 * self.nodes() + from * self.width() + place);
            }
        };
        if group == other {
            within(from, to, path);
        } else {
            let (leaves, port) = self.global(group, other);
            within(from, leaves, path);
            path.push(2 * self.nodes() + leaves * self.width() + self.a - 1 + port);
            within(self.global(other, group).0, to, path);
        }
    }

    /// Parts of a router channel: its router, its place among the router's channels, whether it is global.
    fn parts(&self, channel: u32) -> (u32, u32, bool) {
        let (router, place) = (channel / self.width(), channel % self.width());
        (router, place, place >= self.a - 1)
    }

    /// The group of a router and the one that its global channel at `place` leads to.
    fn groups_of(&self, router: u32, place: u32) -> (u32, u32) {
        let (group, slot) = (router / self.a, router % self.a * self.h + place - (self.a - 1));
        (group, slot + u32::from(slot >= group))
    }

    pub(crate) fn routers(&self, channel: u32) -> (u32, u32) {
        let (router, place, is_global) = self.parts(channel);
        if is_global {
            let (group, other) = self.groups_of(router, place);
            (router, self.global(other, group).0)
        } else {
            let own = router % self.a;
            (router, router - own + place + u32::from(place >= own))
        }
    }

    pub(crate) fn output_port(&self, channel: u32) -> u32 {
        self.p + channel % self.width()
    }

    pub(crate) fn input_port(&self, channel: u32) -> u32 {
        let (router, place, is_global) = self.parts(channel);
        if is_global {
            let (group, other) = self.groups_of(router, place);
            self.p + self.a - 1 + self.global(other, group).1
        } else {
            self.p + Self::local(self.routers(channel).1 % self.a, router % self.a)
        }
    }

    pub(crate) fn class(&self, channel: u32) -> String {
        if self.parts(channel).2 { "global" } else { "local" }.into()
    }

    pub(crate) fn name(&self, channel: u32) -> String {
        let (router, place, is_global) = self.parts(channel);
        let number =
            if is_global { place - (self.a - 1) } else { self.routers(channel).1 % self.a };
        format!("{}/{router}/{number}", self.class(channel))
    }
}
