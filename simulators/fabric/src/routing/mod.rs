//! Routing functions: which output port and which virtual channels a packet may take. Every network
//! that routes packets on their way asks these.

mod crossbar;
mod divisor;
mod dragonfly;
mod fat_tree;
mod flattened_butterfly;
mod fly;
mod function;
mod graph;
mod hypercube;
mod mesh;
mod torus;

pub use crossbar::Direct;
use divisor::Divisor;
pub use dragonfly::DragonflyRouting;
pub use fat_tree::UpDown;
pub use flattened_butterfly::ButterflyRouting;
pub use fly::DestinationTag;
pub use function::{Draw, Header, Outputs, Routing, Way};
pub use graph::ByGraph;
pub use hypercube::{ECube, MinimalAdaptive};
pub use mesh::MeshDimensionOrder;
pub use torus::TorusDimensionOrder;

use crate::{CubeRouting, Fabric, TorusClasses, VcClasses};

/// One routing function of all that there are; chosen once, so its branches are well predicted.
#[derive(Debug)]
pub enum AnyRouting {
    Mesh(MeshDimensionOrder),
    Torus(TorusDimensionOrder),
    UpDown(UpDown),
    ECube(ECube),
    MinimalAdaptive(MinimalAdaptive),
    Direct(Direct),
    DestinationTag(DestinationTag),
    Butterfly(ButterflyRouting),
    Dragonfly(DragonflyRouting),
    Graph(ByGraph),
}

macro_rules! each {
    ($self:ident, $routing:ident => $body:expr) => {
        match $self {
            AnyRouting::Mesh($routing) => $body,
            AnyRouting::Torus($routing) => $body,
            AnyRouting::UpDown($routing) => $body,
            AnyRouting::ECube($routing) => $body,
            AnyRouting::MinimalAdaptive($routing) => $body,
            AnyRouting::Direct($routing) => $body,
            AnyRouting::DestinationTag($routing) => $body,
            AnyRouting::Butterfly($routing) => $body,
            AnyRouting::Dragonfly($routing) => $body,
            AnyRouting::Graph($routing) => $body,
        }
    };
}

/// How the virtual channels of a port are divided, beside what the routing itself needs.
#[derive(Debug, Clone, Copy)]
pub struct Division {
    /// Virtual channels of a port. [`Fabric::needed_vcs`] allows this number.
    pub vcs: u16,
    pub torus_classes: TorusClasses,
    /// Between routers a packet takes the virtual channel with the number of its destination.
    pub per_destination: bool,
}

impl AnyRouting {
    /// The routing that the fabric's topology names.
    pub fn new(fabric: &Fabric, division: Division) -> Self {
        let Division { vcs, per_destination, .. } = division;
        // Who could deadlock whatever there is was refused with the number of virtual channels.
        let needed = fabric.vc_classes().map_or(1, |(classes, _)| classes);
        let classes = VcClasses::new(vcs, needed);
        match fabric {
            Fabric::FatTree(tree) => Self::UpDown(UpDown::new(tree, vcs)),
            Fabric::Grid(grid) => match grid.ties() {
                None => Self::Mesh(MeshDimensionOrder::new(grid, vcs, per_destination)),
                Some(ties) => Self::Torus(TorusDimensionOrder::new(grid, classes, ties, division)),
            },
            Fabric::Hypercube(cube) => match cube.routing() {
                CubeRouting::ECube => Self::ECube(ECube::new(cube, vcs)),
                CubeRouting::MinimalAdaptive => {
                    Self::MinimalAdaptive(MinimalAdaptive::new(cube, vcs))
                }
            },
            Fabric::Crossbar(_) => Self::Direct(Direct { vcs }),
            Fabric::Fly(fly) => Self::DestinationTag(DestinationTag::new(fly, vcs)),
            Fabric::FlattenedButterfly(butterfly) => {
                Self::Butterfly(ButterflyRouting::new(butterfly, vcs, classes))
            }
            Fabric::Dragonfly(dragonfly) => {
                Self::Dragonfly(DragonflyRouting::new(dragonfly, vcs, classes))
            }
            Fabric::Graph(graph) => Self::Graph(ByGraph::new(graph, vcs, classes)),
        }
    }
}

impl Routing for AnyRouting {
    #[inline]
    fn inject(&self, header: &mut Header, random: &mut impl Draw) -> (u16, u16) {
        each!(self, routing => routing.inject(header, random))
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
        each!(self, routing => routing.route(router, input, header, outputs, random))
    }

    #[inline]
    fn reroutes(&self) -> bool {
        each!(self, routing => routing.reroutes())
    }
}
