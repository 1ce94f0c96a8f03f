//! What a routing function is: it gives each packet its way through a router.

use crate::{Node, VcClasses};

/// What a packet carries for its routing function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    pub src: Node,
    pub dst: Node,
    /// Number of its message among those of its source.
    pub message: u32,
    /// Intermediate node or group of a non-minimal route.
    pub via: u32,
    /// Virtual-channel class, for example of the ring that the packet is in.
    pub class: u8,
    /// Part of the route that the packet is in.
    pub phase: u8,
}

/// An output port of a router, and the virtual channels of it that a packet may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    pub port: u16,
    pub first_vc: u16,
    pub vcs: u16,
}

impl Way {
    /// A way through a port with the virtual channels of a class.
    #[inline]
    pub(super) fn of_class(port: u16, classes: &VcClasses, class: u8) -> Self {
        let (first_vc, vcs) = classes.of(class);
        Self { port, first_vc, vcs }
    }
}

/// Where a routing function gets its random choices.
pub trait Draw {
    /// Uniform integer in `0..bound`; `bound` is not 0.
    fn below(&mut self, bound: u32) -> u32;
}

/// What a routing function sees of the router that it computes a way for.
pub trait Outputs {
    /// Flits sent through the port, over all its virtual channels, whose credit is not back.
    fn used_credits(&self, port: u16) -> u32;
    /// Whether one of the port's virtual channels belongs to no packet.
    fn any_free(&self, port: u16, first_vc: u16, vcs: u16) -> bool;
}

/// A deadlock-free routing function together with its division of the virtual channels.
pub trait Routing {
    /// Prepares the header of a new packet; the virtual channels of the injection channel that it
    /// may take: the first one and how many.
    fn inject(&self, header: &mut Header, random: &mut impl Draw) -> (u16, u16);
    /// The way out of `router` for a packet that entered it by input port `input` (both ports count
    /// from 0 in each router). Called once per router, or, if [`Routing::reroutes`], once per cycle
    /// until the packet has a virtual channel; so it changes the header only in ways that bear
    /// repetition.
    fn route(
        &self,
        router: u32,
        input: u16,
        header: &mut Header,
        outputs: &impl Outputs,
        random: &mut impl Draw,
    ) -> Way;
    /// Whether a packet without a virtual channel is routed again in the next cycle.
    fn reroutes(&self) -> bool {
        false
    }
}
