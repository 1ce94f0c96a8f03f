//! Channels: what left one end and arrives at the other in a cycle to come.

use crate::calendar::Calendar;
use crate::packets::Flit;
use fabric::Node;

/// A flit for an input port of a router.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub port: u32,
    pub vc: u32,
    pub flit: Flit,
}

/// A credit for an output port of a router.
#[derive(Debug, Clone, Copy)]
pub struct Credit {
    pub port: u32,
    pub vc: u32,
}

/// A flit for a node.
#[derive(Debug, Clone, Copy)]
pub struct Ejection {
    pub node: Node,
    pub vc: u32,
    pub flit: Flit,
}

/// A credit for a node's injection channel.
#[derive(Debug, Clone, Copy)]
pub struct SourceCredit {
    pub node: Node,
    pub vc: u32,
}

pub struct Channels {
    pub flits: Calendar<Arrival>,
    pub credits: Calendar<Credit>,
    pub ejections: Calendar<Ejection>,
    pub source_credits: Calendar<SourceCredit>,
}

impl Channels {
    pub fn new(horizon_cycles: u32) -> Self {
        Self {
            flits: Calendar::new(horizon_cycles),
            credits: Calendar::new(horizon_cycles),
            ejections: Calendar::new(horizon_cycles),
            source_credits: Calendar::new(horizon_cycles),
        }
    }

    /// The first cycle from `now` on in which something arrives.
    pub fn next(&self, now: u64) -> Option<u64> {
        let next = [
            self.flits.next(now),
            self.credits.next(now),
            self.ejections.next(now),
            self.source_credits.next(now),
        ];
        next.into_iter().flatten().min()
    }
}
