//! Sources: each sends one packet at a time, at most one flit a cycle, through its injection channel.

use crate::alarms::Alarms;
use crate::channels::Credit;
use crate::gates::Gates;
use crate::router_options::{RouterOptions, Switching};
use crate::wiring::Wiring;
use fabric::Node;
use fabric::bits;

/// A packet that a source works on.
#[derive(Debug, Clone, Copy)]
pub struct Sending {
    pub packet: u32,
    pub flits: u32,
    pub sent: u32,
    pub first_vc: u16,
    pub vcs: u16,
    /// The virtual channel of the injection channel, once it has one.
    pub vc: Option<u16>,
}

pub struct Sources {
    vcs: usize,
    capacity: u16,
    whole_packet: bool,
    wait_for_tail_credit: bool,
    credits: Vec<u16>,
    sending: Vec<Option<Sending>>,
    last_vc: Vec<u16>,
    /// Nodes that may do something in this cycle.
    pub ready: Vec<u64>,
    pub alarms: Alarms,
    /// Of injection channels, where channels are not all alike.
    gates: Option<Gates>,
}

impl Sources {
    pub fn new(wiring: &Wiring, options: &RouterOptions) -> Self {
        let nodes = wiring.nodes();
        let vcs = usize::from(options.virtual_channels);
        Self {
            vcs,
            capacity: options.vc_buffer_flits,
            whole_packet: options.switching == Switching::VirtualCutThrough,
            wait_for_tail_credit: options.wait_for_tail_credit,
            credits: vec![options.vc_buffer_flits; nodes * vcs],
            sending: vec![None; nodes],
            last_vc: vec![0; nodes],
            ready: (0..bits::words(nodes)).map(|word| bits::range_word(0, nodes, word)).collect(),
            alarms: Alarms::new(nodes),
            gates: wiring.intervals.as_ref().map(|all| Gates::new(&all.injection)),
        }
    }

    pub fn wake(&mut self, node: Node) {
        bits::insert(&mut self.ready, node as usize);
    }

    pub fn sleep(&mut self, node: Node) {
        bits::remove(&mut self.ready, node as usize);
    }

    #[inline]
    pub fn credit(&mut self, Credit { to: node, vc }: Credit) {
        self.credits[node as usize * self.vcs + vc as usize] += 1;
        if self.sending[node as usize].is_some() {
            self.wake(node);
        }
    }

    #[inline]
    pub fn sending(&self, node: Node) -> Option<Sending> {
        self.sending[node as usize]
    }

    pub fn start(&mut self, node: Node, sending: Sending) -> Sending {
        self.sending[node as usize] = Some(sending);
        sending
    }

    /// The virtual channel for the next flit: round robin for a head, at most one flit a cycle.
    #[inline]
    pub fn vc_for(&mut self, node: Node, sending: &Sending) -> Option<u16> {
        let credits = &self.credits[node as usize * self.vcs..][..self.vcs];
        if let Some(vc) = sending.vc {
            return (credits[usize::from(vc)] > 0).then_some(vc);
        }
        let last = self.last_vc[node as usize];
        let first = sending.first_vc;
        let range = first..first + sending.vcs;
        let start = if range.contains(&last) { last - first + 1 } else { 0 };
        let usable = |vc: &u16| {
            let credits = credits[usize::from(*vc)];
            let needed = if self.whole_packet { sending.flits } else { 1 };
            let empty = credits == self.capacity;
            u32::from(credits) >= needed && (empty || !self.wait_for_tail_credit)
        };
        let vc = (0..sending.vcs).map(|i| first + (start + i) % sending.vcs).find(usable)?;
        self.last_vc[node as usize] = vc;
        Some(vc)
    }

    /// Whether the last flit still occupies the injection channel.
    #[inline]
    pub fn is_closed(&self, node: Node, now: u64) -> bool {
        self.gates.as_ref().is_some_and(|all| !all.is_open(node as usize, now))
    }

    /// A flit goes out; true if it was the tail.
    #[inline]
    pub fn send(&mut self, node: Node, mut sending: Sending, vc: u16, now: u64) -> bool {
        if let Some(gates) = &mut self.gates {
            gates.send(node as usize, now);
        }
        self.credits[node as usize * self.vcs + usize::from(vc)] -= 1;
        sending.sent += 1;
        sending.vc = Some(vc);
        let is_tail = sending.sent == sending.flits;
        self.sending[node as usize] = if is_tail { None } else { Some(sending) };
        is_tail
    }

    pub fn credits_are_restored(&self) -> bool {
        self.credits.iter().all(|&credits| credits == self.capacity)
    }
}
