//! What the slowest rank of a collective waits for, step by step, and what all ranks send.

/// From ranks and bytes to steps. The bytes are those of `collective.h`: of the whole message in
/// bcast, reduce and allreduce, else of one block.
pub type Formula = fn(u64, u64) -> Schedule;

/// How the messages of a step go. Cost models differ in what they charge for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// One message, one way.
    Send,
    /// As `Send`, by a rank that sends to the next one when its call has ended.
    Deal,
    /// Two ranks exchange a message each.
    Exchange,
    /// Every rank sends to one rank and receives from another.
    Shift,
    /// So many messages leave one rank, or reach it, at once.
    Burst(u64),
    /// As `Burst`, while as many come the other way.
    Crossing(u64),
    /// As `Send`, to make a group. Models of measurements count no bytes there.
    SetUp,
}

/// Steps of one kind, one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub way: Way,
    pub times: u64,
    /// Of each message.
    pub bytes: u64,
    /// Whether the receiver combines what it gets with what it has.
    pub combines: bool,
}

/// The steps of one collective.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schedule {
    pub steps: Vec<Step>,
    /// Messages of all ranks, and their bytes.
    pub messages: u128,
    pub bytes: u128,
    /// The bytes that the collective is about: the whole message, or the blocks of all ranks.
    pub whole_bytes: u64,
    /// What each rank copies within its own memory, beside the messages.
    pub copied_bytes: Option<u64>,
}

impl Schedule {
    /// A collective about so many bytes, without steps.
    pub fn about(whole_bytes: u64) -> Self {
        Self { whole_bytes, ..Self::default() }
    }

    /// Adds steps to the slowest rank's way.
    pub fn then(mut self, way: Way, times: u64, bytes: u64) -> Self {
        if times > 0 {
            self.steps.push(Step { way, times, bytes, combines: false });
        }
        self
    }

    /// As `then`, with what is received combined.
    pub fn combining(mut self, way: Way, times: u64, bytes: u64) -> Self {
        if times > 0 {
            self.steps.push(Step { way, times, bytes, combines: true });
        }
        self
    }

    /// Counts messages of all ranks.
    pub fn sending(mut self, messages: u64, bytes_of_each: u64) -> Self {
        self.messages += u128::from(messages);
        self.bytes += u128::from(messages) * u128::from(bytes_of_each);
        self
    }

    /// Lets each rank copy so many bytes, too.
    pub fn copying(mut self, bytes: u64) -> Self {
        self.copied_bytes = Some(bytes);
        self
    }

    /// Adds steps in which each of `ranks` ranks sends one message.
    pub fn everyone(self, ranks: u64, way: Way, times: u64, bytes: u64) -> Self {
        self.then(way, times, bytes).sending(ranks * times, bytes)
    }

    /// First this one, then `next`.
    pub fn followed_by(mut self, next: Schedule) -> Self {
        self.steps.extend(next.steps);
        self.messages += next.messages;
        self.bytes += next.bytes;
        self
    }

    /// How many steps the slowest rank takes.
    pub fn length(&self) -> u64 {
        self.steps.iter().map(|step| step.times).sum()
    }
}
