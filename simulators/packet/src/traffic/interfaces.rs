//! Interfaces and memory of the nodes of a list or of traffic, as programs have them.
//!
//! A packet leaves when DMA has read it, and a message has arrived when DMA has written it. The DMA of a
//! node reads one packet ahead: it begins when its message is there and the packet before has begun to
//! leave. Both are known when the source asks, so that nothing is planned for it.

use super::Cut;
use crate::program::Clock;
use fabric::{Links, Node};
use mpi::time::{Time, from_seconds};
use programs::{Delays, Dma, Parameters, Piece};

/// What DMA of a node has done.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    read_until: Time,
    written_until: Time,
    /// When the last packet began to leave.
    left: Time,
}

/// Which part of its message a packet is.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub message_bytes: u64,
    pub flits: u32,
    pub is_first: bool,
    pub is_last: bool,
}

/// The interfaces of all nodes.
#[derive(Debug, Clone)]
pub struct Interfaces {
    clock: Clock,
    dma: Dma,
    cut: Cut,
    links: Links,
    /// From the issue of a message until its interface has it: what a put takes before its DMA.
    latency: Time,
    nodes: Vec<State>,
}

impl Interfaces {
    /// For so many nodes, whose messages are cut like this.
    pub fn new(nodes: u32, parameters: &Parameters, cut: Cut, cycle_s: f64) -> Self {
        let software = from_seconds(parameters.software().put_s);
        Self {
            clock: Clock::new(cycle_s),
            dma: Dma::new(parameters),
            cut,
            links: parameters.links.clone(),
            latency: Delays::new(parameters).message + software,
            nodes: vec![State::default(); nodes as usize],
        }
    }

    pub fn latency(&self) -> Time {
        self.latency
    }

    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The first cycle in which a packet may leave, whose message has been there since `entered`.
    pub fn read(&mut self, src: Node, entered: Time, part: Part) -> u64 {
        let piece = self.piece(src, &part);
        let state = &mut self.nodes[src as usize];
        let from = entered.max(state.left);
        let read = self.dma.read(&mut state.read_until, from, || part.is_first, &piece);
        self.clock.cycle(read.prepared.max(from))
    }

    /// A packet begins to leave.
    pub fn leaves(&mut self, src: Node, cycle: u64) {
        self.nodes[src as usize].left = self.clock.time(cycle);
    }

    /// When a packet that is here is in memory, with all of its message if it `is_complete`.
    pub fn write(&mut self, dst: Node, cycle: u64, part: Part, is_complete: bool) -> Time {
        let now = self.clock.time(cycle);
        let piece = self.piece(self.nodes.len() as u32 + dst, &part);
        let until = &mut self.nodes[dst as usize].written_until;
        self.dma.write(until, now, is_complete, &piece).max(now)
    }

    fn piece(&self, channel: u32, part: &Part) -> Piece {
        let &Part { message_bytes, flits, is_last, .. } = part;
        let bytes = self.cut.bytes_of_packet(message_bytes, is_last);
        let tail = self.clock.tail(flits.into(), self.links.slower(channel));
        Piece { bytes, message_bytes, is_last, tail }
    }
}
