//! What happens at a known time. Ranks run ahead of the network, so their messages wait here.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Pass the message's next transfer to the network.
    Transfer(u32),
    /// Begin the copy of an eager message that has matched.
    Copy(u32),
    /// Let the receiver take in a message with costs by size.
    TakeIn(u32),
    /// Resume the rank if it is still in the wait of this number.
    Wake(u32, u32),
    /// A request of the rank is complete: resume the rank if it repeats a test.
    Change(u32),
    /// Let the rank repeat its test if it is still in the wait of this number.
    TestAgain(u32, u32),
}
