//! Completes requests, and lets ranks wait for that.

#![expect(unsafe_code, reason = "memory of the program")]

use super::machine::Machine;
use super::request::{
    self, ANY_SOURCE, ANY_TAG, CANCELLED, FROM_NOBODY, MOST, PROC_NULL, Request, Status,
};
use super::slab::NONE;
use super::thread::Waiting;
use super::two_sided::Receive;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;

impl Request {
    pub(super) fn begin(rank: u32, context: u32, source: i32, tag: i32) -> Self {
        Self {
            rank,
            thread: 0,
            generation: 0,
            receives: false,
            live: true,
            done: false,
            awaited: false,
            takes_head: false,
            head_at: None,
            context,
            source,
            tag,
            bytes: 0,
            buffer: std::ptr::null_mut(),
            payload: NONE,
            next: NONE,
            order: 0,
            at: 0,
        }
    }

    /// A receive that may match from `at` on.
    pub(super) fn receive(rank: u32, receive: &Receive, at: Time) -> Self {
        Self {
            receives: true,
            bytes: receive.bytes,
            buffer: receive.buffer,
            at,
            ..Self::begin(rank, receive.context, receive.source, receive.tag)
        }
    }

    pub(super) fn complete(&mut self, at: Time) {
        self.done = true;
        self.at = at;
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    pub(super) fn new_request(&mut self, mut request: Request) -> Result<u32, String> {
        if let Some(place) = self.requests.reuse() {
            request.generation = self.requests[place].generation;
            self.requests[place] = request;
            return Ok(place);
        }
        let place = self.requests.insert(request);
        match place {
            0..=MOST => Ok(place),
            _ => Err(format!("more than {MOST} requests at a time")),
        }
    }

    /// A request of the rank that is complete at this time.
    pub fn timer(&mut self, rank: u32, at: Time) -> Result<u32, String> {
        let mut request = Request::begin(rank, 0, PROC_NULL, 0);
        request.complete(at);
        let place = self.new_request(request)?;
        self.note_own(place, rank);
        Ok(place)
    }

    /// Lets the members of a split go on, each with its communicator, when the last one has called.
    pub(crate) fn go_on(&mut self, caller: u32, communicator: u32, made: &[(u32, i32)]) {
        for &(rank, _) in made.iter().filter(|&&(rank, _)| rank != caller) {
            self.find_waiting(rank, Waiting::Members { communicator });
        }
        let until = made.iter().map(|&(rank, _)| self.clock(rank)).max().unwrap_or(0);
        let last = made.iter().map(|&(rank, _)| rank).find(|&rank| self.clock(rank) == until);
        for &(rank, handle) in made {
            self.ranks[rank as usize].made = handle;
            self.note_caller(rank, last.unwrap_or(caller), until);
            match rank == caller {
                true => self.pass_until(rank, until),
                false => self.wake(rank, until),
            }
        }
    }

    /// Sets the time at which a request is complete, now or later.
    pub(super) fn complete(&mut self, place: u32, at: Time) {
        let request = &mut self.requests[place];
        request.complete(at);
        let rank = request.rank;
        self.for_threads(rank, |machine| machine.completed(place, at));
    }

    /// A request is complete: what that means for the thread in place.
    #[inline]
    fn completed(&mut self, place: u32, at: Time) {
        let request = &self.requests[place];
        let number = request.rank;
        let awaited = request.awaited && request.thread == self.thread(number);
        let ends = match self.ranks[number as usize].waiting {
            Waiting::All | Waiting::Any => awaited,
            Waiting::Head(of) => of == place,
            waiting => waiting == Waiting::Change,
        };
        if ends {
            self.note_request(number, place, at);
        }
        let request = &mut self.requests[place];
        let rank = &mut self.ranks[number as usize];
        match rank.waiting {
            Waiting::Change => self.wake_at(number, at),
            Waiting::Head(of) if of == place => self.wake_at(number, at),
            Waiting::Any if awaited => self.wake_at(number, at),
            Waiting::All if awaited => {
                request.awaited = false;
                rank.missing -= 1;
                rank.until = rank.until.max(at);
                if rank.missing == 0 {
                    let until = rank.until;
                    self.wake(number, until);
                }
            }
            _ => {}
        }
    }

    /// Waits for all of these requests of the rank; false if all are complete, so that it need not wait.
    pub fn wait_for_all(&mut self, number: u32, places: impl Iterator<Item = u32>) -> bool {
        let (mut missing, mut until, mut last) = (0, self.clock(number), None);
        let thread = self.thread(number);
        for place in places {
            let request = &mut self.requests[place];
            if request.done {
                if request.at > until {
                    (until, last) = (request.at, Some(place));
                }
            } else if !request.awaited {
                (request.awaited, request.thread) = (true, thread);
                missing += 1;
            }
        }
        if missing == 0 {
            match last {
                Some(place) => self.pass_until_request(number, place, until),
                None => self.pass_until(number, until),
            }
            return false;
        }
        let rank = &mut self.ranks[number as usize];
        (rank.missing, rank.until) = (missing, until);
        self.suspend(number, Waiting::All);
        if let Some(place) = last {
            self.note_request(number, place, until);
        }
        true
    }

    /// Waits for one of these requests; false if one is complete at the rank's clock.
    pub fn wait_for_any(&mut self, number: u32, places: &[u32]) -> bool {
        if self.first_complete(number, places).is_some() {
            return false;
        }
        let thread = self.thread(number);
        for &place in places {
            let request = &mut self.requests[place];
            (request.awaited, request.thread) = (true, thread);
        }
        self.suspend(number, Waiting::Any);
        for &place in places {
            let request = &self.requests[place];
            if request.done {
                let at = request.at;
                self.note_request(number, place, at);
                self.wake_at(number, at);
            }
        }
        true
    }

    /// The same for a request that other threads of the rank may wait for and end, too: then any change
    /// ends the wait, because a request has one thread to wake.
    pub fn wait_for_one(&mut self, number: u32, places: &[u32]) -> bool {
        if self.ranks[number as usize].others.is_empty() {
            return !places.is_empty() && self.wait_for_any(number, places);
        }
        if self.first_complete(number, places).is_some() {
            return false;
        }
        self.suspend(number, Waiting::Change);
        for &place in places {
            let Request { done, at, .. } = self.requests[place];
            if done {
                self.wake_at(number, at);
            }
        }
        true
    }

    /// Removes the marks that [`wait_for_any`](Self::wait_for_any) has made.
    pub fn stop_waiting(&mut self, places: &[u32]) {
        for &place in places {
            self.requests[place].awaited = false;
        }
    }

    /// Position of the first request that is complete at the rank's clock.
    pub fn first_complete(&self, rank: u32, places: &[u32]) -> Option<usize> {
        let clock = self.clock(rank);
        places.iter().position(|&place| self.is_complete(place, clock))
    }

    /// Whether a request is complete at this time.
    pub fn is_complete(&self, place: u32, at: Time) -> bool {
        let request = &self.requests[place];
        request.done && request.at <= at
    }

    /// Whether the request has received a message: it is a receive, and not from `MGEN_PROC_NULL`.
    pub fn has_received(&self, place: u32) -> bool {
        let request = &self.requests[place];
        let has_message = ![FROM_NOBODY.source, ANY_SOURCE].contains(&request.source);
        request.receives && has_message
    }

    /// Completes a receive that waits for its message, and does nothing for other requests.
    pub fn cancel(&mut self, place: u32) {
        if self.take_back(place) {
            let now = self.clock(self.requests[place].rank);
            let request = &mut self.requests[place];
            (request.source, request.tag, request.bytes) = (ANY_SOURCE, ANY_TAG, CANCELLED);
            request.complete(now);
        }
    }

    /// What a complete request reports.
    pub fn status_of(&self, place: u32) -> Status {
        self.requests[place].status()
    }

    /// Ends a complete request, and writes the data of a receive to its buffer. Call it while its rank
    /// runs, because the buffer is the rank's.
    pub fn finish(&mut self, place: u32) -> Status {
        let request = &mut self.requests[place];
        let status = request.status();
        request.live = false;
        request.generation = request::next_generation(request.generation);
        let payload = std::mem::replace(&mut request.payload, NONE);
        // SAFETY: the program gave a buffer of at least this size to the receive, or NULL.
        unsafe { self.payloads.give(payload, request.buffer, status.bytes) };
        self.requests.release(place);
        status
    }

    /// The handle of a request.
    pub fn handle(&self, place: u32) -> i32 {
        request::handle(place, self.requests[place].generation)
    }

    /// The request of a handle. It must belong to `rank`.
    pub fn find_request(&self, handle: i32, rank: u32) -> Result<u32, String> {
        let (place, generation) = request::place(handle);
        let found = self.requests.get(place).filter(|_| handle > 0);
        match found {
            None => Err(format!("{handle} is not a request")),
            Some(request) if request.live && request.generation == generation => {
                match request.rank == rank {
                    true => Ok(place),
                    false => Err(format!("request {handle} belongs to rank {}", request.rank)),
                }
            }
            Some(_) => Err(format!("request {handle} is complete already, or was never made")),
        }
    }

    /// The status of the message that a probe of the rank finds.
    pub fn probe(&self, rank: u32, context: u32, source: i32, tag: i32) -> Option<Status> {
        let message = &self.messages[self.see_unexpected(rank, context, source, tag)?];
        Some(Status { source: message.source as i32, tag: message.tag, bytes: message.bytes })
    }
}
