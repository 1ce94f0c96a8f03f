//! Open-loop traffic: sources create messages whether or not the network takes them.
//!
//! A source queue holds any number of messages. They are drawn only when they reach its head, but
//! with the creation time that their process gave them, so nothing of the queue is stored.

use super::{random_of, Arrivals, Cut, Next, Packet};
use fabric::Node;
use workload::{Destinations, Random};

/// Sources of open-loop traffic.
#[derive(Debug, Clone)]
pub struct OpenLoop {
    /// `None`: a message always waits.
    arrivals: Option<Arrivals>,
    destinations: Destinations,
    cut: Cut,
    message_flits: u64,
    queues: Vec<Queue>,
    messages: u32,
}

/// Head of a source queue.
#[derive(Debug, Clone)]
struct Queue {
    random: Random,
    dst: Node,
    message: u32,
    created: u64,
    /// Flits of the message at the head that are still to be handed over.
    left: u64,
}

/// Keeps destinations apart from creation times, which have the plain seed.
const DESTINATIONS: u64 = 0x5851_f42d_4c95_7f2d;

impl OpenLoop {
    /// `arrivals: None` keeps every source backlogged.
    pub fn new(
        nodes: u32,
        arrivals: Option<Arrivals>,
        destinations: Destinations,
        cut: Cut,
        message_flits: u64,
        seed: u64,
    ) -> Self {
        let queue = |src| {
            let random = random_of(src, seed ^ DESTINATIONS);
            Queue { random, dst: 0, message: 0, created: 0, left: 0 }
        };
        let queues = (0..nodes).map(queue).collect();
        Self { arrivals, destinations, cut, message_flits, queues, messages: 0 }
    }

    pub(super) fn next(&mut self, src: Node, now: u64) -> Next {
        let queue = &mut self.queues[src as usize];
        if queue.left == 0 {
            queue.created = match &mut self.arrivals {
                None => now,
                Some(arrivals) => {
                    let created = arrivals.next(src);
                    if created > now {
                        return Next::At(created);
                    }
                    arrivals.step(src);
                    created
                }
            };
            queue.dst = self.destinations.draw(src, &mut queue.random);
            queue.message = self.messages;
            self.messages = self.messages.wrapping_add(1);
            queue.left = self.message_flits;
        }
        let flits = self.cut.next(queue.left);
        queue.left -= u64::from(flits);
        let (dst, created, message) = (queue.dst, queue.created, queue.message);
        Next::Packet(Packet { dst, flits, created, message })
    }
}
