//! One-sided operations with an effect at their target: accumulations, locks, whatever a window of MPI
//! needs. The library of the program says what the effect is.

#![expect(unsafe_code, reason = "memory and functions of the program's library")]

use super::access::MemoryAccess;
use super::machine::Machine;
use super::message::{Message, Stage};
use super::one_sided::OneSided;
use super::operation::Operation;
use super::slab::NONE;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;
use std::cell::RefCell;
use std::ffi::{c_int, c_long, c_void};

/// How long the software of a window takes inside a node, where no network takes time: 100 ns, as a test
/// does. A rank that looks at its own window again and again lets time pass.
const INSIDE_NODE: Time = 100_000;

thread_local! {
    /// Operations whose answers an effect has released.
    static RELEASED: RefCell<Vec<u32>> = const { RefCell::new(vec![]) };
}

/// Lets the answer of an operation go when the effect that runs has ended.
pub fn release_later(number: u32) {
    RELEASED.with_borrow_mut(|list| list.push(number));
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// Begins an operation; the rank goes on at once. The message's `receiver` is its place in the list
    /// of operations.
    pub fn begin_operation(&mut self, rank: u32, operation: &Operation) -> Result<i64, String> {
        let Operation { other, bytes, answer_bytes, .. } = *operation;
        let stage = if bytes > 0 { Stage::Put } else { Stage::GetRequest };
        // A put with a tag below 0 cannot be polled.
        let bytes = if bytes > 0 { bytes } else { answer_bytes };
        let what = OneSided { buffer: std::ptr::null_mut(), bytes, other, offset: None, tag: -1 };
        let (place, number) = self.begin_one_sided(rank, &what, stage)?;
        if stage == Stage::Put && answer_bytes > 0 {
            self.count_message(answer_bytes);
        }
        self.handles[place].address = operation.answer;
        let listed = self.operations.insert(*operation);
        let delivered = self.protocol.delivered && stage == Stage::Put;
        let message = &mut self.messages[number];
        message.receiver = listed;
        // The data are read from memory, the answer is, and the end arrives.
        message.holds = 1 + u8::from(operation.bytes > 0) + u8::from(answer_bytes > 0);
        if delivered {
            // SAFETY: the library gives a buffer of the size that it names, or NULL.
            message.payload = unsafe { self.payloads.take(operation.data, operation.bytes) };
        }
        self.leave(rank, number, INSIDE_NODE);
        Ok(self.one_sided_handle(place))
    }

    /// Plans the effect of an operation that has arrived; false if the message is a plain put or get.
    pub(super) fn apply_later(&mut self, number: u32) -> bool {
        let applies = self.messages[number].receiver != NONE;
        if applies {
            self.accesses.push(MemoryAccess::Apply { message: number });
        }
        applies
    }

    /// Makes the effect of an operation, and lets all answers go that may.
    pub(super) fn apply(&mut self, number: u32, translate: impl Fn(u32, *mut u8) -> *mut u8) {
        let Message { dst, payload, receiver, .. } = self.messages[number];
        let Operation { place, answer_bytes, effect, what, .. } = self.operations[receiver];
        let shift = match self.ranks[dst as usize].ended || place == 0 {
            true => 0,
            false => (translate(dst, place as *mut u8) as usize).wrapping_sub(place),
        };
        let data = self.payloads.address(payload);
        let delivered = self.protocol.delivered && answer_bytes > 0;
        let answer = if delivered { self.payloads.blank(answer_bytes) } else { NONE };
        let space = self.payloads.address(answer);
        let goes = effect(
            what as *mut c_void,
            data.cast(),
            space.cast(),
            shift as c_long,
            number as c_int,
        );
        // SAFETY: nobody writes the data anywhere.
        unsafe { self.payloads.give(payload, std::ptr::null_mut(), 0) };
        self.messages[number].payload = answer;
        if goes != 0 {
            self.answer(number);
        }
        for released in RELEASED.take() {
            if released != number {
                self.note_release(released, number);
            }
            self.answer(released);
        }
    }

    /// Sends the answer of an operation to its origin.
    fn answer(&mut self, number: u32) {
        let Message { receiver, local, .. } = self.messages[number];
        let bytes = self.operations[receiver].answer_bytes;
        self.operations.release(receiver);
        let message = &mut self.messages[number];
        message.receiver = NONE;
        if bytes > 0 {
            message.bytes = bytes;
            message.stage = Stage::GetData;
        } else if local {
            return self.put_complete(number);
        } else {
            message.stage = Stage::PutLanded;
        }
        self.transfer(self.now, number);
    }
}
