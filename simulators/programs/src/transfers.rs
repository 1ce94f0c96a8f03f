//! Transfers that have not arrived, and the order in which those between two nodes arrive.

use crate::pairs::Order;
use fabric::Flow;
use mpi::{Kind, Token, Transfer};

/// No transfer.
pub const NONE: u32 = u32::MAX;

/// A transfer that has not arrived, with what a network of its own notes about it.
#[derive(Debug, Clone, Copy)]
pub struct UnderWay<Own> {
    pub src: u32,
    pub dst: u32,
    /// Among those of its source.
    number: u32,
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
    pub own: Own,
}

/// All of them, each at a number of its own.
pub struct Transfers<Own> {
    all: Vec<UnderWay<Own>>,
    free: u32,
    under_way: usize,
    order: Order,
}

impl<Own> Default for Transfers<Own> {
    fn default() -> Self {
        Self { all: Vec::new(), free: NONE, under_way: 0, order: Order::default() }
    }
}

impl<Own> UnderWay<Own> {
    /// Whose packets it has.
    #[inline]
    pub fn flow(&self) -> Flow {
        Flow { src: self.src, dst: self.dst, message: self.number }
    }
}

impl<Own: Copy> Transfers<Own> {
    /// The number of a new transfer: that of the last one removed, or the next one.
    #[inline]
    pub fn add(&mut self, transfer: &Transfer, own: Own) -> u32 {
        let new = UnderWay {
            src: transfer.src,
            dst: transfer.dst,
            number: transfer.number,
            bytes: transfer.bytes,
            token: transfer.token,
            kind: transfer.kind,
            ordered: transfer.ordered,
            waits: false,
            complete: false,
            successor: NONE,
            own,
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
    pub fn get(&self, number: u32) -> &UnderWay<Own> {
        &self.all[number as usize]
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut UnderWay<Own> {
        &mut self.all[number as usize]
    }

    /// Also those at numbers that are free.
    #[inline]
    pub fn all(&self) -> &[UnderWay<Own>] {
        &self.all
    }

    pub fn is_empty(&self) -> bool {
        self.under_way == 0
    }

    /// An ordered transfer waits for those that were handed over before it.
    #[inline]
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

    /// Whether it waits for the ordered one before it.
    pub fn waits(&self, number: u32) -> bool {
        self.get(number).waits
    }

    /// All of a transfer is where it should be: the transfer if it has arrived, or [`NONE`] if it waits
    /// for one before it.
    #[inline]
    pub fn complete(&mut self, number: u32) -> u32 {
        let transfer = self.get_mut(number);
        transfer.complete = true;
        if transfer.waits { NONE } else { number }
    }

    /// A transfer has arrived: the one that has arrived with it, or [`NONE`].
    #[inline]
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
