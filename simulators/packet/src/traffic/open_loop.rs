//! Open-loop traffic: sources create messages whether or not the network takes them.
//!
//! A source queue holds any number of messages. They are drawn only when they reach its head, but
//! with the creation time that their process gave them, so nothing of the queue is stored.

use super::{Arrivals, Cut, Interfaces, Next, Packet, Part, random_of};
use fabric::Node;
use workload::{Destinations, Random};

/// Sources of open-loop traffic.
#[derive(Debug, Clone)]
pub struct OpenLoop {
    /// `None`: a message always waits.
    arrivals: Option<Arrivals>,
    destinations: Destinations,
    cut: Cut,
    message_bytes: u64,
    interfaces: Option<Interfaces>,
    queues: Vec<Queue>,
    messages: u32,
}

/// Head of a source queue.
#[derive(Debug, Clone)]
struct Queue {
    random: Random,
    dst: Node,
    message: u32,
    /// Messages before this one.
    number: u32,
    created: u64,
    /// Flits of the message at the head that are still to be handed over.
    left: u64,
    /// The cycle from which its next packet may leave, if that is known.
    prepared: Option<u64>,
}

/// Keeps destinations apart from creation times, which have the plain seed.
const DESTINATIONS: u64 = 0x5851_f42d_4c95_7f2d;

impl OpenLoop {
    /// `arrivals: None` keeps every source backlogged.
    pub fn new(
        nodes: u32,
        arrivals: Option<Arrivals>,
        destinations: Destinations,
        (cut, message_bytes): (Cut, u64),
        interfaces: Option<Interfaces>,
        seed: u64,
    ) -> Self {
        let queue = |src| {
            let random = random_of(src, seed ^ DESTINATIONS);
            let number = u32::MAX;
            Queue { random, dst: 0, message: 0, number, created: 0, left: 0, prepared: None }
        };
        let queues = (0..nodes).map(queue).collect();
        Self { arrivals, destinations, cut, message_bytes, interfaces, queues, messages: 0 }
    }

    #[inline]
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
            queue.number = queue.number.wrapping_add(1);
            self.messages = self.messages.wrapping_add(1);
            queue.left = self.cut.flits(self.message_bytes);
        }
        let flits = self.cut.next(queue.left);
        if let Some(interfaces) = &mut self.interfaces {
            let at = *queue.prepared.get_or_insert_with(|| {
                let part = Part {
                    message_bytes: self.message_bytes,
                    flits,
                    is_first: queue.left == self.cut.flits(self.message_bytes),
                    is_last: queue.left == u64::from(flits),
                };
                // Of sources that always have a message, one is there as soon as DMA can read it.
                let created = if self.arrivals.is_some() { queue.created } else { 0 };
                interfaces.read(src, interfaces.clock().time(created), part)
            });
            if at > now {
                return Next::At(at);
            }
            queue.prepared = None;
            interfaces.leaves(src, now);
        }
        queue.left -= u64::from(flits);
        let &mut Queue { dst, created, message, number, .. } = queue;
        Next::Packet(Packet { dst, flits, created, message, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fabric::TopologySpec;
    use workload::{Choice, Injection, Pattern, Process};

    /// Packets of the only source that is asked, with messages of 3 packets.
    fn packets(count: usize) -> Vec<Packet> {
        let fabric = TopologySpec::Crossbar { nodes: 64 }.build(1).unwrap();
        let cut = Cut::new(Some(1.0), 4);
        let choice = Choice { include_self: true, ..Choice::default() };
        let destinations =
            Destinations::new(Pattern::Uniform, &fabric, &choice, &mut Random::new(1)).unwrap();
        let process = Process::Bernoulli;
        let injection =
            Injection { rate: 0.9, process, burst_messages: None, burst_rate: None, search: None };
        let arrivals = Arrivals::new(64, &injection, 10, 0, 1);
        let mut open = OpenLoop::new(64, Some(arrivals), destinations, (cut, 10), None, 1);
        let (mut now, mut packets) = (0, vec![]);
        while packets.len() < count {
            match open.next(5, now) {
                Next::Packet(packet) => packets.push(packet),
                Next::At(at) => now = at,
                Next::Waiting => unreachable!(),
            }
        }
        packets
    }

    #[test]
    fn packets_of_a_message_share_its_destination_and_its_creation() {
        for message in packets(300).chunks(3) {
            let flits: Vec<u32> = message.iter().map(|packet| packet.flits).collect();
            assert_eq!(flits, [4, 4, 2]);
            let same = |packet: &Packet| {
                (packet.dst, packet.created, packet.message)
                    == (message[0].dst, message[0].created, message[0].message)
            };
            assert!(message.iter().all(same), "{message:?}");
        }
    }

    #[test]
    fn destinations_do_not_depend_on_creation_times() {
        let packets = packets(30_000);
        let messages: Vec<&Packet> = packets.iter().step_by(3).collect();
        let late = messages.windows(2).filter(|pair| pair[1].created - pair[0].created > 10);
        let (mut count, mut sum) = (0.0, 0.0);
        for pair in late {
            count += 1.0;
            sum += f64::from(pair[1].dst);
        }
        // Uniform in 0..64: mean 31.5, standard deviation 18.5 over some 3500 messages.
        assert!((sum / count - 31.5_f64).abs() < 1.3, "{}", sum / count);
    }
}
