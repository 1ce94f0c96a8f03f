//! Contexts: messages and receives meet only within one. Each communicator has two, one for the calls of
//! the program and a hidden one for what the library sends itself.

use super::communicators::Communicators;

/// `MGEN_HIDDEN` of `mgen_host.h`: beside the number of a communicator it makes the hidden context.
const HIDDEN: u32 = 0x4000_0000;

/// The communicator of a context.
#[inline]
pub fn communicator_of(context: u32) -> u32 {
    context & !HIDDEN
}

/// Whether no call of the program meets the messages of the context.
#[inline]
pub fn is_hidden(context: u32) -> bool {
    context & HIDDEN != 0
}

impl Communicators {
    /// The context of a handle that `rank` may use.
    #[inline]
    pub fn context(&self, handle: i32, rank: u32) -> Result<u32, String> {
        let hidden = if handle > HIDDEN as i32 { HIDDEN } else { 0 };
        Ok(self.find(handle ^ hidden as i32, rank)? | hidden)
    }

    /// The context in which others receive what is sent in this one.
    #[inline]
    pub fn context_there(&self, context: u32) -> u32 {
        let communicator = communicator_of(context);
        self.partners_of(communicator) | (context ^ communicator)
    }
}
