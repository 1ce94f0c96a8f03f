//! What reaches a router in a cycle: flits, credits, and the ends of stages that take longer.

use super::{Routers, Stage, Timer};
use crate::channels::{Arrival, Channels, Credit, ROUTERS};
use crate::packets::Packets;
use crate::routing::Routing;
use fabric::bits;

impl<R: Routing> Routers<R> {
    /// Takes in what the channels deliver in this cycle.
    #[inline]
    pub fn read(&mut self, now: u64, channels: &mut Channels, packets: &mut Packets) {
        let credits = channels.credits[ROUTERS].take(now);
        for &credit in &credits {
            self.credit(now, credit);
        }
        channels.credits[ROUTERS].keep(now, credits);
        if !self.timers.is_empty() {
            self.end_stages(now);
        }
        let flits = channels.flits[ROUTERS].take(now);
        for &arrival in &flits {
            self.arrive(now, arrival, packets);
        }
        channels.flits[ROUTERS].keep(now, flits);
    }

    #[inline]
    fn arrive(&mut self, now: u64, arrival: Arrival, packets: &mut Packets) {
        let input = self.ports.inputs[arrival.to as usize];
        let vc = arrival.to as usize * self.vcs + arrival.vc as usize;
        let local = input.number as usize * self.vcs + arrival.vc as usize;
        let router = input.router as usize;
        let is_only = self.buffers.push(vc, arrival.flit);
        let state = self.inputs[vc];
        match state.stage {
            Stage::Idle => self.begin(router, local, arrival.flit.packet(), now, packets),
            Stage::Active if is_only => {
                let port = self.ports.numbers.first(router) as usize + usize::from(state.port);
                if self.outputs.credits(port, state.out_vc.into()) > 0 {
                    self.request_switch(router, local, now);
                }
            }
            _ => {}
        }
    }

    #[inline]
    fn credit(&mut self, now: u64, credit: Credit) {
        let port = credit.to as usize;
        if let Some(owner) = self.outputs.credit(port, credit.vc as usize) {
            let router = self.ports.outputs[port].router as usize;
            if self.buffers.len(self.first_vc(router) + owner as usize) > 0 {
                self.request_switch(router, owner as usize, now);
            }
        }
    }

    /// Apart from the rest, which has more registers then: routers whose stages take one cycle never
    /// come here.
    #[inline(never)]
    fn end_stages(&mut self, now: u64) {
        let timers = self.timers.take(now);
        timers.iter().for_each(|&timer| self.elapsed(timer));
        self.timers.keep(now, timers);
    }

    fn elapsed(&mut self, timer: Timer) {
        let input = self.ports.inputs[timer.port as usize];
        let router = input.router as usize;
        let local = input.number as usize * self.vcs + timer.vc as usize;
        match timer.stage {
            Stage::Routing => {
                let packet = self.buffers.front(self.first_vc(router) + local).packet();
                self.routed.push((input.router, local as u32, packet));
            }
            Stage::Waiting => self.wait(router, local),
            _ => {
                bits::insert(&mut self.routers_requested, router);
                self.requesting.insert(router, local);
            }
        }
    }
}
