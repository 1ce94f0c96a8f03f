//! Checks that all ranks of a communicator call the same collectives in the same order.

use super::communicators::{Communicators, SELF};
use std::collections::VecDeque;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Begun {
    call: &'static str,
    root: i32,
    /// The rank that began it first, and how many ranks have begun it.
    first: u32,
    ranks: u32,
}

/// The collectives that ranks of one communicator have begun.
#[derive(Debug, Default)]
struct Order {
    /// Collectives that every rank has begun.
    passed: u32,
    /// Those that some ranks have not begun.
    begun: VecDeque<Begun>,
    /// How many collectives each rank has begun.
    counts: Vec<u32>,
}

#[derive(Debug, Default)]
pub struct Agreement {
    orders: Vec<Order>,
}

impl Agreement {
    /// Counts that `rank` begins a collective; `root` is -1 for one without a root.
    ///
    /// # Errors
    /// When another rank has called another collective, or with another root.
    pub fn enter(
        &mut self,
        communicators: &Communicators,
        communicator: u32,
        rank: u32,
        call: &'static str,
        root: i32,
    ) -> Result<(), String> {
        if root != -1 {
            communicators.rank_at(communicator, root, rank)?;
        }
        if communicator == SELF {
            return Ok(());
        }
        let at = communicator as usize;
        if self.orders.len() <= at {
            self.orders.resize_with(at + 1, Order::default);
        }
        let size = communicators.size(communicator);
        let place = communicators.place_of(communicator, rank).unwrap_or(0);
        let order = &mut self.orders[at];
        order.counts.resize(size as usize, 0);
        let count = &mut order.counts[place as usize];
        let nth = count.wrapping_sub(order.passed) as usize;
        *count = count.wrapping_add(1);
        if nth == order.begun.len() {
            order.begun.push_back(Begun { call, root, first: place, ranks: 0 });
        }
        let begun = &mut order.begun[nth];
        if begun.call != call || begun.root != root {
            let there = communicators.name(communicator);
            return Err(format!(
                "rank {} of {there} calls {}{} instead of {call}{}",
                begun.first,
                begun.call,
                rooted(begun.root),
                rooted(root)
            ));
        }
        begun.ranks += 1;
        while order.begun.front().is_some_and(|begun| begun.ranks == size) {
            order.begun.pop_front();
            order.passed = order.passed.wrapping_add(1);
        }
        Ok(())
    }
}

fn rooted(root: i32) -> String {
    match root {
        -1 => String::new(),
        _ => format!(" with root {root}"),
    }
}
