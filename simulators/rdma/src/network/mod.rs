//! The network: virtual cut-through routers with virtual channels, packet by packet, in the times
//! of a flit-level simulation.
//!
//! The head of a packet reaches the front of its buffer (`when`: and is routed), gets a virtual
//! channel whose buffer has room for all of it, then the switch, for as long as its flits last; the
//! tail gives virtual channel, input and output free. The routers of `weft-packet` with
//! `virtual_cut_through` and `hold_switch_for_packet` do the same flit by flit.
//!
//! A time is simulated in two phases: first all that happens in it, then every output port that this
//! may concern chooses whom it serves. So the order of events of one time does not matter. The
//! switch is given `vc_allocation` ahead of its time: all who may compete for it are known then.

mod allocation;
mod counters;
mod events;
mod heads;
mod lists;
mod loads;
mod mixed;
mod narrow;
mod nics;
mod on_the_way;
mod order;
mod packets;
mod routes;
mod sets;
mod state;
mod timing;
mod touched;
mod transfers;
mod warm;
mod watched;
mod what;
mod wheel;

pub use on_the_way::drawn;

pub(crate) use counters::COUNTS;
pub(crate) use packets::{Packet, Packets};
pub(crate) use state::{Ask, Channel, NONE, Vc};
pub(crate) use timing::Timing;
pub(crate) use what::What;

use crate::wiring::Wiring;
use fabric::Fabric;
use mixed::Mixed;
use mpi::time::Time;
use mpi::{Happening, Kind, Transfer, Transport};
use nics::Nic;
use on_the_way::OnTheWay;
use programs::NetworkObserver;
use programs::Parameters;
use programs::transfers::Transfers;
use routes::Routes;
use touched::Touched;
use transfers::OnNetwork;
use watched::Watched;
use wheel::Wheel;

/// An input port of a router.
#[derive(Debug, Clone, Copy, Default)]
struct InputPort {
    /// It feeds a packet to the switch until then.
    feeds: Time,
    /// The virtual channel that goes first.
    turn: u8,
}

/// A packet that became the first of its buffer, and the channel that it asks for a virtual channel.
struct Asking {
    place: u32,
    packet: u32,
    out: u32,
}

/// Tables up to this are read from the caches of a core; reading ahead in them takes more time than it
/// saves.
const NEAR_BYTES: usize = 1 << 20;
/// For so many at once it is read ahead: of more, the first would have left the near caches.
const TOGETHER: usize = 64;

/// Network and NICs.
pub struct Network<O: NetworkObserver> {
    pub(crate) parameters: Parameters,
    pub(crate) wiring: Wiring,
    pub(crate) timing: Timing,
    /// None where all channels are alike.
    pub(crate) mixed: Option<Mixed>,
    /// Static routes over channels that are all alike.
    is_plain: bool,
    /// What the buffer of a virtual channel holds, as [`Network::room`] counts.
    pub(crate) capacity: u32,
    /// Two packets never share a buffer.
    pub(crate) own_buffers: bool,
    pub(crate) now: Time,
    wheel: Wheel,
    pub(crate) channels: Vec<Channel>,
    /// See [`Wiring::first_vc`].
    pub(crate) vcs: Vec<Vc>,
    inputs: Vec<InputPort>,
    /// Sets of wide routers: see [`heads::Heads`].
    wide_waiting: Vec<u64>,
    wide_holding: Vec<u64>,
    pub(crate) packets: Packets,
    touched: Touched,
    /// None where routes are static.
    pub(crate) on_the_way: Option<Box<OnTheWay>>,
    /// Buffers with a new first packet, which has not asked for a virtual channel yet.
    asking: Vec<Asking>,
    pub(crate) nics: Vec<Nic>,
    pub(crate) transfers: Transfers<OnNetwork>,
    pub(crate) routes: Routes,
    pub(crate) happened: Vec<Happening>,
    pub(crate) seed: u64,
    pub(crate) observer: O,
    pub(crate) watched: Watched,
    injected: u64,
    /// Packets that arrived after a later one of their transfer.
    pub(crate) reordered: u64,
    /// Transfers that were complete before an earlier one, and waited for it.
    pub(crate) held: u64,
    /// Its tables are larger than the near caches.
    reads_ahead: bool,
}

impl<O: NetworkObserver> Network<O> {
    /// `seed` decides between virtual channels where both classes of a torus are allowed, and what
    /// packets draw that choose their routes on the way.
    pub fn new(
        fabric: &Fabric,
        parameters: &Parameters,
        seed: u64,
        observer: O,
    ) -> Result<Self, String> {
        parameters.check()?;
        parameters.check_buffers()?;
        let router = parameters.router();
        let wiring = Wiring::new(fabric, router.virtual_channels, router.torus_classes)?;
        Ok(Self::of(wiring, parameters, seed, observer))
    }

