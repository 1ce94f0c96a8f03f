//! Puts and gets: no call of the target is needed (NSIM-ACE, section on `MGEN_rdma_put`).

#![expect(unsafe_code, reason = "memory of the program")]

use super::handle::Handle;
use super::machine::Machine;
use super::message::{Message, NO_MEMORY, Stage};
use super::payloads::ZEROS;
use super::slab::NONE;
use super::thread::Waiting;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;

/// A put or get of `bytes` at `buffer` of the caller. With `offset` the other end lies in the exposed
/// memory of the other rank.
#[derive(Debug, Clone, Copy)]
pub struct OneSided {
    pub buffer: *mut u8,
    pub bytes: u64,
    pub other: i32,
    pub offset: Option<u64>,
    pub tag: i32,
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Begins a put; the rank goes on at once.
    pub fn put(&mut self, rank: u32, put: &OneSided) -> Result<i64, String> {
        let (place, message) = self.begin_one_sided(rank, put, Stage::Put)?;
        if put.offset.is_some() {
            self.messages[message].payload = match self.protocol.delivered {
                // SAFETY: the program gives a buffer of the size that it names, or NULL.
                true => unsafe { self.payloads.take(put.buffer, put.bytes) },
                false => ZEROS,
            };
        }
        self.messages[message].holds = 2;
        self.leave(rank, message, 0);
        Ok(self.one_sided_handle(place))
    }

    /// Begins a get; the rank goes on at once.
    pub fn get(&mut self, rank: u32, get: &OneSided) -> Result<i64, String> {
        let (place, message) = self.begin_one_sided(rank, get, Stage::GetRequest)?;
        self.handles[place].address = get.buffer as usize;
        self.leave(rank, message, 0);
        Ok(self.one_sided_handle(place))
    }

    /// Inside a node the software takes so long.
    pub(super) fn leave(&mut self, rank: u32, message: u32, inside_node: Time) {
        let Message { local, bytes, .. } = self.messages[message];
        let latency = if local { inside_node } else { self.protocol.put };
        let costs = self.costs_of(message).map_or(0, |costs| costs.before_put(bytes));
        self.messages[message].left = self.clock(rank);
        self.note_leaving(message, self.clock(rank));
        self.transfer(self.clock(rank) + latency + costs, message);
    }

    pub(super) fn begin_one_sided(
        &mut self,
        rank: u32,
        what: &OneSided,
        stage: Stage,
    ) -> Result<(u32, u32), String> {
        let world = self.communicators.world_of(rank);
        let other = self.communicators.rank_at(world, what.other, rank)?;
        let mut message =
            Message::new(stage, rank, other, what.bytes, self.ranks[rank as usize].since);
        message.local = self.nodes[rank as usize] == self.nodes[other as usize];
        message.tag = what.tag;
        if let Some(offset) = what.offset {
            let room = self.exposed.get(other as usize).map_or(0, |&(_, bytes)| bytes);
            if offset.checked_add(what.bytes).is_none_or(|end| end > room) {
                return Err(format!(
                    "{} B at offset {offset} are not within the {room} B that rank {other} exposes",
                    what.bytes
                ));
            }
            message.offset = offset;
        }
        let handle = Handle {
            rank,
            other,
            gets: stage == Stage::GetRequest,
            live: true,
            done: None,
            generation: 0,
            payload: NONE,
            address: 0,
            bytes: what.bytes,
        };
        let place = match self.handles.reuse() {
            Some(place) => {
                let generation = self.handles[place].generation;
                self.handles[place] = Handle { generation, ..handle };
                place
            }
            None => self.handles.insert(handle),
        };
        message.sender = place;
        self.count_message(what.bytes);
        Ok((place, self.messages.insert(message)))
    }

    pub(super) fn put_landed(&mut self, number: u32) {
        self.observe(number);
        if self.apply_later(number) {
            return;
        }
        let message = self.messages[number];
        let Message { dst, tag, local, .. } = message;
        self.write_later(&message);
        let landed = &mut self.ranks[dst as usize].landed;
        match landed.iter_mut().find(|(landed_tag, _)| *landed_tag == tag) {
            Some((_, count)) => *count += 1,
            // No poll accepts a negative tag.
            None if tag < 0 => {}
            None => landed.push((tag, 1)),
        }
        self.for_threads(dst, |machine| {
            let goes_on = match machine.ranks[dst as usize].waiting {
                Waiting::Put { tag: wanted } => wanted == tag && machine.take_landed(dst, tag),
                waiting => waiting == Waiting::Change,
            };
            if goes_on {
                machine.note_message(dst, number);
                machine.wake(dst, machine.now);
            }
        });
        if local {
            self.handle_done(number);
            return self.let_go(number);
        }
        self.messages[number].payload = NONE;
        self.messages[number].stage = Stage::PutLanded;
        self.transfer(self.now, number);
    }

