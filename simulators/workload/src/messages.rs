//! Message lists, stored as one array per field and grouped by source node.

use fabric::{Flow, Node, Rails};

/// Messages of all nodes; those of node `s` are numbered `range(s)`, in the order of sending.
#[derive(Debug, Clone)]
pub struct Messages {
    first: Vec<u32>,
    dst: Vec<Node>,
    sizes: Sizes,
    /// Earliest start per message; empty when all may start at 0.
    earliest_s: Vec<f64>,
    /// Place in the list per message; empty where that is its number.
    place: Vec<u32>,
}

#[derive(Debug, Clone)]
enum Sizes {
    Same(u64),
    Each(Vec<u64>),
}

/// One message of an explicit list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Message {
    pub src: Node,
    pub dst: Node,
    pub bytes: u64,
    pub start_s: f64,
}

impl Messages {
    /// `each` messages per node of zero bytes, destinations listed node by node.
    pub fn regular(nodes: u32, each: u32, dst: Vec<Node>) -> Self {
        let first = (0..=nodes).map(|node| node * each).collect();
        Self { first, dst, sizes: Sizes::Same(0), earliest_s: vec![], place: vec![] }
    }

    /// An explicit list; messages of one source keep their order.
    pub fn explicit(nodes: u32, list: &[Message]) -> Self {
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&i| list[i].src);
        let mut first = vec![0_u32; nodes as usize + 1];
        for message in list {
            first[message.src as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            first[node + 1] += first[node];
        }
        let earliest_s = if list.iter().any(|m| m.start_s > 0.0) {
            order.iter().map(|&i| list[i].start_s).collect()
        } else {
            vec![]
        };
        Self {
            first,
            dst: order.iter().map(|&i| list[i].dst).collect(),
            sizes: Sizes::Each(order.iter().map(|&i| list[i].bytes).collect()),
            earliest_s,
            place: match order.is_sorted() {
                true => vec![],
                false => order.iter().map(|&i| i as u32).collect(),
            },
        }
    }

    /// Messages between hosts as messages between their rails, of which there are so many.
    pub(crate) fn on_rails(&self, rails: &Rails, nodes: u32) -> Self {
        let mut list: Vec<(u32, Message)> = Vec::with_capacity(self.len());
        for host in 0..self.nodes() {
            for message in self.range(host) {
                let number = message - self.first[host as usize];
                let (src, dst) = rails.of_message(host, self.dst(message), number);
                let (bytes, start_s) = (self.bytes(message), self.earliest_s(message));
                list.push((self.id(message), Message { src, dst, bytes, start_s }));
            }
        }
        list.sort_by_key(|(id, _)| *id);
        let messages: Vec<Message> = list.iter().map(|(_, message)| *message).collect();
        Self::explicit(nodes, &messages)
    }

    /// Gives all messages one size.
    pub fn set_bytes(&mut self, bytes: u64) {
        self.sizes = Sizes::Same(bytes);
    }

    pub fn len(&self) -> usize {
        self.dst.len()
    }

    pub fn is_empty(&self) -> bool {
        self.dst.is_empty()
    }

    pub fn nodes(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Numbers of the messages that a node sends.
    pub fn range(&self, src: Node) -> std::ops::Range<u32> {
        self.first[src as usize]..self.first[src as usize + 1]
    }

    /// The node that sends a message.
    pub fn src(&self, message: u32) -> Node {
        self.first.partition_point(|&first| first <= message) as Node - 1
    }

    /// Place of a message in the list or file that it comes from, from 0.
    pub fn id(&self, message: u32) -> u32 {
        self.place.get(message as usize).copied().unwrap_or(message)
    }

    /// Whose packets a message of `src` has: it counts among the messages of its source.
    #[inline]
    pub fn flow(&self, src: Node, message: u32) -> Flow {
        let number = message - self.first[src as usize];
        Flow { src, dst: self.dst(message), message: number }
    }

    #[inline]
    pub fn dst(&self, message: u32) -> Node {
        self.dst[message as usize]
    }

    #[inline]
    pub fn bytes(&self, message: u32) -> u64 {
        match &self.sizes {
            Sizes::Same(bytes) => *bytes,
            Sizes::Each(bytes) => bytes[message as usize],
        }
    }

    #[inline]
    pub fn earliest_s(&self, message: u32) -> f64 {
        self.earliest_s.get(message as usize).copied().unwrap_or(0.0)
    }
}
