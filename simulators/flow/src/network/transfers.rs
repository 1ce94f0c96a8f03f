//! Transfers under way.

use mpi::time::Time;
use mpi::{Kind, Token, Transfer};
use programs::Order;

/// No transfer.
pub(super) const NONE: u32 = u32::MAX;

/// A transfer that has not arrived.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnderWay {
    pub src: u32,
    pub dst: u32,
    pub bytes: u64,
    pub token: Token,
    pub kind: Kind,
    /// It arrives in order with others from the same node to the same node.
    ordered: bool,
    /// It waits for the ordered one before it.
    waits: bool,
    /// All of it is where it should be.
    complete: bool,
    /// The ordered one handed over after it; among free places, the next one.
    successor: u32,
    /// Routers on its way.
    pub routers: u32,
    /// When its flow began.
    pub began: Time,
    /// Its last byte leaves no earlier.
    pub not_before: Time,
}

pub(super) struct Transfers {
    all: Vec<UnderWay>,
    free: u32,
    under_way: usize,
    order: Order,
}

impl Default for Transfers {
    fn default() -> Self {
        Self { all: Vec::new(), free: NONE, under_way: 0, order: Order::default() }
    }
}

impl Transfers {
    pub fn add(&mut self, transfer: &Transfer) -> u32 {
        let new = UnderWay {
            src: transfer.src,
            dst: transfer.dst,
            bytes: transfer.bytes,
            token: transfer.token,
            kind: transfer.kind,
            ordered: transfer.ordered,
            waits: false,
            complete: false,
            successor: NONE,
            routers: 0,
            began: 0,
            not_before: 0,
        };
        self.under_way += 1;
        if self.free == NONE {
            self.all.push(new);
            return self.all.len() as u32 - 1;
        }
        let number = self.free;
        self.free = self.all[number as usize].successor;
        self.all[number as usize] = new;
        number
    }

    #[inline]
    pub fn get(&self, number: u32) -> &UnderWay {
        &self.all[number as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut UnderWay {
        &mut self.all[number as usize]
    }

    pub fn is_empty(&self) -> bool {
        self.under_way == 0
    }

    /// An ordered transfer stands behind those before it.
    pub fn keep_order(&mut self, number: u32) {
        let UnderWay { src, dst, ordered, .. } = *self.get(number);
        if !ordered {
            return;
        }
        if let Some(before) = self.order.add(src, dst, number) {
            self.get_mut(before).successor = number;
            self.get_mut(number).waits = true;
        }
    }

    /// All of a transfer is where it should be: the transfer if it has arrived, or [`NONE`] if it waits
    /// for one before it.
    pub fn complete(&mut self, number: u32) -> u32 {
        let transfer = self.get_mut(number);
        transfer.complete = true;
        if transfer.waits { NONE } else { number }
    }

    /// A transfer has arrived: the one that has arrived with it, or [`NONE`].
    pub fn remove(&mut self, number: u32) -> u32 {
        let UnderWay { src, dst, ordered, successor, .. } = *self.get(number);
        self.under_way -= 1;
        self.all[number as usize].successor = self.free;
        self.free = number;
        if !ordered {
            return NONE;
        }
        if successor == NONE {
            self.order.forget(src, dst);
            return NONE;
        }
        let next = self.get_mut(successor);
        next.waits = false;
        if next.complete { successor } else { NONE }
    }
}
