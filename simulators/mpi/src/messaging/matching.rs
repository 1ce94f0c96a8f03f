//! Matches the posted receives and the unexpected messages of a rank.

use super::machine::Machine;
use super::message::Message;
use super::queues::{Found, Linked, before};
use super::request::{ANY_SOURCE, Request, accepts};
use crate::observer::Observer;
use crate::transport::Transport;

impl Linked for Request {
    fn next(&self) -> u32 {
        self.next
    }
    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
    fn order(&self) -> u32 {
        self.order
    }
    fn source(&self) -> u32 {
        self.source as u32
    }
}

impl Linked for Message {
    fn next(&self) -> u32 {
        self.next
    }
    fn set_next(&mut self, next: u32) {
        self.next = next;
    }
    fn order(&self) -> u32 {
        self.order
    }
    fn source(&self) -> u32 {
        self.source
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// The first posted receive that accepts the message, and whether it accepts any sender.
    #[inline]
    pub(super) fn first_posted(&mut self, message: u32) -> Option<(Found, bool)> {
        let Message { context, source, tag, dst, .. } = self.messages[message];
        let rank = &mut self.ranks[dst as usize];
        let requests = &mut self.requests;
        let fits = |request: &Request| request.accepts(context, source, tag);
        let exact = rank.posted.find(requests, source, fits);
        let any = rank.posted_any.find(requests, fits);
        match (exact, any) {
            (Some(exact), Some(any)) if before(requests, any, exact) => Some((any, true)),
            (Some(exact), _) => Some((exact, false)),
            (None, any) => Some((any?, true)),
        }
    }

    /// Removes the first posted receive that accepts the message.
    #[inline]
    pub(super) fn take_posted(&mut self, message: u32) -> Option<u32> {
        let (found, of_any) = self.first_posted(message)?;
        let rank = &mut self.ranks[self.messages[message].dst as usize];
        match of_any {
            true => rank.posted_any.remove(&mut self.requests, found),
            false => rank.posted.remove(&mut self.requests, found),
        }
        Some(found.at)
    }

    /// Removes a posted receive. Returns whether it was one.
    pub(super) fn take_back(&mut self, request: u32) -> bool {
        let wanted = self.requests[request];
        let rank = &mut self.ranks[wanted.rank as usize];
        let requests = &mut self.requests;
        let fits = |posted: &Request| posted.order == wanted.order;
        if !wanted.receives {
            return false;
        }
        if wanted.source == ANY_SOURCE {
            let found = rank.posted_any.find(requests, fits);
            found.map(|found| rank.posted_any.remove(requests, found)).is_some()
        } else {
            let found = rank.posted.find(requests, wanted.source as u32, fits);
            found.map(|found| rank.posted.remove(requests, found)).is_some()
        }
    }

    pub(super) fn add_posted(&mut self, number: u32, request: u32) {
        let rank = &mut self.ranks[number as usize];
        rank.joined = rank.joined.wrapping_add(1);
        self.requests[request].order = rank.joined;
        match self.requests[request].source {
            ANY_SOURCE => rank.posted_any.push(&mut self.requests, request),
            _ => rank.posted.push(&mut self.requests, request),
        }
    }

    /// Removes the first unexpected message that the request accepts.
    pub(super) fn take_unexpected(&mut self, request: u32) -> Option<u32> {
        let request = &self.requests[request];
        let queue = &mut self.ranks[request.rank as usize].unexpected;
        let fits = |m: &Message| request.accepts(m.context, m.source, m.tag);
        let found = match request.source {
            ANY_SOURCE => queue.find_any(&self.messages, fits),
            source => queue.find(&self.messages, source as u32, fits),
        }?;
        queue.remove(&mut self.messages, found);
        Some(found.at)
    }

    pub(super) fn add_unexpected(&mut self, number: u32, message: u32) {
        let rank = &mut self.ranks[number as usize];
        rank.joined = rank.joined.wrapping_add(1);
        self.messages[message].order = rank.joined;
        rank.unexpected.push(&mut self.messages, message);
    }

    /// The first unexpected message that a probe would find.
    pub(super) fn see_unexpected(
        &self,
        rank: u32,
        context: u32,
        source: i32,
        tag: i32,
    ) -> Option<u32> {
        let fits = |m: &Message| m.context == context && accepts(source, tag, m.source, m.tag);
        let found = self.ranks[rank as usize].unexpected.find_any(&self.messages, fits)?;
        Some(found.at)
    }
}
