//! First phase: what happens at a time.

use super::what::{Seldom, What};
use super::{Asking, NONE, Network, TOGETHER};
use mpi::time::{NEVER, Time};
use programs::NetworkObserver;

impl<O: NetworkObserver> Network<O> {
    #[inline]
    pub(crate) fn plan(&mut self, at: Time, what: What) {
        self.wheel.push(at, what.bits());
    }

    #[inline]
    pub(super) fn apply(&mut self, what: What) {
        match what {
            What::Touch { channel } => {
                let state = &mut self.channels[channel as usize];
                if state.wake == self.now {
                    state.wake = NEVER;
                    self.touched.mark(state, channel);
                }
            }
            What::Tail { packet } => self.receive(packet),
            What::Credit { vc, flits } => {
                // Also those who know of later flits may go now.
                self.vcs[vc as usize].free(flits);
                self.mark(self.vcs[vc as usize].channel);
            }
            What::Start(transfer) => self.start(transfer),
            What::Enter(transfer) => self.enter(transfer),
            What::Read(transfer) => self.read(transfer),
            What::Written(transfer) => self.written(transfer),
            What::Seldom(bits) => self.apply_seldom(bits),
        }
    }

    #[inline(never)]
    fn apply_seldom(&mut self, bits: u64) {
        match Seldom::from_bits(bits) {
            Seldom::Head { vc, packet } => self.observe_buffer(vc, packet, true),
            Seldom::Route { vc, packet } => self.choose_way(vc, packet),
            Seldom::Choose { channel } => self.choose_ways_again(channel),
        }
    }

    /// The channel is looked at in the second phase of this time.
    #[inline]
    pub(crate) fn mark(&mut self, channel: u32) {
        self.touched.mark(&mut self.channels[channel as usize], channel);
    }

    /// The channel will be looked at then, or earlier.
    #[inline(always)]
    pub(crate) fn look_at(&mut self, channel: u32, at: Time) {
        self.channels[channel as usize].look_at(channel, at, &mut self.wheel);
    }

    /// A packet is on its way into the buffer of a virtual channel, which its head reaches at
    /// `arrived`. It is in the line of the buffer from now on: nobody can come between, and only the
    /// head of a line needs an event.
    #[inline(always)]
    pub(crate) fn arrive(&mut self, place: u32, packet: u32, arrived: Time) {
        if O::ACTIVE {
            let head = Seldom::Head { vc: place, packet };
            self.plan(arrived + self.timing.routing, head.what());
        }
        self.packets.get_mut(packet).arrived = arrived;
        let vc = &mut self.vcs[place as usize];
        if vc.first == NONE {
            (vc.first, vc.last) = (packet, packet);
            vc.when = vc.when.max(arrived) + self.timing.routing;
            self.asking.push(Asking { place, packet, out: 0 });
        } else {
            if vc.second == NONE {
                vc.second = packet;
            }
            let last = std::mem::replace(&mut vc.last, packet);
            self.packets.get_mut(last).next = packet;
        }
    }

    /// The packets that became the first of their buffers ask for virtual channels: together, after
    /// the phase in which they became it.
    #[inline]
    pub(super) fn ask(&mut self) {
        if self.on_the_way.is_some() {
            self.plan_choices();
            return;
        }
        let mut asking = std::mem::take(&mut self.asking);
        for some in asking.chunks_mut(TOGETHER) {
            self.note_requests(some);
            if self.mixed.is_some() {
                self.wait_for_tails(some);
            }
            for ask in some {
                self.request(ask.place, ask.out);
            }
        }
        self.asking = asking;
        self.asking.clear();
    }

    /// The first packet of a buffer asks for a virtual channel of its next channel, for a time that
    /// may be to come.
    #[inline(always)]
    pub(super) fn request(&mut self, place: u32, out: u32) {
        let vc = &self.vcs[place as usize];
        let (room, range, when) = (vc.asks.room(), vc.asks.range(), vc.when);
        let state = &mut self.channels[out as usize];
        let first = (state.first_vc + u32::from(range.first)) as usize;
        let mut free = NEVER;
        for vc in &mut self.vcs[first..first + usize::from(range.count)] {
            if vc.free_at == NEVER {
                continue;
            }
            let at = vc.free_for(room, self.capacity, &self.timing);
            if at < NEVER {
                free = free.min(at.max(vc.free_at));
            } else {
                vc.want(room);
            }
        }
        let bit = place - state.first_input_vc;
        self.add_waiting(out, bit);
        let state = &mut self.channels[out as usize];
        let at = free.max(when);
        if at <= self.now {
            self.touched.mark(state, out);
        } else if free < NEVER {
            state.look_at(out, at, &mut self.wheel);
        }
    }

    /// The flits of a packet in the buffer behind a virtual channel come free one by one from `at`
    /// on.
    #[inline]
    pub(crate) fn give_back(&mut self, vc: u32, at: Time, flits: u32) {
        let state = &mut self.vcs[vc as usize];
        if !state.give_back(at, flits, self.now, &self.timing) {
            self.plan(at + self.timing.flits(flits - 1), What::Credit { vc, flits });
            return;
        }
        if state.wanted > 0 {
            let free = state.free_for(state.wanted.into(), self.capacity, &self.timing);
            if free < NEVER {
                state.wanted = 0;
                // Whoever owns the virtual channel plans a look when the owner gets the switch.
                if state.free_at < NEVER {
                    let at = free.max(state.free_at).max(self.now);
                    let channel = state.channel;
                    self.look_at(channel, at);
                }
            }
        }
    }
}
