//! What happens at a known time.

/// Numbers are those of transfers, routers and blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// Messaging hands a transfer over.
    HandOver(u32),
    /// The head of a block's message asks the controller of a router for a route.
    Ask(u32, u8),
    /// The controller of a router has served a request.
    Served(u32),
    /// The tail of a block's message has left the block.
    Left(u32, u8),
    /// The tail of a message is in the packet buffer of a router.
    Stored(u32),
    /// The target knows of a message.
    Known(u32),
    /// The message receiver of a router has written all of a message.
    Received(u32),
    /// A host has got all of a message from the host port of a router.
    AtHost(u32, u32),
    /// A transfer has crossed the memory of its node.
    Copied(u32),
}