    pub(super) fn put_complete(&mut self, number: u32) {
        self.handle_done(number);
        self.let_go(number);
    }

    pub(super) fn get_requested(&mut self, number: u32) {
        if self.apply_later(number) {
            return;
        }
        let Message { dst, offset, .. } = self.messages[number];
        if offset != NO_MEMORY && self.protocol.delivered {
            self.read_later(dst, offset, number);
        }
        self.messages[number].stage = Stage::GetData;
        self.messages[number].holds = 2;
        self.transfer(self.now, number);
    }

    pub(super) fn get_complete(&mut self, number: u32) {
        self.observe(number);
        let Message { sender, payload, offset, .. } = self.messages[number];
        let has_data = self.protocol.delivered || offset == NO_MEMORY;
        self.handles[sender].payload = if has_data { payload } else { ZEROS };
        self.handle_done(number);
        self.let_go(number);
    }

    fn handle_done(&mut self, message: u32) {
        let Message { sender: place, left, bytes, .. } = self.messages[message];
        let whole = self.costs_of(message).map_or(0, |costs| left + costs.put(bytes));
        let done = self.now.max(whole);
        let handle = &mut self.handles[place];
        handle.done = Some(done);
        let rank = handle.rank;
        self.note_handle(place, message);
        self.for_threads(rank, |machine| {
            if machine.ranks[rank as usize].waiting == Waiting::Handle(place) {
                machine.note_message(rank, message);
                machine.wake(rank, done);
            }
        });
    }

    /// Removes one landed put of this tag; false if there is none.
    pub fn take_landed(&mut self, rank: u32, tag: i32) -> bool {
        let landed = &mut self.ranks[rank as usize].landed;
        let Some(at) = landed.iter().position(|&(landed_tag, _)| landed_tag == tag) else {
            return false;
        };
        landed[at].1 -= 1;
        if landed[at].1 == 0 {
            landed.swap_remove(at);
        }
        true
    }

    /// Waits for a put with `tag`, and removes it; false when one is there already.
    pub fn poll(&mut self, rank: u32, tag: i32) -> Result<bool, String> {
        if tag < 0 {
            return Err(format!("puts with tag {tag} cannot be waited for; tags begin at 0"));
        }
        let wait = !self.take_landed(rank, tag);
        if wait {
            self.suspend(rank, Waiting::Put { tag });
        }
        Ok(wait)
    }

    /// Waits for a put or get of [`find_handle`](Self::find_handle); false when it is complete already.
    pub fn wait_for_handle(&mut self, rank: u32, place: u32) -> bool {
        if let Some(at) = self.handles[place].done {
            self.pass_until_handle(rank, place, at);
            return false;
        }
        self.suspend(rank, Waiting::Handle(place));
        true
    }

    /// Ends a complete put or get while its rank runs, and writes the data of a get to its buffer.
    pub fn finish_handle(&mut self, place: u32) {
        let handle = &mut self.handles[place];
        handle.live = false;
        handle.generation = handle.generation.wrapping_add(1) & 0x7fff_ffff;
        let Handle { payload, bytes, .. } = *handle;
        let to = handle.address as *mut u8;
        // SAFETY: the program gave memory of this size to the get, or NULL.
        unsafe { self.payloads.give(payload, to, bytes) };
        self.handles.release(place);
    }

    pub(super) fn one_sided_handle(&self, place: u32) -> i64 {
        i64::from(self.handles[place].generation) << 32 | i64::from(place + 1)
    }

    /// The put or get of a handle. It must belong to `rank`.
    pub fn find_handle(&self, handle: i64, rank: u32) -> Result<u32, String> {
        let place = (handle as u32).wrapping_sub(1);
        let Some(found) = self.handles.get(place).filter(|_| handle > 0) else {
            return Err(format!("{handle} is not a handle of a put or get"));
        };
        if found.rank != rank && found.live {
            return Err(format!("handle {handle} belongs to rank {}", found.rank));
        }
        match found.live && i64::from(found.generation) == handle >> 32 {
            true => Ok(place),
            false => Err(format!("handle {handle} is complete already")),
        }
    }
}
