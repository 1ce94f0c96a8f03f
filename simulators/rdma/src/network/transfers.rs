//! Transfers under way, and the routes of those whose packets are on their way.

use super::nics::Queue;
use super::state::NONE;
use crate::wiring::{Step, Wiring};
use mpi::{Kind, Token, Transfer};
use programs::Order;
use programs::Parameters;

/// A transfer that has not arrived.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnderWay {
    pub src: u32,
    pub dst: u32,
    pub bytes: u64,
    pub token: Token,
    pub kind: Kind,
    /// It arrives in order with others from the same node to the same node.
    pub ordered: bool,
    /// It waits for the ordered one before it from the same node to the same node.
    pub waits: bool,
    /// All of it is where it should be.
    pub complete: bool,
    pub unsent_packets: u64,
    pub missing_packets: u64,
    /// Of the packets that are here, that of the last one to leave: how many leave after it.
    pub fewest_later: u32,
    /// Behind it in a queue of its NIC, or among the free ones.
    pub next: u32,
    /// The ordered one handed over after it, from the same node to the same node.
    pub successor: u32,
    /// Number of its route.
    pub route: u32,
}

pub(crate) struct Transfers {
    all: Vec<UnderWay>,
    free: u32,
    under_way: usize,
    pub order: Order,
    /// Route r begins at r · `longest`. None where packets choose their routes on the way: there,
    /// `longest` is 0.
    routes: Vec<Step>,
    longest: usize,
    free_routes: Vec<u32>,
    path: Vec<u32>,
}

impl Transfers {
    pub fn new(longest: usize) -> Self {
        Self {
            all: Vec::new(),
            free: NONE,
            under_way: 0,
            order: Order::default(),
            routes: Vec::new(),
            longest,
            free_routes: Vec::new(),
            path: Vec::with_capacity(longest),
        }
    }

    pub fn add(&mut self, transfer: &Transfer, parameters: &Parameters) -> u32 {
        let packets = match transfer.kind {
            Kind::Data => parameters.packets(transfer.bytes),
            Kind::Control => 1,
        };
        let new = UnderWay {
            src: transfer.src,
            dst: transfer.dst,
            bytes: transfer.bytes,
            token: transfer.token,
            kind: transfer.kind,
            ordered: transfer.ordered,
            waits: false,
            complete: false,
            unsent_packets: packets,
            missing_packets: packets,
            fewest_later: u32::MAX,
            next: NONE,
            successor: NONE,
            route: NONE,
        };
        self.under_way += 1;
        if self.free == NONE {
            self.all.push(new);
            return self.all.len() as u32 - 1;
        }
        let number = self.free;
        self.free = self.all[number as usize].next;
        self.all[number as usize] = new;
        number
    }

    pub fn remove(&mut self, number: u32) -> UnderWay {
        self.under_way -= 1;
        let transfer = self.all[number as usize];
        if transfer.route != NONE {
            self.free_routes.push(transfer.route);
        }
        self.all[number as usize].next = self.free;
        self.free = number;
        transfer
    }

    pub fn is_empty(&self) -> bool {
        self.under_way == 0
    }

    #[inline]
    pub fn get(&self, number: u32) -> &UnderWay {
        &self.all[number as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut UnderWay {
        &mut self.all[number as usize]
    }

    pub fn push(&mut self, queue: &mut Queue, number: u32) {
        if queue.first == NONE {
            queue.first = number;
        } else {
            self.all[queue.last as usize].next = number;
        }
        queue.last = number;
    }

    pub fn pop(&mut self, queue: &mut Queue) {
        queue.first = self.all[queue.first as usize].next;
        if queue.first == NONE {
            queue.last = NONE;
        }
    }

    /// Place of the first step of a transfer's route.
    pub fn first_step(&mut self, number: u32, wiring: &Wiring) -> u32 {
        let transfer = &mut self.all[number as usize];
        if transfer.route == NONE {
            if self.longest == 0 {
                return 0;
            }
            transfer.route = self.free_routes.pop().unwrap_or_else(|| {
                let route = self.routes.len() / self.longest;
                self.routes.resize(self.routes.len() + self.longest, Step::default());
                route as u32
            });
            let first = transfer.route as usize * self.longest;
            let steps = &mut self.routes[first..first + self.longest];
            wiring.route(transfer.src, transfer.dst, &mut self.path, steps);
        }
        transfer.route * self.longest as u32
    }

    #[inline]
    pub fn all(&self) -> &[UnderWay] {
        &self.all
    }

    /// Of all routes.
    #[inline]
    pub fn steps(&self) -> &[Step] {
        &self.routes
    }

    #[inline]
    pub fn step(&self, place: u32) -> Step {
        self.routes[place as usize]
    }
}
