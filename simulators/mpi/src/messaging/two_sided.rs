//! Sends and receives: eager, rendezvous, zero copy.

#![expect(unsafe_code, reason = "memory of the program")]

use super::contexts::{communicator_of, is_hidden};
use super::machine::Machine;
use super::message::{Message, Stage};
use super::payloads::ZEROS;
use super::request::{ANY_SOURCE, ANY_TAG, FROM_NOBODY, PROC_NULL, Request, TAG_UB};
use super::slab::NONE;
use super::thread::Waiting;
use super::timers::Action;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;

/// What a call sends: `bytes` at `buffer`, which may be NULL.
#[derive(Debug, Clone, Copy)]
pub struct Send {
    pub buffer: *const u8,
    pub bytes: u64,
    pub dest: i32,
    pub tag: i32,
    pub context: u32,
    /// It completes no earlier than its receive has begun.
    pub synchronous: bool,
}

/// What a call receives: up to `bytes` at `buffer`, which may be NULL.
#[derive(Debug, Clone, Copy)]
pub struct Receive {
    pub buffer: *mut u8,
    pub bytes: u64,
    pub source: i32,
    pub tag: i32,
    pub context: u32,
}

#[inline]
fn check_tag(tag: i32, context: u32) -> Result<(), String> {
    match tag {
        0..=TAG_UB => Ok(()),
        _ if is_hidden(context) => Ok(()),
        _ => Err(wrong_tag(tag)),
    }
}

