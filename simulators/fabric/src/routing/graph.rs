//! Routes of a graph, step by step.

use super::{Draw, Header, Outputs, Routing, Way};
use crate::{Graph, VcClasses};

/// A packet follows its static route in the virtual layer of that.
#[derive(Debug)]
pub struct ByGraph {
    graph: Graph,
    /// Per switch and input port: the hop by which a packet enters there.
    entered: Vec<Vec<u32>>,
    vcs: u16,
    classes: VcClasses,
}

impl ByGraph {
    pub(super) fn new(graph: &Graph, vcs: u16, classes: VcClasses) -> Self {
        Self { graph: graph.clone(), entered: graph.hops_by_input(), vcs, classes }
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
        _outputs: &impl Outputs,
        _random: &mut impl Draw,
    ) -> Way {
        let hop = self.entered[router as usize][usize::from(input)];
        let entered = (hop != u32::MAX).then_some(hop);
        let pair = (header.src, header.dst);
        let place = self.graph.place(pair, router);
        match self.graph.step(pair, (router, entered), (place, header.class)) {
            Some(step) => Way::of_class(step.port, &self.classes, step.class),
            None => {
                let port = self.graph.ejection_port(header.dst);
                Way { port, first_vc: 0, vcs: self.vcs }
            }
        }
    }
}
