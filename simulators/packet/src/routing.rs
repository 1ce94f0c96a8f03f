//! The routing function of a point: its virtual channels, checked against what it needs.

pub use fabric::TorusClasses;
pub use fabric::routing::{AnyRouting, Header, Outputs, Routing, Way};

use fabric::routing::Division;
use fabric::{Fabric, FabricError, NeededVcs};
use serde::Deserialize;
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

/// What decides on virtual channels, beside the topology.
#[derive(Debug, Clone, Copy)]
pub struct RoutingOptions {
    pub virtual_channels: VirtualChannels,
    pub torus_classes: TorusClasses,
    /// Whether a buffer is given to a packet only when the one before has left it.
    pub wait_for_tail_credit: bool,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum RoutingError {
    #[error(transparent)]
    Fabric(#[from] FabricError),
    #[error("virtual_channels is {given}, must be {needed}")]
    VirtualChannels { given: u16, needed: NeededVcs },
    #[error("virtual_channels is per_destination, which only {0} have; give a number")]
    PerDestination(String),
    #[error(
        "virtual_channels is per_destination, so at most {} nodes are possible, not {nodes}",
        u16::MAX
    )]
    TooManyDestinations { nodes: u32 },
    #[error(
        "routing {routing} can deadlock when packets share a buffer: \
         set wait_for_tail_credit to true"
    )]
    SharedBuffers { routing: &'static str },
}

/// The topologies that have virtual channels by destination.
fn with_destinations() -> String {
    let kinds = fabric::TOPOLOGIES.iter().filter(|about| about.per_destination);
    kinds.map(|about| about.kind).collect::<Vec<_>>().join(" and ")
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

    /// The routing that the fabric's topology names, with these virtual channels.
    pub fn function(&self, fabric: &Fabric) -> Result<AnyRouting, RoutingError> {
        let vcs = self.number_of_vcs(fabric)?;
        if fabric.routing().needs_own_buffers && !self.wait_for_tail_credit {
            return Err(RoutingError::SharedBuffers { routing: fabric.routing().name });
        }
        let (torus_classes, per_destination) = (self.torus_classes, self.per_destination());
        Ok(AnyRouting::new(fabric, Division { vcs, torus_classes, per_destination }))
    }

    /// Number of virtual channels per port on this fabric, checked against what its routing needs.
    pub fn number_of_vcs(&self, fabric: &Fabric) -> Result<u16, RoutingError> {
        let given = match self.virtual_channels {
            VirtualChannels::Number(given) => given,
            VirtualChannels::Word(VirtualChannelsWord::PerDestination) => {
                let nodes = fabric.nodes();
                if !fabric.about().per_destination {
                    return Err(RoutingError::PerDestination(with_destinations()));
                }
                return u16::try_from(nodes)
                    .map_err(|_| RoutingError::TooManyDestinations { nodes });
            }
        };
        let needed = fabric.needed_vcs(self.torus_classes)?;
        if !needed.allows(u32::from(given)) {
            return Err(RoutingError::VirtualChannels { given, needed });
        }
        Ok(given)
    }
}
