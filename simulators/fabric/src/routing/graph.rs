//! Routes of a graph, step by step.

use super::{Draw, Header, Outputs, Routing, Way};
use crate::{Flow, Graph, GraphRouting, VcClasses};

/// A packet follows its static route in the virtual layer of that, or chooses among all shortest ways.
#[derive(Debug)]
pub struct ByGraph {
    graph: Graph,
    /// Per switch and input port: the hop by which a packet enters there.
    entered: Vec<Vec<u32>>,
    routing: GraphRouting,
    vcs: u16,
    classes: VcClasses,
}

impl ByGraph {
    pub(super) fn new(graph: &Graph, vcs: u16, classes: VcClasses) -> Self {
        let (entered, routing) = (graph.hops_by_input(), graph.routing());
        Self { graph: graph.clone(), entered, routing, vcs, classes }
    }

    fn at_last_switch(&self, dst: u32) -> Way {
        Way { port: self.graph.ejection_port(dst), first_vc: 0, vcs: self.vcs }
    }

    /// One of several ports: any, or of two random ones that with fewer used credits. To see the best of
    /// all helps less: the packets of a cycle would all take the same.
    fn chosen(
        &self,
        ports: impl Iterator<Item = u16> + Clone,
        outputs: &impl Outputs,
        random: &mut impl Draw,
    ) -> u16 {
        let count = ports.clone().count() as u32;
        // Without a choice nothing is drawn, as on the way down a fat tree.
        let first = if count > 1 { random.below(count) } else { 0 };
        let port = |place: u32| ports.clone().nth(place as usize).unwrap_or(0);
        if self.routing != GraphRouting::Adaptive || count < 2 {
            return port(first);
        }
        let second = if count == 2 { 1 - first } else { random.below(count) };
        let (first, second) = (port(first), port(second));
        if outputs.used_credits(first) > outputs.used_credits(second) { second } else { first }
    }
}

impl Routing for ByGraph {
    #[inline]
    fn inject(&self, header: &mut Header, _random: &mut impl Draw) -> (u16, u16) {
        header.class = self.graph.layer(header.src, header.dst);
        (0, self.vcs)
    }

    #[inline]
    fn route(
        &self,
        router: u32,
        input: u16,
        header: &mut Header,
        outputs: &impl Outputs,
        random: &mut impl Draw,
    ) -> Way {
        let pair = (header.src, header.dst);
        if matches!(self.routing, GraphRouting::Spray | GraphRouting::Adaptive) {
            return match self.graph.choices(pair, router) {
                Some((ports, class)) => {
                    let port = self.chosen(ports, outputs, random);
                    Way::of_class(port, &self.classes, class)
                }
                None => self.at_last_switch(header.dst),
            };
        }
        let hop = self.entered[router as usize][usize::from(input)];
        let entered = (hop != u32::MAX).then_some(hop);
        let place = self.graph.place(pair, router);
        let Header { src, dst, message, .. } = *header;
        let flow = Flow { src, dst, message };
        match self.graph.step(flow, (router, entered), (place, header.class)) {
            Some(step) => Way::of_class(step.port, &self.classes, step.class),
            None => self.at_last_switch(header.dst),
        }
    }
}
