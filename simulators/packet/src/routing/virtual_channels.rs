//! How many virtual channels a routing function needs, and their division into classes.

use super::Way;
use fabric::{CubeRouting, Detour, Fabric};
use serde::Deserialize;
use std::fmt;
use thiserror::Error;

/// Number of virtual channels per port, as a point names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum VirtualChannels {
    Number(u16),
    Word(VirtualChannelsWord),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VirtualChannelsWord {
    /// One for each node: a packet takes that of its destination on all network channels.
    PerDestination,
}

/// Which half of the virtual channels a packet takes on a ring of a torus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum TorusClasses {
    /// By whether the packet takes the wrap-around channel of the ring.
    #[default]
    Dateline,
    /// Packets that neither wrap around nor cross the middle of the ring take any half.
    Balanced,
}

/// What decides on virtual channels, beside the topology.
#[derive(Debug, Clone, Copy)]
pub struct RoutingOptions {
    pub virtual_channels: VirtualChannels,
    pub torus_classes: TorusClasses,
    /// Whether a buffer is given to a packet only when the one before has left it.
    pub wait_for_tail_credit: bool,
}

/// Number of virtual channels that a routing function works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeededVcs {
    pub at_least: u16,
    pub multiple_of: u16,
    pub because: &'static str,
}

impl fmt::Display for NeededVcs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "at least {}", self.at_least)?;
        if self.multiple_of > 1 {
            write!(f, " and a multiple of {}", self.multiple_of)?;
        }
        write!(f, ": {}", self.because)
    }
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum RoutingError {
    #[error("virtual_channels is {given}, must be {needed}")]
    VirtualChannels { given: u16, needed: NeededVcs },
    #[error("virtual_channels is per_destination, which only mesh and torus have; give a number")]
    PerDestination,
    #[error(
        "virtual_channels is per_destination, so at most {} nodes are possible, not {nodes}",
        u16::MAX
    )]
    TooManyDestinations { nodes: u32 },
    #[error(
        "routing minimal_adaptive can deadlock when packets share a buffer: \
         set wait_for_tail_credit to true"
    )]
    SharedBuffers,
}

impl RoutingOptions {
    pub fn new(
        virtual_channels: VirtualChannels,
        torus_classes: TorusClasses,
        wait_for_tail_credit: bool,
    ) -> Self {
        Self { virtual_channels, torus_classes, wait_for_tail_credit }
    }

    pub fn per_destination(&self) -> bool {
        self.virtual_channels == VirtualChannels::Word(VirtualChannelsWord::PerDestination)
    }

    /// Number of virtual channels per port on this fabric, checked against what its routing needs.
    pub fn number_of_vcs(&self, fabric: &Fabric) -> Result<u16, RoutingError> {
        let given = match self.virtual_channels {
            VirtualChannels::Number(given) => given,
            VirtualChannels::Word(VirtualChannelsWord::PerDestination) => {
                let nodes = fabric.nodes();
                return match fabric {
                    Fabric::Grid(_) => u16::try_from(nodes)
                        .map_err(|_| RoutingError::TooManyDestinations { nodes }),
                    _ => Err(RoutingError::PerDestination),
                };
            }
        };
        let needed = needed_vcs(fabric, self.torus_classes);
        if given < needed.at_least || given % needed.multiple_of != 0 {
            return Err(RoutingError::VirtualChannels { given, needed });
        }
        Ok(given)
    }
}

/// What the routing of a fabric needs when virtual channels are given as a number.
pub fn needed_vcs(fabric: &Fabric, torus_classes: TorusClasses) -> NeededVcs {
    let classes = |at_least, because| NeededVcs { at_least, multiple_of: 1, because };
    match fabric {
        Fabric::Grid(grid) if grid.ties().is_some() => match torus_classes {
            TorusClasses::Dateline => NeededVcs {
                multiple_of: 2,
                ..classes(2, "torus_classes dateline gives half of them to each class of a ring")
            },
            TorusClasses::Balanced => classes(2, "a ring of a torus needs two classes"),
        },
        Fabric::Hypercube(cube) if cube.routing() == CubeRouting::MinimalAdaptive => {
            classes(2, "minimal_adaptive needs an escape channel beside the adaptive ones")
        }
        Fabric::FlattenedButterfly(butterfly) if butterfly.routing() != Detour::Minimal => {
            classes(2, "a detour needs one class to its turning point and one from there")
        }
        Fabric::Dragonfly(dragonfly) => match dragonfly.routing() {
            Detour::Minimal => classes(2, "a packet needs a class in each of two groups"),
            _ => classes(3, "a packet on a detour needs a class in each of three groups"),
        },
        _ => classes(1, "a packet needs a virtual channel"),
    }
}

/// Virtual channels of a port, divided into classes as evenly as possible, the first ones larger.
#[derive(Debug, Clone, Copy)]
pub(super) struct VcClasses {
    first: [u16; 4],
}

impl VcClasses {
    /// Divides `vcs` virtual channels into at most three classes.
    pub(super) fn new(vcs: u16, classes: u16) -> Self {
        let first = |class: u16| {
            let before = u32::from(vcs) * u32::from(class.min(classes));
            before.div_ceil(u32::from(classes)) as u16
        };
        Self { first: [first(0), first(1), first(2), first(3)] }
    }

    /// A way through a port with the virtual channels of a class.
    #[inline]
    pub(super) fn way(&self, port: u16, class: u8) -> Way {
        let (first_vc, next) = (self.first[class as usize], self.first[class as usize + 1]);
        Way { port, first_vc, vcs: next - first_vc }
    }
}