#[cold]
fn wrong_tag(tag: i32) -> String {
    format!("a message cannot have tag {tag}; tags go from 0 to {TAG_UB}")
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Begins a send and returns its request. There is none if the send is complete and `wanted` is false.
    pub fn send(&mut self, rank: u32, send: &Send, wanted: bool) -> Result<Option<u32>, String> {
        check_tag(send.tag, send.context)?;
        let began = self.ranks[rank as usize].since;
        let mut request = Request::begin(rank, send.context, send.dest, send.tag);
        if send.dest == PROC_NULL {
            request.complete(self.clock(rank));
            return if wanted { self.new_request(request).map(Some) } else { Ok(None) };
        }
        let communicator = communicator_of(send.context);
        let dst = self.communicators.partner_at(communicator, send.dest, rank)?;
        let local = self.nodes[rank as usize] == self.nodes[dst as usize];
        let eager = send.bytes <= self.protocol.eager_limit(local) && !send.synchronous;
        let stage = if eager { Stage::Eager } else { Stage::RequestToSend };
        let mut message = Message::new(stage, rank, dst, send.bytes, began);
        message.local = local;
        message.source = self.communicators.place_of(communicator, rank).unwrap_or(0);
        message.tag = send.tag;
        message.context = self.communicators.context_there(send.context);
        message.payload = match self.protocol.delivered {
            // SAFETY: the program gives a buffer of the size that it names, or NULL.
            true => unsafe { self.payloads.take(send.buffer, send.bytes) },
            false => ZEROS,
        };
        self.count_message(send.bytes);
        let overhead = self.protocol.send_overhead;
        let copy = if eager && !message.local { self.protocol.copy(send.bytes) } else { 0 };
        let clock = &mut self.ranks[rank as usize].clock;
        *clock += overhead + copy;
        let at = *clock;
        if eager {
            message.holds = 3;
            let message = self.messages.insert(message);
            let (left, done) = self.depart(message, at).unwrap_or((at, at));
            self.note_leaving(message, left);
            self.ranks[rank as usize].clock = done;
            let mut made = None;
            if wanted {
                request.complete(done);
                made = Some(self.new_request(request)?);
            }
            self.transfer(left, message);
            return Ok(made);
        }
        let place = self.new_request(request)?;
        message.sender = place;
        let message = self.messages.insert(message);
        self.note_leaving(message, at);
        self.transfer(at, message);
        Ok(Some(place))
    }

    /// Begins a receive.
    pub fn receive(&mut self, rank: u32, receive: &Receive) -> Result<u32, String> {
        self.check_source(receive.context, receive.source, receive.tag, rank)?;
        let clock = self.clock(rank);
        let mut request = Request::receive(rank, receive, clock);
        if receive.source == PROC_NULL {
            request.complete(clock);
            request.tag = FROM_NOBODY.tag;
            request.bytes = 0;
            return self.new_request(request);
        }
        let place = self.new_request(request)?;
        match self.take_unexpected(place) {
            Some(message) => self.matched(place, message),
            None => self.add_posted(rank, place),
        }
        Ok(place)
    }

    /// Begins a receive of this message, which is in no queue.
    pub(super) fn receive_message(
        &mut self,
        rank: u32,
        receive: &Receive,
        message: u32,
    ) -> Result<u32, String> {
        let place = self.new_request(Request::receive(rank, receive, self.clock(rank)))?;
        self.matched(place, message);
        Ok(place)
    }

    /// Checks the source and the tag of a receive or probe.
    pub fn check_source(
        &self,
        context: u32,
        source: i32,
        tag: i32,
        rank: u32,
    ) -> Result<(), String> {
        if tag != ANY_TAG {
            check_tag(tag, context)?;
        }
        let communicator = communicator_of(context);
        match source {
            ANY_SOURCE | PROC_NULL => Ok(()),
            _ => self.communicators.partner_at(communicator, source, rank).map(|_| ()),
        }
    }

    /// An eager message or the request of a rendezvous has reached its target.
    pub(super) fn incoming(&mut self, number: u32) {
        if let Some(request) = self.take_posted(number) {
            return self.matched(request, number);
        }
        let Message { dst, source, tag, context, .. } = self.messages[number];
        self.add_unexpected(dst, number);
        self.for_threads(dst, |machine| {
            let sees = match machine.ranks[dst as usize].waiting {
                Waiting::Probe { context: c, source: s, tag: t } => {
                    c == context && super::request::accepts(s, t, source, tag)
                }
                waiting => waiting == Waiting::Change,
            };
            if sees {
                machine.note_message(dst, number);
                machine.wake(dst, machine.now);
            }
        });
    }

    /// Joins a receive and the message that it gets. False if the message does not fit.
    pub(super) fn join(&mut self, request: u32, number: u32) -> bool {
        let message = &mut self.messages[number];
        message.receiver = request;
        let found = &mut self.requests[request];
        if message.bytes > found.bytes {
            self.does_not_fit(request, number);
            return false;
        }
        found.source = message.source as i32;
        found.tag = message.tag;
        found.bytes = message.bytes;
        found.payload = std::mem::replace(&mut message.payload, NONE);
        true
    }

    fn matched(&mut self, request: u32, number: u32) {
        if !self.join(request, number) {
            return;
        }
        self.note_match(number, request);
        let now = self.now;
        let message = &mut self.messages[number];
        let at = self.requests[request].at.max(now);
        match message.stage {
            Stage::Eager if at > now && self.protocol.copy(message.bytes) > 0 => {
                self.set_timer(at, Action::Copy(number));
            }
            Stage::Eager => self.finish_eager(number, at),
            _ => {
                message.stage = Stage::ClearToSend;
                self.transfer(at, number);
            }
        }
    }

    pub(super) fn copy_eager(&mut self, number: u32) {
        self.finish_eager(number, self.now);
    }

    pub(super) fn finish_eager(&mut self, number: u32, at: Time) {
        self.note_completion(self.messages[number].receiver, number, at);
        if self.take_in(number, at) {
            return;
        }
        let Message { dst, bytes, receiver, .. } = self.messages[number];
        let copy = self.protocol.copy(bytes);
        let done = self.copied(dst, at, copy);
        self.let_go(number);
        self.complete(receiver, done);
    }

    /// The sender may send the data of a rendezvous.
    pub(super) fn clear_to_send(&mut self, number: u32) {
        let copy = self.rendezvous_copy(number);
        let message = &mut self.messages[number];
        message.stage = Stage::Data;
        message.holds = 2;
        let (src, sender) = (message.src, message.sender);
        if let Some(left) = self.depart_cleared(number) {
            return self.transfer(left, number);
        }
        let at = self.copied(src, self.now, copy);
        self.transfer(at, number);
        if copy > 0 {
            self.messages[number].sender = NONE;
            self.note_completion(sender, number, self.now);
            self.complete(sender, at);
        }
    }

    /// The NIC has read a message from memory.
    pub(super) fn read(&mut self, number: u32) {
        let sender = self.messages[number].sender;
        if self.messages[number].stage == Stage::Data && sender != NONE {
            self.messages[number].sender = NONE;
            self.note_completion(sender, number, self.now);
            self.complete(sender, self.sender_done(number));
        }
        self.let_go(number);
    }

    /// The transfer of a message's stage has arrived.
    pub(super) fn arrived(&mut self, number: u32) {
        match self.messages[number].stage {
            Stage::Eager => {
                self.observe(number);
                self.note_whole(number);
                if !(T::REPORTS_HEADS && self.follows_its_head(number)) {
                    self.incoming(number);
                }
                self.let_go(number);
            }
            Stage::RequestToSend => self.incoming(number),
            Stage::ClearToSend => self.clear_to_send(number),
            Stage::Data => {
                self.observe(number);
                self.note_whole(number);
                let Message { dst, receiver, .. } = self.messages[number];
                self.note_completion(receiver, number, self.now);
                if self.take_in(number, self.now) {
                    return;
                }
                let copy = self.rendezvous_copy(number);
                let done = self.copied(dst, self.now, copy);
                self.let_go(number);
                self.complete(receiver, done);
            }
            Stage::Put => self.put_landed(number),
            Stage::PutLanded => self.put_complete(number),
            Stage::GetRequest => self.get_requested(number),
            Stage::GetData => self.get_complete(number),
        }
    }

    /// Removes one of the reasons to keep a message, and the message with the last.
    pub(super) fn let_go(&mut self, number: u32) {
        let message = &mut self.messages[number];
        message.holds -= 1;
        if message.holds == 0 {
            self.messages.release(number);
        }
    }
}
