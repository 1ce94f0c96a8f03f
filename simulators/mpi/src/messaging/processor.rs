//! What the processor of a rank does for messages: it copies them one after the other, or is busy for
//! as long as their costs by size say.

use super::costs::Costs;
use super::machine::Machine;
use super::message::Stage;
use super::rank::Outgoing;
use super::timers::Action;
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;

impl<T: Transport, O: Observer> Machine<T, O> {
    /// The costs of a message by its size, if there are any.
    pub(super) fn costs_of(&self, number: u32) -> Option<&Costs> {
        self.protocol.costs(self.messages[number].local)
    }

    /// Gives the processor of the sender to a message that may leave at `at`. Returns when it leaves,
    /// and when the sender has done its part.
    pub(super) fn depart(&mut self, number: u32, at: Time) -> Option<(Time, Time)> {
        let message = &self.messages[number];
        let costs = self.costs_of(number)?;
        let (busy, one_way) = (costs.sending(message.bytes), costs.one_way(message.bytes));
        let shared = costs.shared(message.bytes, busy);
        let calling = costs.calling(message.bytes);
        let rank = &mut self.ranks[message.src as usize];
        let left = at.max(rank.processor).max(rank.sending);
        rank.processor = left + shared;
        rank.sending = left + busy;
        // A call that follows another at once finds the way to its data prepared.
        let done = left + if rank.called == Some(at) { calling.min(busy) } else { calling };
        rank.called = Some(done);
        rank.outgoing = Outgoing { left, whole: left + one_way };
        self.messages[number].left = left;
        Some((left, done))
    }

    /// The same for the data of a rendezvous. Curves hold the time of its control packets, so it counts
    /// from when the sender has called, or from so long before the call of the receiver as the first
    /// control packet takes. Returns when the data leave.
    pub(super) fn depart_cleared(&mut self, number: u32) -> Option<Time> {
        let message = &self.messages[number];
        let asking = self.costs_of(number)?.asking();
        let called = message.left.max(self.requests[message.receiver].at.saturating_sub(asking));
        let (left, _) = self.depart(number, called)?;
        Some(left.max(self.now))
    }

    /// All of a message has arrived: notes when it is whole.
    pub(super) fn note_whole(&mut self, number: u32) {
        let message = &self.messages[number];
        let Some(costs) = self.costs_of(number) else { return };
        let earliest = message.left + costs.one_way(message.bytes);
        let rest = costs.rest(message.bytes, message.stage);
        self.messages[number].whole =
            earliest.max((self.now + rest).saturating_sub(self.waited(number)));
    }

    /// How long the first control packet of a rendezvous has waited for its receiver, as far as the
    /// time of one way holds that.
    fn waited(&self, number: u32) -> Time {
        let message = &self.messages[number];
        match message.stage {
            Stage::Data => self.requests[message.receiver].at.saturating_sub(message.left),
            _ => 0,
        }
    }

    /// Lets the receiver take in a message that is matched and has arrived, from `at` on. False if
    /// messages have no costs by size.
    #[inline]
    pub(super) fn take_in(&mut self, number: u32, at: Time) -> bool {
        let message = &self.messages[number];
        let Some(costs) = self.costs_of(number) else { return false };
        let sends_first = costs.sends_first();
        let ahead = if sends_first { 0 } else { costs.receiving(message.bytes) };
        let start = at.max(message.whole.saturating_sub(ahead));
        // A send that the rank calls at this time comes before a timer of this time.
        match sends_first || start > self.now {
            true => self.set_timer(start, Action::TakeIn(number)),
            false => self.taken_in(number),
        }
        true
    }

    /// The receiver may begin to take in a message: it does so when its processor is free.
    pub(super) fn taken_in(&mut self, number: u32) {
        let message = self.messages[number];
        let Some(costs) = self.costs_of(number) else { return };
        let busy = costs.receiving(message.bytes);
        let shared = costs.shared(message.bytes, busy);
        let crossing = costs.crossing(message.bytes);
        // The gap of a rendezvous holds its control packets, too.
        let posted = self.requests[message.receiver].at - self.waited(number);
        let rank = &mut self.ranks[message.dst as usize];
        let shared_done = message.whole.max(posted.max(rank.processor) + shared);
        let mut done = shared_done.max(posted.max(rank.receiving) + busy);
        let own = rank.outgoing;
        let crosses = own.left < message.whole && message.left < own.whole;
        if let (true, Some(both)) = (crosses, crossing) {
            done = done.max(own.left.min(message.left) + both);
        }
        rank.receiving = done;
        rank.processor = if shared == busy { done } else { shared_done };
        self.let_go(number);
        self.complete(message.receiver, done);
    }

    /// When the sender of a rendezvous is done whose data the NIC has read: no sooner than its
    /// processor.
    pub(super) fn sender_done(&self, number: u32) -> Time {
        let message = &self.messages[number];
        let costs = self.costs_of(number).filter(|_| message.stage == Stage::Data);
        let busy = costs.map_or(0, |costs| message.left + costs.calling(message.bytes));
        self.now.max(busy)
    }

    /// When a copy that may begin at `at` ends.
    pub(super) fn copied(&mut self, rank: u32, at: Time, copy: Time) -> Time {
        if copy == 0 {
            return at;
        }
        let copier = &mut self.ranks[rank as usize].copier;
        *copier = at.max(*copier) + copy;
        *copier
    }

    pub(super) fn rendezvous_copy(&self, number: u32) -> Time {
        let message = &self.messages[number];
        if message.local {
            return 0;
        }
        self.protocol.rendezvous_copy(message.bytes)
    }
}
