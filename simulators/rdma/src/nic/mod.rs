//! Network interfaces: DMA, cutting into packets and putting together.
//!
//! A NIC sends one packet at a time. Control packets go first, data transfers one after the other
//! in the order in which they were handed over, so that the packets of one message leave together; or
//! a packet of each in turn (see `service`).
//! Its DMA reads one packet ahead of the one that is being sent; each direction of DMA serves one
//! packet (or message, see `dma_unit`) at a time. What arrives is taken at once: a NIC has room for
//! all that waits for DMA. Virtual channels let packets overtake each other, so an ordered transfer
//! that is complete waits for the ordered ones that were handed over before it from the same node to
//! the same node. Answers are not ordered: they never wait for data.

mod inject;
mod receive;
