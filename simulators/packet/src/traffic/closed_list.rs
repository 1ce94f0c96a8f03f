//! Closed lists and traces: messages with sizes, at most so many of a node under way, from given
//! times on.

use super::{Cut, Interfaces, Next, Packet, Part};
use crate::recorder::Delivered;
use fabric::{Flow, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use workload::{Messages, Outstanding};

/// A time that has not come.
const NEVER: u64 = u64::MAX;
const PICOSECOND_S: f64 = 1e-12;

/// Sources that send the messages of a list.
///
/// Times of messages are ticks: picoseconds where nodes have interfaces, else cycles.
#[derive(Debug, Clone)]
pub struct ClosedList {
    messages: Messages,
    cut: Cut,
    tick_s: f64,
    /// Ticks from the issue of a message until its source has it.
    latency: u64,
    interfaces: Option<Interfaces>,
    queues: Vec<Queue>,
    /// Per message: when it was issued, and when all of it had arrived.
    issued: Vec<u64>,
    finished: Vec<u64>,
    /// Per message: packets that have not arrived.
    packets_left: Vec<u32>,
    unfinished: u64,
}

#[derive(Debug, Clone, Default)]
struct Queue {
    /// Next message to issue.
    next: u32,
    /// Issued messages that are not begun: when the source has them, and their number.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    /// Message that is being sent: its number, when the source had it, and flits left.
    current: Option<(u32, u64, u64)>,
    /// The cycle from which its next packet may leave, if that is known.
    prepared: Option<u64>,
}

impl ClosedList {
    /// `latency_cycles` pass from the issue of a message until its source has it. `interfaces` know
    /// that by themselves.
    pub fn new(
        messages: Messages,
        outstanding: Outstanding,
        cut: Cut,
        (cycle_s, latency_cycles): (f64, u64),
        interfaces: Option<Interfaces>,
    ) -> Self {
        let count = messages.len();
        let packets = |message| cut.packets(cut.flits(messages.bytes(message))) as u32;
        let mut list = Self {
            cut,
            tick_s: interfaces.as_ref().map_or(cycle_s, |_| PICOSECOND_S),
            latency: interfaces.as_ref().map_or(latency_cycles, Interfaces::latency),
            interfaces,
            queues: vec![Queue::default(); messages.nodes() as usize],
            issued: vec![NEVER; count],
            finished: vec![NEVER; count],
            packets_left: (0..count as u32).map(packets).collect(),
            unfinished: count as u64,
            messages,
        };
        for src in 0..list.messages.nodes() {
            let own = list.messages.range(src);
            list.queues[src as usize].next = own.start;
            for _ in 0..outstanding.limit(own.len() as u32) {
                list.issue(src, 0);
            }
        }
        list
    }

    /// Issues the next message of `src`; false if there is none.
    fn issue(&mut self, src: Node, now: u64) -> bool {
        let queue = &mut self.queues[src as usize];
        let message = queue.next;
        if message == self.messages.range(src).end {
            return false;
        }
        queue.next += 1;
        // Not before the given time; products of decimal fractions may miss a whole cycle by a bit.
        let ticks = self.messages.earliest_s(message) / self.tick_s;
        let issued = now.max((ticks * (1.0 - 1e-12)).ceil() as u64);
        self.issued[message as usize] = issued;
        queue.ready.push(Reverse((issued + self.latency, message)));
        true
    }

    /// The first cycle that is not before a time.
    fn cycle(&self, ticks: u64) -> u64 {
        self.interfaces.as_ref().map_or(ticks, |interfaces| interfaces.clock().cycle(ticks))
    }

    pub(super) fn next(&mut self, src: Node, now: u64) -> Next {
        if self.queues[src as usize].current.is_none() {
            let Some(&Reverse((ready, message))) = self.queues[src as usize].ready.peek() else {
                return Next::Waiting;
            };
            let cycle = self.cycle(ready);
            if cycle > now {
                return Next::At(cycle);
            }
            let flits = self.cut.flits(self.messages.bytes(message));
            let queue = &mut self.queues[src as usize];
            queue.ready.pop();
            queue.current = Some((message, ready, flits));
        }
        let Some((message, ready, left)) = self.queues[src as usize].current else {
            return Next::Waiting;
        };
        if let Some(at) = self.prepare(src, now) {
            return Next::At(at);
        }
        let flits = self.cut.next(left);
        let rest = left - u64::from(flits);
        self.queues[src as usize].current = (rest > 0).then_some((message, ready, rest));
        let Flow { dst, message: number, .. } = self.messages.flow(src, message);
        Next::Packet(Packet { dst, flits, created: self.cycle(ready), message, number })
    }

    /// The cycle from which the next packet may leave, where that is later.
    fn prepare(&mut self, src: Node, now: u64) -> Option<u64> {
        let interfaces = self.interfaces.as_mut()?;
        let queue = &mut self.queues[src as usize];
        let (message, entered, left) = queue.current?;
        let message_bytes = self.messages.bytes(message);
        let flits = self.cut.next(left);
        let is_first = left == self.cut.flits(message_bytes);
        let part = Part { message_bytes, flits, is_first, is_last: left == u64::from(flits) };
        let at = *queue.prepared.get_or_insert_with(|| interfaces.read(src, entered, part));
        if at > now {
            return Some(at);
        }
        queue.prepared = None;
        interfaces.leaves(src, now);
        None
    }

    pub(super) fn delivered(&mut self, packet: &Delivered) -> bool {
        let message = packet.message;
        self.packets_left[message as usize] -= 1;
        let is_complete = self.packets_left[message as usize] == 0;
        let at = self.write(packet, is_complete);
        if !is_complete {
            return false;
        }
        self.finished[message as usize] = at;
        self.unfinished -= 1;
        self.issue(packet.src, at)
    }

    /// When a packet is in the memory of its node.
    fn write(&mut self, packet: &Delivered, is_complete: bool) -> u64 {
        let &Delivered { dst, message, flits, arrived, .. } = packet;
        let Some(interfaces) = &mut self.interfaces else { return arrived };
        // Of packets in order, a full one is the last where it completes the message.
        let is_last = is_complete || flits < self.cut.packet_flits;
        let message_bytes = self.messages.bytes(message);
        let part = Part { message_bytes, flits, is_first: false, is_last };
        interfaces.write(dst, arrived, part, is_complete)
    }

    /// Messages that have not arrived.
    pub fn unfinished(&self) -> u64 {
        self.unfinished
    }

    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// Issue and arrival of a message in ticks, if it has arrived.
    pub fn times(&self, message: u32) -> Option<(u64, u64)> {
        let finished = self.finished[message as usize];
        (finished != NEVER).then(|| (self.issued[message as usize], finished))
    }

    pub fn tick_s(&self) -> f64 {
        self.tick_s
    }

    /// When the last message that has arrived did so: in ticks, and in whole cycles.
    pub fn end(&self) -> (u64, u64) {
        let arrived = self.finished.iter().copied().filter(|&at| at != NEVER);
        let end = arrived.max().unwrap_or(0);
        (end, self.cycle(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::Message;

    fn message(dst: Node, bytes: u64, start_s: f64) -> Message {
        Message { src: 0, dst, bytes, start_s }
    }

    /// One byte per flit and one second per cycle.
    fn list(list: &[Message], outstanding: Outstanding, latency_cycles: u64) -> ClosedList {
        let (messages, cut) = (Messages::explicit(8, list), Cut::new(Some(1.0), 4));
        ClosedList::new(messages, outstanding, cut, (1.0, latency_cycles), None)
    }

    /// A packet of the message arrives; whether its source must be asked again.
    fn deliver(list: &mut ClosedList, message: u32, arrived: u64) -> bool {
        list.delivered(&Delivered {
            src: 0,
            dst: 1,
            message,
            flits: 1,
            created: 0,
            departed: 0,
            head_arrived: arrived,
            arrived,
            routers: 1,
        })
    }

    fn packet(list: &mut ClosedList, now: u64) -> (Node, u32, u64) {
        match list.next(0, now) {
            Next::Packet(packet) => (packet.dst, packet.flits, packet.created),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_message_leaves_in_packets_and_arrives_with_the_last_of_them() {
        let mut list = list(&[message(1, 9, 0.0)], Outstanding::AtMost(1), 0);
        assert_eq!([packet(&mut list, 0), packet(&mut list, 4)], [(1, 4, 0), (1, 4, 0)]);
        assert_eq!(packet(&mut list, 8), (1, 1, 0));
        assert_eq!(list.next(0, 9), Next::Waiting);
        assert!(!deliver(&mut list, 0, 10) && !deliver(&mut list, 0, 14));
        assert_eq!(list.unfinished(), 1);
        deliver(&mut list, 0, 15);
        assert_eq!((list.times(0), list.unfinished()), (Some((0, 15)), 0));
    }

    #[test]
    fn the_next_message_waits_for_the_one_before() {
        let two = [message(1, 1, 0.0), message(2, 1, 0.0)];
        let mut list = list(&two, Outstanding::AtMost(1), 3);
        assert_eq!(list.next(0, 0), Next::At(3));
        assert_eq!(packet(&mut list, 3), (1, 1, 3));
        assert_eq!(list.next(0, 4), Next::Waiting);
        assert!(deliver(&mut list, 0, 20));
        assert_eq!(list.next(0, 20), Next::At(23));
        assert_eq!(packet(&mut list, 23), (2, 1, 23));
        deliver(&mut list, 1, 30);
        assert_eq!(list.times(1), Some((20, 30)));
    }

    #[test]
    fn a_trace_is_sent_in_the_order_of_its_times() {
        let trace = [message(1, 1, 50.0), message(2, 1, 7.5), message(3, 1, 7.5)];
        let mut list = list(&trace, Outstanding::All, 0);
        assert_eq!(list.next(0, 0), Next::At(8));
        assert_eq!([packet(&mut list, 8), packet(&mut list, 9)], [(2, 1, 8), (3, 1, 8)]);
        assert_eq!(list.next(0, 10), Next::At(50));
    }

    #[test]
    fn a_given_time_is_not_rounded_up_by_an_inexact_quotient() {
        let cut = Cut::new(Some(1.0), 4);
        let messages = Messages::explicit(8, &[message(1, 1, 3e-7)]);
        // 3e-7 / 1e-7 is 2.9999999999999996 or 3.0000000000000004, never exactly 3.
        let mut list = ClosedList::new(messages, Outstanding::All, cut, (1e-7, 0), None);
        assert_eq!(list.next(0, 0), Next::At(3));
    }
}
