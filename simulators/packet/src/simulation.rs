//! The cycle loop: channels deliver, sources send, sinks retire, routers compute.

mod counts;

use crate::channels::{Arrival, Channels, Far, NODES, ROUTERS};
use crate::packets::{Flit, InFlight, Packets};
use crate::recorder::{Delivered, Recorder};
use crate::router::Routers;
use crate::router_options::RouterOptions;
use crate::routing::{Header, Routing, Way};
use crate::sources::{Sending, Sources};
use crate::traffic::{Next, Traffic};
use crate::wiring::Wiring;
use fabric::Node;
use fabric::bits::{self, Bits};

/// A network with its traffic. All its randomness comes from the seed, and the order of events in a
/// cycle is fixed, so that the same arguments give the same flits in the same cycles.
pub struct Simulation<R, T, M> {
    now: u64,
    routers: Routers<R>,
    sources: Sources,
    channels: Channels,
    packets: Packets,
    traffic: T,
    recorder: M,
    injection_flits: Vec<u64>,
    look_ahead: bool,
    stopped: bool,
    last_move: u64,
}

impl<R: Routing, T: Traffic, M: Recorder> Simulation<R, T, M> {
    /// `options` must be consistent; see [`RouterOptions::check`].
    pub fn new(
        wiring: &Wiring,
        options: &RouterOptions,
        routing: R,
        traffic: T,
        recorder: M,
        seed: u64,
    ) -> Self {
        let routers = Routers::new(wiring, options, routing, seed);
        Self {
            now: 0,
            channels: Channels::new(routers.ports.horizon_cycles),
            routers,
            sources: Sources::new(wiring, options),
            packets: Packets::default(),
            traffic,
            recorder,
            injection_flits: vec![0; wiring.nodes()],
            look_ahead: options.routing_delay_cycles == 0,
            stopped: false,
            last_move: 0,
        }
    }

    /// The next cycle to be simulated.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Simulates all cycles before `until`; stretches in which nothing happens cost nothing. Of
    /// traffic that answers, it stops in the cycle in which something is due, after its sinks.
    pub fn advance(&mut self, until: u64) {
        while self.now < until {
            if T::ANSWERS {
                self.sink();
                if self.traffic.due() <= self.now {
                    return;
                }
            }
            if self.routers.are_idle() && !bits::any(&self.sources.ready) {
                let until = until.min(self.traffic.due());
                let next = self.next_event().map_or(until, |at| at.min(until));
                if next > self.now {
                    self.now = next;
                    continue;
                }
            }
            self.cycle();
            self.now += 1;
        }
    }

    fn next_event(&self) -> Option<u64> {
        let next = [
            self.channels.next(self.now),
            self.routers.next(self.now),
            self.sources.alarms.next(self.now),
        ];
        next.into_iter().flatten().min()
    }

    fn cycle(&mut self) {
        let now = self.now;
        let credits = self.channels.credits[NODES].take(now);
        credits.iter().for_each(|&credit| self.sources.credit(credit));
        self.channels.credits[NODES].keep(now, credits);
        let ready = &mut self.sources.ready;
        self.sources.alarms.ring(now, |node| bits::insert(ready, node as usize));
        for word in 0..self.sources.ready.len() {
            for bit in Bits(self.sources.ready[word]) {
                self.feed((word * 64 + bit) as Node);
            }
        }
        if !T::ANSWERS {
            self.sink();
        }
        // Sources that look ahead see their router as the cycle before has left it, as in BookSim2.
        self.routers.read(now, &mut self.channels, &mut self.packets);
        if self.routers.compute(now, &mut self.channels, &mut self.packets) {
            self.last_move = now;
        }
    }

    /// Sinks take what has reached them, once a cycle.
    #[inline]
    fn sink(&mut self) {
        let now = self.now;
        let arrivals = self.channels.flits[NODES].take(now);
        for &arrival in &arrivals {
            self.retire(arrival);
        }
        self.channels.flits[NODES].keep(now, arrivals);
    }

