//! Posted receives and unexpected messages of a rank, each in its order.

use super::machine::Machine;
use super::request::{accepts, Queue};
use super::slab::NONE;
use crate::observer::Observer;
use crate::transport::Transport;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Takes the first posted receive that accepts the message.
    pub(super) fn take_posted(&mut self, message: u32) -> Option<u32> {
        let message = &self.messages[message];
        let (communicator, source, tag) = (message.communicator, message.source, message.tag);
        let queue = &mut self.ranks[message.dst as usize].posted;
        let (mut before, mut at) = (NONE, queue.head);
        while at != NONE {
            let next = self.requests[at].next;
            if self.requests[at].accepts(communicator, source, tag) {
                unlink(queue, before, at, next);
                if before != NONE {
                    self.requests[before].next = next;
                }
                return Some(at);
            }
            (before, at) = (at, next);
        }
        None
    }

    /// Takes the first unexpected message that the request accepts.
    pub(super) fn take_unexpected(&mut self, request: u32) -> Option<u32> {
        let request = self.requests[request];
        let queue = &mut self.ranks[request.rank as usize].unexpected;
        let (mut before, mut at) = (NONE, queue.head);
        while at != NONE {
            let message = &self.messages[at];
            let next = message.next;
            if request.accepts(message.communicator, message.source, message.tag) {
                unlink(queue, before, at, next);
                if before != NONE {
                    self.messages[before].next = next;
                }
                return Some(at);
            }
            (before, at) = (at, next);
        }
        None
    }

    /// The first unexpected message that a probe would find.
    pub(super) fn see_unexpected(
        &self,
        rank: u32,
        communicator: u32,
        source: i32,
        tag: i32,
    ) -> Option<u32> {
        let mut at = self.ranks[rank as usize].unexpected.head;
        while at != NONE {
            let message = &self.messages[at];
            if message.communicator == communicator
                && accepts(source, tag, message.source, message.tag)
            {
                return Some(at);
            }
            at = message.next;
        }
        None
    }

    pub(super) fn add_posted(&mut self, rank: u32, request: u32) {
        let queue = &mut self.ranks[rank as usize].posted;
        self.requests[request].next = NONE;
        if queue.head == NONE {
            queue.head = request;
        } else {
            self.requests[queue.tail].next = request;
        }
        queue.tail = request;
    }

    pub(super) fn add_unexpected(&mut self, rank: u32, message: u32) {
        let queue = &mut self.ranks[rank as usize].unexpected;
        self.messages[message].next = NONE;
        if queue.head == NONE {
            queue.head = message;
        } else {
            self.messages[queue.tail].next = message;
        }
        queue.tail = message;
    }
}

fn unlink(queue: &mut Queue, before: u32, at: u32, next: u32) {
    if before == NONE {
        queue.head = next;
    }
    if queue.tail == at {
        queue.tail = before;
    }
}