    fn of(wiring: Wiring, parameters: &Parameters, seed: u64, observer: O) -> Self {
        let router = parameters.router();
        let timing = Timing::new(parameters);
        let (channels, nodes) = (wiring.channels as usize, wiring.nodes as usize);
        let (stride, inputs) = (wiring.stride as usize, wiring.inputs.len());
        let wide = if wiring.words > 1 { channels * wiring.words } else { 0 };
        let largest = parameters.packet.mtu_bytes.div_ceil(parameters.packet.flit_bytes) as u32;
        let slowest = parameters.links.slowest().ceil() as u32;
        let (shift, slots) = timing.wheel(largest.saturating_mul(slowest));
        let mixed = Mixed::new(parameters, &wiring);
        let on_the_way = OnTheWay::new(&wiring).map(Box::new);
        let tables = channels * size_of::<Channel>() + inputs * stride * size_of::<Vc>();
        let own_buffers = wiring.fabric.routing().needs_own_buffers;
        let flits = (router.vc_buffer_bytes / parameters.packet.flit_bytes) as u32;
        Self {
            capacity: if own_buffers { 1 } else { flits },
            own_buffers,
            now: 0,
            wheel: Wheel::new(shift, slots),
            channels: (0..wiring.channels)
                .map(|channel| {
                    let router = wiring.router(channel);
                    Channel::new(router, wiring.first_input_vc(router), wiring.first_vc(channel))
                })
                .collect(),
            vcs: wiring.channels_of_vcs().map(Vc::new).collect(),
            inputs: vec![InputPort::default(); inputs],
            wide_waiting: vec![0; wide],
            wide_holding: vec![0; wide],
            packets: Packets::new(),
            touched: Touched::new(wiring.routers(), inputs, wiring.nodes, timing.per_port),
            is_plain: on_the_way.is_none() && mixed.is_none(),
            on_the_way,
            mixed,
            asking: Vec::new(),
            nics: vec![Nic::default(); nodes],
            transfers: Transfers::default(),
            routes: Routes::new(wiring.longest_route()),
            happened: Vec::new(),
            seed,
            observer,
            watched: Watched::new(if O::ACTIVE { inputs * stride } else { 0 }),
            injected: 0,
            reordered: 0,
            held: 0,
            reads_ahead: tables > NEAR_BYTES,
            parameters: parameters.clone(),
            wiring,
            timing,
        }
    }

    /// What a packet takes of a buffer: its flits, or 1 where the buffer is for one packet alone.
    #[inline]
    pub(crate) fn room(&self, flits: u32) -> u32 {
        if self.own_buffers { 1 } else { flits }
    }

    pub fn fabric(&self) -> &Fabric {
        &self.wiring.fabric
    }

    /// Everything planned for the time `self.now`, in two phases, until nothing more happens in it.
    #[inline(always)]
    fn simulate_now(&mut self) {
        loop {
            while self.apply_some() {}
            if self.touched.is_empty() {
                return;
            }
            self.look_at_touched();
        }
    }

    /// Some of the events of this time; false when there are no more.
    #[inline]
    fn apply_some(&mut self) -> bool {
        if self.reads_ahead {
            self.warm_events();
        }
        for _ in 0..TOGETHER {
            let Some(what) = self.wheel.pop(self.now) else { return false };
            self.apply(What::from_bits(what));
        }
        true
    }

    fn look_at_touched(&mut self) {
        let touched = self.touched.take(&self.channels, self.now);
        for some in touched.chunks(TOGETHER) {
            if self.reads_ahead {
                self.warm_touched(some);
            }
            for &channel in some {
                self.channels[channel as usize].touched = false;
                if channel < self.wiring.nodes {
                    self.inject(channel);
                } else {
                    self.allocate(channel);
                }
            }
        }
        self.touched.reuse(touched);
        self.ask();
    }
}

impl<O: NetworkObserver> Transport for Network<O> {
    /// The NIC reports a message when its DMA has written all packets.
    const REPORTS_HEADS: bool = false;

    fn send(&mut self, at: Time, transfer: Transfer) {
        debug_assert!(at >= self.now, "a transfer in the past");
        let packets = match transfer.kind {
            Kind::Data => self.parameters.packets(transfer.bytes),
            Kind::Control => 1,
        };
        let number = self.transfers.add(&transfer, OnNetwork::new(packets));
        if at == self.now {
            self.start(number);
        } else {
            self.plan(at, What::Start(number));
        }
    }

    fn advance(&mut self, until: Time, happenings: &mut Vec<Happening>) -> Time {
        // What was handed over since belongs to the time that was reached then.
        let mut next = Some(self.now);
        while let Some(at) = next {
            self.now = at;
            self.simulate_now();
            if !self.happened.is_empty() {
                happenings.append(&mut self.happened);
                return at;
            }
            next = self.wheel.next_at(until);
        }
        self.now = until;
        until
    }

    fn is_idle(&self) -> bool {
        self.transfers.is_empty() && self.happened.is_empty()
    }
}
