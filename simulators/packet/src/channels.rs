//! Channels: what left one end and arrives at the other in a cycle to come.

use crate::calendar::Calendar;
use crate::packets::Flit;
use crate::wiring::Peer;

/// Index of the calendar of what arrives at routers.
pub const ROUTERS: usize = 0;
/// Index of the calendar of what arrives at nodes.
pub const NODES: usize = 1;
/// No calendar has it.
const NOWHERE: usize = 2;

/// The other end of a channel: which calendar, and the port or node there. An index, as nobody can
/// predict a branch on it.
#[derive(Debug, Clone, Copy)]
pub struct Far {
    pub calendar: u32,
    pub number: u32,
}

impl From<Peer> for Far {
    fn from(peer: Peer) -> Self {
        let (calendar, number) = match peer {
            Peer::Port(port) => (ROUTERS, port),
            Peer::Node(node) => (NODES, node),
            Peer::Nothing => (NOWHERE, 0),
        };
        Self { calendar: calendar as u32, number }
    }
}

/// A flit for the input port of a router, or for a node.
#[derive(Debug, Clone, Copy)]
pub struct Arrival {
    pub to: u32,
    pub vc: u32,
    pub flit: Flit,
}

/// A credit for the output port of a router, or for the injection channel of a node.
#[derive(Debug, Clone, Copy)]
pub struct Credit {
    pub to: u32,
    pub vc: u32,
}

/// What arrives at [`ROUTERS`] and at [`NODES`].
pub struct Channels {
    pub flits: [Calendar<Arrival>; 2],
    pub credits: [Calendar<Credit>; 2],
}

impl Channels {
    pub fn new(horizon_cycles: u32) -> Self {
        Self {
            flits: [Calendar::new(horizon_cycles), Calendar::new(horizon_cycles)],
            credits: [Calendar::new(horizon_cycles), Calendar::new(horizon_cycles)],
        }
    }

    #[inline]
    pub fn send(&mut self, at: u64, far: Far, vc: u32, flit: Flit) {
        self.flits[far.calendar as usize].put(at, Arrival { to: far.number, vc, flit });
    }

    #[inline]
    pub fn return_credit(&mut self, at: u64, far: Far, vc: u32) {
        self.credits[far.calendar as usize].put(at, Credit { to: far.number, vc });
    }

    /// The first cycle from `now` on in which something arrives.
    pub fn next(&self, now: u64) -> Option<u64> {
        let flits = self.flits.iter().filter_map(|calendar| calendar.next(now));
        flits.chain(self.credits.iter().filter_map(|calendar| calendar.next(now))).min()
    }
}
