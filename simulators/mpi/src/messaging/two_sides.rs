//! Intercommunicators: two communicators, the members of each send to those of the other. A message has
//! the communicator of its receiver.

use super::communicators::{Communicators, Members, WORLD};

impl Communicators {
    /// From now on the members of each of both send to the other. Every member of both may call this.
    pub fn link(&mut self, one: u32, other: u32) {
        self.list[one as usize].other_side = Some(other);
        self.list[other as usize].other_side = Some(one);
    }

    /// The communicator of the ranks that members of this one send to and receive from.
    #[inline]
    pub fn partners_of(&self, communicator: u32) -> u32 {
        if communicator == WORLD {
            return WORLD;
        }
        self.list[communicator as usize].other_side.unwrap_or(communicator)
    }

    /// Rank in the world of the one that `caller` sends to or receives from by `place`.
    pub fn partner_at(&self, communicator: u32, place: i32, caller: u32) -> Result<u32, String> {
        self.rank_at(self.partners_of(communicator), place, caller)
    }

    /// Drops the members of a communicator that all of them have freed. As long as ranks of the other
    /// side receive what those have sent, they stay.
    pub(super) fn forget(&mut self, communicator: u32) {
        let other = self.list[communicator as usize].other_side;
        if other.is_some_and(|other| self.list[other as usize].still_used_by > 0) {
            return;
        }
        for side in [Some(communicator), other].into_iter().flatten() {
            let side = &mut self.list[side as usize];
            side.freed = vec![];
            side.members = Members::Listed { members: vec![], sorted: vec![] };
        }
    }
}