    /// One cycle of a source: it may begin a packet, and may send a flit.
    #[inline]
    fn feed(&mut self, node: Node) {
        if self.sources.is_closed(node, self.now) {
            return;
        }
        let Some(sending) = self.sources.sending(node).or_else(|| self.begin_packet(node)) else {
            self.sources.sleep(node);
            return;
        };
        let Some(vc) = self.sources.vc_for(node, &sending) else {
            // A credit will wake it.
            self.sources.sleep(node);
            return;
        };
        let now = self.now;
        let is_head = sending.sent == 0;
        if is_head {
            self.head_departs(node, sending.packet);
        }
        let is_tail = self.sources.send(node, sending, vc, now);
        let flit = Flit::new(sending.packet, is_head, is_tail, now);
        let port = self.routers.ports.nodes[node as usize];
        let far = Far { calendar: ROUTERS as u32, number: port.injection };
        self.channels.send(now + u64::from(port.injection_cycles), far, vc.into(), flit);
        self.injection_flits[node as usize] += 1;
        if let Some(flows) = &mut self.routers.flows {
            flows.on(node, self.packets.get(sending.packet));
        }
        self.last_move = now;
        self.recorder.injected(node, now);
    }

    fn begin_packet(&mut self, node: Node) -> Option<Sending> {
        if self.stopped {
            return None;
        }
        let packet = match self.traffic.next(node, self.now) {
            Next::Packet(packet) => packet,
            Next::At(at) => {
                self.sources.alarms.set(node, at);
                return None;
            }
            Next::Waiting => return None,
        };
        let mut header =
            Header { src: node, dst: packet.dst, message: packet.number, ..Header::default() };
        let (routing, random) = self.routers.routing();
        let (first_vc, vcs) = routing.inject(&mut header, random);
        let number = self.packets.add(InFlight {
            header,
            message: packet.message,
            flits: packet.flits,
            created: packet.created,
            departed: 0,
            head_arrived: 0,
            routers: 0,
            ahead: Way { port: 0, first_vc: 0, vcs: 0 },
        });
        let flits = packet.flits;
        let sending = Sending { packet: number, flits, sent: 0, first_vc, vcs, vc: None };
        Some(self.sources.start(node, sending))
    }

    fn head_departs(&mut self, node: Node, packet: u32) {
        self.packets.get(packet).departed = self.now;
        if self.look_ahead {
            let port = self.routers.ports.nodes[node as usize].injection;
            self.routers.look_ahead(port, packet, &mut self.packets);
        }
    }

    /// A flit reaches its node, which returns the credit at once.
    #[inline]
    fn retire(&mut self, Arrival { to: node, vc, flit }: Arrival) {
        let now = self.now;
        let port = self.routers.ports.nodes[node as usize];
        let far = Far { calendar: ROUTERS as u32, number: port.ejection };
        self.channels.return_credit(now + u64::from(port.ejection_credit_cycles), far, vc);
        self.last_move = now;
        self.recorder.ejected(node, flit.departed(now), now);
        if flit.is_head() {
            self.packets.get(flit.packet()).head_arrived = now;
        }
        if flit.is_tail() {
            self.deliver(node, flit.packet());
        }
    }

    fn deliver(&mut self, node: Node, packet: u32) {
        let packet = self.packets.remove(packet);
        let Header { src, dst, .. } = packet.header;
        debug_assert_eq!(dst, node, "a packet came out at the wrong node");
        let InFlight { message, flits, created, departed, head_arrived, routers, .. } = packet;
        let arrived = self.now;
        let delivered = Delivered {
            src,
            dst,
            message,
            flits,
            created,
            departed,
            head_arrived,
            arrived,
            routers,
        };
        self.recorder.delivered(&delivered);
        if self.traffic.delivered(&delivered) {
            self.sources.wake(src);
        }
    }

    /// The traffic of a source has something to send.
    pub fn wake(&mut self, node: Node) {
        self.sources.wake(node);
    }

    /// From now on no source begins another packet.
    pub fn stop_sources(&mut self) {
        self.stopped = true;
    }

    /// Whether all packets that were begun have arrived.
    pub fn is_drained(&self) -> bool {
        self.packets.is_empty()
    }

    /// Cycles since a flit moved last, while packets are under way; else 0.
    pub fn stalled_cycles(&self) -> u64 {
        if self.is_drained() {
            return 0;
        }
        self.now.saturating_sub(self.last_move + 1)
    }

    pub fn traffic(&self) -> &T {
        &self.traffic
    }

    pub fn traffic_mut(&mut self) -> &mut T {
        &mut self.traffic
    }

    pub fn recorder(&self) -> &M {
        &self.recorder
    }

    pub fn recorder_mut(&mut self) -> &mut M {
        &mut self.recorder
    }
}
