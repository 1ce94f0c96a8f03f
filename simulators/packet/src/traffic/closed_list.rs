//! Closed lists and traces: messages with sizes, at most so many of a node under way, from given
//! times on.

use super::{Cut, Next, Packet};
use fabric::{Flow, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use workload::{Messages, Outstanding};

/// A time that has not come.
const NEVER: u64 = u64::MAX;

/// Sources that send the messages of a list.
#[derive(Debug, Clone)]
pub struct ClosedList {
    messages: Messages,
    cut: Cut,
    cycle_s: f64,
    /// From the issue of a message until its source has it.
    latency_cycles: u64,
    queues: Vec<Queue>,
    /// Per message: cycle of its issue and of its last flit's arrival.
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
    /// Message that is being sent: its number, creation and flits left.
    current: Option<(u32, u64, u64)>,
}

impl ClosedList {
    /// `latency_cycles` pass from the issue of a message until its source has it.
    pub fn new(
        messages: Messages,
        outstanding: Outstanding,
        cut: Cut,
        cycle_s: f64,
        latency_cycles: u64,
    ) -> Self {
        let count = messages.len();
        let packets = |message| cut.packets(cut.flits(messages.bytes(message))) as u32;
        let mut list = Self {
            cut,
            cycle_s,
            latency_cycles,
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
        let cycles = self.messages.earliest_s(message) / self.cycle_s;
        let issued = now.max((cycles * (1.0 - 1e-12)).ceil() as u64);
        self.issued[message as usize] = issued;
        queue.ready.push(Reverse((issued + self.latency_cycles, message)));
        true
    }

    pub(super) fn next(&mut self, src: Node, now: u64) -> Next {
        let queue = &mut self.queues[src as usize];
        if queue.current.is_none() {
            match queue.ready.peek() {
                None => return Next::Waiting,
                Some(&Reverse((ready, _))) if ready > now => return Next::At(ready),
                Some(&Reverse((ready, message))) => {
                    queue.ready.pop();
                    let flits = self.cut.flits(self.messages.bytes(message));
                    queue.current = Some((message, ready, flits));
                }
            }
        }
        let Some((message, created, left)) = queue.current.take() else { return Next::Waiting };
        let flits = self.cut.next(left);
        if left > u64::from(flits) {
            queue.current = Some((message, created, left - u64::from(flits)));
        }
        let Flow { dst, message: number, .. } = self.messages.flow(src, message);
        Next::Packet(Packet { dst, flits, created, message, number })
    }

    pub(super) fn delivered(&mut self, src: Node, message: u32, now: u64) -> bool {
        self.packets_left[message as usize] -= 1;
        if self.packets_left[message as usize] > 0 {
            return false;
        }
        self.finished[message as usize] = now;
        self.unfinished -= 1;
        self.issue(src, now)
    }

    /// Messages that have not arrived.
    pub fn unfinished(&self) -> u64 {
        self.unfinished
    }

    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// Issue and arrival of a message in cycles, if it has arrived.
    pub fn times(&self, message: u32) -> Option<(u64, u64)> {
        let finished = self.finished[message as usize];
        (finished != NEVER).then(|| (self.issued[message as usize], finished))
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
        let cut = Cut { flit_bytes: Some(1.0), packet_flits: 4 };
        ClosedList::new(Messages::explicit(8, list), outstanding, cut, 1.0, latency_cycles)
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
        assert!(!list.delivered(0, 0, 10) && !list.delivered(0, 0, 14) && list.unfinished() == 1);
        list.delivered(0, 0, 15);
        assert_eq!((list.times(0), list.unfinished()), (Some((0, 15)), 0));
    }

    #[test]
    fn the_next_message_waits_for_the_one_before() {
        let two = [message(1, 1, 0.0), message(2, 1, 0.0)];
        let mut list = list(&two, Outstanding::AtMost(1), 3);
        assert_eq!(list.next(0, 0), Next::At(3));
        assert_eq!(packet(&mut list, 3), (1, 1, 3));
        assert_eq!(list.next(0, 4), Next::Waiting);
        assert!(list.delivered(0, 0, 20));
        assert_eq!(list.next(0, 20), Next::At(23));
        assert_eq!(packet(&mut list, 23), (2, 1, 23));
        list.delivered(0, 1, 30);
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
        let cut = Cut { flit_bytes: Some(1.0), packet_flits: 4 };
        let messages = Messages::explicit(8, &[message(1, 1, 3e-7)]);
        // 3e-7 / 1e-7 is 2.9999999999999996 or 3.0000000000000004, never exactly 3.
        let mut list = ClosedList::new(messages, Outstanding::All, cut, 1e-7, 0);
        assert_eq!(list.next(0, 0), Next::At(3));
    }
}
