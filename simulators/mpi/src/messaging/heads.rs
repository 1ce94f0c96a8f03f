//! Receives whose call ends with the head of their message.
//!
//! A network may report that the head of a message has arrived before the rest. A receive of a head that
//! is first in turn for the message matches then; the message follows, and completes the request. Other
//! receives match when all of the message is there. So does a receive of a head on a network that reports
//! no heads.

use super::machine::Machine;
use super::message::Stage;
use super::slab::NONE;
use super::thread::Waiting;
use super::two_sided::Receive;
use crate::observer::Observer;
use crate::transport::Transport;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Begins a receive that may match when the head of a message arrives.
    pub fn receive_head(&mut self, rank: u32, receive: &Receive) -> Result<u32, String> {
        let place = self.receive(rank, receive)?;
        self.requests[place].takes_head = true;
        for at in 0..self.heads.len() {
            let number = self.heads[at];
            if self.messages[number].dst == rank && self.gives_head(number) {
                self.heads.remove(at);
                break;
            }
        }
        Ok(place)
    }

    /// Waits for the head of a receive's message; false if it is there, so that the rank need not wait.
    pub fn wait_for_head(&mut self, number: u32, place: u32) -> bool {
        let request = &self.requests[place];
        let known = if request.done { Some(request.at) } else { request.head_at };
        match known {
            Some(at) => {
                self.pass_until_request(number, place, at);
                false
            }
            None => {
                self.suspend(number, Waiting::Head(place));
                true
            }
        }
    }

    /// The head of the data of a message has arrived.
    pub(super) fn head_arrived(&mut self, number: u32) {
        debug_assert!(T::REPORTS_HEADS, "this network has no heads");
        let stage = self.messages[number].stage;
        match stage {
            Stage::Eager if !self.gives_head(number) => self.heads.push(number),
            Stage::Data => self.head_is_here(self.messages[number].receiver, number),
            _ => {}
        }
    }

    /// Joins an eager message whose head has arrived with the first receive that accepts it, if that is
    /// the receive of a head.
    fn gives_head(&mut self, number: u32) -> bool {
        let Some((first, _)) = self.first_posted(number) else { return false };
        if !self.requests[first.at].takes_head {
            return false;
        }
        self.take_posted(number);
        if self.join(first.at, number) {
            self.head_is_here(first.at, number);
        }
        true
    }

    fn head_is_here(&mut self, place: u32, number: u32) {
        self.note_completion(place, number, self.now);
        let request = &mut self.requests[place];
        request.head_at = Some(self.now);
        let rank = request.rank;
        self.for_threads(rank, |machine| {
            if machine.ranks[rank as usize].waiting == Waiting::Head(place) {
                machine.note_message(rank, number);
                machine.wake(rank, machine.now);
            }
        });
    }

    /// All of an eager message has arrived. Completes its receive if that matched with the head.
    pub(super) fn follows_its_head(&mut self, number: u32) -> bool {
        if self.messages[number].receiver == NONE {
            self.heads.retain(|&other| other != number);
            return false;
        }
        self.finish_eager(number, self.now);
        true
    }
}
